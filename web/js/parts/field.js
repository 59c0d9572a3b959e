// Fields of forms. An error stands at its field and is read with it. Typed text stays.

import { html } from "../kernel/template.js";
import { wordsOf } from "./context.js";

/** The words of a form's failure where it is about this field. */
export function errorOf(form, name) {
  const failure = form?.failure;
  if (!failure || !name) return null;
  if (failure.field === name) return wordsOf(failure);
  const own = failure.errors?.find((error) => error.field === name);
  return own ? wordsOf({ ...failure, code: own.code, detail: own.message, values: own.values ?? failure.values, failure: "" }) : null;
}

/** The words of a failure that no field of the form shows. It takes focus, so that it is read. */
export function formError(form, names = []) {
  if (!form?.failure || names.some((name) => errorOf(form, name))) return null;
  const { requestId } = form.failure;
  return html`<div class="problem" role="alert" tabindex="-1"><p>${wordsOf(form.failure)}</p>${requestId ? html`<p class="small">${requestId}</p>` : null}</div>`;
}

const labelled = (name, label, control, hint, error, extra) => html`<div class="field"><label class="label" for=${`f-${name}`}>${label}</label>${control}
  ${extra}${error ? html`<span class="hint wrong" id=${`e-${name}`}>${error}</span>` : null}${hint ? html`<span class="hint" id=${`h-${name}`}>${hint}</span>` : null}</div>`;
const described = (name, hint, error) => [error && `e-${name}`, hint && `h-${name}`].filter(Boolean).join(" ") || null;

/** A field of one line. `options`: form, hint, type, inputmode, autocomplete, placeholder, maxlength, required, readonly, extra, and
 *  `only`: the part of a typed text that stays, and `change`: takes the text when the field is left. */
export function text(name, label, value, input, options = {}) {
  const { form, hint, extra } = options, error = errorOf(form, options.at ?? name);
  return labelled(name, label, html`<input id=${`f-${name}`} name=${name} type=${options.type ?? "text"} .value=${value ?? ""} @input=${(event) => {
    const typed = event.target.value, stays = options.only ? options.only(typed) : typed;
    if (stays !== typed) event.target.value = stays;
    input(stays);
  }} @change=${options.change ? (event) => options.change(event.target.value) : null}
    inputmode=${options.inputmode} autocomplete=${options.autocomplete ?? "off"} placeholder=${options.placeholder} maxlength=${options.maxlength} min=${options.min} max=${options.max}
    ?required=${options.required} ?readonly=${options.readonly} spellcheck=${options.spellcheck} autocapitalize=${options.autocapitalize} list=${options.list}
    aria-invalid=${error ? "true" : null} aria-describedby=${described(name, hint, error)}>`, hint, error, extra);
}

/** A field of several lines. `options`: form, hint, maxlength, readonly. */
export function area(name, label, value, input, options = {}) {
  const error = errorOf(options.form, options.at ?? name);
  return labelled(name, label, html`<textarea id=${`f-${name}`} name=${name} rows="3" .value=${value ?? ""} @input=${(event) => input(event.target.value)} maxlength=${options.maxlength} ?readonly=${options.readonly}
    aria-invalid=${error ? "true" : null} aria-describedby=${described(name, options.hint, error)}></textarea>`, options.hint, error);
}

/** A choice from a list. @param choices `[value, text]` */
export function choice(name, label, value, choices, change, options = {}) {
  const error = errorOf(options.form, options.at ?? name);
  return labelled(name, label, html`<select id=${`f-${name}`} name=${name} @change=${(event) => change(event.target.value)} autocomplete=${options.autocomplete}
    aria-invalid=${error ? "true" : null} aria-describedby=${described(name, options.hint, error)}>${choices.map(([id, words]) =>
      html`<option value=${id} .selected=${String(id) === String(value)}>${words}</option>`)}</select>`, options.hint, error);
}

/** A few choices side by side. @param choices `[value, text]` */
export const segments = (name, legend, value, choices, change) => html`<fieldset class="segments"><legend>${legend}</legend>${choices.map(([id, words]) =>
  html`<label><input type="radio" name=${name} value=${id} .checked=${id === value} @change=${() => change(id)}><span>${words}</span></label>`)}</fieldset>`;

/** A switch with a sentence below its name. */
export const toggle = (label, hint, on, change) => html`<label class="switch"><span class="row-main"><span class="row-title">${label}</span>
  ${hint ? html`<span class="row-sub">${hint}</span>` : null}</span><input type="checkbox" role="switch" .checked=${on} @change=${(event) => change(event.target.checked)}></label>`;
