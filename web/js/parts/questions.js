// The words of "Waiting for you": of each kind of question, and of its buttons.

import { capital, date, every, inDays, listed, money } from "./format.js";
import { daysBetween } from "../charts/days.js";
import { app } from "./context.js";
import { isDearer } from "./sums.js";
import { w } from "./words.js";

const price = ({ fee, currency }) => money(fee, currency);
/** A day as people name it: its weekday within the week, else its date. */
const dayWords = (today, day) => (Math.abs(daysBetween(today, day)) < 7 ? date.weekday(day) : date.medium(day));
/** "Last day to cancel" or "2 days left". */
const left = (today, day) => {
  const days = daysBetween(today, day);
  return days < 0 ? null : days === 0 ? w.lastDay : w.daysLeft(days);
};
/** Returns the tone: ember on the last day to cancel and after it, honey before. */
const toneOf = (today, day) => (daysBetween(today, day) <= 0 ? "due" : "soon");

/** The name of what a question is about. */
export const nameOf = ({ subscription, contact, kind }) => subscription?.name ?? contact?.name ?? w.reminders.ofUser[kind] ?? "";

/** The words of a contact's date: its kind, and the year that it completes. */
const dateWords = ({ contact }) => `${w.contacts.types[contact.type] ?? contact.type}${contact.years && contact.type === "birthday" ? ` · ${w.contacts.turns(contact.years)}` : ""}`;

/** The renewals of a week, as a sentence. */
function weekWords(state) {
  const names = [...new Set(state.leaving(7).map(({ subscription }) => subscription.name))];
  return names.length ? w.reminders.week(listed(names.slice(0, 5)), names.length - 5) : "";
}

/** @returns `{kind, text, tag, tone}` */
export function questionWords({ kind, subscription: s, contact = null, on, notice }, today, state = app.state) {
  switch (kind) {
    case "renewal":
      return { kind: capital(s.autoRenew ? w.renewsOn(dayWords(today, on)) : w.reminders.endsOn(dayWords(today, on))), text: s.autoRenew ? w.reminders.renewalText(date.medium(on), s.nextPrice ? price(s.nextPrice) : "") : w.reminders.asksText(date.medium(on)), tag: s.autoRenew ? null : w.asksFirst, tone: toneOf(today, on) };
    case "ended":
      return { kind: capital(w.endedOn(date.medium(on))), text: w.reminders.endedText(date.medium(on)), tag: null, tone: "soon" };
    case "date":
      return { kind: dateWords({ contact }), text: `${capital(inDays(daysBetween(today, on)))} · ${date.long(on)}`, tag: null, tone: "soon" };
    case "digest":
      return { kind: w.reminders.kinds.digest, text: weekWords(state), tag: null, tone: "soon" };
    case "debts":
      return { kind: w.reminders.kinds.debts, text: w.reminders.debtsText, tag: null, tone: "soon" };
    case "overdue":
      return { kind: w.endedAgo(inDays(s.remaining)), text: s.nextPrice ? w.overdueText(date.medium(on), price(s.nextPrice)) : w.overdueTextFree(date.medium(on)), tag: s.autoRenew ? null : w.asksFirst, tone: "due" };
    case "trial":
      return { kind: w.trialEnds(dayWords(today, on)), text: s.nextPrice ? w.trialText(date.medium(on), price(s.nextPrice), every(s.plan.duration)) : "", tag: left(today, s.cancelBy), tone: toneOf(today, s.cancelBy) };
    case "price": {
      return { kind: (notice.from.currency !== notice.to.currency ? w.otherCurrency : isDearer(notice.to, notice.from) ? w.dearer : w.cheaper)(dayWords(today, on)), text: w.priceText(price(notice.from), price(notice.to), every(s.plan.duration), date.medium(on)), tag: left(today, s.cancelBy), tone: toneOf(today, s.cancelBy) };
    }
    case "terms":
      return { kind: w.termsChange(dayWords(today, on)), text: w.termsText(notice.fromTerms, notice.toTerms, every), tag: left(today, s.cancelBy), tone: toneOf(today, s.cancelBy) };
    case "withdrawn":
      return { kind: w.withdrawn, text: w.withdrawnText(date.medium(on)), tag: null, tone: "soon" };
    default:
      return { kind: capital(w.renewsOn(dayWords(today, s.endDate))), text: w.cancelByText(date.medium(on), s.nextPrice ? price(s.nextPrice) : "", date.medium(s.endDate)), tag: left(today, on), tone: toneOf(today, on) };
  }
}

/** The words of an answer's button. */
export const answerWords = (question, answer) => (answer === "cancel" && question.kind === "trial" ? w.cancelTrial : w.answers[answer]);
