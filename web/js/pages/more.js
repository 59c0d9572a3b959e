// The pages that have no place in the bar of a phone.

import { html } from "../kernel/template.js";
import { canInstall, install } from "../parts/installing.js";
import { icon } from "../parts/icons.js";
import { head, links } from "../parts/page.js";
import { places } from "../parts/shell.js";
import { w } from "../parts/words.js";

export default (state) => html`<div class="page narrow">${head(w.more)}${links([
  [`calendar/${state.today.slice(0, 7)}`, "calendar", w.calendar, w.calendarHint], [`spending/${state.today.slice(0, 4)}`, "chart", w.spending, w.spendingHint],
  ...places(state).map(([path, sign, name, area]) => [path.slice(1), sign, name, w[area].hint]), ["deleted", "trash", w.deleted, w.deletedText], ["profile", "person", w.profile, w.profileHint]])}
  ${canInstall() ? html`<div class="card flush"><div class="row"><span class="face blank">${icon("install", 22)}</span><span class="row-main"><span class="row-title">${w.installTitle}</span><span class="row-sub">${w.installText}</span></span>
    <button @click=${install}>${w.install}</button></div></div>` : null}</div>`;
