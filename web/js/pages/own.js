// A plan of one's own: any price, any rhythm.

import { html } from "../kernel/template.js";
import { app, dropDraft, ofPerson, saveDraft, set, submit } from "../parts/context.js";
import { asTyped, currencyName } from "../parts/format.js";
import { choice, formError, text, toggle } from "../parts/field.js";
import { head } from "../parts/page.js";
import { typed } from "../parts/providers.js";
import { w } from "../parts/words.js";
import { beganFields, decimal, finished, preview } from "./add.js";

const fresh = () => ({ provider: "", name: "", category: "", price: "", currency: "", value: "1", unit: "month", trialDays: "", noticeDays: "", began: "today", startDate: "", nextRenewal: "", freeTrial: false, fee: "", label: "", reminderDays: "", note: "", failure: null, busy: false });
let form = null;
ofPerson(() => { form = null; });
/** How many milliseconds an addition waits for the list of countries, which names the currency. */
const PATIENCE = 5_000;
/** The currency of the person's country; empty where nothing names it. The list may be on its way still when somebody is quick. */
const currencyOfCountry = () => new Promise((resolve) => {
  const end = (code) => {
    clearTimeout(late);
    stop();
    resolve(code);
  };
  const look = () => {
    const code = app.state.currency();
    if (code || !navigator.onLine) end(code ?? "");
  };
  const stop = app.onChange(look), late = setTimeout(() => end(""), PATIENCE);
  look();
});
const store = (values) => { set(form, values); saveDraft("own", form); };

function inputOf() {
  const duration = { value: Number(form.value) || 1, unit: form.unit };
  const plan = { provider: form.provider.trim(), name: form.name.trim() || form.provider.trim(), fee: decimal(form.price), currency: form.currency, duration };
  if (form.category.trim()) plan.category = form.category.trim();
  if (form.freeTrial) plan.trialDays = Number(form.trialDays) || null;
  if (form.noticeDays !== "") plan.noticeDays = Number(form.noticeDays);
  const input = { plan, autoRenew: true };
  if (form.began === "earlier" && form.startDate) input.startDate = form.startDate;
  if (form.began === "only" && form.nextRenewal) input.nextRenewal = form.nextRenewal;
  if (form.freeTrial) input.freeTrial = true;
  if (form.reminderDays !== "") input.reminderDays = Number(form.reminderDays);
  if (form.note.trim()) input.note = form.note.trim();
  return input;
}

export default function own(/** @type {import("../../types/app").State} */ state) {
  if (!form) form = { ...fresh(), ...(state.draft("own") ?? {}) };
  if (!form.provider && typed.text) form.provider = typed.text.trim();
  if (!form.currency) form.currency = state.currency() ?? "";
  const input = inputOf(), isEnough = input.plan.provider && form.price.trim() && form.currency;
  const found = isEnough ? state.preview(input) : null, shown = { failure: form.failure ?? (found?.failure ? found : null) };
  const add = async (autoRenew, element) => {
    const done = await submit(form, async () => {
      if (!form.currency) form.currency = await currencyOfCountry();
      return app.actions.addSubscription({ ...inputOf(), autoRenew });
    }, element);
    if (!done) return;
    await dropDraft("own");
    form = null;
    await finished(state, done);
  };
  const names = ["plan.provider", "plan.name", "plan.fee", "plan.currency", "plan.duration.value", "plan.category", "plan.noticeDays", "plan.trialDays", "startDate", "nextRenewal", "reminderDays", "note"];
  return html`<div class="page narrow">${head(w.ownTitle, { from: ["add", w.steps[0]], sub: w.ownText })}
    <form class="stack" novalidate @submit=${(event) => { event.preventDefault(); add(event.submitter?.value !== "asks", event.target); }}>
      <div class="stack tight">${text("provider", w.ownProvider, form.provider, (provider) => store({ provider }), { at: "plan.provider", maxlength: 100, required: true, placeholder: w.ownProviderExample, form: shown })}
        <div class="fields-two">${text("price", w.price, form.price, (price) => store({ price }), { at: "plan.fee", inputmode: "decimal", required: true, placeholder: asTyped("9.90"), form: shown })}
          ${choice("currency", w.currency, form.currency, (state.currencies() ?? [{ id: form.currency }]).map(({ id }) => [id, id ? `${id} · ${currencyName(id)}` : ""]), (currency) => store({ currency }), { at: "plan.currency", form: shown })}</div>
        <fieldset class="fields-two"><legend>${w.rhythm}</legend>${text("value", w.everyNumber, form.value, (value) => store({ value }), { at: "plan.duration.value", inputmode: "numeric", form: shown })}
          ${choice("unit", w.unit, form.unit, Object.entries(w.units), (unit) => store({ unit }))}</fieldset></div>
      ${beganFields(form, store, state.today, shown)}
      ${preview(found?.failure ? null : found, input.plan.duration, form.freeTrial)}
      <details class="more"><summary>${w.ownMore}</summary><div class="stack tight">
        ${text("name", w.planName, form.name, (name) => store({ name }), { at: "plan.name", maxlength: 100, form: shown })}
        ${text("category", w.category, form.category, (category) => store({ category }), { at: "plan.category", maxlength: 50, form: shown })}
        ${text("noticeDays", w.noticeDays, form.noticeDays, (noticeDays) => store({ noticeDays: noticeDays.replace(/\D/g, "") }), { at: "plan.noticeDays", inputmode: "numeric", hint: w.noticeHint, form: shown })}
        <div class="card flush">${toggle(w.beganWithTrial, w.trialHint, form.freeTrial, (freeTrial) => store({ freeTrial }))}</div>
        ${form.freeTrial ? text("trialDays", w.trialLength, form.trialDays, (trialDays) => store({ trialDays: trialDays.replace(/\D/g, "") }), { at: "plan.trialDays", inputmode: "numeric", form: shown }) : null}
        ${choice("reminderDays", w.remindMe, form.reminderDays, [["", w.asUsual], [0, w.onTheDay], ...[1, 3, 7, 14, 30, 60].map((day) => [day, w.daysBefore(day)])], (reminderDays) => store({ reminderDays }))}
      </div></details>
      ${formError(shown, names.filter((name) => isEnough || form.failure))}
      <div class="dock"><p class="ask" id="ask">${w.doesItRenew(input.plan.provider)}</p><div class="pair"><button class="primary tall" value="does" aria-describedby="ask" ?disabled=${form.busy}>${w.addDoes}</button>
        <button class="tall" value="asks" aria-describedby="ask" ?disabled=${form.busy}>${w.addAsks}</button></div></div></form></div>`;
}
