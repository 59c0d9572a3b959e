// The page behind the links in mails of reminders. Only a button acts, because mail scanners open links.

import { html } from "../../kernel/template.js";
import { addDays, readDay, writeDay } from "../../core/days.js";
import { lastUse, spareAnswer } from "../../core/reminders.js";
import { app, draw, set, submit, wordsOf } from "../../parts/context.js";
import { formError, segments, text } from "../../parts/field.js";
import { amount, date } from "../../parts/format.js";
import { gate, loading } from "../../parts/page.js";
import { w } from "../../parts/words.js";

const fresh = () => ({ token: /** @type {string | null} */ (null), found: /** @type {any} */ (null), bad: /** @type {any} */ (null), reminder: "", answer: "", until: "", failure: null, busy: false, done: /** @type {any} */ (null) });
let form = fresh();

/** Takes the token out of the address, and with it out of the history. Nothing changes by that. */
function read() {
  const given = new URLSearchParams(location.hash.slice(1)), token = given.get("token");
  if (!token) return;
  form = { ...fresh(), token, reminder: given.get("r") ?? "", answer: given.get("a") ?? "" };
  history.replaceState(history.state, "", location.pathname);
  look();
}

/** Asks the service for the reminders of the token. */
function look() {
  form.bad = null;
  app.actions.previewAnswers(form.token ?? "").then((found) => {
    // The answer of the link is for its own reminder alone.
    const meant = found.reminders.find(({ id }) => id === form.reminder), one = meant ?? found.reminders.find(({ answers }) => answers.length) ?? found.reminders[0];
    set(form, { found, reminder: one?.id ?? "" });
    choose(one, meant ? form.answer : "");
  }, (bad) => set(form, { bad }));
}

/** Chooses a reminder, with the answer of the link where it takes that one. */
function choose(reminder, answer = "") {
  const tomorrow = form.found && writeDay(addDays(readDay(form.found.today), 1));
  set(form, { reminder: reminder?.id ?? "", answer: reminder?.answers.includes(answer) ? answer : reminder ? offered(reminder)[0] ?? "" : "", until: form.until || tomorrow || "", failure: null });
}

/** The subject of a reminder: name, kind, day, price, and the last day to cancel. */
const fact = ({ title, kind, occursOn, fee, currency, cancelBy }) => html`<div class="card stack tight"><p class="fact-day"><bdi translate=${title ? "no" : null}>${title ?? w.reminders.ofUser[kind] ?? ""}</bdi></p>
  <p>${w.reminders.kinds[kind]} · ${date.long(occursOn)}</p>${fee === null || fee === undefined ? null : html`<p>${amount(fee, currency)}</p>`}
  ${cancelBy ? html`<p class="muted">${w.reminders.answerCancelBy(date.long(cancelBy))}</p>` : null}</div>`;

/** The answers that are offered: of the two that only note it one is enough, and the one that the link has chosen stays. */
const offered = ({ kind, answers }) => answers.filter((one) => one === form.answer || one !== spareAnswer(kind));

/** The provider's page, where the cancelling itself is done. */
const there = ({ cancelUrl }) => (cancelUrl && /^https?:\/\//i.test(cancelUrl) ? html`<p>${w.reminders.cancelThere} <a href=${cancelUrl} target="_blank" rel="noopener noreferrer">${w.reminders.cancelPage}</a></p>` : null);

/** The words for an answer that was given. */
function givenWords(answer, until) {
  const words = w.reminders.given[answer] ?? w.reminders.given.done;
  return typeof words === "function" ? words(date.long(until)) : words;
}

function given({ reminder, answer, until }) {
  const others = form.found.reminders.filter(({ id, answers }) => id !== reminder.id && answers.length);
  return html`${fact(reminder)}<p role="status">${givenWords(reminder.answer ?? answer, reminder.snoozedUntil ?? until)}${answer !== "done" && reminder.answer === "done" ? html` ${w.reminders.wasDone}` : null}</p>
    ${answer === "cancel" ? there(reminder) : null}
    ${others.length ? html`<button @click=${() => { set(form, { done: null }); choose(others[0]); }}>${w.reminders.another}</button>` : null}<a class="button primary tall" href="./">${w.toStart}</a>`;
}

/** The days on which a reminder can be said again. */
const daysLeft = (reminder) => ({ min: writeDay(addDays(readDay(form.found.today), 1)), max: writeDay(lastUse(reminder)) });

function ask() {
  const { found } = form, reminder = found.reminders.find(({ id }) => id === form.reminder);
  const send = async (event) => {
    event.preventDefault();
    const { token, answer } = form, { min, max } = daysLeft(reminder), until = answer === "snooze" ? form.until : undefined;
    const done = await submit(form, async () => {
      if (until !== undefined && !(until >= min && until <= max)) throw { failure: "invalid", code: "range", field: "until", values: { minimum: date.long(min), maximum: date.long(max) } };
      return app.actions.giveAnswer({ token: token ?? "", reminder: reminder.id, answer: /** @type {any} */ (answer), until });
    }, event.target);
    if (done) set(form, { done: { reminder: done.reminder, answer, until }, found: { ...found, reminders: found.reminders.map((one) => (one.id === done.reminder.id ? { ...done.reminder, answers: [] } : one)) } });
  };
  const open = found.reminders.filter(({ answers }) => answers.length);
  if (!reminder || !reminder.answers.length) return html`${reminder ? fact(reminder) : null}<p role="status">${w.reminders.answerNone}</p>
    ${open.length ? html`<button @click=${() => choose(open[0])}>${w.reminders.another}</button>` : null}<a class="button tall" href="./">${w.toStart}</a>`;
  return html`<p class="muted">${reminder.answer ? givenWords(reminder.answer, reminder.snoozedUntil) : w.reminders.answerText}</p>
    <form class="stack" novalidate @submit=${send}>${formError(form, ["until"])}
      ${open.length > 1 ? segments("reminder", w.reminders.answerWhich, form.reminder, open.map(({ id, title, kind }) => [id, title ? `${title} · ${w.reminders.kinds[kind]}` : w.reminders.ofUser[kind] ?? w.reminders.kinds[kind]]), (id) => choose(open.find((one) => one.id === id))) : null}
      ${fact(reminder)}${segments("answer", w.reminders.answerHow, form.answer, offered(reminder).map((answer) => [answer, w.reminders.choices[answer] ?? answer]), (answer) => set(form, { answer, failure: null }))}
      ${form.answer === "snooze" ? text("until", w.reminders.until, form.until, (until) => set(form, { until }), { type: "date", ...daysLeft(reminder), form }) : null}
      ${form.answer === "cancel" ? there(reminder) : null}
      <button class="primary tall" ?disabled=${form.busy}>${w.reminders.answerSend}</button></form>`;
}

export default function answer() {
  read();
  return gate(html`<h1 tabindex="-1">${w.reminders.answerTitle}</h1>${!form.token ? html`<p>${w.noToken}</p><a class="button tall" href="./">${w.toStart}</a>`
    : form.bad ? html`<p role="alert">${form.bad.code === "token_invalid" ? w.reminders.answerBad : wordsOf(form.bad)}</p>${form.bad.code === "token_invalid" ? null : html`<button class="primary tall" @click=${() => { look(); draw(); }}>${w.again}</button>`}<a class="button tall" href="./">${w.toStart}</a>`
      : form.done ? given(form.done) : form.found ? ask() : loading()}`);
}
