// What is computed over all subscriptions: sums, notices, questions, the calendar, a year's spending.

import { countOfFirst, dateAt, fits } from "../core/billing.js";
import { components, dayOf, daysInMonth, readDay, writeDay } from "../core/days.js";
import { CurrencyConversion, compareAmounts, parseAmount, readAmount, sumOf, writeAmount } from "../core/money.js";
import { noticesOf } from "../core/notices.js";
import { Savings, Spending } from "../core/spending.js";
import { USUAL_REMINDER_DAYS } from "../core/standing.js";
import { stateOf } from "./overlay.js";

export { reminded } from "./reminders.js";

/**
 * @typedef {import("../../types/app").Subscription} Subscription
 * @typedef {import("../../types/app").Notice} Notice
 * @typedef {import("../../types/app").Question} Question
 * @typedef {import("./overlay.js").Overlay} Overlay
 * @typedef {{overlay: Overlay, today: number, subscriptions: Subscription[]}} Of
 */

/**
 * @param {string} one
 * @param {string} other
 */
const byText = (one, other) => one < other ? -1 : one > other ? 1 : 0;

/**
 * What active subscriptions cost in a month and a year, by currency.
 * @param {Of} of
 */
export function spending({ overlay: { plans }, subscriptions }) {
  const spending = new Spending();
  for (const { status, plan, nextPrice, usualPrice } of subscriptions) {
    const terms = plans.terms(plan.id);
    if (status !== "active" || !terms || !nextPrice) continue;
    // What it goes on costing: a trial's fee says nothing.
    spending.add({ fee: readAmount(usualPrice.fee), currency: usualPrice.currency }, terms);
  }
  try {
    return spending.totals((currency) => plans.digits(currency)).map(({ currency, month, year }) => ({ currency, month: writeAmount(month), year: writeAmount(year) }));
  } catch { return []; }
}

/**
 * What was not paid because of cancelling in time, by currency.
 * @param {Of} of
 */
export function saved({ overlay, today, subscriptions }) {
  const savings = new Savings(), { plans } = overlay;
  for (const { id, cancelledOn } of subscriptions) {
    const row = cancelledOn ? overlay.entries.get(id)?.row : null;
    const terms = row && plans.terms(row.planId), line = row && plans.line(row.planId);
    if (row && terms && line) savings.add(stateOf(row), terms, line, row.ownFee, today);
  }
  try {
    return savings.totals((currency) => plans.digits(currency)).map(({ currency, amount }) => ({ currency, fee: writeAmount(amount) }))
      .filter(({ fee }) => readAmount(fee).units > 0n);
  } catch { return []; }
}

/**
 * All in one currency, by the rates that the service gave last.
 * @param {{currency: string, month: string, year: string}[]} spend
 * @param {string | null} currency
 * @param {{rates: {currency: string, perEuro: string, on: string}[], missing: string[]} | undefined} kept
 * @param {(currency: string) => number} digits
 */
export function total(spend, currency, kept, digits) {
  if (!currency || !spend.some((part) => part.currency !== currency)) return null;
  const conversion = new CurrencyConversion((kept?.rates ?? []).map(({ currency, perEuro }) => [currency, readAmount(perEuro)]));
  const needed = new Set([...spend.map((part) => part.currency), currency]);
  const missing = conversion.missing(needed);
  /** @param {"month" | "year"} of */
  const sum = (of) => {
    const sum = missing.length ? null : conversion.sum(spend.map((part) => ({ fee: readAmount(part[of]), currency: part.currency })), currency, digits(currency));
    return sum && writeAmount(sum);
  };
  const days = (kept?.rates ?? []).filter((rate) => needed.has(rate.currency)).map(({ on }) => on).sort();
  return { currency, month: sum("month"), year: sum("year"), ratesOf: missing.length ? null : days[0] ?? null, missing };
}

/**
 * @param {import("./plans.js").PlanRow} plan
 * @param {import("../core/prices.js").PriceLine} prices
 */
const outlook = (plan, prices) => ({
  prices, terms: { duration: plan.duration, noticeDays: plan.noticeDays }, withdrawnOn: plan.withdrawnOn,
  former: plan.formerTerms && { until: plan.formerTerms.until, terms: { duration: plan.formerTerms.duration, noticeDays: plan.formerTerms.noticeDays } },
});

/**
 * What changes for active subscriptions, by day.
 * @param {Of} of
 * @returns {Notice[]}
 */
