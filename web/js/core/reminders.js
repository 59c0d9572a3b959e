// What reminders say, and when. As `ReminderRules`, `ReminderSubject` and `ReminderSettings` of the service.

import { nextOf } from "./contacts.js";
import { addDays, isTimeZone, localDay, readDay, writeDay } from "./days.js";
import { instantOf } from "./hours.js";
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

/** The kinds, in the order in which settings show them. @type {readonly Kind[]} */
export const KINDS = ["renewal", "cancelBy", "trial", "price", "ended", "overdue", "date", "debts", "digest"];

/** How many days ahead a kind is said, unless the user wants otherwise. @type {Readonly<Record<Kind, number[]>>} */
export const USUAL_LEADS = { renewal: [7, 1], cancelBy: [7, 1], trial: [3, 1], price: [14, 3], ended: [0], overdue: [1], date: [1, 0], debts: [0], digest: [0] };

/** @type {Readonly<Settings>} */
export const USUAL_SETTINGS = { minute: 540, repeatDays: null, weekday: 1, leads: null };

const REPEATED = new Set(["renewal", "cancelBy", "trial", "price", "overdue"]);
/** How often an overdue subscription is said in all. */
const MOST_OVERDUE = 5;
/** How long an ended subscription and an overdue one are told of. */
const DAYS_OF_ENDED = 7, DAYS_OF_OVERDUE = 60;
/** How far ahead a look is planned. */
const DAYS_AHEAD = 40;
const DAY = 86_400_000;

/**
 * The id of a reminder: `renewal.0190….2027-03-01.7`.
 * @param {Key} key
 */
export const idOf = ({ kind, subject, occursOn, lead }) => `${kind}.${subject}.${writeDay(occursOn)}.${lead}`;

/**
 * The key of an id that the service or these rules made.
 * @param {string} id
 * @returns {Key | null}
 */
export function readId(id) {
  const [kind, subject, day, lead, ...rest] = id.split(".");
  if (rest.length || !KINDS.includes(/** @type {Kind} */ (kind)) || !/^\d{4}-\d{2}-\d{2}$/.test(day) || !/^-?\d{1,4}$/.test(lead)) return null;
  return { kind: /** @type {Kind} */ (kind), subject: subject.toLowerCase(), occursOn: readDay(day), lead: Number(lead) };
}

/**
 * What identifies a matter among the reminders that were said.
 * @param {{subject: string, kind: Kind, occursOn: number}} of
 */
const nameOf = ({ subject, kind, occursOn }) => `${kind} ${subject} ${occursOn}`;

/**
 * @template {{subject: string, kind: Kind, occursOn: number}} Of
 * @param {Of[]} said
 */
function grouped(said) {
  /** @type {Map<string, Of[]>} */
  const by = new Map();
  for (const one of said) by.set(nameOf(one), [...by.get(nameOf(one)) ?? [], one]);
  return by;
}

/**
 * 1 Monday … 7 Sunday. The first day of 1970 was a Thursday.
 * @param {number} day
 */
