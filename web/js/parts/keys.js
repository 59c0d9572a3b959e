// Keys: `/` search, `n` add, `g` then a letter to a page, `j` and `k` in lists, `.` menu, `?` shows them.

import { html } from "../kernel/template.js";
import { app, go } from "./context.js";
import { ask } from "./layer.js";
import { w } from "./words.js";

const PLACES = { t: "", s: "subscriptions", c: "calendar", h: "spending", p: "profile", m: "more" };
let isGoing = false, timer;

const help = () => ask({ title: w.keysTitle, refuse: w.close, action: null, content: html`<dl class="keys">${w.keys.map(([keys, what]) => html`<div><dt>${keys.map((key) => html`<kbd>${key}</kbd> `)}</dt><dd>${what}</dd></div>`)}</dl>` });

/** Moves from row to row of the page. */
function step(by) {
  const rows = [.../** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("main a.row, main .plan"))], now = rows.findIndex((row) => row === document.activeElement);
  const next = rows[Math.min(rows.length - 1, Math.max(0, now + by))];
  next?.focus();
  next?.scrollIntoView({ block: "nearest" });
}

function search() {
  const field = /** @type {HTMLElement | null} */ (document.querySelector('main input[type="search"]'));
  if (field) field.focus();
  else go("subscriptions").then?.(() => /** @type {HTMLElement | null} */ (document.querySelector("#search"))?.focus());
}

function pressed(event) {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || !app.state.settings.shortcuts) return;
  if (event.target.closest?.("input, textarea, select, dialog, [popover], [contenteditable]")) return;
  const key = event.key;
  if (isGoing) {
    isGoing = false;
    clearTimeout(timer);
    if (key in PLACES) { event.preventDefault(); go(PLACES[key]); }
    return;
  }
  const action = { "/": search, n: () => go("add"), j: () => step(1), k: () => step(-1), "?": help,
    g: () => { isGoing = true; timer = setTimeout(() => { isGoing = false; }, 1500); },
    ".": () => /** @type {HTMLElement | null | undefined} */ (document.activeElement?.closest("li")?.querySelector('[aria-haspopup="menu"]'))?.click() }[key];
  if (!action) return;
  event.preventDefault();
  action();
}

export const followKeys = () => addEventListener("keydown", pressed);
