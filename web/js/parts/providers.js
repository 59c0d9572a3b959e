// Finding a provider: a search field, its hits, and providers that are often added.

import { html } from "../kernel/template.js";
import { face, blank } from "./face.js";
import { icon } from "./icons.js";
import { w } from "./words.js";
import { country, currencyName } from "./format.js";
import { set, go } from "./context.js";

/** The typed text. It stays during the three steps. */
export const typed = { text: "" };

/** Where a provider leads: to its plans, or straight to "When" where it has one only. */
const addressOf = (hit) => (hit.onlyPlan === null || hit.onlyPlan === undefined ? `add/${encodeURIComponent(hit.name)}` : `add/${encodeURIComponent(hit.name)}/${hit.onlyPlan}`);

/** The letters that were typed, marked where a word of the name begins with them. */
function marked(name, text) {
  const wanted = text.trim().toLocaleLowerCase(), at = wanted ? name.toLocaleLowerCase().search(new RegExp(`(?<![\\p{L}\\p{N}])${wanted.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")}`, "u")) : -1;
  return at < 0 ? name : html`${name.slice(0, at)}<mark>${name.slice(at, at + wanted.length)}</mark>${name.slice(at + wanted.length)}`;
}

const hit = (found) => html`<li><a class="row" href=${addressOf(found)}>${face(found.name, "l")}<span class="row-main"><span class="row-title" translate="no">${marked(found.name, typed.text)}</span>
  <span class="row-sub">${[found.category, found.own ? w.ownPlan : w.plans(found.planCount)].filter(Boolean).join(" · ")}</span></span>${icon("next", 18)}</a></li>`;

/** The field with its hits below. Enter opens the first hit. */
export function finder(state) {
  const text = typed.text.trim(), hits = text ? state.providers(text) : [];
  const enter = (event) => {
    event.preventDefault();
    if (text) go(hits?.length ? addressOf(hits[0]) : "add/own");
  };
  return html`<search><form @submit=${enter}><label class="search tall"><span class="visually-hidden">${w.provider}</span>${icon("search", 22)}
    <input id="finder" type="search" autocomplete="off" autocapitalize="words" spellcheck="false" enterkeyhint="go" maxlength="100" placeholder=${w.providerExample} .value=${typed.text}
      @input=${(event) => set(typed, { text: event.target.value })}></label></form></search>
    <p class="visually-hidden" role="status">${text && hits ? w.found(hits.length) : ""}</p>
    ${text ? html`<ul class="list card flush found">${(hits ?? []).slice(0, 12).map(hit)}
      <li><a class="row" href="add/own">${blank(icon("pen", 20))}<span class="row-main"><span class="row-title">${w.asOwn(text)}</span><span class="row-sub">${w.asOwnHint}</span></span>${icon("next", 18)}</a></li></ul>` : null}`;
}

/** Eight tiles of providers that are often added in the country. */
export function often(state) {
  const found = state.often();
  return found?.length ? html`<ul class="tiles">${found.map((one) => html`<li><a href=${addressOf(one)}>${face(one.name, "l")}<span translate="no">${one.name}</span></a></li>`)}</ul>` : null;
}

/** "Germany · euros". */
export function place(state) {
  const currency = state.currency();
  return [country(state.user.country), currency && currencyName(currency)].filter(Boolean).join(" · ");
}
