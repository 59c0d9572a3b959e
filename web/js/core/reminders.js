// Rows of reminders: their declarations, and the rules that no single field shows. As `StoredReminder` and its like of the service,
// and `ReminderRowRules`. The service decides which reminders are said: nothing is predicted here.

import { addDays, readDay } from "./days.js";
import { day, flag, id, integer, text } from "./declared.js";

const isOptional = true, isImmutable = true;
/** The answers of most kinds. */
const ALL = ["keep", "cancel", "renew", "snooze", "done"];

/**
 * The answers that each kind takes.
 * @type {Record<string, string[]>}
 */
export const ANSWERS = { renewal: ALL, cancelBy: ALL, trial: ALL, price: ALL, ended: ["keep", "snooze", "done"], overdue: ALL, date: ["keep", "snooze", "done"], digest: ["keep", "done"] };

/**
 * For how many days after its day a reminder is of use; a kind that is not named: until its day.
 * @type {Record<string, number>}
 */
const DAYS_OF_USE = { ended: 7, overdue: 60 };

/**
 * The last day on which a reminder is of use.
 * @param {import("./declared.js").Row} reminder
 */
export const lastUse = ({ kind, occursOn }) => addDays(readDay(occursOn), DAYS_OF_USE[kind] ?? 0);

/**
 * Of the two answers that only note a reminder the one that is not offered: one is enough.
 * @param {string} kind
 */
export const spareAnswer = (kind) => (["ended", "date", "digest"].includes(kind) ? "keep" : "done");

/**
 * The usual days ahead of each kind; of an overdue subscription the days after its end.
 * @type {Record<string, number[]>}
 */
export const USUAL_LEADS = { renewal: [7, 1], cancelBy: [7, 1], trial: [3, 1], price: [14, 3], ended: [0], overdue: [1], date: [1, 0] };

/** The settings of a user without a row of them. */
export const USUAL_REMINDERS = { remindAt: "09:00", language: null, repeatDays: null, weeklyOn: 1, byMail: true, mailRefused: null };

/** @param {boolean} holds @param {string} field @param {string} code @param {string} message */
const unless = (holds, field, code, message) => (holds ? [] : [{ field, code, message }]);

/** @type {import("./declared.js").Declaration} */
export const REMINDER_SETTING = {
  name: "reminderSetting", title: [], parts: [],
  fields: [text("remindAt", 5, 5), text("language", 2, 2, { isOptional }), integer("repeatDays", 1, 30, { isOptional }), integer("weeklyOn", 1, 7, { isOptional }), flag("byMail"), text("mailRefused", 3, 254, { isOptional })],
  check: ({ remindAt, language }) => [
    ...unless(/^([01]\d|2[0-3]):[0-5]\d$/.test(remindAt), "remindAt", "range", "must be a time from 00:00 to 23:59"),
    ...unless([null, "en", "de", "zh"].includes(language), "language", "range", "must be en, de or zh"),
  ],
};

/** @type {import("./declared.js").Declaration} */
export const REMINDER_LEAD = {
  name: "reminderLead", title: [], parts: [], fields: [text("kind", 1, 20, { isImmutable }), integer("days", 0, 365, { isOptional })],
  check: ({ kind }) => unless(kind in USUAL_LEADS, "kind", "range", `must be one of ${Object.keys(USUAL_LEADS).join(", ")}`),
};

/** @type {import("./declared.js").Declaration} */
export const REMINDER = {
  name: "reminder", title: [], parts: [],
  fields: [
    id("subjectId", { isImmutable }), text("kind", 1, 20, { isImmutable }), day("occursOn", { isImmutable }), integer("leadDays", -60, 365, { isImmutable }),
    day("snoozedUntil", { isOptional }), text("answer", 1, 20, { isOptional }),
  ],
  check: ({ kind, answer, snoozedUntil }) => [
    ...unless(kind in ANSWERS, "kind", "range", `must be one of ${Object.keys(ANSWERS).join(", ")}`),
    ...unless(answer === null || !(kind in ANSWERS) || ANSWERS[kind].includes(answer), "answer", "range", `must be one of ${(ANSWERS[kind] ?? ALL).join(", ")}`),
    ...unless(snoozedUntil === null || answer === "snooze", "snoozedUntil", "conflict", "is for the answer snooze alone"),
  ],
};
