// Importing: it shows the subscriptions of a file first, and adds them on request.

import { html, keyed } from "../kernel/template.js";
import { app, goingOn, ofPerson, set, submit, wordsOf } from "../parts/context.js";
import { amount, date, every, money } from "../parts/format.js";
import { formError } from "../parts/field.js";
import { face } from "../parts/face.js";
import { head } from "../parts/page.js";
import { tag } from "../parts/subscription.js";
import { say } from "../parts/toast.js";
import { w } from "../parts/words.js";

/** @type {{found: any, failure: any, busy: boolean}} */
let form = { found: null, failure: null, busy: false };
ofPerson(() => { form = { found: null, failure: null, busy: false }; });
/** The largest file that is read, in bytes. */
const LARGEST = 8 << 20;

async function choose(event) {
  const file = event.target.files?.[0];
  if (!file) return;
  set(form, { found: null });
  await submit(form, async () => {
    if (file.size > LARGEST) throw { failure: "invalid", code: "fileTooLarge", field: "", detail: "", errors: [], values: {} };
    form.found = await app.actions.readImport({ name: file.name, text: await file.text() });
  }, event.target.form);
}

/** Where a row stands: `line 3` of a table, `entry 3` of a list. */
const placeOf = (place) => { const [kind, number] = place.split(" "); return kind === "line" ? w.line(number) : w.entry(number); };
/** Why a row is left out, or what would be added. */
const about = ({ problem, here, subtitle, on, place }) => {
  if (problem) return html`${placeOf(place)}: ${(problem.errors?.length ? problem.errors : [problem]).map((one) => html`<span class="fault">${one.field ? html`<bdi translate="no">${one.field}</bdi>: ` : null}${wordsOf({ ...problem, code: one.code, detail: one.message ?? one.detail, values: one.values ?? problem.values })}</span> `)}`;
  if (here) return w.isHereAs([here.name, here.subtitle, money(here.usualPrice.fee, here.usualPrice.currency), date.shortYear(here.endDate)].filter(Boolean).join(" · "));
  return [subtitle, on && w.renewsShort(date.shortYear(on))].filter(Boolean).join(" · ");
};
const row = (one, i) => keyed(i, html`<li class="row">${face(one.name)}<span class="row-main"><span class="row-title"><bdi translate="no">${one.name}</bdi></span><span class="row-sub">${about(one)}</span></span>
  <span class="row-end">${one.price ? amount(one.price.fee, one.price.currency) : null}${one.standing === "new" ? html`<span class="when">${one.duration ? every(one.duration) : ""}</span>` : tag(one.standing === "same" ? w.isThere : w.cannotBe, one.standing === "same" ? "" : "due")}</span></li>`);

export default function importing() {
  const of = (wanted) => form.found?.rows.filter(({ standing }) => standing === wanted) ?? [];
  // Rows that are left out come first, each of them: nobody looks for them among those that are added.
  const added = of("new"), same = of("same"), refused = of("refused"), fresh = added.length;
  const send = async (event) => {
    event.preventDefault();
    const goOn = goingOn(), done = await submit(form, () => app.actions.doImport(), event.target);
    if (!done) return;
    form = { found: null, failure: null, busy: false };
    goOn("subscriptions");
    say(w.imported(done.added));
  };
  return html`<div class="page narrow">${head(w.import, { from: ["profile", w.profile], sub: w.importText })}
    <form class="stack" @submit=${send}><div class="field"><label class="label" for="file">${w.file}</label><input id="file" type="file" accept=".json,.csv,.tsv,.txt,application/json,text/csv" @change=${choose}><span class="hint">${w.importHint}</span></div>
      ${formError(form)}
      ${form.found ? html`<p role="status">${w.importFound(form.found.rows.length, fresh)} ${same.length || refused.length ? w.importLeft(same.length, refused.length) : ""}</p>
        <ul class="list card flush">${[...refused, ...same, ...added.slice(0, 200)].map(row)}</ul>
        <div class="dock"><button class="primary tall" ?disabled=${!fresh || form.busy}>${w.importDo(fresh)}</button></div>` : null}</form></div>`;
}
