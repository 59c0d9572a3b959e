// The rules of js/core, asked what SubTrackCore was asked: see Tests/Web/Cases.

import * as billing from "/__web/js/core/billing.js";
import * as contacts from "/__web/js/core/contacts.js";
import * as contactsearch from "/__web/js/core/contactsearch.js";
import { DeclaredEdit, difference } from "/__web/js/core/declared.js";
import * as days from "/__web/js/core/days.js";
import { instantOf } from "/__web/js/core/hours.js";
import { USUAL_LEADS } from "/__web/js/core/matters.js";
import * as merge from "/__web/js/core/merge.js";
import * as money from "/__web/js/core/money.js";
import * as notices from "/__web/js/core/notices.js";
import { PriceLine } from "/__web/js/core/prices.js";
import * as reminders from "/__web/js/core/reminders.js";
import { Savings, Spending, TotalTooLarge } from "/__web/js/core/spending.js";
import * as standing from "/__web/js/core/standing.js";
import { writtenAmount } from "/__web/js/core/written.js";

const amount = (text) => (text === null ? null : money.readAmount(text));
const written = (amount) => (amount === null ? null : money.writeAmount(amount));
const price = ({ fee, currency }) => ({ fee: amount(fee), currency });
const shown = ({ fee, currency }) => ({ fee: written(fee), currency });
const line = (entries) => new PriceLine(entries.map(({ effectiveOn, price: { fee, currency } }) => ({ effectiveOn, price: { fee: amount(fee), currency } })));
const decided = (rule) => {
  try { return rule(); } catch (error) {
    if (error instanceof TotalTooLarge) return { error: "tooLarge" };
    if (!error.code) throw error;
    return { error: error.code };
  }
};

const CHANGES = {
  renewed: ({ state, terms }) => billing.renewed(state, terms),
  goingOn: ({ state, terms, day }) => billing.goingOn(state, day, terms),
  changedTrial: ({ state, terms, trial }) => billing.changedTrial(state, trial, terms),
  changedPlan: ({ state, terms, trial }) => billing.changedPlan(state, terms, trial),
  corrected: ({ state, terms, day, trial, lastEnd }) => billing.corrected(state, day, terms, trial, lastEnd),
  correctedRenewal: ({ state, terms, day, trial, lastEnd }) => billing.correctedRenewal(state, day, terms, trial, lastEnd),
  updated: ({ state, terms, day, trial, lastEnd, planChanged }) => billing.updated(state, { start: day, terms, planChanged, freeTrial: trial, lastEnd }),
  fits: ({ state, terms }) => billing.fits(state, terms),
};

/** A field of a declaration with everything that may be left out. */
const fieldOf = ({ name, kind, minimum = null, maximum = null, isOptional = false, isImmutable = false, isMultiline = false }) => ({ name, kind, minimum, maximum, isOptional, isImmutable, isMultiline });

/** A subject of reminders as its rules take it. */
const subjectOf = ({ subscription, ...other }) => {
  if (!subscription) return other;
  const { entries, terms, former, cost, ownFee, ...rest } = subscription;
  return { subscription: { ...rest, outlook: { prices: line(entries), terms, former, withdrawnOn: null }, cost: price(cost), ownFee: amount(ownFee) } };
};
const milliseconds = (seconds) => (seconds === null ? null : seconds * 1000);

