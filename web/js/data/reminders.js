// Reminders as they stand in this browser: the rows of the service with what waits laid over them, and what the rules make of them.
// Nothing of this is asked for where the service has no reminders.

import { nextOf } from "../core/contacts.js";
import { readDay, writeDay } from "../core/days.js";
import { USUAL_LEADS, lastUseOf } from "../core/matters.js";
import { ReminderRules, idOf, readId } from "../core/reminders.js";
import { stateOf } from "./overlay.js";
import { outlookOf } from "./reports.js";

/**
 * @typedef {import("../core/matters.js").Key} Key
 * @typedef {import("../core/matters.js").Kind} Kind
 * @typedef {import("../../types/app").Question} Question
 * @typedef {import("../../types/app").Notice} Notice
 * @typedef {import("../../types/app").ReminderSettings} Preferences
 * @typedef {import("../../types/app").ReminderSubject} Subject
 * @typedef {import("./replica.js").DeclaredRow} Row
 * @typedef {import("./overlay.js").Mutation} Mutation
 */

/** The name of the area, and those of its rows. */
export const AREA = "reminders", REMINDER = "reminder", SETTINGS = "reminderSettings";

/** How long a reminder is kept after the day that it is about. No change tells of its end. */
const DAYS_KEPT = 90;

/**
 * The kinds whose days people choose.
 * @type {readonly (keyof Preferences["leads"])[]}
 */
export const CHOSEN = ["renewal", "cancelBy", "trial", "price", "ended", "overdue", "date"];

/**
 * The settings of a user who has stored none.
 * @type {Preferences}
 */
const USUAL = {
  remindAt: "09:00", language: null, repeatDays: null, weeklyOn: 1, byMail: true,
  leads: /** @type {any} */ (Object.fromEntries(CHOSEN.map((kind) => [kind, USUAL_LEADS[kind]]))),
};

/**
 * Settings with what waits laid over them.
 * @param {Map<string, Row>} rows
 * @param {Mutation[]} outbox
 * @returns {Preferences & {waiting: boolean}}
 */
export function settingsOf(rows, outbox) {
  let settings = { ...USUAL, ...[...rows.values()][0]?.data, waiting: false };
  for (const { entity, op, fields = {} } of outbox) if (entity === SETTINGS && op === "update") settings = { ...settings, ...changed(settings, fields), waiting: true };
  return settings;
}

/**
 * @param {Preferences} settings
 * @param {Record<string, any>} fields
 * @returns {Preferences}
 */
function changed(settings, { leads, ...fields }) {
  const days = { ...settings.leads };
  for (const kind of CHOSEN) if (leads?.[kind] !== undefined) days[kind] = leads[kind] ?? USUAL_LEADS[kind];
  return { ...settings, ...fields, leads: leads === null ? USUAL.leads : days };
}

/**
 * The reminders that were said, with what waits laid over them.
 * @param {Map<string, Row>} rows
 * @param {Mutation[]} outbox
 * @param {number} today
 * @returns {import("../core/matters.js").Said[]}
 */
function saidOf(rows, outbox, today) {
  /** @type {Map<string, {answer: any, until: string | null | undefined}>} */
  const answers = new Map([...rows].map(([id, { data }]) => [id, { answer: data.answer ?? null, until: data.snoozedUntil }]));
  for (const { entity, id, op, fields = {} } of outbox) if (entity === REMINDER && op === "answer") answers.set(id, { answer: fields.answer, until: fields.until });
  return [...answers].flatMap(([id, { answer, until }]) => {
    const key = readId(id);
    return key && key.occursOn >= today - DAYS_KEPT ? [{ ...key, answer, snoozedUntil: answer === "snooze" && until ? readDay(until) : null }] : [];
  });
}

/**
 * Of several reminders of a subscription, one card says the first of these.
 * @type {Kind[]}
 */
const RANK = ["overdue", "trial", "price", "cancelBy", "renewal", "ended", "date", "debts", "digest"];

/** What the reminders of a user are on a day. */
export class Reminders {
  /**
   * @param {import("./state.js").State} state
   * @param {{rows: Map<string, Row>, settings: Map<string, Row>, outbox: Mutation[], today: number, now: () => number}} of the rows of
   *   both kinds; now in milliseconds since 1970
   */
  constructor(state, { rows, settings, outbox, today, now }) {
    this.settings = settingsOf(settings, outbox);
    this.said = saidOf(rows, outbox, today);
    this.state = state;
    this.today = today;
    this.now = now;
    const contacts = state.areas.includes("contacts") && state.hasDeclared ? state.rows("contact") ?? [] : [];
    /**
     * The contacts by the ids of their dates.
     * @type {Map<string, {entry: import("./kinds.js").Entry, date: import("../core/contacts.js").Occasion}>}
     */
    this.dates = new Map();
    for (const entry of contacts) for (const date of entry.row.dates ?? []) this.dates.set(date.id.toLowerCase(), { entry, date });
    const [hour, minute] = this.settings.remindAt.split(":").map(Number);
    this.rules = new ReminderRules({
      user: state.user.id ?? "", timeZone: state.user.timeZone, settings: { minute: hour * 60 + minute, repeatDays: this.settings.repeatDays, weekday: this.settings.weeklyOn, leads: this.settings.leads },
      subjects: [...subscribed(state.overlay, today), ...[...this.dates].map(([id, { date }]) => ({ date: { ...date, id } }))],
    });
  }

