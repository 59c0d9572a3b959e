// Days of the proleptic Gregorian calendar, without time or zone. Inside the rules a day is the count of days since 1970-01-01;
// rows and pages have it as text: `2026-01-31`. As `CalendarDate` and `LocalDay` of the service.

/** The days that can be written with four digits of year: 0001-01-01 and 9999-12-31. */
export const FIRST_DAY = -719_162, LAST_DAY = 2_932_896;

/** @param {number} day */
export const clamped = (day) => Math.min(Math.max(day, FIRST_DAY), LAST_DAY);

/** @param {number} year */
export const isLeap = (year) => year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);

/**
 * The number of days of a month (1…12) of a year.
 * @param {number} year
 * @param {number} month
 */
export const daysInMonth = (year, month) =>
  month === 2 ? (isLeap(year) ? 29 : 28) : month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31;

/**
 * The day of year (1…9999), month and day, which must be one of the calendar.
 * @param {number} year
 * @param {number} month
 * @param {number} day
 */
export function dayOf(year, month, day) {
  // Years from March on, in eras of 400: a leap day is then the last day of its year.
  const from = month <= 2 ? year - 1 : year, era = Math.floor(from / 400), yearOfEra = from - era * 400;
  const dayOfYear = Math.floor((153 * (month > 2 ? month - 3 : month + 9) + 2) / 5) + day - 1;
  return era * 146_097 + yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100) + dayOfYear - 719_468;
}

/**
 * Year, month and day.
 * @param {number} day
 * @returns {{year: number, month: number, day: number}}
 */
export function components(day) {
  const shifted = day + 719_468, era = Math.floor(shifted / 146_097), dayOfEra = shifted - era * 146_097;
  const yearOfEra = Math.floor((dayOfEra - Math.floor(dayOfEra / 1460) + Math.floor(dayOfEra / 36_524) - Math.floor(dayOfEra / 146_096)) / 365);
  const dayOfYear = dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100));
  const fromMarch = Math.floor((5 * dayOfYear + 2) / 153);
  const month = fromMarch < 10 ? fromMarch + 3 : fromMarch - 9;
  return { year: yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, day: dayOfYear - Math.floor((153 * fromMarch + 2) / 5) + 1 };
}

/**
 * Reads `YYYY-MM-DD` and nothing else.
 * @param {unknown} text
 * @returns {number | null} null: it is no day of the calendar
 */
export function parseDay(text) {
  const found = typeof text === "string" ? /^([0-9]{4})-([0-9]{2})-([0-9]{2})$/.exec(text) : null;
  if (!found) return null;
  const year = Number(found[1]), month = Number(found[2]), day = Number(found[3]);
  if (year < 1 || month < 1 || month > 12 || day < 1 || day > daysInMonth(year, month)) return null;
  return dayOf(year, month, day);
}

/**
 * Reads the day of a row, which has been checked by those who wrote it.
 * @param {string} text
 * @returns {number}
 */
export function readDay(text) {
  const day = parseDay(text);
  if (day === null) throw new RangeError(`"${String(text).slice(0, 40)}" is no day`);
  return day;
}

/**
 * `YYYY-MM-DD`.
 * @param {number} day
 */
export function writeDay(day) {
  const { year, month, day: date } = components(day);
  return `${String(year).padStart(4, "0")}-${month < 10 ? "0" : ""}${month}-${date < 10 ? "0" : ""}${date}`;
}

/**
 * A day moved by a number of days, clamped to what can be written.
 * @param {number} day
 * @param {number} days
 */
export const addDays = (day, days) => clamped(day + days);

/** @type {Map<string, Intl.DateTimeFormat | null>} */
const zones = new Map();

/** @param {string} timeZone */
function zone(timeZone) {
  let found = zones.get(timeZone);
  if (found === undefined) {
    try {
      found = new Intl.DateTimeFormat("en-US", { timeZone, calendar: "iso8601", numberingSystem: "latn", year: "numeric", month: "numeric", day: "numeric" });
    } catch { found = null; }
    zones.set(timeZone, found);
  }
  return found;
}

/**
 * Whether the browser knows a time zone of this name. Offsets (`+05:00`) are none.
 * @param {string} name
 */
export const isTimeZone = (name) => name.length <= 64 && /^[A-Za-z][A-Za-z0-9/_+-]*$/.test(name) && zone(name) !== null;

/**
 * The day on which an instant falls in a time zone.
 * @param {number} now milliseconds since 1970
 * @param {string} timeZone IANA
 * @returns {number | null} null: there is no such zone
 */
export function localDay(now, timeZone) {
  const format = zone(timeZone);
  if (!format) return null;
  const parts = format.formatToParts(now);
  /** @param {string} type */
  const part = (type) => Number(parts.find((part) => part.type === type)?.value);
  return dayOf(part("year"), part("month"), part("day"));
}