export function notices({ overlay, today, subscriptions }) {
  const { plans } = overlay;
  /** @type {Notice[]} */
  const all = [];
  for (const { id, status } of subscriptions) {
    const entry = status === "active" ? overlay.entries.get(id) : null;
    if (!entry) continue;
    const row = overlay.current(entry.row, today), plan = plans.plans.get(row.planId), line = plans.line(row.planId);
    // Most plans have one price and are sold: nothing changes.
    if (!plan || !line || (line.entries.length === 1 && !plan.formerTerms && plan.withdrawnOn === null && row.ownFee === null && line.priceOn(row.startDate) === line.priceOn(row.endDate) && !isOther(row, line))) continue;
    for (const notice of noticesOf(outlook(plan, line), stateOf(row), { fee: row.fee, currency: row.currency }, row.ownFee)) {
      /** @param {import("../core/prices.js").Price | null} price */
      const written = (price) => price && { fee: plans.written(price), currency: price.currency };
      all.push({ ...notice, subscriptionId: id, on: writeDay(notice.on), cancelBy: writeDay(notice.cancelBy), from: written(notice.from), to: written(notice.to) });
    }
  }
  return all.sort((one, other) => byText(one.on, other.on) || byText(one.subscriptionId, other.subscriptionId) || byText(one.kind, other.kind));
}

/**
 * Whether a period costs something else than its plan's only price.
 * @param {import("./overlay.js").Row} row
 * @param {import("../core/prices.js").PriceLine} line
 */
const isOther = (row, line) => !row.freeTrial && (row.currency !== line.entries[0].price.currency || compareAmounts(row.fee, line.entries[0].price.fee) !== 0);

/** How many days ahead a dearer price, or other terms, are asked about. */
const AHEAD = 30;
/** A period of so many days is long: its last day to cancel is asked about even where no notice is needed. */
const LONG = 60;

/**
 * What waits for an answer on Today, the most urgent first.
 * @param {Of} of
 * @param {Notice[]} notices
 * @param {Map<string, {answer: string, day: string}>} answers
 * @returns {Question[]}
 */
export function questions({ today, subscriptions }, notices, answers) {
  /** @type {Question[]} */
  const asked = [];
  const of = new Map(subscriptions.map((subscription) => [subscription.id, subscription]));
  const isAnswered = (/** @type {string} */ id) => {
    const known = answers.get(id);
    return known !== undefined && (known.answer !== "later" || known.day >= writeDay(today));
  };
  /**
   * @param {Question["kind"]} kind
   * @param {Subscription} subscription
   * @param {string} on
   * @param {Notice | null} notice
   * @param {Question["answers"]} given
   */
  const ask = (kind, subscription, on, notice, given) => {
    const id = `${kind} ${subscription.id} ${on}`;
    if (!isAnswered(id)) asked.push({ id, kind, subscription, contact: null, date: null, on, notice, answers: given, reminders: [] });
  };
  /** @type {Set<string>} */
  const isAsked = new Set();
  for (const notice of notices) {
    const subscription = of.get(notice.subscriptionId);
    if (!subscription || readDay(notice.on) - today > AHEAD || (notice.kind !== "withdrawn" && notice.on < writeDay(today))) continue;
    if (notice.kind === "price") {
      const isRise = notice.from && notice.to && (notice.from.currency !== notice.to.currency || compareAmounts(readAmount(notice.to.fee), readAmount(notice.from.fee)) > 0);
      if (!isRise) continue;
      isAsked.add(subscription.id);
    }
    ask(notice.kind, subscription, notice.on, notice, ["keep", "cancel", "later"]);
  }
  for (const subscription of subscriptions) {
    const { overdue, status, freeTrial, remaining, endDate, cancelBy, reminderDays, plan, autoRenew, startDate } = subscription;
    const days = reminderDays ?? USUAL_REMINDER_DAYS;
    if (overdue) ask("overdue", subscription, endDate, null, ["renewed", "over", "later"]);
    else if (status !== "active") continue;
    else if (freeTrial) {
      if (Math.min(remaining, readDay(cancelBy) - today) <= days) ask("trial", subscription, endDate, null, ["keep", "cancel", "later"]);
    } else if (autoRenew && !isAsked.has(subscription.id)) {
      const left = readDay(cancelBy) - today;
      const isMeant = reminderDays !== null || plan.noticeDays > 0 || readDay(endDate) - readDay(startDate) >= LONG;
      if (isMeant && left >= 0 && left <= days) ask("cancelBy", subscription, cancelBy, null, ["keep", "cancel", "later"]);
    }
  }
  /** @type {Record<string, number>} */
  const rank = { overdue: 0, trial: 1, cancelBy: 2, price: 3, terms: 4, withdrawn: 5 };
  return asked.sort((one, other) => Math.sign(Number(one.kind !== "overdue") - Number(other.kind !== "overdue")) || byText(one.on, other.on) || rank[one.kind] - rank[other.kind] || byText(one.id, other.id));
}

