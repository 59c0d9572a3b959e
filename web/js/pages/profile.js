// The profile: name, country, language, appearance, connection, security and data.

import { html } from "../kernel/template.js";
import { act, app, draw, go, ofPerson, set } from "../parts/context.js";
import { country, currencyName, date } from "../parts/format.js";
import { choice, segments, text, toggle } from "../parts/field.js";
import { face } from "../parts/face.js";
import { icon } from "../parts/icons.js";
import { ask } from "../parts/layer.js";
import { head, links, section } from "../parts/page.js";
import { say } from "../parts/toast.js";
import { LANGUAGES, speak, w } from "../parts/words.js";
import { connectionWords } from "../parts/shell.js";
import { showTheme } from "../parts/theme.js";

/** @type {{name: string | null}} */
const ui = { name: null };
ofPerson(() => { ui.name = null; });

/** Signs out; changes that were not sent are named first. */
async function signOut(state) {
  const waiting = state.outbox.items;
  if (waiting.length) {
    const sure = await ask({ title: w.signOutTitle, danger: true, action: w.signOutAnyway, content: html`<p>${w.signOutUnsent(waiting.length)}</p>
      <ul class="bullets">${waiting.slice(0, 10).map((one) => html`<li>${one.name ?? w.gone} · ${w.ops[one.op] ?? one.op}</li>`)}</ul>` });
    if (!sure) return;
  } else if (!await ask({ title: w.signOutTitle, action: w.signOut, content: html`<p>${w.signOutText}</p>` })) return;
  if (await act(() => app.actions.signOut({ discardUnsent: waiting.length > 0 }))) { go(""); say(w.signedOut); }
}

const identity = (state) => {
  const { user } = state, name = user.userName ?? user.accounts[0]?.email ?? w.you;
  return html`<section class="card identity" aria-label=${w.you}>${face(name, "xl")}<div class="row-main"><p class="fact-day"><bdi>${name}</bdi></p>
    ${user.accounts.length ? user.accounts.map(({ email, verified }) => html`<p class="muted"><bdi>${email}</bdi>${verified ? ` · ${w.confirmed}` : state.sendsMails ? ` · ${w.notConfirmed}` : ""}</p>`) : html`<p class="muted">${w.noAccountText}</p>`}</div>
    <div class="buttons">${user.accounts.length ? html`<button class="quiet" @click=${() => signOut(state)}>${w.signOut}</button>` : html`<a class="button primary" href="register">${w.makeAccount}</a><a class="button" href="sign-in">${w.signIn}</a>`}</div></section>`;
};

const zones = () => Intl.supportedValuesOf?.("timeZone") ?? [];

/** A change of the time zone moves the user's day; it says so first. */
async function changeZone(state, timeZone) {
  const dayIn = (zone) => new Intl.DateTimeFormat("en-CA", { timeZone: zone, year: "numeric", month: "2-digit", day: "2-digit" }).format(new Date());
  const [before, after] = [dayIn(state.user.timeZone), dayIn(timeZone)];
  if (before !== after && !await ask({ title: w.zoneTitle, action: w.change, content: html`<p>${w.zoneText(date.long(before), date.long(after))}</p>` })) { draw(); return; }
  await act(() => app.actions.changeMe({ timeZone }), { said: w.saved_ });
}

