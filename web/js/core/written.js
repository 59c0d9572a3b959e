// Amounts as people of several countries write them: `15.99`, `59,99`, `1,299.00`, `1 299`. As `WrittenAmount` of the service.

import { parseAmount, rescaled, writeAmount } from "./money.js";

/**
 * @typedef {{kind: "amount", amount: string} | {kind: "either", thousands: string, fraction: string} | {kind: "none"}} Written an amount,
 *   either of two (with the separator between thousands, or as the decimal point), or none
 */

/** @type {Written} */
const NONE = { kind: "none" };

/**
 * Whether a character may be in an amount: a digit, a point, or what parts thousands.
 * @param {string} one
 */
export const isPart = (one) => /^[0-9., '’\u00a0\u202f]$/.test(one);

/**
 * Reads an amount. The last of two separators is the decimal point. A single one is too, unless it may as well part thousands: `1,500`
 * is read by nobody's guess.
 * @param {string} text digits and separators; anything else is no amount
 * @param {number} digits those of its currency after the point
 * @returns {Written}
 */
export function writtenAmount(text, digits) {
  if (![...text].every(isPart) || !/^[0-9]/.test(text) || !/[0-9]$/.test(text)) return NONE;
  const number = text.replace(/[^0-9.,]/g, " "), separators = number.replace(/[0-9]/g, "");
  const either = separators.length === 1 && separators !== " " ? eitherOf(number.split(separators), separators, digits) : null;
  if (either) return either;
  const amount = grouped(number);
  return amount === null ? NONE : { kind: "amount", amount };
}

/**
 * The thousands or the fraction: up to three digits, a separator, and three digits.
 * @param {string[]} parts
 * @param {string} mark
 * @param {number} digits
 * @returns {Written | null}
 */
function eitherOf([whole, rest, ...more], mark, digits) {
  if (more.length || whole.length < 1 || whole.length > 3 || rest?.length !== 3 || whole[0] === "0") return null;
  const thousands = parseAmount(whole + rest), fraction = parseAmount(`${whole}.${rest}`);
  if (!thousands || !fraction) return null;
  // Programs write a point. With a third digit of its own the currency decides, and refuses it where it has two.
  if (mark === "." && (digits > 2 || digits === 0 || rest[2] !== "0")) return { kind: "amount", amount: writeAmount(fraction) };
  // A currency without digits has no fractions.
  return digits === 0 ? { kind: "amount", amount: writeAmount(thousands) } : { kind: "either", thousands: writeAmount(thousands), fraction: writeAmount(rescaled(fraction, 2) ?? fraction) };
}

/**
 * @param {string} number
 * @returns {string | null}
 */
function grouped(number) {
  const count = (/** @type {string} */ mark) => number.split(mark).length - 1, points = count("."), commas = count(","), last = number.replace(/[0-9]/g, "").at(-1);
  const decimal = points && commas ? (last === " " ? null : last ?? null) : points === 1 ? "." : commas === 1 ? "," : null;
  if (decimal && count(decimal) !== 1) return null;
  const [whole, rest] = decimal ? number.split(decimal) : [number], groups = whole.split(/[^0-9]/);
  // What parts thousands does so.
  if (new Set(whole.replace(/[0-9]/g, "")).size > 1 || !groups.slice(1).every((group) => group.length === 3)) return null;
  const amount = parseAmount(groups.join("") + (rest === undefined ? "" : `.${rest}`));
  return amount && writeAmount(amount);
}

/**
 * The amount in a text that may have the sign of its currency.
 * @param {string} text
 * @param {number} digits
 * @returns {Written}
 */
export function amountIn(text, digits) {
  const first = text.search(/[0-9]/);
  if (first < 0 || /[-−–(]/.test(text)) return NONE;
  return writtenAmount(text.slice(first, text.length - [...text].reverse().join("").search(/[0-9]/)), digits);
}
