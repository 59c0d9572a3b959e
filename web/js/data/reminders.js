// The questions of Today where the service decides them: the reminders that nobody has answered. Nothing is decided here a second
// time. A reminder is left out where the rows of this device show that it does not hold any more.

import { nextOf } from "../core/contacts.js";
import { readDay, writeDay } from "../core/days.js";
import { ANSWERS, lastUse, spareAnswer } from "../core/reminders.js";

/**
 * @typedef {import("../../types/app").Answer} Answer
 * @typedef {import("../../types/app").Notice} Notice
 * @typedef {import("../../types/app").Question} Question
 * @typedef {import("../../types/app").Subscription} Subscription
 * @typedef {import("./kinds.js").Entry} Entry
 */

/**
 * The answers in their order, the usual one first.
 * @type {Answer[]}
 */
const USUAL = ["keep", "done", "cancel", "renewed", "later"], OVERDUE = /** @type {Answer[]} */ (["renewed", "over", "later"]);

/**
 * An answer by its name in a row.
 * @param {Answer} answer
 */
const rowAnswer = (answer) => /** @type {Record<string, string>} */ ({ renewed: "renew", over: "cancel", later: "snooze" })[answer] ?? answer;

/**
 * The fields of a reminder with an answer to its question; null takes the answer back.
 * @param {Answer | null} answer
 * @param {string} today
 */
export const answerFields = (answer, today) => ({
  answer: answer && rowAnswer(answer),
  snoozedUntil: answer === "later" ? writeDay(readDay(today) + 1) : null,
});

/**
 * The answers to a reminder's question, the usual one first.
 * @param {Entry["row"]} row
 * @param {Subscription | null} subscription
 * @param {number} today
 * @returns {Answer[]}
 */
function answersOf(row, subscription, today) {
  const { kind, occursOn } = row, left = new Set([spareAnswer(kind)]);
  // Tomorrow it is of no use.
  if (lastUse(row) <= today) left.add("snooze");
  // One that renews by itself does so without an answer. A press would begin the period after it.
  if (subscription?.autoRenew || (kind === "renewal" && subscription?.endDate !== occursOn)) left.add("renew");
  const taken = ANSWERS[kind].filter((answer) => !left.has(answer));
  // The cancellation of one that is overdue says that it has ended.
  return (kind === "overdue" ? OVERDUE : USUAL).filter((answer) => taken.includes(rowAnswer(answer)));
}

/**
 * Whether a reminder of a subscription holds still, as far as the subscription's row shows it.
 * @param {Entry["row"]} row
 * @param {Subscription} subscription
 * @param {Notice | null} notice
 * @param {number} today
 */
function isStill({ kind, occursOn }, { status, freeTrial, autoRenew, overdue, startDate, endDate, cancelBy }, notice, today) {
  switch (kind) {
    // On its day it has renewed by itself already.
    case "renewal": return status === "active" && (endDate === occursOn || (autoRenew && startDate === occursOn && readDay(occursOn) === today));
    case "trial": return status === "active" && freeTrial && endDate === occursOn;
    case "cancelBy": return status === "active" && cancelBy === occursOn;
    case "price": return notice !== null;
    case "ended": return status !== "active" && endDate === occursOn;
    default: return kind === "overdue" && overdue && endDate === occursOn;
  }
}

/**
 * The reminders that wait for an answer, the most urgent first. An answer counts for all of the same subject, kind and day.
 * @param {object} of
 * @param {number} of.today
 * @param {string | null} of.user
 * @param {Subscription[]} of.subscriptions
 * @param {Notice[]} of.notices
 * @param {Entry[]} of.rows the reminders
 * @param {Entry[]} of.contacts
 * @param {boolean} of.hasWeek whether something renews within a week
 * @returns {Question[]}
 */
export function reminded({ today, user, subscriptions, notices, rows, contacts, hasWeek }) {
  const subscribed = new Map(subscriptions.map((subscription) => [subscription.id, subscription]));
  const dates = new Map(contacts.flatMap((contact) => contact.row.dates.map((/** @type {any} */ date) => [date.id.toLowerCase(), { contact, date }])));
  /** @type {Map<string, Entry[]>} */
  const matters = new Map();
  for (const entry of rows) {
    const { kind, subjectId, occursOn } = entry.row, id = `${kind} ${subjectId.toLowerCase()} ${occursOn}`;
    matters.set(id, [...matters.get(id) ?? [], entry]);
  }
  return [...matters].flatMap(([id, entries]) => {
    const { row } = entries.reduce((newest, entry) => entry.row.leadDays < newest.row.leadDays ? entry : newest), { kind, occursOn: on } = row, subject = row.subjectId.toLowerCase();
    // A subscription that is cancelled has other reminders. One that was resumed since waits for an answer again.
    const isOpen = entries.every((entry) => [null, "snooze", "cancel"].includes(entry.row.answer)) && (row.answer !== "snooze" || (row.snoozedUntil !== null && row.snoozedUntil <= writeDay(today)));
    if (!isOpen || lastUse(row) < today) return [];
    const subscription = subscribed.get(subject) ?? null, { contact = null, date = null } = dates.get(subject) ?? {};
    const notice = kind === "price" ? notices.find((one) => one.subscriptionId === subject && one.kind !== "withdrawn" && one.cancelBy === on) ?? null : null;
    const holds = kind === "digest" ? subject === user && hasWeek : kind === "date" ? date && nextOf(date, readDay(on))?.day === readDay(on) : subscription && isStill(row, subscription, notice, today);
    return holds ? [{ id, kind: notice?.kind ?? kind, subscription, contact, date, on, notice, answers: answersOf(row, subscription, today), reminders: entries.map((entry) => entry.id) }] : [];
  }).sort((one, other) => (one.on < other.on ? -1 : one.on > other.on ? 1 : one.id < other.id ? -1 : 1));
}