const weekdayOf = (day) => ((day + 3) % 7 + 7) % 7 + 1;

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
function mattersOf(subject, day, settings) {
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
   * @param {number} [days]
   * @returns {Matter}
   */
  const matter = (kind, on, leads, days = 0) => ({ subject: id, kind, occursOn: on, leads, lastUse: addDays(on, days) });
  if (subscription.isCancelled) return isMuted ? [] : [matter("ended", end, leadsOf(settings, "ended"), DAYS_OF_ENDED)];
  const matters = subscription.renewsItself ? [] : [matter("overdue", end, leadsOf(settings, "overdue").map((lead) => -Math.max(lead, 1)), DAYS_OF_OVERDUE)];
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
 * The leads of a matter that may still be said.
 * @param {Matter} matter
 * @param {Said[]} said the reminders of this matter that were said
 * @param {number | null} repeatDays
 */
function openLeads({ kind, occursOn, leads }, said, repeatDays) {
  if (said.some(({ answer }) => answer !== null && answer !== "snooze")) return [];
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

/** The rules for a user's things. */
export class ReminderRules {
  /**
   * @param {object} of
   * @param {string} of.user the subject of the digest
   * @param {Settings} of.settings
   * @param {string} of.timeZone the user's. Where there is no such zone, days are those of UTC.
   * @param {Subject[]} of.subjects
   */
  constructor({ user, settings, timeZone, subjects }) {
    this.user = user;
    this.settings = { ...settings, minute: Math.min(Math.max(settings.minute, 0), 1439), repeatDays: (settings.repeatDays ?? 0) > 0 ? settings.repeatDays : null };
    this.timeZone = isTimeZone(timeZone) ? timeZone : "UTC";
    this.subjects = subjects;
  }

  /**
   * The user's day at an instant.
   * @param {number} now milliseconds since 1970
   */
  today(now) { return localDay(now, this.timeZone) ?? Math.floor(now / DAY); }

  /**
   * The instant of the user's hour on a day.
   * @param {number} day
   */
  hour(day) { return instantOf(day, this.settings.minute, this.timeZone) ?? day * DAY + this.settings.minute * 60_000; }

  /**
   * What is to be said now, and when to look again. A look says something only if it was planned, the hour of the user's day has come,
   * and no look has been since that hour.
   * @param {number} now
   * @param {Said[]} said
   * @param {number | null} lookedAt
   * @param {number | null} plannedAt
   * @returns {{due: Key[], next: number}}
   */
  look(now, said, lookedAt, plannedAt) {
    const today = this.today(now), hour = this.hour(today), isPlanned = plannedAt !== null && plannedAt <= now;
    const due = isPlanned && hour <= now && (lookedAt ?? now) < hour ? this.due(today, said) : [];
    return { due, next: this.#next(hour > now ? today : addDays(today, 1), now, [...said, ...due.map(unanswered)]) };
  }

  /**
   * The reminders that are due on a day, the earliest days first.
   * @param {number} day
   * @param {Said[]} said
   */
  due(day, said) { return this.#due(day, grouped(said)); }

  /**
   * What will be said on the coming days if nothing changes and nobody answers, the first ones first. Periods that begin meanwhile
   * are not among them.
   * @param {number} now
   * @param {number} days how many, today included
   * @param {Said[]} said
   * @returns {{key: Key, at: number}[]}
   */
  upcoming(now, days, said) {
    const today = this.today(now), last = addDays(today, Math.max(days, 1) - 1), by = grouped(said);
    /** @type {{key: Key, at: number}[]} */
    const upcoming = [];
    for (let day = this.hour(today) > now ? today : addDays(today, 1); ;) {
      const next = Math.min(...this.#candidates(day, by).filter((one) => one <= last));
      if (next === Infinity) return upcoming;
      for (const key of this.#due(next, by)) {
        by.set(nameOf(key), [...by.get(nameOf(key)) ?? [], unanswered(key)]);
        upcoming.push({ key, at: this.hour(next) });
      }
      day = addDays(next, 1);
    }
  }

  /**
   * @param {number} day
   * @param {Map<string, Said[]>} said
   * @returns {Key[]}
   */
  #due(day, said) {
    const { settings, subjects, user } = this, matters = subjects.flatMap((subject) => mattersOf(subject, day, settings));
    /** @type {Map<string, Key>} */
    const due = new Map();
    /** @param {Key} key */
    const add = (key) => { due.set(idOf(key), key); };
    for (const matter of matters) {
      const { subject, kind, occursOn, lastUse } = matter;
      if (day > lastUse) continue;
      const reached = openLeads(matter, said.get(nameOf(matter)) ?? [], settings.repeatDays).filter((lead) => addDays(occursOn, -lead) <= day);
      if (reached.length) add({ subject, kind, occursOn, lead: Math.min(...reached) });
    }
    if (weekdayOf(day) === settings.weekday) {
      /** @param {Kind} kind @param {string} subject */
      const addWeekly = (kind, subject) => {
        const key = { subject, kind, occursOn: day, lead: 0 };
        // What is weekly has no leads that were said.
        if (!said.has(nameOf(key))) add(key);
      };
      if (matters.some(({ kind, occursOn }) => kind === "renewal" && occursOn - day >= 0 && occursOn - day <= 7)) addWeekly("digest", user);
      for (const subject of subjects) if ("debts" in subject) addWeekly("debts", subject.debts);
    }
    return [...due.values()].sort((one, other) => one.occursOn - other.occursOn || compare(one.kind, other.kind) || compare(one.subject, other.subject));
  }

  /**
   * The days from one on, on which something may become due. The later days are decided when they come.
   * @param {number} first
   * @param {Map<string, Said[]>} said
   */
  #candidates(first, said) {
    const { settings, subjects } = this;
    /** @type {Set<number>} */
    const days = new Set();
    for (const matter of subjects.flatMap((subject) => mattersOf(subject, first, settings))) {
      for (const lead of openLeads(matter, said.get(nameOf(matter)) ?? [], settings.repeatDays)) {
        const day = Math.max(addDays(matter.occursOn, -lead), first);
        if (day <= matter.lastUse) days.add(day);
      }
    }
    if (settings.weekday !== null) for (let i = 0; i < 7; i++) if (weekdayOf(addDays(first, i)) === settings.weekday) days.add(addDays(first, i));
    return [...days].sort((one, other) => one - other);
  }

  /**
   * @param {number} first
   * @param {number} now
   * @param {Said[]} said
   */
  #next(first, now, said) {
    const by = grouped(said), farthest = now + DAYS_AHEAD * DAY;
    // On the day of a renewal the matters are others.
    const renewals = this.subjects.flatMap((subject) =>
      "subscription" in subject && subject.subscription.renewsItself && !subject.subscription.isCancelled ? [Math.max(subject.subscription.state.end, first)] : []);
    const renewal = Math.min(...renewals);
    const spoken = this.#candidates(first, by).find((day) => day >= renewal || this.#due(day, by).length > 0);
    const day = Math.min(renewal, spoken ?? Infinity), next = day === Infinity ? farthest : Math.min(this.hour(day), farthest);
    // Rules of zones may change, so that a look a day earlier plans anew.
    const early = next - DAY, planned = early > now + DAY ? early : next;
    // Whatever a zone's rules say, nobody is looked at again and again.
    return planned > now ? planned : now + 3_600_000;
  }
}

/** @param {Key} key @returns {Said} */
const unanswered = (key) => ({ ...key, answer: null, snoozedUntil: null });

/** @param {string} one @param {string} other */
const compare = (one, other) => one < other ? -1 : one > other ? 1 : 0;
