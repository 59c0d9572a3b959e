// All contacts by name, with letters to jump by; what is typed searches all that is known of them.

import { html } from "../../kernel/template.js";
import "../../kernel/window.js";
import { folded, rank, termsOf } from "../../core/contactsearch.js";
import { digitsOf } from "../../core/contacts.js";
import { go, ofPerson, set } from "../../parts/context.js";
import { face } from "../../parts/face.js";
import { compare } from "../../parts/format.js";
import { icon } from "../../parts/icons.js";
import { menu } from "../../parts/layer.js";
import { empty, head, loading } from "../../parts/page.js";
import { waiting } from "../../parts/subscription.js";
import { locale, w } from "../../parts/words.js";
import { addressLines, byName, dayText, KIND, letterOf, nameOf, phoneText } from "./parts.js";
import { pairsOf } from "./duplicates.js";

const ui = { search: "" };
ofPerson(() => { ui.search = ""; });

/** The last sorted list: each letter of a search needs the same order. */
let sorted = { of: /** @type {any} */ (null), locale: "", list: /** @type {any[]} */ ([]), items: /** @type {any[]} */ ([]), letters: /** @type {any[]} */ ([]) };
function inOrder(all) {
  if (sorted.of === all && sorted.locale === locale) return sorted;
  const list = [...all].sort(byName), items = [], letters = [];
  for (const one of list) {
    const letter = letterOf(one.row), last = letters.at(-1);
    // Letters that sort alike are one: L and Ł.
    if (!last || compare(last.letter, letter) !== 0) {
      letters.push({ letter, index: items.length });
      items.push({ id: `letter ${items.length}`, letter });
    }
    items.push(one);
  }
  return sorted = { of: all, locale, list, items, letters };
}

/** The last search: a page that is drawn anew without another letter has the same. */
let latest = { of: /** @type {any} */ (null), text: "", terms: /** @type {any} */ ([]), found: /** @type {any[]} */ ([]) };
function matchesOf(list, text) {
  if (latest.of === list && latest.text === text) return latest;
  const terms = text ? termsOf(text) : [], places = new Map();
  if (terms?.length) for (const one of list) {
    const place = rank(terms, one.row);
    if (place !== null) places.set(one, place);
  }
  return latest = { of: list, text, terms, found: [...places.keys()].sort((one, other) => places.get(one) - places.get(other)) };
}

/** More letters than an alphabet has, as of Chinese names, lead nowhere: their row is left out. */
const MOST_LETTERS = 60;

/** So many contacts are looked through for duplicates while the list is shown; beyond that on the page of duplicates alone. */
const FEW = 2000;
/** How many pairs may be one person. */
const doubles = (all, state) => (all.length > FEW ? 0 : pairsOf(state, all).length);

/** The line below a name: the value in which most of a search was found, else the first one that there is. */
function hint({ phones, emails, addresses, dates, note }, terms) {
  const texts = [...phones.map((one) => [phoneText(one), digitsOf(one)]), ...emails.map(({ email }) => [email]), ...addresses.map((one) => [addressLines(one).join(", ")]),
    ...dates.map((one) => [dayText(one), one.date]), [note ?? ""]];
  const count = ([text, plain = ""]) => terms.filter((term) => folded(text).includes(term.text) || plain.includes(term.digits ?? term.text)).length, counts = texts.map(count), most = Math.max(...counts);
  return (most ? texts[counts.indexOf(most)] : texts.find(([text]) => text))?.[0] ?? "";
}

const row = (terms) => (one) => (one.letter ? html`<li class="letter-holder"><h2 class="letter">${one.letter}</h2></li>`
  : html`<li><a class="row" href=${`contacts/${one.id}`}>${face(nameOf(one.row))}<span class="row-main"><span class="row-title"><bdi translate="no">${nameOf(one.row)}</bdi>${waiting(one)}</span>
    <span class="row-sub one-line"><bdi translate="no">${hint(one.row, terms)}</bdi></span></span></a></li>`);

/** Brings a letter to the top, and the focus to its first contact. */
function jump(index) {
  const list = /** @type {any} */ (document.querySelector("st-window")), element = list?.reveal(index);
  element?.scrollIntoView({ block: "start" });
  list?.draw();
  element?.nextElementSibling?.querySelector("a")?.focus({ preventScroll: true });
}

/** Saves all vCards as a file: the service writes them. */
function exportCards() {
  const link = document.createElement("a");
  link.href = "v1/contacts.vcf";
  link.download = "contacts.vcf";
  link.click();
}

const more = (state, event) => menu(event.currentTarget ?? event.target, w.contactsTab, [
  { text: w.contacts.import, icon: "install", act: () => go("contacts/import") },
  { text: w.contacts.export, icon: "up", act: exportCards },
  { text: w.contacts.duplicates, icon: "people", act: () => go("contacts/duplicates") },
  { text: w.deleted, icon: "trash", act: () => go("contacts/deleted") },
]);

export default function contacts(/** @type {import("../../../types/app").State} */ state) {
  const all = state.rows(KIND), actions = html`<a class="button primary" href="contacts/new">${icon("plus", 20)}${w.contacts.newOne}</a>
    <button class="icon-button" aria-label=${w.menuFor(w.contactsTab)} aria-haspopup="menu" @click=${(event) => more(state, event)}>${icon("more")}</button>`;
  const page = (content) => html`<div class="page contacts">${head(w.contactsTab, { actions })}${content}</div>`;
  if (!all || (!all.length && state.connection.pulled !== null)) return page(loading());
  const gone = state.deletedRows(KIND)?.length ?? 0, lost = gone ? html`<p><a href="contacts/deleted">${w.contacts.deletedCount(gone)}</a></p>` : null;
  if (!all.length) return page(html`${empty("people", w.contacts.none, w.contacts.noneText, html`<span class="buttons"><a class="button primary" href="contacts/new">${icon("plus", 20)}${w.contacts.newTitle}</a>
    <a class="button" href="contacts/import">${w.contacts.import}</a></span>`)}${lost}`);
  const { items, letters, list } = inOrder(all), text = ui.search.trim(), { terms, found: matches } = matchesOf(list, text), shown = text ? matches : items, double = text ? 0 : doubles(all, state);
  return page(html`<search class="tools"><label class="search"><span class="visually-hidden">${w.contacts.search}</span>${icon("search", 20)}
      <input id="search" type="search" placeholder=${w.contacts.searchExample} autocomplete="off" maxlength="100" .value=${ui.search} @input=${(event) => set(ui, { search: event.target.value })}></label></search>
    <p class="visually-hidden" role="status">${w.contacts.countOf(text ? shown.length : list.length)}</p>
    ${!text && letters.length > 2 && letters.length <= MOST_LETTERS ? html`<nav class="chips letters" aria-label=${w.contacts.letters}>${letters.map(({ letter, index }) =>
      html`<button class="chip" aria-label=${w.contacts.lettersOf(letter)} @click=${() => jump(index)}>${letter}</button>`)}</nav>` : null}
    ${double ? html`<p class="notice"><a href="contacts/duplicates">${w.contacts.duplicatesCount(double)}</a></p>` : null}
    ${shown.length ? html`<div class="list-card"><st-window .items=${shown} .row=${row(terms ?? [])} .label=${w.contactsTab}></st-window></div>`
      : empty("search", w.nothingFound, terms === null ? w.contacts.tooManyTerms : w.contacts.nothingFoundText, html`<button @click=${() => set(ui, { search: "" })}>${w.showAll}</button>`)}
    ${text ? null : lost}`);
}
