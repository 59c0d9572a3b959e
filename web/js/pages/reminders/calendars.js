// Calendars: addresses at which calendar programs read the user's days. An address is shown once, until the page is left.

import { html, keyed } from "../../kernel/template.js";
import { act, afterDraw, app, ofPerson, set, submit, wordsOf } from "../../parts/context.js";
import { area, formError, text } from "../../parts/field.js";
import { ago } from "../../parts/format.js";
import { icon } from "../../parts/icons.js";
import { ask } from "../../parts/layer.js";
import { loading, section } from "../../parts/page.js";
import { say } from "../../parts/toast.js";
import { w } from "../../parts/words.js";

/** The most calendars that a user has, as the service holds them. */
const MOST = 10;
const fresh = () => ({ name: "", made: null, failure: null, busy: false });
let form = fresh();
ofPerson(() => { form = fresh(); });
/** The visit of the page to which the form belongs. */
let shownTo = null;

/** The field of the address, with all of it selected. */
const select = () => {
  const field = /** @type {HTMLTextAreaElement | null} */ (document.getElementById("f-address"));
  field?.focus();
  field?.select();
};

const make = async (event) => {
  event.preventDefault();
  const mine = form, made = await submit(mine, () => app.actions.makeCalendar(mine.name.trim()), event.target);
  // Another person may have signed in meanwhile.
  if (!made || mine !== form) return;
  set(form, { name: "", made });
  afterDraw(select);
};

const copy = async () => {
  const words = w.reminders.calendar;
  try {
    // There is none on a page without TLS, and people can refuse it.
    await navigator.clipboard.writeText(form.made.address);
    say(words.copied);
  } catch {
    select();
    say(words.copyYourself);
  }
};

const end = async ({ id, name }) => {
  const words = w.reminders.calendar;
  if (!await ask({ title: words.endTitle(name), action: words.end, danger: true, content: html`<p>${words.endText}</p>` })) return;
  await act(async () => {
    await app.actions.endCalendar(id);
    if (form.made?.id === id) form = fresh();
  }, { said: words.ended(name), undo: false });
};

const list = (calendars, now) => (calendars.length ? html`<ul class="list card flush">${calendars.map((one) => keyed(one.id, html`<li class="row"><span class="face blank">${icon("calendar", 22)}</span>
  <span class="row-main"><span class="row-title"><bdi>${one.name}</bdi></span><span class="row-sub">${w.reminders.calendar.made(ago(one.createdAt, now))}</span></span>
  <button class="quiet" @click=${() => end(one)}>${w.reminders.calendar.end}<span class="visually-hidden">: ${one.name}</span></button></li>`))}</ul>` : null);

const address = (words) => html`<div class="card form">${area("address", words.address(form.made.name), form.made.address, () => {}, { readonly: true, hint: words.once })}
  <div class="tools"><button type="button" class="primary" @click=${copy}>${words.copy}</button><button type="button" @click=${() => set(form, fresh())}>${words.another}</button></div></div>`;

const maker = (words) => html`<form class="card form" novalidate @submit=${make}>${formError(form, ["name"])}
  ${text("name", words.name, form.name, (name) => set(form, { name }), { maxlength: 100, hint: words.nameHint, form })}
  <button ?disabled=${form.busy}>${words.make}</button></form>`;

/** The section of calendars. @param visit an object of this visit of the page */
export function calendars(/** @type {import("../../../types/app").State} */ state, visit) {
  if (shownTo !== visit) {
    shownTo = visit;
    form = fresh();
  }
  const words = w.reminders.calendar, made = state.calendars();
  const others = made === undefined ? loading() : !Array.isArray(made) ? html`<p class="muted">${wordsOf(made)}</p>` : html`
    ${form.made ? null : made.length < MOST ? maker(words) : html`<p class="muted">${words.full(MOST)}</p>`}${list(made, new Date().toISOString())}`;
  return section("calendar", words.title, html`<div class="stack tight"><p class="muted">${words.text}</p>${form.made ? address(words) : null}${others}</div>`);
}
