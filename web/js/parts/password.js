// A password's field: shown on demand, with its strength and why.

import { html } from "../kernel/template.js";
import { set } from "./context.js";
import { errorOf } from "./field.js";
import { icon } from "./icons.js";
import { w } from "./words.js";

/** How strong a password is, 0…4, and why. The service decides in the end; its reason stands at the field. */
export function strength(password, about = []) {
  const length = [...password].length, lower = password.toLocaleLowerCase(), kinds = [/\p{Ll}/u, /\p{Lu}/u, /\p{N}/u, /[^\p{L}\p{N}]/u].filter((kind) => kind.test(password)).length;
  const parts = about.flatMap((text) => (text ?? "").toLocaleLowerCase().split(/[^\p{L}\p{N}]+/u)).filter((part) => part.length > 2);
  if (!password) return { score: 0, words: w.strengthHint };
  if (length < 8) return { score: 1, words: w.strengthShort(8 - length) };
  if (/^(.)\1+$|password|passwor|qwert|12345|abcdef|letmein|iloveyou/i.test(password)) return { score: 1, words: w.strengthCommon };
  const own = parts.find((part) => lower.includes(part));
  if (own && length - own.length < 8) return { score: 1, words: w.strengthOwn };
  const score = Math.min(4, 1 + Math.floor(length / 7) + (kinds > 3 ? 1 : 0));
  return { score, words: w.strengths[score] };
}

/** A field for a password. `isNew` shows the strength; `about` lists texts that a password should not contain. @param form has `[name]`, `failure` and `show` */
export function password(form, name, label, { isNew = false, about = [], at = name, id = name } = {}) {
  const error = errorOf(form, at), { score, words } = isNew ? strength(form[name], about) : { score: 0, words: null };
  const described = [error && `e-${id}`, isNew && `s-${id}`].filter(Boolean).join(" ") || null;
  return html`<div class="field"><label class="label" for=${`f-${id}`}>${label}</label><div class="with-button">
    <input id=${`f-${id}`} name=${id} type=${form.show ? "text" : "password"} autocomplete=${isNew ? "new-password" : "current-password"} required maxlength="1024" spellcheck="false" autocapitalize="off"
      .value=${form[name]} @input=${(event) => set(form, { [name]: event.target.value })} aria-invalid=${error ? "true" : null} aria-describedby=${described}>
    <button type="button" class="icon-button" aria-pressed=${String(Boolean(form.show))} aria-label=${w.showPassword} @click=${() => set(form, { show: !form.show })}>${icon("eye", 20)}</button></div>
    ${isNew ? html`<span class=${`strength s${score}`} aria-hidden="true"><i></i><i></i><i></i><i></i></span>` : null}
    ${error ? html`<span class="hint wrong" id=${`e-${id}`}>${error}</span>` : null}
    ${isNew ? html`<span class="hint" id=${`s-${id}`} role="status">${words}</span>` : null}</div>`;
}
