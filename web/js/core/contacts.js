// Contacts: their declaration, the rules that no single field shows, and the days that come round. As `StoredContact`, `ContactRules`
// and `ContactDates` of the service.

import { components, dayOf, daysInMonth, parseDay } from "./days.js";
import { flag, integer, text } from "./declared.js";

/**
 * @typedef {{id: string, area: string | null, number: string | null, e164: string | null, type: string}} Phone
 * @typedef {{id: string, street: string | null, apt: string | null, city: string | null, state: string | null, zip: string | null, country: string | null, type: string}} Address
 * @typedef {{id: string, email: string, type: string}} Email
 * @typedef {{id: string, date: string, yearly: boolean, reminderDays: number | null, type: string}} Occasion
 * @typedef {object} Contact
 * @property {string} firstName
 * @property {string | null} middleName
 * @property {string} lastName
 * @property {string | null} note
 * @property {Phone[]} phones
 * @property {Address[]} addresses
 * @property {Email[]} emails
 * @property {Occasion[]} dates
 */

const isOptional = true, isImmutable = true;

/** @type {import("./declared.js").Declaration} */
export const CONTACT = {
  name: "contact", title: ["firstName", "lastName"], check: (row) => faults(/** @type {Contact} */ (row)),
  fields: [
    text("firstName", 1, 100, { isImmutable }), text("middleName", 1, 100, { isOptional, isImmutable }), text("lastName", 1, 100, { isImmutable }),
    text("note", 1, 2000, { isOptional, isMultiline: true }),
  ],
  parts: [
    { name: "phones", maximum: 50, fields: [text("area", 1, 10, { isOptional }), text("number", 1, 20, { isOptional }), text("e164", 1, 20, { isOptional }), text("type", 1, 30)] },
    {
      name: "addresses", maximum: 50, fields: [
        text("street", 1, 40, { isOptional }), text("apt", 1, 100, { isOptional }), text("city", 1, 100, { isOptional }), text("state", 1, 100, { isOptional }),
        text("zip", 1, 10, { isOptional }), text("country", 1, 100, { isOptional }), text("type", 1, 30),
      ],
    },
    { name: "emails", maximum: 50, fields: [text("email", 3, 254), text("type", 1, 30)] },
    { name: "dates", maximum: 50, fields: [text("date", 1, 10), flag("yearly"), integer("reminderDays", 0, 365, { isOptional }), text("type", 1, 30)] },
  ],
};

/** How many digits an area code and a number have. */
export const AREA_DIGITS = 3, NUMBER_DIGITS = 7;

/**
 * The faults of a contact as it is to be stored, each with its path: `phones.9f2c….area`.
 * @param {Contact} contact
 * @returns {import("./declared.js").Fault[]}
 */
export function faults(contact) {
  /** @type {[keyof Contact, (part: any) => import("./declared.js").Fault[]][]} */
  const checks = [["phones", phoneFaults], ["addresses", addressFaults], ["emails", emailFaults], ["dates", dateFaults]];
  return checks.flatMap(([list, check]) => /** @type {any[]} */ (contact[list] ?? []).flatMap((part) =>
    check(part).map((fault) => ({ ...fault, field: `${list}.${part.id}.${fault.field}` }))));
}

/** @param {Phone} phone */
function phoneFaults({ area, number, e164 }) {
  if (e164) {
    if (area || number) return [{ field: "e164", code: "conflict", message: "stands in place of area and number, not beside them" }];
    return /^\+[1-9][0-9]{1,14}$/.test(e164) ? [] : [{ field: "e164", code: "malformed", message: "must be + and 2 to 15 digits, the first not 0", says: "wholeNumber" }];
  }
  return [digits(area, "area", AREA_DIGITS, "number"), digits(number, "number", NUMBER_DIGITS, "area")].flatMap((fault) => fault ?? []);
}

/**
 * @param {string | null} value
 * @param {string} field
 * @param {number} needed
 * @param {string} other
 * @returns {import("./declared.js").Fault | null}
 */
function digits(value, field, needed, other) {
  const count = [...value ?? ""].length, values = { needed, count };
  if (!value) return { field, code: "required", message: `needs ${needed} digits beside ${other}; a whole number is e164`, says: "digits", values };
  if (!/^[0-9]+$/.test(value)) return { field, code: "malformed", message: `has more than digits; needs ${needed}`, says: "digits", values: { ...values, count: 0 } };
  return count === needed ? null : { field, code: "range", message: `has ${count} digits; needs ${needed}`, says: "digits", values };
}

/** @param {Address} address */
const addressFaults = ({ street, apt, city, state, zip }) => [street, apt, city, state, zip].some(Boolean) ? []
  : [{ field: "street", code: "required", message: "at least one of street, apt, city, state and zip is needed", says: "addressEmpty" }];

/** @param {Email} email */
const emailFaults = ({ email }) => email && isEmail(email) ? [] : [{ field: "email", code: "malformed", message: "must be an address such as ada@example.org", says: "email" }];

/**
 * Whether a text can be an address of mail: something before an `@`, something behind it, and no white space.
 * @param {string} text
 */
export const isEmail = (text) => !/\p{White_Space}/u.test(text) && [...text].slice(1, -1).includes("@");

/** @param {Occasion} date */
function dateFaults({ date, yearly }) {
  const day = date ? readDate(date) : null;
  if (!day) return [{ field: "date", code: "malformed", message: "must be a day from 1000 to 2999 such as 1995-06-25, or --06-25 without a year", says: "date" }];
  return day.year === null && !yearly ? [{ field: "yearly", code: "conflict", message: "must be true: a day without a year comes each year" }] : [];
}

/**
 * Reads `1995-06-25` or `--06-25`; null for anything else, and for a day that no calendar has. Without a year 29 February is one.
 * @param {string} text
 * @returns {{year: number | null, month: number, day: number} | null}
 */
export function readDate(text) {
  const isYearless = text.startsWith("--"), whole = parseDay(isYearless ? `2000-${text.slice(2)}` : text);
  if (whole === null) return null;
  const { year, month, day } = components(whole);
  return year < 1000 || year > 2999 ? null : { year: isYearless ? null : year, month, day };
}

/**
 * The day in a year. 29 February is 28 February where the year has none: a reminder too late is worse.
 * @param {{month: number, day: number}} date
 * @param {number} year
 */
const inYear = ({ month, day }, year) => dayOf(year, month, Math.min(day, daysInMonth(year, month)));

/**
 * The next time that a date comes round, the day itself included, and how many years that is after the first.
 * @param {{date: string, yearly: boolean}} date
 * @param {number} today
 * @returns {{day: number, years: number | null} | null} null: it was once, or the calendar ends
 */
export function nextOf({ date: text, yearly }, today) {
  const date = readDate(text);
  if (!date) return null;
  if (!yearly && date.year !== null) {
    const day = inYear(date, date.year);
    return day >= today ? { day, years: 0 } : null;
  }
  const now = components(today).year, first = Math.max(now, date.year ?? now);
  for (const year of [first, first + 1]) {
    if (year < 1000 || year > 2999) continue;
    const day = inYear(date, year);
    if (day >= today) return { day, years: date.year === null ? null : year - date.year };
  }
  return null;
}

/** @param {Contact} contact */
export const fullName = ({ firstName, middleName, lastName }) => [firstName, middleName, lastName].filter(Boolean).join(" ");

/**
 * The digits of a number alone.
 * @param {Phone} phone
 */
export const digitsOf = ({ area, number, e164 }) => `${area ?? ""}${number ?? ""}${(e164 ?? "").replaceAll("+", "")}`;