function about(state) {
  const { user, settings } = state, countries = state.countries() ?? [{ id: user.country, currency: state.currency() }];
  const all = zones(), listedZones = all.includes(user.timeZone) ? all : [user.timeZone, ...all];
  const saveName = async () => {
    const name = ui.name?.trim();
    if (name === undefined || name === (user.userName ?? "")) return;
    await act(() => app.actions.changeMe({ userName: name || null }), { said: w.saved_ });
    ui.name = null;
  };
  return section("you", w.aboutYou, html`<form class="card form" @submit=${(event) => { event.preventDefault(); saveName(); }} @focusout=${saveName}>
    ${text("name", w.name, ui.name ?? user.userName ?? "", (name) => set(ui, { name }), { autocomplete: "name", maxlength: 100 })}
    ${choice("country", w.country, user.country, countries.map(({ id, currency }) => [id, `${country(id)}${currency ? ` (${currency})` : ""}`]), (id) => act(() => app.actions.changeMe({ country: id }), { said: w.saved_ }), { hint: w.countryHint })}
    ${choice("timeZone", w.timeZone, user.timeZone, listedZones.map((zone) => [zone, zone.replaceAll("_", " ")]), (zone) => changeZone(state, zone), { hint: w.zoneHint })}
    ${choice("language", w.language, settings.language ?? "", [["", w.asBrowser], ...Object.entries(LANGUAGES)], async (id) => { await app.actions.set("language", id || null); await speak(id || null); draw(); })}
    ${choice("totalCurrency", w.totalCurrency, settings.totalCurrency ?? "", [["", w.asCountry], ...(state.currencies() ?? []).map(({ id }) => [id, `${id} · ${currencyName(id)}`])], (id) => act(() => app.actions.set("totalCurrency", id || null)), { hint: w.totalCurrencyHint })}
    ${segments("theme", w.appearance, settings.theme, [["device", w.asDevice], ["light", w.light], ["dark", w.dark]], async (theme) => { if (await act(() => app.actions.set("theme", theme))) showTheme(theme); })}</form>
    <div class="card flush spaced">${toggle(w.keysSwitch, w.keysHint, settings.shortcuts, (on) => act(() => app.actions.set("shortcuts", on)))}</div>`);
}

const connection = (state) => {
  const { connection: c } = state;
  const words = connectionWords(c) ?? w.inStep;
  return section("connection", w.connection, html`<div class="card stack tight"><p class=${`step ${connectionWords(c) ? "off" : ""}`}><span class="dot" aria-hidden="true"></span>${words}</p>
    ${c.detail && c.kind === "offline" ? html`<p class="small muted">${c.detail}</p>` : null}
    ${c.isSecure ? null : html`<p class="problem">${w.notSecure}</p>`}${c.originRefused ? html`<p class="problem">${w.originRefused} ${c.originRefused}</p>` : null}
    ${state.outbox.count ? html`<ul class="bullets">${state.outbox.items.slice(0, 10).map((one) => html`<li><bdi>${one.name ?? w.gone}</bdi> · ${w.ops[one.op] ?? one.op}</li>`)}</ul>` : null}
    <div class="buttons"><button @click=${() => act(() => app.actions.sync())}>${w.syncNow}</button></div></div>`);
};

/** Saves a file that was made here. */
function save({ name, type, text: content }) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([content], { type }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

async function exportData() {
  const format = await new Promise((resolve) => {
    let chosen = "json";
    ask({ title: w.export, action: w.saveFile, content: html`<div class="stack tight"><p>${w.exportText}</p>${segments("format", w.format, chosen, [["json", "JSON"], ["csv", "CSV"]], (id) => { chosen = id; })}</div>` }).then((yes) => resolve(yes ? chosen : null));
  });
  if (!format) return;
  const file = await act(() => app.actions.exportData(format));
  if (file?.text !== undefined) save(file);
}

const data = (state) => section("data", w.yourData, html`${links([["profile/import", null, w.import, w.importHint]])}
  <div class="card flush spaced"><button class="row" @click=${exportData}><span class="row-main"><span class="row-title">${w.export}</span><span class="row-sub">${w.exportHint}</span></span>${icon("next", 18)}</button>
    <a class="row" href="deleted"><span class="row-main"><span class="row-title">${w.deleted}</span><span class="row-sub">${w.deletedText}</span></span>${icon("next", 18)}</a>
    <a class="row danger" href="profile/delete"><span class="row-main"><span class="row-title">${w.deleteAll}</span><span class="row-sub">${w.deleteAllHint}</span></span>${icon("next", 18)}</a></div>`);

export default function profile(/** @type {import("../../types/app").State} */ state) {
  const accounts = state.user.accounts.length > 0;
  return html`<div class="page">${head(w.profile)}<div class="split"><div class="stack">${identity(state)}${about(state)}</div>
    <div class="stack">${connection(state)}
      ${state.device ? section("security", w.security, links([["profile/devices", "device", w.devices, w.devicesHint], ...(accounts ? [["profile/password", "key", w.passwordAndMail, w.passwordHint]] : [])])) : null}
      ${state.areas.includes("reminders") ? section("reminders", w.reminders.title, links([["profile/reminders", "bell", w.reminders.title, w.reminders.hint]])) : null}
      ${data(state)}</div></div></div>`;
}
