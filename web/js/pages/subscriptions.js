// All subscriptions: searched, filtered, sorted; on a desktop with columns.

import { html } from "../kernel/template.js";
import "../kernel/window.js";
import { compareAmounts, readAmount } from "../core/money.js";
import { act, app, draw, ofPerson, set } from "../parts/context.js";
import { amount, compare, date } from "../parts/format.js";
import { icon } from "../parts/icons.js";
import { empty, head, loading } from "../parts/page.js";
import { dial, due, nextPrice, standing, standingTag, subscriptionMenu, waiting } from "../parts/subscription.js";
import { locale, w } from "../parts/words.js";

const ui = { search: "", filter: "all", sort: "next" };
/** Ids of the chosen rows, and the row from which Shift chooses on. */
const chosen = new Set();
/** @type {string | null} */
let anchor = null;
function chooseNone() {
  chosen.clear();
  anchor = null;
  draw();
}
ofPerson(() => { Object.assign(ui, { search: "", filter: "all" }); chosen.clear(); anchor = null; });

const FILTERS = { all: () => true, active: (s) => s.status === "active", trial: (s) => s.standing === "trial", overdue: (s) => s.overdue, cancelled: (s) => s.status !== "active" };

/** Returns a function that computes a value of a subscription once: a changed subscription is another object. */
function once(make) {
  const made = new WeakMap();
  return (s) => {
    if (!made.has(s)) made.set(s, make(s));
    return made.get(s);
  };
}
const costOf = once((s) => { const { fee, currency } = nextPrice(s); return { amount: readAmount(fee), currency }; });
const byPrice = (a, b) => { const x = costOf(a), y = costOf(b); return x.currency === y.currency ? compareAmounts(y.amount, x.amount) : x.currency < y.currency ? -1 : 1; };
const SORTS = { next: (a, b) => Number(a.status === "ended") - Number(b.status === "ended") || a.remaining - b.remaining, name: (a, b) => compare(a.name, b.name), price: byPrice, category: (a, b) => compare(a.plan.category, b.plan.category) || compare(a.name, b.name) };

const folded = (text) => text.normalize("NFKD").replace(/\p{M}/gu, "").toLocaleLowerCase();
const textOf = once((s) => folded([s.name, s.plan.provider, s.plan.name, s.plan.type, s.plan.category, s.note].filter(Boolean).join(" ")));

/** The last sorted list: each letter of a search needs the same order. */
let sorted = { all: /** @type {any[]} */ ([]), sort: "", locale: "", list: /** @type {any[]} */ ([]) };
function inOrder(all) {
  if (sorted.all !== all || sorted.sort !== ui.sort || sorted.locale !== locale) sorted = { all, sort: ui.sort, locale, list: [...all].sort(SORTS[ui.sort]) };
  return sorted.list;
}

/** What is shown, in its order. */
/** @type {any[]} */
let order = [];

/** Shift and click, or Shift and Enter: chooses the row, and those from the one before up to it; alone once more, not any more. */
function choose(event, s) {
  if (!event.shiftKey) return;
  event.preventDefault();
  const from = order.findIndex(({ id }) => id === anchor), to = order.findIndex(({ id }) => id === s.id);
  if (chosen.size === 1 && chosen.has(s.id)) return chooseNone();
  if (from < 0) anchor = s.id;
  for (const one of from < 0 ? [s] : order.slice(Math.min(from, to), Math.max(from, to) + 1)) chosen.add(one.id);
  document.getSelection()?.empty();
  draw();
}
// Shift would mark text, too.
const pressed = (event) => { if (event.shiftKey) event.preventDefault(); };

/** Does something with subscriptions, and offers to take all of it back. */
async function toAll(action, ids, said) {
  chooseNone();
  await act(async () => {
    const done = [];
    for (const id of ids) done.push(await app.actions[action](id));
    return { undo: async () => { for (const one of done.reverse()) await one.undo(); } };
  }, { said });
}

const choice = (all) => {
  const of = all.filter(({ id }) => chosen.has(id)).map(({ id }) => id), active = all.filter(({ id, status }) => chosen.has(id) && status === "active").map(({ id }) => id);
  if (!of.length) return null;
  return html`<div class="chosen-bar" role="group" aria-label=${w.chosen}><span role="status">${w.chosenCount(of.length)}</span><span class="buttons">
    ${active.length ? html`<button @click=${() => toAll("cancel", active, w.cancelledCount(active.length))}>${w.cancelThem}</button>` : null}
    <button class="danger" @click=${() => toAll("remove", of, w.deletedTogether(of.length))}>${w.deleteThem}</button>
    <button class="quiet" @click=${chooseNone}>${w.chooseNone}</button></span></div>`;
};

