// Start: words, store, pages. Pages beside Welcome are loaded on their first visit, or before that while the browser is idle.

import { html, render } from "./kernel/template.js";
import { startRouter } from "./kernel/router.js";
import { openApp } from "./data/app.js";
import { connect, draw, showTo, useRouter } from "./parts/context.js";
import { countVisit } from "./parts/installing.js";
import { empty, head, loading } from "./parts/page.js";
import { shell } from "./parts/shell.js";
import { showTheme } from "./parts/theme.js";
import { speak, speakOfAll, w } from "./parts/words.js";
import welcome, { isNew } from "./pages/welcome.js";

/** A page of another file: loaded once, with the words that it needs. */
function later(load, name = "default") {
  let page = null;
  return { get page() { return page; }, load: async () => { page ??= (await Promise.all([load(), speakOfAll()]))[0][name]; } };
}
const here = (page) => ({ page, load: null });
const today = later(() => import("./pages/today.js")), adding = () => import("./pages/add.js"), own = () => import("./pages/own.js"), details = () => import("./pages/detail.js"), gate = () => import("./pages/account.js"), mail = () => import("./pages/mail.js"), security = () => import("./pages/security.js"), contact = () => import("./pages/contacts/detail.js"), contactForm = () => import("./pages/contacts/form.js");

/** Every page: path, source, title, kind ("task", "gate") and the area without which there is no such page. A test compares the paths with routes.json. */
const ROUTES = [
  ["/", { get page() { return isNew(app.state) ? welcome : today.page; }, load: async () => { if (!isNew(app.state)) await today.load(); } }, () => w.todayTab],
  ["/subscriptions", later(() => import("./pages/subscriptions.js")), () => w.subscriptions],
  ["/subscriptions/{id}", later(details), ({ id }, state) => state.subscription(id)?.name ?? w.subscription],
  ["/subscriptions/{id}/edit", later(() => import("./pages/edit.js")), () => w.edit, "task"],
  ["/add", later(adding, "who"), () => w.add, "task"],
  ["/add/own", later(own), () => w.ownTitle, "task"],
  ["/add/{provider}", later(adding, "what"), ({ provider }) => provider, "task"],
  ["/add/{provider}/{plan}", later(adding, "when"), ({ provider }) => provider, "task"],
  ["/calendar", later(() => import("./pages/calendar.js")), () => w.calendar],
  ["/calendar/{month}", later(() => import("./pages/calendar.js")), () => w.calendar],
  ["/spending", later(() => import("./pages/spending.js")), () => w.spending],
  ["/spending/{year}", later(() => import("./pages/spending.js")), () => w.spending],
  ["/contacts", later(() => import("./pages/contacts/list.js")), () => w.contactsTab, "page", "contacts"],
  ["/contacts/new", later(contactForm), () => w.contacts.newTitle, "task", "contacts"],
  ["/contacts/import", later(() => import("./pages/contacts/import.js")), () => w.contacts.importTitle, "task", "contacts"],
  ["/contacts/duplicates", later(() => import("./pages/contacts/duplicates.js")), () => w.contacts.duplicates, "page", "contacts"],
  ["/contacts/deleted", later(contact, "deleted"), () => w.deleted, "page", "contacts"],
  ["/contacts/{id}", later(contact), ({ id }, state) => { const row = state.row("contact", id)?.row; return row ? `${row.firstName} ${row.lastName}` : w.contactsTab; }, "page", "contacts"],
  ["/contacts/{id}/edit", later(contactForm), () => w.edit, "task", "contacts"],
  ["/more", later(() => import("./pages/more.js")), () => w.more],
  ["/deleted", later(details, "deleted"), () => w.deleted],
  ["/profile", later(() => import("./pages/profile.js")), () => w.profile],
  ["/profile/password", later(security, "password"), () => w.passwordAndMail],
  ["/profile/devices", later(() => import("./pages/devices.js")), () => w.devices],
  ["/profile/reminders", later(() => import("./pages/reminders/settings.js")), () => w.reminders.title, "page", "reminders"],
  ["/profile/import", later(() => import("./pages/import.js")), () => w.import, "task"],
  ["/profile/delete", later(security, "erase"), () => w.deleteAll],
  ["/sign-in", later(gate, "signIn"), () => w.signIn, "gate"],
  ["/register", later(gate, "register"), () => w.makeAccount, "gate"],
  ["/forgot", later(gate, "forgot"), () => w.forgotTitle, "gate"],
  ["/account/verify", later(mail, "verify"), () => w.verifyTitle, "gate"],
  ["/account/reset", later(mail, "reset"), () => w.resetTitle, "gate"],
  ["/account/answer", later(() => import("./pages/reminders/answer.js")), () => w.reminders.answerTitle, "gate", "reminders"],
].map((/** @type {any} */ [path, source, title, kind = "page", area = null]) => ({ path, source, title, kind, area }));

