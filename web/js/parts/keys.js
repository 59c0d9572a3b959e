// Keys: `/` search, `n` add, `g` then a letter to a page, `j` and `k` in lists, `.` menu, `?` shows them.

import { html } from "../kernel/template.js";
import { app, go } from "./context.js";
import { ask } from "./layer.js";
import { places } from "./shell.js";
import { w } from "./words.js";

const PLACES = { t: "", s: "subscriptions", c: "calendar", h: "spending", p: "profile", m: "more" };
/** The address behind `g` and a letter, those of the areas among them. */
const placeOf = (key) => PLACES[key] ?? places(app.state).find((place) => place[4] === key)?.[0].slice(1);
let isGoing = false, timer;

/** The keys in words; those of areas stand behind the other pages. */
function keysInWords() {
  const end = w.keys.findLastIndex(([[first]]) => first === "g") + 1;
  return w.keys.toSpliced(end, 0, ...places(app.state).map(([, , name, , key]) => [["g", key], name]));
}

const help = () => ask({ title: w.keysTitle, refuse: w.close, action: null, content: html`<dl class="keys">${keysInWords().map(([keys, what]) => html`<div><dt>${keys.map((key) => html`<kbd>${key}</kbd> `)}</dt><dd>${what}</dd></div>`)}</dl>` });

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
    const place = placeOf(key);
    if (place !== undefined) { event.preventDefault(); go(place); }
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
