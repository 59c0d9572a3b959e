// Changing a subscription: its plan's price, dates, name, reminder and note.

import { html } from "../kernel/template.js";
import { app, dropDraft, go, ofPerson, saveDraft, set, submit } from "../parts/context.js";
import { asTyped, capital, currencyName, date, every, money } from "../parts/format.js";
import { choice, formError, segments, text, toggle } from "../parts/field.js";
import { empty, head } from "../parts/page.js";
import { extras } from "../parts/extras.js";
import { say } from "../parts/toast.js";
import { w } from "../parts/words.js";
import { decimal } from "./add.js";

let form = null;
ofPerson(() => { form = null; });
const nameOf = (id) => `edit ${id}`;

/** The values as they are now. */
const valuesOf = (s) => ({
  id: s.id, planId: s.plan.id, startDate: s.startDate, freeTrial: s.freeTrial, autoRenew: s.autoRenew, fee: asTyped(s.ownFee ?? ""), label: s.label ?? "",
  reminderDays: s.reminderDays ?? "", muted: s.muted, note: s.note ?? "", nextRenewal: "", dates: "start",
  provider: s.plan.provider, name: s.plan.name, category: s.plan.category ?? "", planFee: asTyped(s.plan.fee), currency: s.plan.currency, value: String(s.plan.duration.value), unit: s.plan.duration.unit, noticeDays: String(s.plan.noticeDays ?? 0),
});

/** Returns the fields that differ from the state at opening. Only these are sent, so that changes of other devices stay. */
function patchOf(before, s) {
  const patch = {}, is = (name) => String(form[name]) !== String(before[name]);
  if (is("planId")) patch.planId = Number(form.planId);
  if (form.dates === "start" ? is("startDate") && form.startDate : false) patch.startDate = form.startDate;
  if (form.dates === "renewal" && form.nextRenewal) patch.nextRenewal = form.nextRenewal;
  if (is("freeTrial")) patch.freeTrial = form.freeTrial;
  if (is("autoRenew")) patch.autoRenew = form.autoRenew;
  if (is("fee")) patch.fee = form.fee.trim() ? decimal(form.fee) : null;
  if (is("label")) patch.label = form.label.trim() || null;
  if (is("note")) patch.note = form.note.trim() || null;
  if (is("reminderDays")) patch.reminderDays = form.reminderDays === "" ? null : Number(form.reminderDays);
  if (is("muted")) patch.muted = form.muted;
  if (s.plan.private) {
    const plan = {};
    if (is("provider")) plan.provider = form.provider.trim();
    if (is("name")) plan.name = form.name.trim();
    if (is("category")) plan.category = form.category.trim();
    if (is("planFee")) plan.fee = decimal(form.planFee);
    if (is("currency")) plan.currency = form.currency;
    if (is("value") || is("unit")) plan.duration = { value: Number(form.value), unit: form.unit };
    if (is("noticeDays")) plan.noticeDays = Number(form.noticeDays) || 0;
    if (Object.keys(plan).length) patch.plan = plan;
  }
  return patch;
}

const ownFields = (store, state, shown) => html`<div class="stack tight">${text("provider", w.ownProvider, form.provider, (provider) => store({ provider }), { at: "plan.provider", maxlength: 100, form: shown })}
  ${text("name", w.planName, form.name, (name) => store({ name }), { at: "plan.name", maxlength: 100, form: shown })}
  <div class="fields-two">${text("planFee", w.price, form.planFee, (planFee) => store({ planFee }), { at: "plan.fee", inputmode: "decimal", form: shown })}
    ${choice("currency", w.currency, form.currency, (state.currencies() ?? [{ id: form.currency }]).map(({ id }) => [id, `${id} · ${currencyName(id)}`]), (currency) => store({ currency }), { at: "plan.currency", form: shown })}</div>
  <fieldset class="fields-two"><legend>${w.rhythm}</legend>${text("value", w.everyNumber, form.value, (value) => store({ value }), { at: "plan.duration.value", inputmode: "numeric", form: shown })}
    ${choice("unit", w.unit, form.unit, Object.entries(w.units), (unit) => store({ unit }))}</fieldset>
  ${text("category", w.category, form.category, (category) => store({ category }), { at: "plan.category", maxlength: 50, form: shown })}
  ${text("noticeDays", w.noticeDays, form.noticeDays, (noticeDays) => store({ noticeDays: noticeDays.replace(/\D/g, "") }), { at: "plan.noticeDays", inputmode: "numeric", hint: w.noticeHint, form: shown })}</div>`;

