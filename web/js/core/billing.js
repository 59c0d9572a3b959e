// The arithmetic of recurring dates: anchor + n × duration, clamped to the month's last day, and never computed from a date that
// was clamped. 31 January monthly is followed by 28 (29) February, 31 March, 30 April. As `BillingCalendar`, `BillingTerms` and
// `BillingState` of the service; its triggers keep the same rules.

import { FIRST_DAY, LAST_DAY, addDays, components, dayOf, daysInMonth, writeDay } from "./days.js";

/**
 * @typedef {"day" | "week" | "month" | "year"} Unit
 * @typedef {{value: number, unit: Unit}} Duration
 * @typedef {{duration: Duration, trialDays: number}} Terms what a plan says about its periods; trialDays 0: a trial lasts a period
 * @typedef {object} State where a subscription stands in its billing calendar; a value, each change gives a new one
 * @property {number} start first day of the current period
 * @property {number} end the day after its last: the day of the next renewal
 * @property {number} anchor the day from which periods are counted
 * @property {number} anchorCount `end` lies so many durations after `anchor`; 0 for a trial with a length of its own
 * @property {number} number the period's; it only grows
 * @property {boolean} freeTrial
 */

/** The days on which a period may begin: 1970-01-02 … 2999-12-31. */
export const FIRST_START = 1, LAST_START = 376_199;
/** The last day on which a period may end: 9000-01-01. */
export const LAST_END = 2_567_655;
/** The earliest anchor: 1000-01-01. */
export const EARLIEST_ANCHOR = -354_285;

/** Why a period cannot be as it was asked for. */
export class BillingError extends Error {
  /**
   * @param {"durationOutOfRange" | "trialDaysOutOfRange" | "startOutOfRange" | "endTooFarAway" | "startInEndedPeriod" | "renewalImpossible"} code
   * @param {string} message
   * @param {Record<string, string | number>} [values]
   */
  constructor(code, message, values = {}) {
    super(message);
    this.code = code;
    this.values = values;
  }
}

/**
 * Takes a plan's duration and the days of its trial, null when it has none.
 * @param {Duration} duration
 * @param {number | null} [trialDays]
 * @returns {Terms}
 */
export function makeTerms(duration, trialDays) {
  if (!(duration.value >= 1 && duration.value <= 1200))
    throw new BillingError("durationOutOfRange", `a period lasts 1 to 1200 days, weeks, months or years, not ${duration.value}`);
  const days = trialDays ?? 0;
  if (!(days >= 0 && days <= 1200)) throw new BillingError("trialDaysOutOfRange", `a trial lasts at most 1200 days, not ${days}`);
  return { duration, trialDays: days };
}

/**
 * A duration as whole months or days, one of which is 0: a year is 12 months, a week 7 days.
 * @param {Duration} duration
 */
export const span = ({ value, unit }) =>
  unit === "day" ? { months: 0, days: value } : unit === "week" ? { months: 0, days: value * 7 }
    : unit === "month" ? { months: value, days: 0 } : { months: value * 12, days: 0 };

/**
 * The day that lies `count` durations after (negative: before) the anchor.
 * @param {number} anchor
 * @param {number} count
 * @param {Duration} duration
 * @returns {number | null} null: it cannot be written
 */
export function dateAt(anchor, count, duration) {
  const { months, days } = span(duration);
  if (months === 0) {
    const day = anchor + days * count;
    return day >= FIRST_DAY && day <= LAST_DAY ? day : null;
  }
  const { year, month, day } = components(anchor);
  const sum = year * 12 + month - 1 + months * count;
  if (sum < 12 || sum >= 120_000) return null;
  const newYear = Math.floor(sum / 12), newMonth = sum % 12 + 1;
  return dayOf(newYear, newMonth, Math.min(day, daysInMonth(newYear, newMonth)));
}

/**
 * How many durations after the anchor the first day lies that is later than `day`; 0 when the anchor itself is.
 * @param {number} day
 * @param {number} anchor
 * @param {Duration} duration
 */
export function countOfFirst(day, anchor, duration) {
  if (day < anchor) return 0;
  const { months, days } = span(duration);
  if (!(months > 0)) return Math.floor((day - anchor) / Math.max(days, 1)) + 1;
  const from = components(anchor), to = components(day);
  // Date `whole` falls in the month of `day` or earlier, so the next one surely is later.
  const whole = Math.floor(((to.year - from.year) * 12 + to.month - from.month) / months);
  const candidate = dateAt(anchor, whole, duration);
  return candidate === null || candidate > day ? whole : whole + 1;
}

