// Today: renewals of the next thirty days, open questions, the next days, and totals.

import { html, keyed } from "../kernel/template.js";
import { act, app } from "../parts/context.js";
import { amount, capital, clock, date, every, inDays, listed, money } from "../parts/format.js";
import { face } from "../parts/face.js";
import { icon } from "../parts/icons.js";
import { section, empty, loading } from "../parts/page.js";
import { row, tag } from "../parts/subscription.js";
import { sums } from "../parts/sums.js";
import { w } from "../parts/words.js";
import { ribbon } from "../charts/ribbon.js";
import { daysBetween } from "../charts/days.js";
import { lost } from "../parts/lost.js";
import { answeredWords, answerWords } from "../parts/questions.js";
import { factsOf, subjectOf } from "./reminders/cards.js";
import welcome, { isNew } from "./welcome.js";

const give = (question, answer) => () => {
  if (answer === "cancel" && question.subscription?.cancelUrl) open(question.subscription.cancelUrl, "_blank", "noopener,noreferrer");
  return act(() => app.actions.answer(question.id, answer));
};

/** One question, answered in place. */
function card(question, state) {
  const { name, title, sign, href } = subjectOf(question, state), words = factsOf(question, state);
  return html`<li class=${`answer ${words.tone}`}>
    <a class="answer-head" href=${href}>${sign}<span class="row-main"><span class="row-title">${title}</span>
      <span class="row-sub">${words.kind}</span></span>${words.tag ? tag(words.tag, words.tone) : null}</a>
    <p>${words.text}</p>
    <div class="buttons" data-of=${question.id}>${question.answers.map((answer, i) => html`<button class=${i === 0 ? "primary" : answer === "later" ? "quiet" : ""} @click=${give(question, answer)}>
      ${answerWords(question, answer)}<span class="visually-hidden">: ${name}</span></button>`)}</div></li>`;
}

function done({ question, answer, waiting }, state) {
  const { name, title } = subjectOf(question, state);
  return html`<li class="answer done"><span class="tick-mark">${icon("check", 18)}</span>
    <p><span class="strong">${title}</span> ${answeredWords(question, answer, state.today)}${waiting ? html`<span class="muted"> · ${w.notSent}</span>` : null}</p>
    <span data-of=${question.id}><button class="quiet" @click=${() => act(() => app.actions.undoAnswer(question.id))}>${w.undo}<span class="visually-hidden">: ${name}</span></button></span></li>`;
}

/** What waits for an answer, and what was answered today. Offline the rows are those of the last sync. */
function waiting(state) {
  const { questions, answered, connection } = state, isStale = connection.kind === "offline" && connection.syncedAt !== null && state.areas.includes("reminders");
  if (!questions.length && !answered.length) return null;
  return section("open", w.waitingForYou, html`<ul class="answers">
    ${questions.map((question) => keyed(question.id, card(question, state)))}${answered.map((one) => keyed(one.question.id, done(one, state)))}</ul>`,
  html`${questions.length ? html`<span class="count" aria-label=${w.open_(questions.length)}>${questions.length}</span>` : null}${isStale ? html`<span class="muted">${w.reminders.asOf(clock(connection.syncedAt))}</span>` : null}`);
}

/** The sum of the next thirty days: the first currency large, the others in a sentence. */
function hero(state, ahead) {
  const [first, ...others] = sums(ahead.map(({ price }) => price), state.currency());
  return html`<section class="hero" aria-labelledby="ahead"><h2 class="eyebrow" id="ahead">${w.ahead}</h2>
    ${first ? html`<p class="big">${amount(first.fee, first.currency)}</p>
      <p class="muted">${w.aheadRest(others.length ? listed(others.map(({ fee, currency }) => money(fee, currency))) : "", ahead.length)}</p>`
      : html`<p class="fact-day">${w.aheadNothing}</p>`}
    ${ribbon(state.today, ahead)}</section>`;
}

/** How many renewals are named where none is in the next thirty days. */
const FARTHER = 3;

function coming(state, soon) {
  const ahead = soon.length ? soon : state.subscriptions.filter((s) => s.nextPrice && s.remaining >= 0).slice(0, FARTHER).map((s) => ({ on: s.endDate, subscription: s, price: s.nextPrice }));
  const days = [...new Set(ahead.map(({ on }) => on))].slice(0, 5);
  return section("next", w.comingUp, days.length ? html`<div class="days">${days.map((day) => keyed(day, html`<div class="day">
    <h3 class="day-name"><span>${date.weekdayDay(day)}</span><span>${inDays(daysBetween(state.today, day))}</span></h3>
    ${ahead.filter(({ on }) => on === day).map(({ subscription, price }) => keyed(subscription.id, row(subscription, price, html`<span class="when">${every(subscription.plan.duration)}</span>`)))}</div>`))}</div>`
    : html`<p class="muted">${w.comingNothing}</p>`, html`<a href=${`calendar/${state.today.slice(0, 7)}`}>${w.calendar}</a>`);
}

/** The totals: a month and a year in each currency, all together where rates are known. */
function ledger(state) {
  const many = state.spending.length > 1;
  const line = (name, fee, currency, kind = "") => html`<div class=${kind}><dt>${name}</dt><dd>${amount(fee, currency, "m")}</dd></div>`;
  return section("spend", w.comesTo, html`<dl>
    ${state.spending.map(({ currency, month, year }) => html`${line(many ? w.monthIn(currency) : w.aMonth, month, currency)}${line(many ? w.yearIn(currency) : w.aYear, year, currency)}`)}
    ${state.total?.month ? line(w.totalMonth(state.total.currency), state.total.month, state.total.currency, "whole") : null}
    ${state.saved.map(({ fee, currency }) => line(w.savedByCancelling, fee, currency, "saved"))}</dl>
    ${state.total ? html`<p class="small muted">${state.total.missing.length ? w.rateMissing(listed(state.total.missing)) : state.total.ratesOf ? w.ratesOf(date.full(state.total.ratesOf)) : ""}</p>` : null}`,
  html`<a href=${`spending/${state.today.slice(0, 4)}`}>${w.spending}</a>`);
}

export default function today(/** @type {import("../../types/app").State} */ state) {
  if (isNew(state)) return welcome(state);
  const ahead = state.leaving(30);
  const isFirstPull = state.connection.pulled !== null && state.subscriptions.length === 0;
  return html`<div class="page today">
    <header class="page-head home"><div class="page-title"><p class="eyebrow">${capital(date.weekday(state.today))}</p><h1 tabindex="-1">${date.medium(state.today)}</h1></div>
      <a class="me" href="profile" aria-label=${w.yourProfile}>${state.user.userName ? face(state.user.userName) : html`<span class="face blank">${icon("person", 22)}</span>`}</a></header>
    ${isFirstPull ? loading() : state.subscriptions.length === 0 ? empty("today", w.nothingKept, w.nothingKeptText, html`<a class="button primary" href="add">${icon("plus", 20)}${w.addOne}</a>`)
      : html`<div class="split"><div class="stack">${hero(state, ahead)}
        ${waiting(state)}
        ${lost(state)}</div>
      <div class="stack">${coming(state, ahead)}<div class="ledger">${ledger(state)}</div></div></div>`}
    ${state.subscriptions.length === 0 ? html`${waiting(state)}${lost(state)}` : null}</div>`;
}
