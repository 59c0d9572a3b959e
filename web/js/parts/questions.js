// The words of "Waiting for you": of each kind of question, of its buttons and of answers.

import { capital, date, every, inDays, money } from "./format.js";
import { addDays, daysBetween } from "../charts/days.js";
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

/** @returns `{kind, text, tag, tone}` */
export function questionWords({ kind, subscription: s, on, notice }, today) {
  switch (kind) {
    case "overdue":
      return { kind: w.endedAgo(inDays(s.remaining)), text: s.nextPrice ? w.overdueText(date.medium(on), price(s.nextPrice)) : w.overdueTextFree(date.medium(on)), tag: s.autoRenew ? null : w.asksFirst, tone: "due" };
    case "trial":
      return { kind: w.trialEnds(dayWords(today, on)), text: s.nextPrice ? w.trialText(date.medium(on), price(s.nextPrice), every(s.plan.duration)) : "", tag: left(today, s.cancelBy), tone: toneOf(today, s.cancelBy) };
    case "price": {
      return { kind: (notice.from.currency !== notice.to.currency ? w.otherCurrency : isDearer(notice.to, notice.from) ? w.dearer : w.cheaper)(dayWords(today, notice.on)), text: w.priceText(price(notice.from), price(notice.to), every(s.plan.duration), date.medium(notice.on)), tag: left(today, notice.cancelBy), tone: toneOf(today, notice.cancelBy) };
    }
    case "terms":
      return { kind: w.termsChange(dayWords(today, notice.on)), text: w.termsText(notice.fromTerms, notice.toTerms, every), tag: left(today, notice.cancelBy), tone: toneOf(today, notice.cancelBy) };
    case "withdrawn":
      return { kind: w.withdrawn, text: w.withdrawnText(date.medium(on)), tag: null, tone: "soon" };
    case "ended":
      return { kind: s.remaining > 0 ? w.cancelled : w.endedAgo(inDays(s.remaining)), text: w.reminders.endedText(date.medium(on)), tag: null, tone: "soon" };
    case "renewal": {
      const isToCome = s.endDate === on, cost = isToCome ? s.nextPrice : s.price;
      if (!s.autoRenew) return { kind: w.reminders.ends(dayWords(today, on)), text: w.reminders.endsText(date.medium(on), cost ? price(cost) : ""), tag: w.asksFirst, tone: "soon" };
      return { kind: capital(w.renewsOn(dayWords(today, on))), text: cost ? w.changedTo(date.medium(on), price(cost)) : "", tag: isToCome ? left(today, s.cancelBy) : null, tone: isToCome ? toneOf(today, s.cancelBy) : "soon" };
    }
    default:
      return { kind: capital(w.renewsOn(dayWords(today, s.endDate))), text: w.cancelByText(date.medium(on), s.nextPrice ? price(s.nextPrice) : "", date.medium(s.endDate)), tag: left(today, on), tone: toneOf(today, on) };
  }
}

/** The words of an answer's button. */
export const answerWords = (question, answer) => (answer === "done" ? w.reminders.choices.done : answer === "cancel" && question.kind === "trial" ? w.cancelTrial : w.answers[answer]);

/** The words of an answer, behind the name of its subject. Those of subscriptions go on with the name. */
export const answeredWords = (question, answer, today) => (answer === "done" ? `· ${w.reminders.given.done}` : answer === "later" && !question.subscription ? `· ${w.reminders.given.snooze(date.long(addDays(today, 1)))}` : w.answered[answer]);
