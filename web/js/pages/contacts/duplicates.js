// Contacts that may be one person, side by side: one of them takes the other's parts over, or they are different people.

import { html, keyed } from "../../kernel/template.js";
import { duplicates } from "../../core/contactsearch.js";
import { act, app, ofPerson, set } from "../../parts/context.js";
import { face } from "../../parts/face.js";
import { empty, head, loading } from "../../parts/page.js";
import { tag } from "../../parts/subscription.js";
import { w } from "../../parts/words.js";
import { addressLines, dayText, KIND, nameOf, phoneText, typeText } from "./parts.js";

/** Under this name the browser keeps who are different people. */
const APART = "contacts apart";
const keyOf = ({ first, second }) => `${first} ${second}`;

/** The pairs of the contacts that were looked through last: a page that is drawn anew has the same. */
let latest = { of: /** @type {any} */ (null), pairs: /** @type {import("../../core/contactsearch.js").Pair[]} */ ([]) };
/** The pairs of contacts that may be one person, without those that somebody said are different people. */
export function pairsOf(/** @type {import("../../../types/app").State} */ state, /** @type {any[]} */ all) {
  if (latest.of !== all) latest = { of: all, pairs: duplicates([...all].sort((one, other) => (one.id < other.id ? -1 : 1))) };
  const apart = new Set(state.kept(APART) ?? []);
  return latest.pairs.filter((pair) => !apart.has(keyOf(pair)));
}

/** Of each pair the contact whose name stays, where it is not the first one. */
const ui = { stays: /** @type {Record<string, string>} */ ({}), busy: false };
ofPerson(() => { Object.assign(ui, { stays: {}, busy: false }); });

/** The second contact goes, and the first one has the parts of both. The service does it, for it alone has all of their cards. */
async function merge(stays, goes) {
  if (ui.busy) return;
  set(ui, { busy: true });
  await act(() => app.actions.operate("contacts.merge", (state) => ({ id: stays, from: [{ id: goes, version: state.row(KIND, goes)?.version }] })),
    { said: w.contacts.merged(nameOf(app.state.row(KIND, stays)?.row)) });
  set(ui, { busy: false });
}

function facts({ phones, emails, addresses, dates }) {
  const lines = [...phones.map((one) => [one, phoneText(one)]), ...emails.map((one) => [one, one.email]), ...addresses.map((one) => [one, addressLines(one).join(", ")]), ...dates.map((one) => [one, dayText(one)])];
  return html`<dl class="small">${lines.map(([part, text]) => html`<div><dt class="muted">${typeText(part.type)}</dt><dd><bdi translate="no">${text}</bdi></dd></div>`)}</dl>`;
}

function pairCard(state, pair) {
  const all = [pair.first, pair.second].map((id) => state.row(KIND, id)), key = keyOf(pair), stays = ui.stays[key] ?? pair.first, goes = stays === pair.first ? pair.second : pair.first;
  const [one, other] = all.map(({ row }) => nameOf(row)), name = w.contacts.pairOf(one, other);
  return html`<li class="answer" aria-label=${name}><p class="chips-plain">${pair.reasons.map(({ kind, value }) => html`${tag(w.contacts.reasons[kind], "soon")} <bdi class="small" translate="no">${kind === "date" ? dayText({ date: value }) : value}</bdi> `)}</p>
    <div class="twins">${all.map(({ id, row }) => html`<div class="twin"><a class="row flat" href=${`contacts/${id}`}>${face(nameOf(row))}<span class="row-main"><span class="row-title"><bdi translate="no">${nameOf(row)}</bdi></span></span></a>${facts(row)}</div>`)}</div>
    ${one === other ? null : html`<fieldset class="segments"><legend>${w.contacts.keepName}</legend>${all.map(({ id, row }) =>
      html`<label><input type="radio" name=${key} value=${id} .checked=${id === stays} @change=${() => set(ui, { stays: { ...ui.stays, [key]: id } })}><span><bdi translate="no">${nameOf(row)}</bdi></span></label>`)}</fieldset>`}
    <div class="buttons" data-of=${key}><button class="primary" ?disabled=${ui.busy} @click=${() => merge(stays, goes)}>${w.contacts.merge}<span class="visually-hidden">: ${name}</span></button>
      <button @click=${() => act(() => app.actions.keep(APART, [...state.kept(APART) ?? [], key]), { said: w.contacts.differentSaid })}>${w.contacts.different}<span class="visually-hidden">: ${name}</span></button></div></li>`;
}

export default function doubles(/** @type {import("../../../types/app").State} */ state) {
  const all = state.rows(KIND), pairs = all && pairsOf(state, all);
  return html`<div class="page">${head(w.contacts.duplicates, { from: ["contacts", w.contactsTab], sub: pairs?.length ? w.contacts.duplicatesText : null })}
    ${state.connection.kind === "offline" ? html`<p class="muted">${w.contacts.needsNetwork}</p>` : null}
    ${!pairs ? loading() : pairs.length ? html`<ul class="answers pairs">${pairs.slice(0, 50).map((pair) => keyed(keyOf(pair), pairCard(state, pair)))}</ul>`
      : empty("people", w.contacts.noDuplicates, w.contacts.noDuplicatesText, html`<a class="button" href="contacts">${w.contactsTab}</a>`)}</div>`;
}
