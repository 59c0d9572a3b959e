// "Changed elsewhere": changes of this device that the service did not take as they were made.

import { html, keyed } from "../kernel/template.js";
import { act, app } from "./context.js";
import { date, every, money } from "./format.js";
import { section } from "./page.js";
import { w } from "./words.js";

/** A value of a field in words. */
function valueWords(value) {
  if (value === null || value === undefined || value === "") return w.nothing;
  if (typeof value === "boolean") return value ? w.yes : w.no;
  if (typeof value === "string" && /^\d{4}-\d\d-\d\d$/.test(value)) return date.full(value);
  if (typeof value === "object" && "fee" in value && value.currency) return money(value.fee, value.currency);
  if (typeof value === "object" && value.unit) return every(value);
  // A part of a list: a number with its kind.
  return typeof value === "object" ? Object.values(value).filter((one) => typeof one === "string" || typeof one === "number").join(", ") : String(value);
}

/** The name of a field, or of the list of a part: `phones.0190…`. */
const fieldWords = (field) => w.fields[field.split(".")[0]] ?? field;

function item(one) {
  return html`<li class="answer"><p><bdi class="strong" translate="no">${one.name ?? w.entities[one.entity] ?? w.gone}</bdi> · ${w.ops[one.op] ?? one.op}</p>
    ${one.problem ? html`<p>${w.failures[one.problem.code] && typeof w.failures[one.problem.code] === "string" ? w.failures[one.problem.code] : one.problem.detail}</p>` : null}
    ${one.typed.length ? html`<dl class="lost">${one.typed.map(({ field, value }) => html`<div><dt>${fieldWords(field)}</dt>
      <dd><span class="small muted">${w.yours}</span> <bdi>${valueWords(value)}</bdi></dd></div>`)}</dl>` : null}
    ${one.fields.length ? html`<dl class="lost">${one.fields.map(({ field, theirs, yours, mayUseMine }) => html`<div><dt>${fieldWords(field)}</dt>
      <dd><span class="small muted">${w.theirs}</span> <bdi>${valueWords(theirs)}</bdi></dd><dd><span class="small muted">${w.yours}</span> <bdi>${valueWords(yours)}</bdi></dd>
      ${mayUseMine ? html`<dd><button @click=${() => act(() => app.actions.useMine(one.id, field))}>${w.useMine}<span class="visually-hidden">: ${fieldWords(field)}</span></button></dd>` : null}</div>`)}</dl>` : null}
    <div class="buttons"><button class="quiet" @click=${() => act(() => app.actions.dismissLost(one.id))}>${w.seen}<span class="visually-hidden">: ${one.name ?? ""}</span></button></div></li>`;
}

export const lost = (state) => (state.lost.length ? section("others", w.whatOthersChanged, html`<ul class="answers">${state.lost.map((one) => keyed(one.id, item(one)))}</ul>`,
  state.lost.length > 1 ? html`<button class="link" @click=${() => act(() => app.actions.dismissLost())}>${w.allSeen}</button>` : null) : null);