/**
 * The renewals of an active subscription from its end on, up to a day.
 * @param {Overlay} overlay
 * @param {string} id
 * @param {number} today
 * @param {number} from
 * @param {number} to
 * @returns {{on: number, price: import("../core/prices.js").Price}[]}
 */
function renewalsBetween(overlay, id, today, from, to) {
  const entry = overlay.entries.get(id);
  const row = entry && overlay.current(entry.row, today), terms = row && overlay.plans.terms(row.planId), line = row && overlay.plans.line(row.planId);
  if (!row || !terms || !line || row.cancelledOn !== null) return [];
  const state = stateOf(row), [anchor, first] = fits(state, terms) ? [state.anchor, state.anchorCount] : [state.end, 0];
  const renewals = [];
  for (let count = Math.max(first, countOfFirst(from - 1, anchor, terms.duration)); renewals.length < 400; count++) {
    const on = dateAt(anchor, count, terms.duration);
    if (on === null || on > to) break;
    renewals.push({ on, price: line.costFrom(on, row.ownFee) });
  }
  return renewals;
}

/**
 * What leaves from today to so many days from today, by day. As `due` of the terminal, the last day counts.
 * @param {Of} of
 * @param {number} days
 */
export function leaving({ overlay, today, subscriptions }, days) {
  const all = [];
  for (const subscription of subscriptions) {
    if (subscription.status !== "active" || subscription.remaining > days) continue;
    for (const { on, price } of renewalsBetween(overlay, subscription.id, today, today, today + days))
      all.push({ on: writeDay(on), subscription, price: { fee: overlay.plans.written(price), currency: price.currency } });
  }
  return all.sort((one, other) => byText(one.on, other.on) || byText(one.subscription.id, other.subscription.id));
}

/**
 * Renewals, ends and last days to cancel of a month.
 * @param {Of} of
 * @param {string} month `2026-12`
 */
export function calendar({ overlay, today, subscriptions }, month) {
  const from = readDay(`${month}-01`), { year, month: number } = components(from), to = dayOf(year, number, daysInMonth(year, number));
  /** @type {{on: string, kind: "renews" | "cancelBy" | "ends", subscription: Subscription, price: import("../../types/app").Price | null}[]} */
  const all = [];
  for (const subscription of subscriptions) {
    const end = readDay(subscription.endDate), by = readDay(subscription.cancelBy);
    if (subscription.status !== "active") {
      if (end >= from && end <= to) all.push({ on: subscription.endDate, kind: "ends", subscription, price: null });
      continue;
    }
    if (by >= from && by <= to && by !== end) all.push({ on: subscription.cancelBy, kind: "cancelBy", subscription, price: null });
    if (end > to) continue;
    for (const { on, price } of renewalsBetween(overlay, subscription.id, today, from, to))
      all.push({ on: writeDay(on), kind: "renews", subscription, price: { fee: overlay.plans.written(price), currency: price.currency } });
  }
  return all.sort((one, other) => byText(one.on, other.on) || byText(one.kind, other.kind) || byText(one.subscription.name, other.subscription.name));
}

/**
 * Adds amounts up, by currency.
 * @param {{fee: string, currency: string}[]} prices
 * @param {(currency: string) => number} digits
 */
export function sums(prices, digits) {
  /** @type {Map<string, import("../core/money.js").Amount[]>} */
  const by = new Map();
  for (const { fee, currency } of prices) {
    const amounts = by.get(currency) ?? [], amount = parseAmount(fee);
    if (amount) amounts.push(amount);
    by.set(currency, amounts);
  }
  return [...by].sort(([one], [other]) => byText(one, other)).map(([currency, amounts]) => ({ currency, fee: writeAmount(sumOf(amounts, digits(currency))) }));
}

