// Importing vCards: the service says first what would change, and then does it.

import { html, keyed } from "../../kernel/template.js";
import { app, goingOn, ofPerson, set, submit } from "../../parts/context.js";
import { formError, toggle } from "../../parts/field.js";
import { face } from "../../parts/face.js";
import { head, section } from "../../parts/page.js";
import { say } from "../../parts/toast.js";
import { w } from "../../parts/words.js";

/** The largest file that is read, in bytes, and about how many characters one request has. */
const LARGEST = 64 << 20, CHUNK = 400_000;

/** Counts the looks at a file: an answer to an earlier one is about another file, or other choices. */
let looks = 0;

const fresh = () => ({ parts: /** @type {string[]} */ ([]), names: /** @type {string[]} */ ([]), found: /** @type {any} */ (null), fillNames: false, failure: null, busy: false });
let form = fresh();
ofPerson(() => { form = fresh(); });

/** The cards of a text, in parts that one request can have. */
function partsOf(text) {
  const cards = text.replace(/^\ufeff/, "").split(/(?<=^[ \t]*END:VCARD[ \t]*(?:\r?\n|\r(?!\n)))/im).filter((card) => /\S/.test(card)), parts = [];
  for (const card of cards) {
    if (parts.length && parts[parts.length - 1].length + card.length <= CHUNK) parts[parts.length - 1] += card; else parts.push(card);
  }
  return { parts, names: cards.map((card) => /^(?:[\w-]+\.)?FN[^:\r\n]*:([^\r\n]*)/im.exec(card)?.[1]?.replace(/\\(.)/g, "$1").slice(0, 100) ?? "") };
}

/** Asks the service for all parts, one behind the other, and counts their cards through. */
async function ask(isTrial) {
  const { parts, fillNames } = form, sum = { created: 0, updated: 0, unchanged: 0, refused: /** @type {any[]} */ ([]), adjusted: /** @type {any[]} */ ([]) };
  for (const cards of parts) {
    const first = sum.created + sum.updated + sum.unchanged + sum.refused.length;
    const outcome = await app.actions.operate("contacts.import", { cards, fillNames, dryRun: isTrial });
    for (const name of ["created", "updated", "unchanged"]) sum[name] += outcome[name];
    for (const name of ["refused", "adjusted"]) sum[name].push(...outcome[name].map((one) => ({ ...one, index: one.index + first })));
  }
  return sum;
}

/** Has the service say what an import would change. @param read reads the file before, where it is another one */
function look(element, read = async () => {}) {
  const mine = ++looks, of = form;
  set(form, { found: null, busy: false });
  return submit(form, async () => {
    await read();
    const found = await ask(true);
    if (mine === looks) of.found = found;
  }, element);
}

async function choose(event) {
  const file = event.target.files?.[0], element = event.target.form;
  if (!file) return;
  set(form, { ...fresh(), fillNames: form.fillNames });
  await look(element, async () => {
    const failed = (code) => ({ failure: "invalid", code, field: "", detail: "", errors: [], values: {} });
    if (file.size > LARGEST) throw failed("fileTooLarge");
    Object.assign(form, partsOf(await file.text()));
    if (!form.names.length) throw failed("noCards");
  });
}

const card = (one, text) => html`<li class="row">${face(one.name ?? form.names[one.index] ?? "?")}<span class="row-main"><span class="row-title"><bdi translate="no">${one.name || form.names[one.index] || w.contacts.card(one.index + 1)}</bdi></span>
  <span class="row-sub">${w.contacts.card(one.index + 1)}: ${text}</span></span></li>`;

export default function importing() {
  const { found, names } = form, count = found ? found.created + found.updated : 0;
  const send = async (event) => {
    event.preventDefault();
    const goOn = goingOn(), done = await submit(form, () => ask(false), event.target);
    if (!done) return;
    form = fresh();
    goOn("contacts");
    say(w.contacts.imported(done.created, done.updated));
  };
  return html`<div class="page narrow">${head(w.contacts.importTitle, { from: ["contacts", w.contactsTab], sub: w.contacts.importText })}
    <form class="stack" @submit=${send}><div class="field"><label class="label" for="file">${w.contacts.file}</label><input id="file" type="file" accept=".vcf,.vcard,text/vcard,text/x-vcard" @change=${choose}><span class="hint">${w.contacts.fileHint}</span></div>
      <div class="card flush">${toggle(w.contacts.fillNames, w.contacts.fillNamesHint, form.fillNames, (fillNames) => { set(form, { fillNames }); if (form.parts.length) look(null); })}</div>
      ${formError(form)}
      <p role="status">${form.busy ? w.contacts.checking : found ? `${w.contacts.cards(names.length)}: ${[w.contacts.fresh(found.created), w.contacts.changed(found.updated), w.contacts.same(found.unchanged), w.contacts.refusedCount(found.refused.length)].join(", ")}.` : ""}</p>
      ${found?.refused.length ? section("refused", w.contacts.refused, html`<ul class="list card flush">${found.refused.slice(0, 200).map((one) => keyed(one.index, card(one, one.reason)))}</ul>`) : null}
      ${found?.adjusted.length ? section("adjusted", w.contacts.adjusted, html`<ul class="list card flush">${found.adjusted.slice(0, 200).map((one, i) => keyed(i, card(one, one.what)))}</ul>`) : null}
      ${found ? html`<div class="dock"><button class="primary tall" ?disabled=${!count || form.busy}>${count ? w.contacts.importDo(count) : w.contacts.nothingNew}</button></div>` : null}</form></div>`;
}
