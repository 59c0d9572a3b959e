// One contact: calling, writing, the map, and when its days come. Also those that were deleted.

import { html, keyed } from "../../kernel/template.js";
import { goingOn } from "../../parts/context.js";
import { face } from "../../parts/face.js";
import { icon } from "../../parts/icons.js";
import { empty, head, loading } from "../../parts/page.js";
import { waiting } from "../../parts/subscription.js";
import { w } from "../../parts/words.js";
import { addressLines, byName, dayText, KIND, mapAddress, nameOf, nextDay, phoneAddress, phoneText, remove, restore, typeText, whenText } from "./parts.js";

const FROM = () => ["contacts", w.contactsTab];

/** A line of the card: its sign, its kind, its value. */
const line = (sign, part, value, beside = /** @type {any} */ (null)) => keyed(part.id, html`<div><dt>${icon(sign, 20)}<span class="label">${typeText(part.type)}</span></dt><dd>${value}${beside}</dd></div>`);

function lines({ phones, emails, addresses, dates }, today) {
  const days = [...dates].sort((one, other) => ((nextDay(one, today) ?? "9999") < (nextDay(other, today) ?? "9999") ? -1 : 1));
  return [
    ...phones.map((one) => line("phone", one, html`<a href=${phoneAddress(one)} aria-label=${w.contacts.callNumber(phoneText(one))}><bdi translate="no">${phoneText(one)}</bdi></a>`)),
    ...emails.map((one) => line("mail", one, html`<a href=${`mailto:${encodeURIComponent(one.email).replaceAll("%40", "@")}`} aria-label=${w.contacts.mailTo(one.email)}><bdi translate="no">${one.email}</bdi></a>`)),
    ...addresses.map((one) => line("pin", one, html`<bdi class="address" translate="no">${addressLines(one).join("\n")}</bdi>`,
      html`<a class="beside" href=${mapAddress(one)} target="_blank" rel="noopener noreferrer" aria-label=${w.contacts.mapOf(addressLines(one).join(", "))}>${w.contacts.map}</a>`)),
    ...days.map((one) => line("gift", one, html`${dayText(one)} `, whenText(one, today))),
  ];
}

export default function detail(/** @type {import("../../../types/app").State} */ state, { id }) {
  const one = state.row(KIND, id);
  if (one === undefined) return html`<div class="page narrow">${head(w.contacts.contact, { from: FROM() })}${loading()}</div>`;
  if (!one || one.isDeleted) return html`<div class="page narrow">${head(one ? nameOf(one.row) : w.contacts.contact, { from: FROM(), name: Boolean(one) })}
    ${one ? empty("trash", w.contacts.isDeleted, w.isDeletedText, html`<button class="primary" @click=${() => restore(one)}>${w.restore}</button>`)
      : empty("search", w.contacts.noSuch, "", html`<a class="button" href="contacts">${w.contactsTab}</a>`)}</div>`;
  const { row } = one, name = nameOf(row), [phone] = row.phones, [email] = row.emails, all = lines(row, state.today);
  return html`<div class="page narrow">${head(name, { from: FROM(), name: true, actions: html`${waiting(one)}<a class="icon-button" href=${`contacts/${id}/edit`} aria-label=${w.edit}>${icon("pen")}</a>` })}
    <article class="contact" aria-label=${name}>
      ${phone || email ? html`<div class="buttons">${phone ? html`<a class="button" href=${phoneAddress(phone)}>${icon("phone", 20)}${w.contacts.call}</a>` : null}
        ${email ? html`<a class="button" href=${`mailto:${encodeURIComponent(email.email).replaceAll("%40", "@")}`}>${icon("mail", 20)}${w.contacts.mail}</a>` : null}</div>` : null}
      ${all.length ? html`<dl class="card flush lines-card">${all}</dl>` : row.note ? null : html`<p class="muted">${w.contacts.nothingMore} <a href=${`contacts/${id}/edit`}>${w.edit}</a></p>`}
      ${row.note ? html`<section class="card" aria-labelledby="note"><h2 class="eyebrow" id="note">${w.contacts.note}</h2><p class="note" translate="no">${row.note}</p></section>` : null}
      <div class="buttons"><button class="quiet danger" @click=${async () => { const goOn = goingOn(); if (await remove(one)) goOn("contacts"); }}>${w.deleteIt}</button></div></article></div>`;
}

export function deleted(/** @type {import("../../../types/app").State} */ state) {
  const gone = state.deletedRows(KIND);
  return html`<div class="page narrow">${head(w.deleted, { from: FROM(), sub: w.deletedText })}
    ${!gone ? loading() : gone.length ? html`<ul class="list card flush">${[...gone].sort(byName).map((one) => keyed(one.id, html`<li class="row">${face(nameOf(one.row))}<span class="row-main"><span class="row-title"><bdi translate="no">${nameOf(one.row)}</bdi>${waiting(one)}</span></span>
      <button @click=${() => restore(one)}>${w.restore}<span class="visually-hidden">: ${nameOf(one.row)}</span></button></li>`))}</ul>` : empty("trash", w.contacts.nothingDeleted, "", html`<a class="button" href="contacts">${w.contactsTab}</a>`)}</div>`;
}