/**
 * A year's spending by month and category: what was paid in it, and what is to come.
 * @param {Of} of
 * @param {number} year
 * @param {Map<string, import("./overlay.js").PeriodRow[]>} periods all of each subscription, the current one included
 * @param {string | null} currency the user's, which comes first
 * @returns {import("../../types/app").SpendingReport}
 */
export function spendingIn({ overlay, today, subscriptions }, year, periods, currency) {
  const { plans } = overlay, from = dayOf(year, 1, 1), to = dayOf(year, 12, 31);
  /** @typedef {{month: number, category: string, fee: import("../core/money.js").Amount, isPaid: boolean}} Item */
  /** @type {Map<string, Item[]>} */
  const items = new Map();
  /**
   * @param {number} on
   * @param {string} category
   * @param {import("../core/prices.js").Price} price
   * @param {boolean} isPaid
   */
  const add = (on, category, price, isPaid) => {
    if (on < from || on > to || price.fee.units === 0n) return;
    let all = items.get(price.currency);
    if (!all) items.set(price.currency, all = []);
    all.push({ month: components(on).month, category, fee: price.fee, isPaid });
  };
  /** @type {import("../../types/app").Dearer[]} */
  const dearer = [];
  for (const subscription of subscriptions) {
    const { category } = subscription.plan;
    /** @type {import("./overlay.js").PeriodRow | undefined} */
    let before;
    for (const period of periods.get(subscription.id) ?? []) {
      add(period.startDate, category, period, period.startDate <= today);
      if (before && !before.freeTrial && !period.freeTrial && before.currency === period.currency && compareAmounts(period.fee, before.fee) > 0 && period.startDate >= from && period.startDate <= to)
        dearer.push({ subscription, on: writeDay(period.startDate), from: price(before), to: price(period) });
      before = period;
    }
    for (const { on, price } of renewalsBetween(overlay, subscription.id, today, Math.max(from, readDay(subscription.endDate)), to))
      if (on > today || subscription.overdue === false) add(on, category, price, false);
  }
  /** @param {{fee: import("../core/money.js").Amount, currency: string}} of */
  function price(of) { return { fee: plans.written(of), currency: of.currency }; }
  for (const notice of notices({ overlay, today, subscriptions })) {
    const subscription = subscriptions.find(({ id }) => id === notice.subscriptionId);
    if (notice.kind === "price" && subscription && notice.from && notice.to && notice.from.currency === notice.to.currency
      && compareAmounts(readAmount(notice.to.fee), readAmount(notice.from.fee)) > 0 && notice.on >= writeDay(from) && notice.on <= writeDay(to))
      dearer.push({ subscription, on: notice.on, from: notice.from, to: notice.to });
  }
  const currencies = [...items].sort(([one], [other]) => Number(other === currency) - Number(one === currency) || byText(one, other)).map(([code, all]) => {
    const digits = plans.digits(code);
    /** @param {Item[]} some */
    const sum = (some) => writeAmount(sumOf(some.map(({ fee }) => fee), digits));
    /** @param {Item[]} some */
    const categories = (some) => {
      const by = Map.groupBy ? Map.groupBy(some, ({ category }) => category) : grouped(some);
      return [...by].map(([category, of]) => ({ category, fee: sum(of), count: of.length }))
        .sort((one, other) => compareAmounts(readAmount(other.fee), readAmount(one.fee)) || byText(one.category, other.category));
    };
    const months = Array.from({ length: 12 }, (_, i) => {
      const some = all.filter(({ month }) => month === i + 1);
      return {
        month: writeDay(dayOf(year, i + 1, 1)).slice(0, 7), paid: sum(some.filter(({ isPaid }) => isPaid)), expected: sum(some.filter(({ isPaid }) => !isPaid)),
        categories: categories(some.filter(({ isPaid }) => isPaid)),
      };
    });
    const paid = all.filter(({ isPaid }) => isPaid);
    return { currency: code, months, total: sum(paid), expected: sum(all.filter(({ isPaid }) => !isPaid)), categories: categories(paid) };
  });
  return { year, currencies, dearer: dearer.sort((one, other) => byText(one.on, other.on)) };
}

/**
 * @template {{category: string}} T
 * @param {T[]} items
 * @returns {Map<string, T[]>}
 */
function grouped(items) {
  const by = new Map();
  for (const item of items) by.set(item.category, [...by.get(item.category) ?? [], item]);
  return by;
}