const row = (s) => html`<li class=${chosen.has(s.id) ? "row-holder chosen" : "row-holder"} @contextmenu=${(event) => { event.preventDefault(); subscriptionMenu(s, event); }}>
  <a class="row wide" href=${`subscriptions/${s.id}`} @mousedown=${pressed} @click=${(event) => choose(event, s)}>${dial(s)}
    <span class="row-main"><span class="row-title"><bdi translate="no">${s.name}</bdi>${waiting(s)}${chosen.has(s.id) ? html` <span class="visually-hidden">${w.chosen}</span>` : null} <span class="wide-only">${standingTag(s)}</span></span>
      <span class="row-sub"><bdi translate="no">${s.subtitle}</bdi>${standing(s) ? html`<span class="narrow-only">${s.subtitle ? " · " : ""}${standing(s)}</span>` : null}</span></span>
    <span class="cell wide-only">${s.plan.category}</span><span class="cell wide-only">${s.status === "active" ? date.shortYear(s.cancelBy) : ""}</span><span class="cell wide-only">${date.shortYear(s.endDate)}</span>
    <span class="row-end">${amount(nextPrice(s).fee, nextPrice(s).currency)}${due(s)}</span></a>
  <button class="icon-button row-more" aria-label=${w.menuFor(s.name)} aria-haspopup="menu" @click=${(event) => subscriptionMenu(s, event.currentTarget ?? event.target)}>${icon("more", 20)}</button></li>`;

export default function list(/** @type {import("../../types/app").State} */ state) {
  const wanted = folded(ui.search.trim()).split(/\s+/).filter(Boolean), all = state.subscriptions;
  const shown = inOrder(all).filter((s) => FILTERS[ui.filter](s) && wanted.every((word) => textOf(s).includes(word)));
  order = shown;
  const filters = Object.keys(FILTERS).filter((id) => id === "all" || id === "active" || id === ui.filter || all.some(FILTERS[id]));
  const isFirstPull = state.connection.pulled !== null && all.length === 0;
  return html`<div class="page" @keydown=${(event) => { if (event.key === "Escape" && chosen.size) chooseNone(); }}>${head(w.subscriptions, { actions: html`<a class="button primary wide-only" href="add">${icon("plus", 20)}${w.add}</a>` })}
    ${all.length ? html`<search class="tools"><label class="search"><span class="visually-hidden">${w.searchSubscriptions}</span>${icon("search", 20)}
        <input id="search" type="search" placeholder=${w.search} autocomplete="off" .value=${ui.search} @input=${(event) => set(ui, { search: event.target.value })}></label>
      <label class="sort"><span class="visually-hidden">${w.sortBy}</span><select @change=${(event) => set(ui, { sort: event.target.value })}>
        ${Object.keys(SORTS).map((id) => html`<option value=${id} .selected=${ui.sort === id}>${w.sorts[id]}</option>`)}</select></label></search>
      <div class="chips" role="group" aria-label=${w.show}>${filters.map((id) => html`<button class="chip" aria-pressed=${String(ui.filter === id)}
        @click=${() => set(ui, { filter: id })}>${w.filters[id]} <span class="muted">${all.filter(FILTERS[id]).length}</span></button>`)}</div>
      <p class="visually-hidden" role="status">${w.countOf(shown.length)}</p>` : null}
    ${isFirstPull ? loading() : shown.length ? html`<div class="list-card"><div class="list-head wide-only" aria-hidden="true"><span>${w.subscription}</span><span>${w.category}</span><span>${w.cancelBy}</span><span>${w.renews}</span><span>${w.nextPrice}</span></div>
      <st-window .items=${shown} .row=${row} .label=${w.subscriptions}></st-window></div>${choice(shown)}`
      : all.length ? empty("search", w.nothingFound, w.nothingFoundText, html`<button @click=${() => set(ui, { search: "", filter: "all" })}>${w.showAll}</button>`)
        : empty("list", w.nothingKept, w.nothingKeptText, html`<a class="button primary" href="add">${icon("plus", 20)}${w.addOne}</a>`)}
    ${state.deleted.length ? html`<p><a href="deleted">${w.deletedCount(state.deleted.length)}</a></p>` : null}</div>`;
}
