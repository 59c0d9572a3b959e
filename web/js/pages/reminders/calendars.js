// Calendars: addresses at which calendar programs read the user's days. An address is shown once, until the page is left.

import { html, keyed } from "../../kernel/template.js";
import { act, app, ofPerson, set, submit, wordsOf } from "../../parts/context.js";
import { formError, text } from "../../parts/field.js";
import { ago } from "../../parts/format.js";
import { icon } from "../../parts/icons.js";
import { loading, section } from "../../parts/page.js";
import { w } from "../../parts/words.js";

const fresh = () => ({ name: "", address: "", failure: null, busy: false });
let form = fresh();
ofPerson(() => { form = fresh(); });
/** The visit of the page to which the form belongs. */
let shownTo = null;

const make = async (event) => {
  event.preventDefault();
  const address = await submit(form, () => app.actions.makeCalendar(form.name.trim()), event.target);
  if (address) set(form, { name: "", address });
};

const end = ({ id, name }) => act(async () => {
  await app.actions.endCalendar(id);
  form = fresh();
}, { said: w.reminders.calendar.ended(name), undo: false });

const list = (calendars, now) => (calendars.length ? html`<ul class="list card flush">${calendars.map((one) => keyed(one.id, html`<li class="row"><span class="face blank">${icon("calendar", 22)}</span>
  <span class="row-main"><span class="row-title"><bdi>${one.name}</bdi></span><span class="row-sub">${w.reminders.calendar.made(ago(one.createdAt, now))}</span></span>
  <button class="quiet" @click=${() => end(one)}>${w.reminders.calendar.end}<span class="visually-hidden">: ${one.name}</span></button></li>`))}</ul>` : null);

/** The section of calendars. @param visit an object of this visit of the page */
export function calendars(/** @type {import("../../../types/app").State} */ state, visit) {
  if (shownTo !== visit) {
    shownTo = visit;
    form = fresh();
  }
  const words = w.reminders.calendar, made = state.calendars();
  const content = made === undefined ? loading() : !Array.isArray(made) ? html`<p class="muted">${wordsOf(made)}</p>` : html`<div class="stack tight">
    ${list(made, new Date().toISOString())}
    ${form.address ? html`<div class="card form">${text("address", words.address, form.address, () => {}, { readonly: true, hint: words.once })}
      ${navigator.clipboard ? html`<div class="tools"><button type="button" @click=${() => act(() => navigator.clipboard.writeText(form.address), { said: words.copied })}>${words.copy}</button></div>` : null}</div>` : null}
    <form class="card form" novalidate @submit=${make}>${formError(form, ["name"])}
      ${text("name", words.name, form.name, (name) => set(form, { name }), { maxlength: 100, hint: words.nameHint, form })}
      <button ?disabled=${form.busy}>${words.make}</button></form></div>`;
  return section("calendar", words.title, html`<p class="muted">${words.text}</p>${content}`);
}
