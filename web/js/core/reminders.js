// What reminders say, and when. As `ReminderRules` of the service.

import { addDays, isTimeZone, localDay, parseDay, writeDay } from "./days.js";
import { instantOf } from "./hours.js";
import { KINDS, isUnfinished, lastUseOf, mattersOf, openLeads } from "./matters.js";

/**
 * @typedef {import("./matters.js").Kind} Kind
 * @typedef {import("./matters.js").Key} Key
 * @typedef {import("./matters.js").Said} Said
 * @typedef {import("./matters.js").Matter} Matter
 */

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
  const occursOn = parseDay(day);
  if (rest.length || !KINDS.includes(/** @type {Kind} */ (kind)) || occursOn === null || !/^-?\d{1,4}$/.test(lead)) return null;
  return { kind: /** @type {Kind} */ (kind), subject: subject.toLowerCase(), occursOn, lead: Number(lead) };
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

/** The rules for a user's things. */
export class ReminderRules {
  /**
   * @param {object} of
   * @param {string} of.user the subject of the digest
   * @param {import("./matters.js").Settings} of.settings
   * @param {string} of.timeZone the user's. Where there is no such zone, days are those of UTC.
   * @param {import("./matters.js").Subject[]} of.subjects
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
   * The reminders that wait for an answer on a day, each matter once: those that are due, and those that were said and not answered.
   * @param {number} day
   * @param {Said[]} said
   * @returns {Key[]}
   */
  waiting(day, said) {
    const by = grouped(said), open = new Map(this.#due(day, by).map((key) => [nameOf(key), key]));
    const isOfUse = new Set(this.#matters(day).flatMap((matter) => day <= matter.lastUse ? matter.name : []));
    for (const [name, told] of by) {
      const last = told.reduce((one, other) => other.lead < one.lead ? other : one), { subject, kind, occursOn, lead } = last;
      const isWeekly = kind === "digest" || kind === "debts";
      if (open.has(name) || last.answer !== null || !told.every(isUnfinished) || !(isWeekly ? occursOn === day : isOfUse.has(name))) continue;
      open.set(name, { subject, kind, occursOn, lead });
    }
    return [...open.values()].sort(inOrder);
  }

  /**
   * The matters of a day. Those of subscriptions are the same on each, and are made once.
   * @param {number} day
   * @returns {(Matter & {name: string})[]}
   */
  #matters(day) {
    const named = (/** @type {Matter} */ matter) => ({ ...matter, name: nameOf(matter) });
    this.#lasting ??= this.subjects.flatMap((subject) => "subscription" in subject ? mattersOf(subject, day, this.settings).map(named) : []);
    return [...this.#lasting, ...this.subjects.flatMap((subject) => "date" in subject ? mattersOf(subject, day, this.settings).map(named) : [])];
  }

  /** @type {(Matter & {name: string})[] | undefined} */
  #lasting = undefined;

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
      const at = this.hour(next);
      for (const key of this.#due(next, by)) {
        by.set(nameOf(key), [...by.get(nameOf(key)) ?? [], unanswered(key)]);
        upcoming.push({ key, at });
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
    const { settings, subjects, user } = this, matters = this.#matters(day);
    /** @type {Map<string, Key>} */
    const due = new Map();
    /** @param {Key} key */
    const add = (key) => { due.set(idOf(key), key); };
    for (const matter of matters) {
      const { subject, kind, occursOn, lastUse } = matter;
      if (day > lastUse) continue;
      const reached = openLeads(matter, said.get(matter.name) ?? [], settings.repeatDays).filter((lead) => addDays(occursOn, -lead) <= day);
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
    return [...due.values()].sort(inOrder);
  }

  /**
   * The days from one on, on which something may become due. The later days are decided when they come.
   * @param {number} first
   * @param {Map<string, Said[]>} said
   */
  #candidates(first, said) {
    const { settings } = this;
    /** @type {Set<number>} */
    const days = new Set();
    for (const matter of this.#matters(first)) {
      for (const lead of openLeads(matter, said.get(matter.name) ?? [], settings.repeatDays)) {
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

/**
 * The place in a list: by day, by kind, and by subject so that the order is always the same.
 * @param {Key} one
 * @param {Key} other
 */
const inOrder = (one, other) => one.occursOn - other.occursOn || compare(one.kind, other.kind) || compare(one.subject, other.subject);

/** @param {string} one @param {string} other */
const compare = (one, other) => one < other ? -1 : one > other ? 1 : 0;