const missing = { source: here(() => html`<div class="page narrow">${head(w.notFound)}${empty("search", w.notFoundText, "", html`<a class="button" href="./">${w.toStart}</a>`)}</div>`), title: () => w.notFound, kind: "page" };

/** What stands where it is not known yet whether there is such a page. */
const unsure = { source: here(() => html`<div class="page narrow">${head("…")}${loading()}</div>`), title: () => "…", kind: "page" };

/** The page of a route: of an area that is off there is none. */
const pageOf = (route, state) => (!route.area || state.areas.includes(route.area) ? route : state.hasAreas ? missing : unsure);

const root = /** @type {HTMLElement} */ (document.getElementById("app"));
const app = await openApp();
await speak(app.state.settings.language);
showTheme(app.state.settings.theme);

/** The place whose page is loaded and shown; while another one's loads, it stays. */
let shown = null;

function paint() {
  if (!shown) return;
  const { state } = app, { params, query } = shown, route = pageOf(shown.route, state), isWelcome = route.path === "/" && isNew(state), kind = isWelcome ? "gate" : route.kind;
  if (!route.source.page) {
    // Rows that arrived turn Welcome into Today. Its file is loaded first; the page stays as it is meanwhile.
    route.source.load().then(draw, failed);
    return;
  }
  showTo(state.user.id);
  document.title = `${route.title(params, state)} · SubTrackIt`;
  document.body.className = kind === "page" ? "" : kind;
  const focused = document.activeElement, of = focused?.closest("[data-of]")?.getAttribute("data-of");
  render(shell(state, route.source.page(state, params, query), kind), root);
  if (focused && !focused.isConnected) refocus(of);
}

/** The element with the focus is gone. Its place has the same `data-of`, as the line that an answered question becomes. */
function refocus(of) {
  const place = of ? root.querySelector(`[data-of="${CSS.escape(of)}"]`) : null;
  /** @type {HTMLElement | null} */ (place?.querySelector("button, a") ?? root.querySelector("h1"))?.focus({ preventScroll: true });
}

const isStill = matchMedia("(prefers-reduced-motion: reduce)");

/** Shows the page of the address: loads it first, then fades over. */
async function changed(move) {
  const place = router.place, route = /** @type {any} */ (place.route ?? missing);
  try {
    await pageOf(route, app.state).source.load?.();
  } catch (error) {
    failed(error);
    return;
  }
  if (router.place !== place) return;
  // A question belongs to the page that asked it: Back answers it with no.
  for (const dialog of /** @type {NodeListOf<HTMLDialogElement>} */ (document.querySelectorAll("dialog[open]"))) dialog.close("no");
  const isOther = shown?.route !== route;
  shown = { route, params: place.params, query: place.query };
  if (move !== "start" && isOther && document.startViewTransition && !isStill.matches && !document.hidden) {
    const fade = document.startViewTransition(paint);
    fade.ready.catch(() => {});
    fade.finished.catch(() => {});
    await fade.updateCallbackDone;
  } else paint();
}

/** A file of this build that is not there any more: the page was of an older build. It reloads, once. */
function failed(error) {
  const build = document.querySelector('meta[name="build"]')?.getAttribute("content") ?? "", key = "subtrack.reloaded";
  if (navigator.onLine && sessionStorage.getItem(key) !== build) {
    sessionStorage.setItem(key, build);
    location.reload();
    return;
  }
  console.error(error);
  shown = { route: { ...missing, source: here(() => html`<div class="page narrow">${head(w.notLoaded)}<p>${w.notLoadedText}</p><p><button @click=${() => location.reload()}>${w.again}</button></p></div>`) }, params: {}, query: null };
  paint();
}

/** Returns the element that gets focus after a navigation: the search field of a page that has one, else the title. */
const heading = () => /** @type {HTMLElement | null} */ (document.querySelector("#finder")) ?? document.querySelector("h1");

const router = startRouter({ base: app.state.base, routes: ROUTES, onChange: changed, heading });
connect(app, paint);
useRouter(router);
app.onChange(draw);
countVisit(app.state.isKept);
await router.start();
/** @type {HTMLElement | null} */ (document.querySelector("#finder"))?.focus({ preventScroll: true });
document.documentElement.dataset.ready = "";

// The remaining files are loaded while the browser is idle, so that later views need no request.
const idle = globalThis.requestIdleCallback ?? ((run) => setTimeout(run, 300));
idle(async () => {
  const [{ followKeys }, { followUpdates }] = await Promise.all([import("./parts/keys.js"), import("./parts/updates.js"), adding(), today.load(), speakOfAll()]);
  followKeys();
  followUpdates(app.state.base);
}, { timeout: 1500 });
