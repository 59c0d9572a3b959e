// The user's subscriptions as a table: the same that `subtrack export --format csv` writes. It is loaded when it is used.
// As `SubscriptionExport` of the service's kit.

import { parseAmount } from "../core/money.js";

/** @typedef {import("../../types/app").Subscription} Subscription */

const COLUMNS = [
  "name", "plan", "category", "price", "currency", "cycle", "start_date", "next_renewal", "status", "auto_renew", "free_trial", "label", "note",
  "reminder_days", "muted", "plan_type", "plan_source", "country", "plan_price", "trial_days", "notice_days", "cancelled_on",
];

/**
 * A field with an apostrophe in front where a spreadsheet would take it for a formula (OWASP, CSV injection).
 * @param {string} field
 */
const escaped = (field) => /^'*[=+\-@\t\r]/.test(field) && !parseAmount(field) ? `'${field}` : field;

/**
 * One line of CSV (RFC 4180).
 * @param {(string | number | null)[]} values
 */
const line = (values) => `${values.map((value) => {
  const shown = escaped(value === null ? "" : String(value));
  return /[",;\t\r\n]/.test(shown) ? `"${shown.replaceAll('"', '""')}"` : shown;
}).join(",")}\r\n`;

/** @param {boolean} flag */
const yes = (flag) => flag ? "yes" : "no";

/**
 * Subscriptions as comma-separated values. `price` is the cost of a period: the own fee, else the plan's fee, which follows a trial.
 * `plan_price` is the plan's fee beside an own fee.
 * @param {Subscription[]} subscriptions by end date
 */
export const table = (subscriptions) => [COLUMNS, ...subscriptions.map(({ plan, ...one }) => [
  plan.provider, plan.name, plan.category, one.ownFee ?? plan.fee, plan.currency,
  `${plan.duration.value} ${plan.duration.unit}${plan.duration.value === 1 ? "" : "s"}`, one.startDate, one.endDate, one.status, yes(one.autoRenew),
  yes(one.freeTrial), one.label, one.note, one.reminderDays, yes(one.muted), plan.type, plan.private ? "own" : "catalog", plan.country,
  one.ownFee === null ? null : plan.fee, plan.trialDays, plan.noticeDays, one.cancelledOn,
])].map(line).join("");
