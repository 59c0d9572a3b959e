// The frame of a page: its head, its sections, its empty state, and the gate.

import { html } from "../kernel/template.js";
import { icon, mark } from "./icons.js";
import { w } from "./words.js";

/**
 * The title of a page.
 * @param {any} title
 * @param {{from?: any[], actions?: any, sub?: any, name?: boolean}} options from: `[address, name]` of the page that it leads back to
 */
export const head = (title, { from, actions, sub, name = false } = {}) => html`<header class="page-head">
  <div class="page-title">${from ? html`<a class="crumb" href=${from[0]}>${icon("back", 16)}<span>${from[1]}</span></a>` : null}
    <h1 tabindex="-1" translate=${name ? "no" : null}>${title}</h1>${sub ? html`<p class="sub">${sub}</p>` : null}</div>
  ${actions ? html`<div class="actions">${actions}</div>` : null}</header>`;

/**
 * A part of a page with a title of its own.
 * @param {string} id
 * @param {any} title
 * @param {any} content
 * @param {any} beside a template at the end of the title's line
 */
export const section = (id, title, content, beside = null) => html`<section aria-labelledby=${id}>
  <div class="section-head"><h2 id=${id}>${title}</h2>${beside}</div>${content}</section>`;

/** A page or list with nothing in it: one sentence, one action. */
export const empty = (sign, title, text, action) => html`<div class="empty">${icon(sign, 32)}<h2>${title}</h2>${text ? html`<p>${text}</p>` : null}${action}</div>`;

/** A table behind a drawing, for readers that cannot see it or do not want it. */
export const table = (summary, heads, rows) => html`<details class="data"><summary>${summary}</summary><div class="scroll" tabindex="0" role="region" aria-label=${summary}><table>
  <thead><tr>${heads.map((text) => html`<th scope="col">${text}</th>`)}</tr></thead>
  <tbody>${rows.map((row) => html`<tr>${row.map((cell, i) => (i ? html`<td>${cell}</td>` : html`<th scope="row">${cell}</th>`))}</tr>`)}</tbody></table></div></details>`;

/** Three grey rows, for the first moments of a new device alone. */
export const loading = () => html`<div class="list-card" role="group" aria-busy="true" aria-label=${w.loading}>${[1, 2, 3].map(() => html`<div class="row ghost" aria-hidden="true">
  <span class="face blank"></span><span class="row-main"><span class="bone"></span><span class="bone short"></span></span></div>`)}</div>`;

/** A list of links, each with a sentence below its name. @param items `[address, icon, name, hint, danger]` */
export const links = (items) => html`<ul class="list card flush">${items.map(([to, sign, name, hint, danger]) => html`<li><a class=${danger ? "row danger" : "row"} href=${to}>
  ${sign ? html`<span class="face blank">${icon(sign, 22)}</span>` : null}<span class="row-main"><span class="row-title">${name}</span><span class="row-sub">${hint}</span></span>${icon("next", 18)}</a></li>`)}</ul>`;

/** The gate: half mark, half form on a desktop; the form alone on a phone. */
export const gate = (content) => html`<div class="page gate"><div class="gate-side wide-only" aria-hidden="true">
  <svg viewBox="0 0 400 400" class="gate-art"><circle class="r1" cx="200" cy="200" r="150"></circle><circle class="r2" cx="200" cy="200" r="105"></circle><circle class="r3" cx="200" cy="200" r="62"></circle>
    <circle class="d1" cx="296" cy="85" r="13"></circle><circle class="d2" cx="108" cy="151" r="11"></circle><circle class="d3" cx="232" cy="253" r="9"></circle></svg>
  <p class="gate-line">${w.lineOne}<br>${w.lineTwo}</p></div><div class="gate-main"><a class="brand" href="./">${mark(34)}<span translate="no">SubTrackIt</span></a>${content}</div></div>`;