  /**
   * A subject as pages name it.
   * @param {Key} key
   * @returns {Subject}
   */
  subjectOf({ kind, subject, occursOn }) {
    const found = kind === "date" ? this.dates.get(subject) : null;
    return {
      subscription: this.state.subscription(subject) ?? null,
      contact: found ? {
        id: found.entry.id, name: `${found.entry.row.firstName} ${found.entry.row.lastName}`, type: found.date.type, years: nextOf(found.date, occursOn)?.years ?? null,
      } : null,
    };
  }

  /**
   * What will be said on the coming days, from the rules alone.
   * @param {number} days how many, today included
   */
  upcoming(days) {
    // A page is drawn more often than anything of it changes.
    const known = this.#ahead.get(days), made = known ?? this.rules.upcoming(this.now(), days, this.said).map(({ key, at }) =>
      ({ id: idOf(key), kind: key.kind, on: writeDay(key.occursOn), lead: key.lead, at, ...this.subjectOf(key) }));
    this.#ahead.set(days, made);
    return made;
  }

  /** @type {Map<number, import("../../types/app").UpcomingReminder[]>} */
  #ahead = new Map();

  /**
   * What waits for an answer: open reminders, those of one subscription as one question, and such questions as no reminder asks.
   * @param {Question[]} asked the questions that are asked where there are no reminders
   * @param {Notice[]} notices
   * @returns {Question[]}
   */
  questions(asked, notices) {
    /** @type {Map<string, Key[]>} */
    const groups = new Map();
    for (const key of this.rules.waiting(this.today, this.said)) {
      const name = key.kind === "debts" || key.kind === "digest" ? key.kind : key.subject;
      groups.set(name, [...groups.get(name) ?? [], key]);
    }
    const questions = [...groups.values()].flatMap((keys) => this.#question(keys, notices) ?? []);
    return [...questions, ...asked.filter(({ kind }) => kind === "withdrawn")].sort((one, other) =>
      Number(one.kind !== "overdue") - Number(other.kind !== "overdue") || (one.on < other.on ? -1 : one.on > other.on ? 1 : one.id < other.id ? -1 : 1));
  }

  /**
   * @param {Key[]} keys of one subject
   * @param {Notice[]} notices
   * @returns {Question | null} null: its subject is not here
   */
  #question(keys, notices) {
    const [key] = [...keys].sort((one, other) => RANK.indexOf(one.kind) - RANK.indexOf(other.kind)), { kind } = key;
    const { subscription, contact } = this.subjectOf(key), isOfUser = kind === "debts" || kind === "digest";
    if (!subscription && !contact && !isOfUser) return null;
    const notice = kind !== "price" ? null : notices.find((one) => one.subscriptionId === key.subject && one.cancelBy === writeDay(key.occursOn) && one.kind !== "withdrawn") ?? null;
    if (kind === "price" && !notice) return null;
    /** @type {Question["answers"]} */
    const answers = kind === "overdue" ? ["renewed", "over"] : kind === "ended" || kind === "date" || isOfUser ? ["done"]
      : kind === "renewal" && !subscription?.autoRenew ? ["keep", "renewed", "cancel"] : ["keep", "cancel"];
    if (keys.some((one) => lastUseOf(one) > this.today)) answers.push("later");
    return {
      id: idOf(key), kind: notice ? /** @type {"price" | "terms"} */ (notice.kind) : /** @type {Question["kind"]} */ (kind), subscription, contact, notice, answers,
      on: notice?.on ?? writeDay(key.occursOn), reminders: [key, ...keys.filter((one) => one !== key)].map(idOf),
    };
  }
}

/**
 * Subscriptions as their reminders need them; those whose plan has not come are left out.
 * @param {import("./overlay.js").Overlay} overlay
 * @param {number} today
 * @returns {import("../core/matters.js").Subject[]}
 */
const subscribed = (overlay, today) => [...overlay.entries.values()].flatMap((entry) => {
  const row = entry.isDeleted ? null : overlay.current(entry.row, today);
  const plan = row && overlay.plans.plans.get(row.planId), line = row && overlay.plans.line(row.planId);
  return !row || !plan || !line ? [] : [{
    subscription: {
      id: entry.id, state: stateOf(row), renewsItself: row.autoRenew, isCancelled: row.cancelledOn !== null, isMuted: row.muted, reminderDays: row.reminderDays,
      outlook: outlookOf(plan, line), cost: { fee: row.fee, currency: row.currency }, ownFee: row.ownFee,
    },
  }];
});

/** What the service is told of an answer of a page. */
const TOLD = { keep: "keep", cancel: "cancel", over: "cancel", renewed: "renew", later: "snooze", done: "done" };

/**
 * The changes that answer a question.
 * @param {Question} question
 * @param {import("../../types/app").Answer} answer
 * @param {number} today
 * @returns {{id: string, fields: Record<string, any>}[]}
 */
export function answersTo({ reminders = [] }, answer, today) {
  const told = TOLD[answer];
  // What is done to the subscription ends its other reminders as well.
  if (told === "cancel" || told === "renew") return reminders.slice(0, 1).map((id) => ({ id, fields: { answer: told } }));
  return reminders.map((id) => {
    const key = readId(id), isOver = told === "snooze" && key && lastUseOf(key) <= today;
    return { id, fields: isOver ? { answer: "keep" } : told === "snooze" ? { answer: told, until: writeDay(today + 1) } : { answer: told } };
  });
}
