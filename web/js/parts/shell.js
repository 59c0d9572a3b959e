// The frame around every page: navigation, the state of the connection, the skip link.

import { html } from "../kernel/template.js";
import { router, update } from "./context.js";
import { face } from "./face.js";
import { icon, mark } from "./icons.js";
import { w } from "./words.js";

/** The places of the areas that are there. Each area adds its own: `[path, icon, words]`. */
const tabs = (month) => [["/", "today", w.todayTab], ["/subscriptions", "list", w.subscriptions], ["/add", "plus", w.add], [`/calendar/${month}`, "calendar", w.calendar], ["/more", "more", w.more]];
const side = (month, year) => [["/", "today", w.todayTab], ["/subscriptions", "list", w.subscriptions], [`/calendar/${month}`, "calendar", w.calendar], [`/spending/${year}`, "chart", w.spending]];
/** The places of areas that a service may have switched off. `key` leads there after `g`. */
const AREAS = { contacts: { path: "/contacts", sign: "people", key: "o", name: () => w.contactsTab } };
/** The places of the areas that are on: `[path, icon, words, area, key]`. */
export const places = (state) => Object.entries(AREAS).filter(([area]) => state.areas.includes(area)).map(([area, { path, sign, key, name }]) => [path, sign, name(), area, key]);
const href = (path) => (path === "/" ? "./" : path.slice(1));

/** Whether a place leads to the area of the page that is shown. */
function isIn(path, shown) {
  const area = path.split("/")[1];
  if (path === "/more") return ["more", "spending", "profile", "deleted", ...Object.keys(AREAS)].includes(shown.split("/")[1]);
  return area === shown.split("/")[1];
}

/** The words for the connection; null while it is in step. */
export function connectionWords({ kind, waiting, isStoreFull }) {
  if (kind === "offline" && isStoreFull) return w.failures.store;
  if (kind === "offline") return w.offlineCount(waiting);
  if (kind === "signIn") return w.signInAgain;
  return kind === "sending" || waiting ? w.sending : null;
}

const bar = (state) => {
  const { connection } = state, words = connectionWords(connection), isShown = !connection.isOutdated && (connection.kind === "offline" || connection.kind === "signIn");
  const load = connection.isOutdated ? () => location.reload() : update;
  return html`<div class="bars"><div role="status" class=${isShown ? "offline" : "offline quiet-bar"}>${isShown ? html`<span>${words}</span>` : null}${connection.kind === "signIn" ? html` <a href="sign-in">${w.signIn}</a>` : null}</div>
    ${load ? html`<div class="offline update"><span>${w.updateWaits}</span> <button class="link" @click=${load}>${w.updateNow}</button></div>` : null}
    ${connection.pulled !== null && connection.pulled < 1 ? html`<progress class="pull" max="1" value=${connection.pulled} aria-label=${w.loading}></progress>` : null}</div>`;
};

const skip = (event) => {
  event.preventDefault();
  document.querySelector("h1")?.focus();
};

/** @param content the page @param kind "gate" has no places, "task" (adding) none under the thumb */
export function shell(state, content, kind) {
  const shown = router.place.path, name = state.user.userName ?? state.user.accounts[0]?.email ?? null, month = state.today.slice(0, 7), year = state.today.slice(0, 4);
  if (kind === "gate") return html`<main id="main">${bar(state)}${content}</main>`;
  const words = connectionWords(state.connection);
  return html`<a class="skip" href="#main" @click=${skip}>${w.skip}</a>
    <nav class="side" aria-label=${w.areas}><a class="brand" href="./">${mark(30)}<span translate="no">SubTrackIt</span></a>
      <a class="button primary" href="add">${icon("plus", 20)}${w.addOne}</a>
      <ul>${[...side(month, year), ...places(state)].map(([path, sign, text]) => html`<li><a href=${href(path)} aria-current=${isIn(path, shown) ? "page" : null}>${icon(sign)}<span>${text}</span></a></li>`)}</ul>
      <div class="side-end"><p class=${`step ${words ? "off" : ""}`}><span class="dot" aria-hidden="true"></span>${words ?? (state.user.id ? w.inStep : w.onlyHere)}</p>
        <a class="row flat" href="profile" aria-current=${shown.startsWith("/profile") ? "page" : null}>${name ? face(name) : html`<span class="face blank">${icon("person", 20)}</span>`}<span class="row-main"><span class="row-title"><bdi>${state.user.userName ?? w.profile}</bdi></span>
          <span class="row-sub">${state.user.accounts[0]?.email ?? w.noAccount}</span></span></a></div></nav>
    <main id="main">${bar(state)}${content}</main>
    ${kind === "task" ? null : html`<nav class="tabs" aria-label=${w.areas}>${tabs(month).map(([path, sign, text]) => html`<a class=${path === "/add" ? "add" : ""} href=${href(path)} aria-current=${isIn(path, shown) ? "page" : null}>${icon(sign, path === "/add" ? 26 : 24)}<span>${text}</span></a>`)}</nav>`}`;
}
