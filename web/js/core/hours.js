// The instants of a zone's clock. As `LocalHour` of the service. Readings are milliseconds, as if the clock were at UTC.

import { addDays, dayOf } from "./days.js";

const MINUTE = 60_000, DAY = 86_400_000;

/** @type {Map<string, Intl.DateTimeFormat | null>} */
const clocks = new Map();

/** @param {string} timeZone */
function clock(timeZone) {
  let found = clocks.get(timeZone);
  if (found === undefined) {
    try {
      found = new Intl.DateTimeFormat("en-US", {
        timeZone, calendar: "iso8601", numberingSystem: "latn", hourCycle: "h23", year: "numeric", month: "numeric", day: "numeric", hour: "numeric", minute: "numeric",
        second: "numeric",
      });
    } catch { found = null; }
    clocks.set(timeZone, found);
  }
  return found;
}

/**
 * What a clock shows at an instant.
 * @param {Intl.DateTimeFormat} clock
 * @param {number} instant milliseconds since 1970, whole seconds
 */
function reading(clock, instant) {
  /** @type {Record<string, number>} */
  const shown = {};
  for (const { type, value } of clock.formatToParts(instant)) shown[type] = Number(value);
  return dayOf(shown.year, shown.month, shown.day) * DAY + (shown.hour * 60 + shown.minute) * MINUTE + shown.second * 1000;
}

/**
 * The first instant at which a clock reads more than a reading that it passes over.
 * @param {Intl.DateTimeFormat} clock
 * @param {number} wanted
 */
function endOfGap(clock, wanted) {
  let before = wanted - DAY, after = wanted + DAY;
  while (after - before > 1000) {
    const middle = before + Math.floor((after - before) / 2000) * 1000;
    if (reading(clock, middle) > wanted) after = middle; else before = middle;
  }
  return after;
}

/**
 * The instant at which a zone's clock shows a time of a day. A time in the gap of a change of clocks is the gap's end, and one that
 * comes twice is the first. Where the gap takes the day's last hour, it is the last minute before. A day that the zone leaves out has
 * the hour of the next one.
 * @param {number} day
 * @param {number} minute minutes from midnight, 0…1439
 * @param {string} timeZone IANA
 * @returns {number | null} milliseconds since 1970; null: there is no such zone
 */
export function instantOf(day, minute, timeZone) {
  const found = clock(timeZone);
  if (!found) return null;
  const wanted = day * DAY + minute * MINUTE;
  // No clock is a day away from UTC, so the offsets of these two hold before and after.
  const exact = [wanted - DAY, wanted + DAY].map((near) => wanted - (reading(found, near) - near)).filter((instant) => reading(found, instant) === wanted);
  if (exact.length) return Math.min(...exact);
  const end = endOfGap(found, wanted);
  for (const instant of [end, end - MINUTE]) if (Math.floor(reading(found, instant) / DAY) === day) return instant;
  return instantOf(addDays(day, 1), minute, timeZone);
}