/** The other plans of the provider, where it sells several. */
function planChoice(state, s, store) {
  const plans = state.plansOf(s.plan.provider)?.plans ?? [];
  const all = plans.some(({ id }) => id === s.plan.id) ? plans : [s.plan, ...plans];
  return all.length > 1 ? choice("planId", w.plan, form.planId, all.map((plan) => [plan.id, `${plan.name} · ${money(plan.fee, plan.currency)} ${every(plan.duration)}`]), (planId) => store({ planId: Number(planId) })) : null;
}

export default function edit(/** @type {import("../../types/app").State} */ state, { id }) {
  const s = state.subscription(id);
  if (!s) return html`<div class="page narrow">${head(w.subscription, { from: ["subscriptions", w.subscriptions] })}${empty("search", w.noSuch, "", html`<a class="button" href="subscriptions">${w.subscriptions}</a>`)}</div>`;
  if (form?.id !== id) {
    const draft = state.draft(nameOf(id));
    form = { ...(draft?.id === id ? draft : { ...valuesOf(s), before: valuesOf(s) }), failure: null, busy: false };
  }
  const store = (values) => { set(form, values); saveDraft(nameOf(id), form); };
  const leave = async () => { await dropDraft(nameOf(id)); form = null; };
  const patch = patchOf(form.before, s), isChanged = Object.keys(patch).length > 0, found = isChanged ? state.previewChange(id, patch) : null;
  const shown = { failure: form.failure ?? (found?.failure ? found : null) };
  const save = async (event) => {
    event.preventDefault();
    if (!isChanged) { await leave(); go(`subscriptions/${id}`); return; }
    const done = await submit(form, () => app.actions.change(id, patch), event.target);
    if (!done) return;
    await leave();
    go(`subscriptions/${id}`);
    say(w.savedChanges, done.undo ? { text: w.undo, act: () => done.undo() } : null);
  };
  const names = ["startDate", "nextRenewal", "fee", "label", "reminderDays", "note", "plan.provider", "plan.name", "plan.fee", "plan.currency", "plan.duration.value", "plan.category", "plan.noticeDays"];
  return html`<div class="page narrow">${head(w.editTitle(s.name), { from: [`subscriptions/${id}`, s.name] })}
    <form class="stack" novalidate @submit=${save}>
      ${s.plan.private ? ownFields(store, state, shown) : planChoice(state, s, store)}
      <div class="stack tight">${segments("dates", w.dates, form.dates, [["start", w.periodBegan], ["renewal", w.nextRenewal]], (dates) => store({ dates }))}
        ${form.dates === "start" ? text("startDate", w.periodBegan, form.startDate, (startDate) => store({ startDate }), { type: "date", max: state.today, form: shown })
          : text("nextRenewal", w.nextRenewal, form.nextRenewal, (nextRenewal) => store({ nextRenewal }), { type: "date", form: shown })}
        ${found && !found.failure ? html`<p class="muted" role="status">${w.changedTo(capital(date.long(found.endDate)), money(found.next.fee, found.next.currency))}</p>` : null}</div>
      <div class="card flush">${toggle(w.renewsItself(s.plan.provider), w.renewsItselfHint, form.autoRenew, (autoRenew) => store({ autoRenew }))}
        ${toggle(w.isTrial, w.trialHint, form.freeTrial, (freeTrial) => store({ freeTrial }))}</div>
      ${extras(form, store, { ...s.plan, provider: s.plan.provider }, shown, state.areas.includes("reminders"))}
      ${formError(shown, names)}
      <div class="dock"><div class="pair"><button class="primary tall" ?disabled=${form.busy}>${w.save}</button><a class="button tall" href=${`subscriptions/${id}`} @click=${leave}>${w.notNow}</a></div></div></form></div>`;
}
