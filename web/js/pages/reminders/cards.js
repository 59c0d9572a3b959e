// What a card of "Waiting for you" is about: a subscription, a contact's date, or the week.

import { html } from "../../kernel/template.js";
import { addDays } from "../../charts/days.js";
import { blank, face } from "../../parts/face.js";
import { date, listed, money } from "../../parts/format.js";
import { icon } from "../../parts/icons.js";
import { questionWords } from "../../parts/questions.js";
import { dial } from "../../parts/subscription.js";
import { sums } from "../../parts/sums.js";
import { w } from "../../parts/words.js";
import { nameOf, typeText, whenText } from "../contacts/parts.js";

/** The subject of a question: its name, the name as it is shown, its sign, and the page about it. */
export function subjectOf({ subscription: s, contact }, { today }) {
  if (s || contact) {
    const name = s ? s.name : nameOf(contact.row);
    return { name, title: html`<bdi translate="no">${name}</bdi>`, sign: s ? dial(s, 44) : face(name), href: s ? `subscriptions/${s.id}` : `contacts/${contact.id}` };
  }
  const name = w.reminders.ofUser.digest;
  return { name, title: name, sign: blank(icon("calendar", 22)), href: `calendar/${today.slice(0, 7)}` };
}

/** @returns `{kind, text, tag, tone}` */
export function factsOf(question, state) {
  const { kind, on, date: occasion } = question, { today } = state;
  if (kind === "date") return { kind: typeText(occasion.type), text: html`${date.long(on)} ${whenText(occasion, today)}`, tag: null, tone: "soon" };
  if (kind !== "digest") return questionWords(question, today);
  const week = state.leaving(7), prices = sums(week.map(({ price }) => price), state.currency());
  return { kind: date.range(today, addDays(today, 7)), text: w.reminders.week(week.length, listed(prices.map(({ fee, currency }) => money(fee, currency)))), tag: null, tone: "soon" };
}
