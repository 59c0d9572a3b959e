// What becomes of an offline change when the row has changed meanwhile. As `FieldGroup` and `FieldMerge` of the service.

import { compareAmounts, parseAmount } from "./money.js";

/** @typedef {"billing" | "terms" | "intent" | "notes" | "name" | "country" | "zone" | "plan"} FieldGroup */

/**
 * The group of a field of `subscriptions.update`.
 * @type {Record<string, FieldGroup>}
 */
const GROUPS = {
  startDate: "billing", nextRenewal: "billing", freeTrial: "billing", planId: "terms", plan: "terms", fee: "terms",
  autoRenew: "intent", reminderDays: "intent", muted: "intent", label: "notes", note: "notes",
};
/**
 * The group of a field of `me.update`.
 * @type {Record<string, FieldGroup>}
 */
const USER_GROUPS = { userName: "name", country: "country", timeZone: "zone" };

/**
 * @param {string} field
 * @returns {FieldGroup | null}
 */
export const groupOf = (field) => Object.hasOwn(GROUPS, field) ? GROUPS[field] : null;
/**
 * @param {string} field
 * @returns {FieldGroup | null}
 */
export const userGroupOf = (field) => Object.hasOwn(USER_GROUPS, field) ? USER_GROUPS[field] : null;

/**
 * @param {unknown} value
 * @returns {value is Record<string, unknown>}
 */
const isObject = (value) => typeof value === "object" && value !== null && !Array.isArray(value);

/**
 * Whether two values of JSON are the same.
 * @param {unknown} one
 * @param {unknown} other
 * @returns {boolean}
 */
export function isEqual(one, other) {
  if (Array.isArray(one) && Array.isArray(other)) return one.length === other.length && one.every((value, i) => isEqual(value, other[i]));
  if (isObject(one) && isObject(other)) {
    const names = Object.keys(one);
    return names.length === Object.keys(other).length && names.every((name) => Object.hasOwn(other, name) && isEqual(one[name], other[name]));
  }
  return one === other;
}

/**
 * Whether what was sent says nothing else than what is stored: an amount in other digits, some fields of a plan.
 * @param {unknown} yours
 * @param {unknown} kept
 * @param {string} field
 * @returns {boolean}
 */
export function saysTheSame(yours, kept, field) {
  if (field === "fee" && typeof yours === "string" && typeof kept === "string") {
    const one = parseAmount(yours), other = parseAmount(kept);
    return yours === kept || (one !== null && other !== null && compareAmounts(one, other) === 0);
  }
  if (isObject(yours) && isObject(kept))
    return Object.entries(yours).every(([name, value]) => Object.hasOwn(kept, name) && saysTheSame(value, kept[name], name));
  return isEqual(yours, kept);
}

/**
 * Parts the fields of a change into those that are written and those that are lost. The server's order decides: a field of a group
 * that somebody else has changed since is not written, and its sender is told. A field with the same value on both sides is neither.
 * @param {Record<string, unknown>} fields
 * @param {(field: string) => boolean | null} isTaken whether somebody else has changed a field's group since; null: it is in none
 * @param {(field: string) => unknown} kept what is stored of a field
 */
export function split(fields, isTaken, kept) {
  /** @type {Record<string, unknown>} */
  const written = {};
  /** @type {{field: string, kept: unknown, yours: unknown}[]} */
  const lost = [];
  for (const field of Object.keys(fields).sort()) {
    const yours = fields[field];
    if (isTaken(field) !== true) written[field] = yours;
    else {
      const stored = kept(field);
      if (!saysTheSame(yours, stored, field)) lost.push({ field, kept: stored, yours });
    }
  }
  return { written, lost };
}