const RULES = {
  reminderKinds: () => USUAL_LEADS,
  localHour: ({ day, minute, zone }) => {
    const instant = instantOf(day, minute, zone);
    return instant === null ? null : instant / 1000;
  },
  reminders: ({ user, settings, zone, subjects, said, now, lookedAt, plannedAt, day, days }) => {
    const rules = new reminders.ReminderRules({ user, settings, timeZone: zone, subjects: subjects.map(subjectOf) }), { idOf } = reminders;
    const known = said.map(({ id, ...answer }) => ({ ...reminders.readId(id), ...answer })), at = milliseconds(now);
    const look = rules.look(at, known, milliseconds(lookedAt), milliseconds(plannedAt));
    return {
      today: rules.today(at), due: rules.due(day, known).map(idOf), looked: look.due.map(idOf), next: look.next / 1000,
      upcoming: rules.upcoming(at, days, known).map(({ key, at: then }) => [idOf(key), then / 1000]),
    };
  },
  written: ({ text, digits }) => {
    const found = writtenAmount(text, digits);
    return found.kind === "amount" ? found.amount : found.kind === "either" ? [found.thousands, found.fraction] : null;
  },
  contactDeclaration: () => ({
    name: contacts.CONTACT.name, title: contacts.CONTACT.title, fields: contacts.CONTACT.fields.map(fieldOf),
    parts: contacts.CONTACT.parts.map(({ name, maximum, fields }) => ({ name, maximum, fields: fields.map(fieldOf) })),
  }),
  contactEdit: ({ row, fields }) => {
    const edit = new DeclaredEdit(fields, row, contacts.CONTACT), applied = edit.applied(), stored = edit.check();
    const faults = edit.faults.length ? edit.faults : contacts.faults(stored);
    return {
      applied, stored: edit.faults.length ? null : stored, faults: faults.map(({ field, code, message }) => `${field} ${code} ${message}`).sort(),
      difference: row && difference(row, applied, contacts.CONTACT),
    };
  },
  contactFolded: ({ text }) => contactsearch.folded(text),
  contactSearch: ({ contact, text }) => {
    const terms = contactsearch.termsOf(text);
    return terms && (contactsearch.rank(terms, contact) ?? "no match");
  },
  contactDate: ({ today, ...date }) => contacts.nextOf(date, today),
  contactDuplicates: ({ contacts }) => contactsearch.duplicates(contacts),
  parseDay: ({ text }) => days.parseDay(text),
  day: ({ day, days: moved }) => {
    const { year, month, day: date } = days.components(day);
    if (days.dayOf(year, month, date) !== day || days.parseDay(days.writeDay(day)) !== day) throw new Error(`${day} is not what it was`);
    return { text: days.writeDay(day), year, month, day: date, length: days.daysInMonth(year, month), moved: days.addDays(day, moved) };
  },
  localDay: ({ seconds, zone }) => days.localDay(seconds * 1000, zone),
  calendar: ({ anchor, count, day, duration }) => ({ date: billing.dateAt(anchor, count, duration), first: billing.countOfFirst(day, anchor, duration) }),
  nextRenewal: ({ end, duration }) => decided(() => billing.startForNextRenewal(end, duration)),
  begin: ({ day, duration, trialDays, freeTrial, number }) => decided(() => billing.begin(day, billing.makeTerms(duration, trialDays), freeTrial, number)),
  beginWithRenewal: ({ day, duration, trialDays, freeTrial, number }) =>
    decided(() => billing.beginWithRenewal(day, billing.makeTerms(duration, trialDays), freeTrial, number)),
  change: (input) => decided(() => CHANGES[input.op](input)),
  caughtUp: ({ state, terms, today, limit }) => ({
    now: decided(() => billing.caughtUp(state, today, terms)), limited: decided(() => billing.caughtUp(state, today, terms, limit)),
    due: decided(() => billing.renewalsDue(state, today, terms)), steps: decided(() => billing.renewals(state, today, terms, Math.min(limit, 12))),
  }),
  amount: ({ text, other, digits }) => {
    const one = money.parseAmount(text), two = money.parseAmount(other);
    return { written: written(one), rescaled: one && written(money.rescaled(one, digits)), compared: one && two ? money.compareAmounts(one, two) : null };
  },
  fee: ({ text, digits }) => decided(() => written(money.fee(text, "XTS", digits))),
  conversion: ({ rates, prices, currency, digits }) => {
    const conversion = new money.CurrencyConversion(Object.entries(rates).map(([code, rate]) => [code, amount(rate)]));
    const sum = conversion.sum(prices.map(price), currency, digits);
    return { sum: sum && written({ ...sum, digits: Math.min(Math.max(digits, 0), 6) }), missing: conversion.missing(["EUR", "USD", "JPY", "KWD", "CHF"]) };
  },
  priceLine: ({ entries, day, ownFee, trial }) => {
    const prices = line(entries);
    return {
      days: prices.entries.map(({ effectiveOn }) => effectiveOn), price: shown(prices.priceOn(day)), cost: shown(prices.costFrom(day, amount(ownFee), trial)),
      next: prices.next(day)?.effectiveOn ?? null,
    };
  },
  standing: ({ end, cancelled, notice, today, within }) => {
    const stands = standing.standing({ endDate: end, cancelledOn: cancelled, noticeDays: notice }, today);
    return { ...stands, overdue: standing.isOverdue(stands), due: standing.isDueWithin(stands, within), usual: standing.isDueWithin(stands) };
  },
  spending: ({ items, digits }) => decided(() => {
    const spending = new Spending();
    for (const item of items) spending.add(price(item.price), item.terms);
    return spending.totals(() => digits).map(({ currency, month, year }) => ({ currency, month: written(month), year: written(year) }));
  }),
  savings: ({ items, digits }) => decided(() => {
    const savings = new Savings();
    for (const { state, terms, entries, ownFee, today } of items) savings.add(state, terms, line(entries), amount(ownFee), today);
    return savings.totals(() => digits).map(({ currency, amount }) => ({ currency, amount: written(amount) }));
  }),
  notices: ({ state, terms, entries, former, withdrawn, ownFee, current }) => {
    const outlook = { prices: line(entries), terms, former, withdrawnOn: withdrawn };
    const change = notices.priceChange(outlook, state, price(current), amount(ownFee));
    return {
      change: change && { from: shown(change.from), to: shown(change.to), on: change.on }, former: notices.formerTerms(outlook, state),
      notice: notices.noticeDays(outlook, state),
    };
  },
  split: ({ fields, kept, taken }) => merge.split(fields, (field) => {
    const group = merge.groupOf(field);
    return group === null ? null : taken[group] === true;
  }, (field) => kept[field] ?? null),
};

/**
 * The cases that are decided otherwise than they should be, the first ten of them, and how many of each kind were tried.
 * @param {any[]} cases
 * @param {number} [most] so many wrong ones are enough
 */
export function run(cases, most = Infinity) {
  const wrong = [], counts = {};
  for (const one of cases) {
    if (wrong.length >= most) break;
    counts[one.kind] = (counts[one.kind] ?? 0) + 1;
    let given;
    try { given = RULES[one.kind](one.input); } catch (error) { given = { thrown: String(error) }; }
    if (!merge.isEqual(JSON.parse(JSON.stringify(given ?? null)), one.expected)) wrong.push({ ...one, given });
  }
  return { count: cases.length, wrong: wrong.length, first: JSON.parse(JSON.stringify(wrong.slice(0, 10))), counts };
}
