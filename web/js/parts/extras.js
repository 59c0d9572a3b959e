// Price, name, reminder and note: the fields that most people leave as they are.

import { html } from "../kernel/template.js";
import { asTyped } from "./format.js";
import { area, choice, text, toggle } from "./field.js";
import { w } from "./words.js";

/** Days before the end that can be chosen; "" is as usual. */
const DAYS = ["", 0, 1, 3, 7, 14, 30, 60];

/**
 * @param form the values @param store takes changed ones @param plan the plan whose price holds otherwise @param shown the failure to show
 * @param mayMute whether there is a switch that mutes its reminders
 */
export function extras(form, store, plan, shown, mayMute = false) {
  const days = DAYS.includes(form.reminderDays === "" ? "" : Number(form.reminderDays)) ? DAYS : [...DAYS, Number(form.reminderDays)];
  return html`<div class="stack tight">
    ${text("fee", w.price, form.fee, (fee) => store({ fee }), { inputmode: "decimal", placeholder: asTyped(plan.fee), hint: w.priceHint(plan.currency), form: shown })}
    ${text("label", w.yourName, form.label, (label) => store({ label }), { placeholder: plan.provider, maxlength: 100, form: shown })}
    ${choice("reminderDays", w.remindMe, form.reminderDays, days.map((day) => [day, day === "" ? w.asUsual : day === 0 ? w.onTheDay : w.daysBefore(day)]), (reminderDays) => store({ reminderDays }), { form: shown })}
    ${mayMute ? html`<div class="card flush">${toggle(w.reminders.mute, w.reminders.muteHint, form.muted, (muted) => store({ muted }))}</div>` : null}
    ${area("note", w.note, form.note, (note) => store({ note }), { maxlength: 2000, form: shown })}</div>`;
}