/**
 * The period that ends exactly on the wanted day of renewal. Its anchor is the nearest day before it from which the calendar comes
 * to that very day: for a renewal on 31 March monthly the period begins on 28 (29) February and is the second from 31 January.
 * @param {number} end
 * @param {Duration} duration
 */
export function startForNextRenewal(end, duration) {
  const wanted = components(end).day, { months, days } = span(duration);
  if (!(months > 0 || days > 0)) throw new BillingError("durationOutOfRange", `a period lasts 1 to 1200, not ${duration.value}`);
  for (let count = 1; ; count++) {
    const day = dateAt(end, -count, duration);
    if (day === null || day < EARLIEST_ANCHOR) break;
    // Counting back clamps where the month is too short; such a day would not lead forward to the wanted one.
    if (months !== 0 && components(day).day !== wanted) continue;
    const start = dateAt(day, count - 1, duration);
    if (start === null) break;
    return { start, anchor: day, anchorCount: count };
  }
  throw new BillingError("renewalImpossible", `no period of this length ends on ${writeDay(end)}`, { day: writeDay(end) });
}

/** @param {number} start */
function checkStart(start) {
  if (start < FIRST_START || start > LAST_START)
    throw new BillingError("startOutOfRange", `a period begins between 1970-01-02 and 2999-12-31, not on ${writeDay(start)}`);
}

/**
 * @param {number} start
 * @param {number | null} end
 * @param {number} anchor
 * @param {number} anchorCount
 * @param {number} number
 * @param {boolean} freeTrial
 * @returns {State}
 */
function checked(start, end, anchor, anchorCount, number, freeTrial) {
  checkStart(start);
  if (end === null || end > LAST_END) throw new BillingError("endTooFarAway", "the period would end after 9000-01-01");
  return { start, end, anchor, anchorCount, number, freeTrial };
}

/**
 * The first period of a subscription, or the first from a new anchor. A trial ends after the plan's trial days if it has any, else
 * after a whole duration.
 * @param {number} start
 * @param {Terms} terms
 * @param {boolean} [freeTrial]
 * @param {number} [number]
 */
export function begin(start, terms, freeTrial = false, number = 0) {
  const hasOwnLength = freeTrial && terms.trialDays > 0;
  return checked(
    start, hasOwnLength ? addDays(start, terms.trialDays) : dateAt(start, 1, terms.duration), start, hasOwnLength ? 0 : 1, number, freeTrial);
}

/**
 * The first period, given the day of its next renewal in place of its start. For a trial with a length of its own that is the day
 * on which the trial ends.
 * @param {number} end
 * @param {Terms} terms
 * @param {boolean} [freeTrial]
 * @param {number} [number]
 */
export function beginWithRenewal(end, terms, freeTrial = false, number = 0) {
  if (freeTrial && terms.trialDays > 0) return begin(addDays(end, -terms.trialDays), terms, true, number);
  const { start, anchor, anchorCount } = startForNextRenewal(end, terms.duration);
  return checked(start, end, anchor, anchorCount, number, freeTrial);
}

/**
 * Whether the current end lies where these terms would put it: then the calendar goes on from its anchor.
 * @param {State} state
 * @param {Terms} terms
 */
export const fits = (state, terms) => state.anchorCount > 0 && dateAt(state.anchor, state.anchorCount, terms.duration) === state.end;

/**
 * The next period: it begins where this one ends, and is no trial. After a trial with a length of its own, or with another duration,
 * its start becomes the anchor.
 * @param {State} state
 * @param {Terms} terms
 */
export function renewed(state, terms) {
  if (!fits(state, terms)) return begin(state.end, terms, false, state.number + 1);
  const count = state.anchorCount + 1;
  return checked(state.end, dateAt(state.anchor, count, terms.duration), state.anchor, count, state.number + 1, false);
}

/**
 * What becomes of a subscription that ran out and goes on: another period begins on the day on which that was said, in a calendar
 * of its own. Nothing changes up to the end day itself.
 * @param {State} state
 * @param {number} day
 * @param {Terms} terms
 */
export const goingOn = (state, day, terms) => day > state.end ? begin(day, terms, false, state.number + 1) : state;

/**
 * The current period called a trial, or no trial any more. A first period then ends after the plan's trial days, if it has any; one
 * that was such a trial ends after a whole duration. Else the flag alone moves no end.
 * @param {State} state
 * @param {boolean} freeTrial
 * @param {Terms} terms
 */
