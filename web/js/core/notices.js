// What changes with a plan and concerns those who pay for it. As `PlanOutlook` of the service, and its notices.

import { countOfFirst, dateAt } from "./billing.js";
import { addDays } from "./days.js";
import { isSamePrice } from "./prices.js";

/**
 * @typedef {import("./billing.js").State} State
 * @typedef {import("./billing.js").Duration} Duration
 * @typedef {import("./money.js").Amount} Amount
 * @typedef {import("./prices.js").Price} Price
 * @typedef {{duration: Duration, noticeDays: number}} PlanTerms
 * @typedef {object} Outlook what is known of a plan that may concern its subscribers
 * @property {import("./prices.js").PriceLine} prices
 * @property {PlanTerms} terms as they are
 * @property {{until: number, terms: PlanTerms} | null} former those before their last change, and the first day without them
 * @property {number | null} withdrawnOn the day from which it is not sold
 */

/**
 * @param {PlanTerms} one
 * @param {PlanTerms} other
 */
const isSame = (one, other) =>
  one.noticeDays === other.noticeDays && one.duration.value === other.duration.value && one.duration.unit === other.duration.unit;

/**
 * The first renewal on a day or after it.
 * @param {Outlook} outlook
 * @param {State} state
 * @param {number} day
 */
function renewalFrom({ terms }, state, day) {
  if (day <= state.end) return state.end;
  const keepsAnchor = state.anchorCount > 0 && dateAt(state.anchor, state.anchorCount, terms.duration) === state.end;
  const anchor = keepsAnchor ? state.anchor : state.end;
  return dateAt(anchor, countOfFirst(addDays(day, -1), anchor, terms.duration), terms.duration);
}

/**
 * The first renewal that costs something else than the period that runs. A price that begins inside of a period concerns the
 * renewal after it.
 * @param {Outlook} outlook
 * @param {State} state
 * @param {Price} current what its period costs
 * @param {Amount | null} ownFee what the user pays whatever the plan costs; then only another currency is a change
 * @returns {{from: Price, to: Price, on: number} | null}
 */
export function priceChange(outlook, state, current, ownFee) {
  /**
   * @param {Price} price
   * @returns {Price}
   */
  const paid = (price) => ({ fee: ownFee ?? price.fee, currency: price.currency });
  // A trial costs nothing; what was to be paid after it is the plan's price of its first day.
  const from = state.freeTrial ? paid(outlook.prices.priceOn(state.start)) : current;
  for (let day = state.end; ;) {
    const renewal = renewalFrom(outlook, state, day);
    if (renewal === null) return null;
    const price = paid(outlook.prices.priceOn(renewal));
    if (!isSamePrice(price, from)) return { from, to: price, on: renewal };
    const next = outlook.prices.next(renewal);
    if (!next) return null;
    day = next.effectiveOn;
  }
}

/**
 * The terms before, when they changed since the current period began: they hold until it ends.
 * @param {Outlook} outlook
 * @param {State} state
 */
export const formerTerms = ({ former, terms }, state) =>
  former && state.start < former.until && !isSame(former.terms, terms) ? former.terms : null;

/**
 * How many days before its end the current period must be cancelled: as the terms said when it began.
 * @param {Outlook} outlook
 * @param {State} state
 */
export const noticeDays = (outlook, state) => (formerTerms(outlook, state) ?? outlook.terms).noticeDays;

/**
 * All that changes for an active subscription.
 * @param {Outlook} outlook
 * @param {State} state
 * @param {Price} current
 * @param {Amount | null} ownFee
 * @returns {{kind: "price" | "terms" | "withdrawn", on: number, cancelBy: number, from: Price | null, to: Price | null, fromTerms: PlanTerms | null, toTerms: PlanTerms | null}[]}
 */
export function noticesOf(outlook, state, current, ownFee) {
  const none = { from: null, to: null, fromTerms: null, toTerms: null };
  /** @type {ReturnType<typeof noticesOf>} */
  const notices = [];
  // The period that runs is ended by the terms with which it began.
  const nextCancelBy = addDays(state.end, -noticeDays(outlook, state));
  const change = priceChange(outlook, state, current, ownFee);
  if (change) {
    const cancelBy = change.on === state.end ? nextCancelBy : addDays(change.on, -outlook.terms.noticeDays);
    notices.push({ ...none, kind: "price", on: change.on, cancelBy, from: change.from, to: change.to });
  }
  const former = formerTerms(outlook, state);
  if (former) notices.push({ ...none, kind: "terms", on: state.end, cancelBy: nextCancelBy, fromTerms: former, toTerms: outlook.terms });
  if (outlook.withdrawnOn !== null) notices.push({ ...none, kind: "withdrawn", on: outlook.withdrawnOn, cancelBy: nextCancelBy });
  return notices;
}
