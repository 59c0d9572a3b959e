// The things of which reminders tell, and what is to be said of each. As `ReminderSubject`, `ReminderMatter` and `ReminderSettings` of
// the service.

import { nextOf } from "./contacts.js";
import { addDays } from "./days.js";
import { formerTerms, noticeDays, priceChange } from "./notices.js";

/**
 * @typedef {"renewal" | "cancelBy" | "trial" | "price" | "ended" | "overdue" | "date" | "debts" | "digest"} Kind
 * @typedef {"keep" | "cancel" | "renew" | "snooze" | "done"} Answer
 * @typedef {{minute: number, repeatDays: number | null, weekday: number | null, leads: Partial<Record<Kind, number[]>> | null}} Settings how a user wants
 *   to be reminded: minutes from midnight, 1 Monday … 7 Sunday; leads null: the usual ones
 * @typedef {object} Subscribed a subscription as its reminders need it
 * @property {string} id
 * @property {import("./billing.js").State} state
 * @property {boolean} renewsItself
 * @property {boolean} isCancelled
 * @property {boolean} isMuted only `overdue` is said
 * @property {number | null} reminderDays
 * @property {import("./notices.js").Outlook} outlook
 * @property {import("./prices.js").Price} cost what the period costs that runs
 * @property {import("./money.js").Amount | null} ownFee
 * @typedef {{subscription: Subscribed} | {date: import("./contacts.js").Occasion} | {debts: string}} Subject a thing of which reminders tell
 * @typedef {{subject: string, kind: Kind, occursOn: number, lead: number}} Key it is said once; a negative lead: after the day
 * @typedef {Key & {answer: Answer | null, snoozedUntil: number | null}} Said
 * @typedef {{subject: string, kind: Kind, occursOn: number, leads: number[], lastUse: number}} Matter a kind of a subject with one day
 */

/**
 * The kinds, in the order in which settings show them.
 * @type {readonly Kind[]}
 */
export const KINDS = ["renewal", "cancelBy", "trial", "price", "ended", "overdue", "date", "debts", "digest"];

/**
 * How many days ahead a kind is said, unless the user wants otherwise.
 * @type {Readonly<Record<Kind, number[]>>}
 */
export const USUAL_LEADS = { renewal: [7, 1], cancelBy: [7, 1], trial: [3, 1], price: [14, 3], ended: [0], overdue: [1], date: [1, 0], debts: [0], digest: [0] };

const REPEATED = new Set(["renewal", "cancelBy", "trial", "price", "overdue"]);
/** How often an overdue subscription is said in all. */
const MOST_OVERDUE = 5;
/** How long an ended subscription and an overdue one are told of. */
const DAYS_OF_ENDED = 7, DAYS_OF_OVERDUE = 60;

/**
 * How many days ahead a kind is said; a subject's own number takes the place of those that are not nearer.
 * @param {Settings} settings
 * @param {Kind} kind
 * @param {number | null} [own]
 */
function leadsOf({ leads }, kind, own = null) {
  const all = leads ? leads[kind] ?? [] : USUAL_LEADS[kind];
  return own === null ? all : [own, ...all.filter((lead) => lead < own)];
}

/**
 * What is to be said of a subject, seen from a day: matters of that day and of later ones.
 * @param {Subject} subject
 * @param {number} day
 * @param {Settings} settings
 * @returns {Matter[]}
 */
export function mattersOf(subject, day, settings) {
  if ("subscription" in subject) return mattersOfSubscription(subject.subscription, settings);
  if (!("date" in subject)) return [];
  const { date } = subject, leads = leadsOf(settings, "date", date.reminderDays).map((lead) => Math.min(lead, 364));
  // The date's next day and the one after it. A lead is shorter than the time between two.
  const next = nextOf(date, day), second = next && nextOf(date, addDays(next.day, 1));
  return [next, second].flatMap((found) => found ? [{ subject: date.id, kind: "date", occursOn: found.day, leads, lastUse: found.day }] : []);
}

/**
 * @param {Subscribed} subscription
 * @param {Settings} settings
 * @returns {Matter[]}
 */
function mattersOfSubscription(subscription, settings) {
  const { id, state, outlook, reminderDays, isMuted } = subscription, { end } = state;
  /**
   * @param {Kind} kind
   * @param {number} on
   * @param {number[]} leads
   * @returns {Matter}
   */
  const matter = (kind, on, leads) => ({ subject: id, kind, occursOn: on, leads, lastUse: lastUseOf({ kind, occursOn: on }) });
  if (subscription.isCancelled) return isMuted ? [] : [matter("ended", end, leadsOf(settings, "ended"))];
  const matters = subscription.renewsItself ? [] : [matter("overdue", end, leadsOf(settings, "overdue").map((lead) => -Math.max(lead, 1)))];
  if (isMuted) return matters;
  // A lead begins within the period.
  const longest = Math.max(end - state.start - 1, 0);
  /** @param {number[]} leads */
  const fitting = (leads) => leads.map((lead) => Math.min(lead, longest));
  const kind = state.freeTrial ? "trial" : "renewal";
  matters.push(matter(kind, end, fitting(leadsOf(settings, kind, reminderDays))));
  // The period that begins today took the place of one whose last words are said on this day.
  if (subscription.renewsItself && state.number > 0 && leadsOf(settings, "renewal", reminderDays).includes(0)) matters.push(matter("renewal", state.start, [0]));
  const notice = noticeDays(outlook, state);
  if (notice > 0) matters.push(matter("cancelBy", addDays(end, -notice), fitting(leadsOf(settings, "cancelBy"))));
  const last = lastDayBeforeChange(subscription, notice);
  if (last !== null) matters.push(matter("price", last, leadsOf(settings, "price")));
  return matters;
}

/**
 * The last day to cancel before a renewal that costs something else or has other terms.
 * @param {Subscribed} subscription
 * @param {number} notice
 */
function lastDayBeforeChange({ state, outlook, cost, ownFee }, notice) {
  if (formerTerms(outlook, state)) return addDays(state.end, -notice);
  const change = priceChange(outlook, state, cost, ownFee);
  return change && addDays(change.on, -(change.on === state.end ? notice : outlook.terms.noticeDays));
}

/**
 * Whether nobody has answered it for good.
 * @param {Said} said
 */
export const isUnfinished = ({ answer }) => answer === null || answer === "snooze";

/**
 * The last day on which a reminder is of use.
 * @param {{kind: Kind, occursOn: number}} key
 */
export const lastUseOf = ({ kind, occursOn }) => addDays(occursOn, kind === "ended" ? DAYS_OF_ENDED : kind === "overdue" ? DAYS_OF_OVERDUE : 0);

/**
 * The leads of a matter that may still be said.
 * @param {Matter} matter
 * @param {Said[]} said the reminders of this matter that were said
 * @param {number | null} repeatDays
 */
export function openLeads({ kind, occursOn, leads }, said, repeatDays) {
  if (!said.every(isUnfinished)) return [];
  if (!said.length) return leads;
  const smallest = Math.min(...said.map(({ lead }) => lead));
  let all = leads;
  if (repeatDays !== null && REPEATED.has(kind)) {
    const again = smallest - repeatDays;
    if (kind === "overdue" ? said.length < MOST_OVERDUE : again >= 0) all = [...all, again];
  }
  const until = Math.max(...said.map(({ answer, snoozedUntil }) => answer === "snooze" && snoozedUntil !== null ? snoozedUntil : -Infinity));
  if (until > -Infinity) {
    const snoozed = occursOn - until;
    all = [...all.filter((lead) => lead < snoozed), snoozed];
  }
  return all.filter((lead) => lead < smallest);
}