export function changedTrial(state, freeTrial, terms) {
  if (freeTrial === state.freeTrial) return state;
  const becomesTrial = freeTrial && terms.trialDays > 0 && state.number === 0;
  return becomesTrial || state.anchorCount === 0 ? begin(state.start, terms, freeTrial, state.number) : { ...state, freeTrial };
}

/**
 * The current period under another plan. Where that puts the end on the same day, nothing moves; else the period's start becomes
 * the anchor and the end is computed anew.
 * @param {State} state
 * @param {Terms} terms
 * @param {boolean} [freeTrial]
 */
export const changedPlan = (state, terms, freeTrial = state.freeTrial) =>
  fits(state, terms) ? changedTrial(state, freeTrial, terms) : begin(state.start, terms, freeTrial, state.number);

/**
 * @param {number} start
 * @param {number | null} lastEnd
 */
function checkCorrected(start, lastEnd) {
  checkStart(start);
  if (lastEnd !== null && start < lastEnd)
    throw new BillingError("startInEndedPeriod", `${writeDay(start)} lies in a period that has ended; the earliest start is ${writeDay(lastEnd)}`,
      { earliest: writeDay(lastEnd) });
}

/** A correction to a day after the current end means that a period was left out: the number grows. */
const numberIfStarted = /** @param {State} state @param {number} start */ (state, start) => start > state.end ? state.number + 1 : state.number;

/**
 * The current period with another first day, which becomes the anchor.
 * @param {State} state
 * @param {number} start
 * @param {Terms} terms
 * @param {boolean} [freeTrial]
 * @param {number | null} [lastEnd] the latest end among the periods that have ended
 */
export function corrected(state, start, terms, freeTrial = state.freeTrial, lastEnd = null) {
  checkCorrected(start, lastEnd);
  return begin(start, terms, freeTrial, numberIfStarted(state, start));
}

/**
 * The current period with another end. It begins where a period with that end begins.
 * @param {State} state
 * @param {number} end
 * @param {Terms} terms
 * @param {boolean} [freeTrial]
 * @param {number | null} [lastEnd]
 */
export function correctedRenewal(state, end, terms, freeTrial = state.freeTrial, lastEnd = null) {
  const found = beginWithRenewal(end, terms, freeTrial);
  checkCorrected(found.start, lastEnd);
  return { ...found, number: numberIfStarted(state, found.start) };
}

/**
 * What an `UPDATE` of a subscription's row that names start, plan or trial makes of it: the triggers decide in the same order.
 * @param {State} state
 * @param {{start: number, terms: Terms, planChanged: boolean, freeTrial: boolean, lastEnd: number | null}} change
 */
export function updated(state, { start, terms, planChanged, freeTrial, lastEnd }) {
  if (start !== state.start) return start === state.end ? renewed(state, terms) : corrected(state, start, terms, freeTrial, lastEnd);
  return planChanged ? changedPlan(state, terms, freeTrial) : changedTrial(state, freeTrial, terms);
}

/**
 * The state after as many renewals as lead to the period in which `today` lies. The cost does not depend on how many they are.
 * @param {State} state
 * @param {number} today
 * @param {Terms} terms
 * @param {number} [limit]
 */
export function caughtUp(state, today, terms, limit = Infinity) {
  if (today < state.end || !(limit > 0)) return state;
  // The first renewal may set a new anchor; from then on the calendar goes on.
  const first = renewed(state, terms);
  if (today < first.end) return first;
  const more = Math.min(countOfFirst(today, first.anchor, terms.duration) - first.anchorCount, limit - 1);
  if (!(more > 0)) return first;
  const start = dateAt(first.anchor, first.anchorCount + more - 1, terms.duration);
  if (start === null) throw new BillingError("endTooFarAway", "the period would end after 9000-01-01");
  const count = first.anchorCount + more;
  return checked(start, dateAt(first.anchor, count, terms.duration), first.anchor, count, first.number + more, false);
}

/**
 * How many renewals lead to the period in which `today` lies.
 * @param {State} state
 * @param {number} today
 * @param {Terms} terms
 */
export const renewalsDue = (state, today, terms) => caughtUp(state, today, terms).number - state.number;

/**
 * The states that follow up to the period in which `today` lies, in order.
 * @param {State} state
 * @param {number} today
 * @param {Terms} terms
 * @param {number} [limit]
 */
export function renewals(state, today, terms, limit = Infinity) {
  const states = [];
  for (let at = state; today >= at.end && states.length < limit;) states.push(at = renewed(at, terms));
  return states;
}
