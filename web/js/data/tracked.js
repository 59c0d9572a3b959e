// Subscriptions as people see them on a day. As `TrackedSubscription` of the service's kit.

import { writeDay } from "../core/days.js";
import { standing, isOverdue, isDueWithin, USUAL_REMINDER_DAYS } from "../core/standing.js";
import { writeAmount } from "../core/money.js";

/**
 * @typedef {import("../../types/app").Subscription} Subscription
 * @typedef {import("./overlay.js").Entry} Entry
 * @typedef {{today: number, plan: unknown, prices: unknown, provider: unknown, isPending: boolean, version: number, subscription: Subscription}} Kept
 */

/**
 * What was made of a row before, while nothing that it depends on has changed.
 * @type {WeakMap<import("./overlay.js").Row, Kept>}
 */
const made = new WeakMap();

/**
 * What is shown for the plan of a subscription that came before it; a pull brings it.
 * @param {import("./overlay.js").Row} row
 * @param {import("./plans.js").PlanTable} plans
 * @returns {import("../../types/app").Plan}
 */
const notHere = (row, plans) => ({
  id: row.planId, provider: "…", name: "…", type: "Standard", category: "Other", country: "", fee: plans.written(row), currency: row.currency,
  duration: { value: 1, unit: "month" }, trialDays: null, noticeDays: 0, withdrawn: false, private: false, title: null, prices: [], announced: null,
});

/**
 * An address of a provider's page, as an editor of the catalogue typed it; null for none, and for what is no page.
 * @param {string | null | undefined} address
 */
const page = (address) => address && /^https?:\/\//i.test(address) ? address : null;

/**
 * A subscription on a day. One that renews by itself is in the period of that day.
 * @param {import("./overlay.js").Overlay} overlay
 * @param {Entry} entry
 * @param {number} today
 * @returns {Subscription}
 */
export function tracked(overlay, entry, today) {
  const { plans } = overlay, stored = plans.plans.get(entry.row.planId), prices = plans.prices.get(entry.row.planId);
  const provider = stored && plans.providers.get(stored.provider);
  const known = made.get(entry.row);
  if (known && known.today === today && known.plan === stored && known.prices === prices && known.provider === provider
    && known.isPending === entry.isPending && known.version === entry.version) return known.subscription;
  const row = overlay.current(entry.row, today), plan = plans.plan(row.planId, today), line = plans.line(row.planId);
  // A period is ended by the notice that held when it began.
  const former = stored?.formerTerms && row.startDate < stored.formerTerms.until ? stored.formerTerms.noticeDays : null;
  const stands = standing({ endDate: row.endDate, cancelledOn: row.cancelledOn, noticeDays: former ?? stored?.noticeDays ?? 0 }, today);
  const next = row.cancelledOn === null && line ? line.costFrom(row.endDate, row.ownFee) : null;
  const price = { fee: writeAmount(row.fee), currency: row.currency };
  const nextPrice = next && { fee: plans.written(next), currency: next.currency, on: writeDay(row.endDate) };
  const overdue = isOverdue(stands), days = row.reminderDays ?? USUAL_REMINDER_DAYS;
  const shown = plan ?? notHere(row, plans), title = shown.title;
  const length = row.endDate - row.startDate;
  /** @type {Subscription} */
  const subscription = {
    id: entry.id, plan: shown, planIsHere: plan !== null, name: row.label ?? shown.provider,
    subtitle: row.label ? [shown.provider, title].filter(Boolean).join(" ") : title, label: row.label, note: row.note,
    startDate: writeDay(row.startDate), endDate: writeDay(row.endDate), remaining: stands.remaining,
    passed: length > 0 ? Math.min(Math.max((today - row.startDate) / length, 0), 1) : 1,
    period: row.period, price, nextPrice, usualPrice: row.freeTrial && nextPrice ? { fee: nextPrice.fee, currency: nextPrice.currency } : price,
    ownFee: row.ownFee && plans.written({ fee: row.ownFee, currency: row.currency }), freeTrial: row.freeTrial, autoRenew: row.autoRenew,
    status: stands.status,
    standing: stands.status !== "active" ? stands.status : overdue ? "overdue" : row.freeTrial ? "trial" : isDueWithin(stands, days) ? "due" : "active",
    overdue, due: stands.status === "active" && stands.remaining <= days, cancelBy: writeDay(stands.cancelBy),
    cancelledOn: row.cancelledOn === null ? null : writeDay(row.cancelledOn), reminderDays: row.reminderDays, muted: row.muted, waiting: entry.isPending,
    version: entry.version, cancelUrl: shown.private ? null : page(provider?.cancelUrl), website: shown.private ? null : page(provider?.website),
  };
  made.set(entry.row, { today, plan: stored, prices, provider, isPending: entry.isPending, version: entry.version, subscription });
  return subscription;
}
