// The gate: half mark, half form on a desktop; the form alone on a phone.

import { html } from "../kernel/template.js";
import { mark } from "./icons.js";
import { w } from "./words.js";

export const gate = (content) => html`<div class="page gate"><div class="gate-side wide-only" aria-hidden="true">
  <svg viewBox="0 0 400 400" class="gate-art"><circle class="r1" cx="200" cy="200" r="150"></circle><circle class="r2" cx="200" cy="200" r="105"></circle><circle class="r3" cx="200" cy="200" r="62"></circle>
    <circle class="d1" cx="296" cy="85" r="13"></circle><circle class="d2" cx="108" cy="151" r="11"></circle><circle class="d3" cx="232" cy="253" r="9"></circle></svg>
  <p class="gate-line">${w.lineOne}<br>${w.lineTwo}</p></div><div class="gate-main"><a class="brand" href="./">${mark(34)}<span translate="no">SubTrackIt</span></a>${content}</div></div>`;
