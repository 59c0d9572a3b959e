// Ways to be told beside the app and mail: this browser, ntfy, webhooks; and the addresses of calendars. All of it needs the service.

import { html, keyed } from "../../kernel/template.js";
import { act, app, ofPerson, set, submit, wordsOf } from "../../parts/context.js";
import { choice, formError, text } from "../../parts/field.js";
import { ago, date } from "../../parts/format.js";
import { icon } from "../../parts/icons.js";
import { ask, menu } from "../../parts/layer.js";
import { head, loading, section } from "../../parts/page.js";
import { browserPush, startPush, stopPush } from "../../parts/push.js";
import { say } from "../../parts/toast.js";
import { tag } from "../../parts/subscription.js";
import { w } from "../../parts/words.js";

const SIGNS = { webpush: "laptop", ntfy: "bell", webhook: "terminal" };
const fresh = () => ({ isOpen: false, kind: "ntfy", name: "", target: "", token: "", failure: null, busy: false });
const ui = { form: fresh(), dead: /** @type {string | null} */ (null), push: /** @type {any} */ (null), calendar: { name: "", failure: null, busy: false } };
ofPerson(() => Object.assign(ui, { form: fresh(), dead: null, push: null, calendar: { name: "", failure: null, busy: false } }));

/** Shows a secret, this once: it is nowhere else afterwards. */
function showOnce(title, hint, secret) {
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(secret);
      say(w.reminders.copied);
    } catch {
      say(w.reminders.notCopied, null, "wrong");
    }
  };
  return ask({
    title, refuse: w.close, action: null, content: html`<div class="stack tight"><p>${hint}</p><p><code class="secret" translate="no" tabindex="0">${secret}</code></p>
      <p><button type="button" @click=${copy}>${w.reminders.copy}</button></p></div>`,
  });
}

const since = (instant) => ago(instant, new Date().toISOString());

/** How a channel stands, in words; its tone. */
function standing({ pausedAt, failingSince, lastProblem, testedAt }) {
  if (pausedAt) return [w.reminders.paused(since(pausedAt), lastProblem), "off"];
  if (failingSince) return [w.reminders.failing(since(failingSince), lastProblem), "due"];
  return lastProblem ? [w.reminders.problemWas(lastProblem), "soon"] : [testedAt ? w.reminders.works : "", ""];
}

/** Does something with a channel. */
const operate = (name, input, said) => act(() => app.actions.operate(name, input), { said, undo: false });

async function rotate(id) {
  const found = await operate("channels.rotateSecret", { id });
  if (found?.secret) await showOnce(w.reminders.secretTitle, `${w.reminders.secretText} ${w.reminders.rotateText}`, found.secret);
}

const more = (one, name, at) => menu(at, name, [
  { text: w.reminders.test, icon: "check", act: () => operate("channels.test", { id: one.id }, w.reminders.testAsked) },
  { text: one.pausedAt ? w.reminders.resume : w.reminders.pause, icon: "bell", act: () => operate("channels.update", { id: one.id, paused: !one.pausedAt }) },
  ...(one.kind === "webhook" ? [{ text: w.reminders.rotate, icon: "key", act: () => rotate(one.id) }] : []),
  { text: w.reminders.deadShow, icon: "list", act: () => set(ui, { dead: ui.dead === one.id ? null : one.id }) },
  { text: w.reminders.remove, icon: "trash", danger: true, act: () => operate("channels.delete", { id: one.id }, w.reminders.removed) },
]);

/** The notifications that did not arrive, each to be sent again. */
function dead(state, { id }) {
  const found = state.listed("deliveries.list", { id }, "channel");
  if (found === undefined) return loading();
  if (found.failure) return html`<p class="problem" role="alert">${wordsOf(found)}</p>`;
  if (!found.deliveries.length) return html`<p class="muted" role="status">${w.reminders.deadNone}</p>`;
  return html`<ul class="list card flush" aria-label=${w.reminders.dead}>${found.deliveries.map((one) => keyed(one.notification, html`<li class="row"><span class="row-main"><span class="row-title">${w.reminders.deadOf(one.notification)}</span>
    <span class="row-sub">${date.full(one.firedAt.slice(0, 10))} · ${w.reminders.attempts(one.attempts)}${one.problem ? html` · <bdi>${one.problem}</bdi>` : null}</span></span>
    <button @click=${() => operate("deliveries.resend", { id, notification: one.notification }, w.reminders.sentAgain)}>${w.reminders.sendAgain}<span class="visually-hidden">: ${w.reminders.deadOf(one.notification)}</span></button></li>`))}</ul>`;
}

function channel(state, one) {
  const kind = w.reminders.channelKinds[one.kind] ?? one.kind, name = one.name ?? kind, [words, tone] = standing(one);
  return html`<li><div class="row"><span class="face blank">${icon(SIGNS[one.kind] ?? "bell", 22)}</span><span class="row-main"><span class="row-title"><bdi>${name}</bdi> ${one.pausedAt || one.failingSince ? tag(kind, tone) : null}</span>
      <span class="row-sub">${one.name ? kind : null}${one.name && one.target ? " · " : null}${one.target ? html`<bdi translate="no">${one.target}</bdi>` : null}</span>${words ? html`<span class="row-sub">${words}</span>` : null}</span>
    <button class="icon-button row-more" aria-label=${w.menuFor(name)} aria-haspopup="menu" @click=${(event) => more(one, name, event.currentTarget ?? event.target)}>${icon("more", 20)}</button></div>
    ${ui.dead === one.id ? html`<div class="inset">${dead(state, one)}</div>` : null}</li>`;
}

function add(form) {
  if (!form.isOpen) return html`<p class="spaced"><button @click=${() => set(form, { isOpen: true })}>${icon("plus", 20)}${w.reminders.addChannel}</button></p>`;
  const send = async (event) => {
    event.preventDefault();
    const { kind, target } = form, name = form.name.trim(), token = form.token.trim();
    const done = await submit(form, () => app.actions.operate("channels.create", { kind, target: target.trim(), name: name || undefined, token: kind === "ntfy" && token ? token : undefined }), event.target);
    if (!done) return;
    ui.form = fresh();
    if (done.secret) await showOnce(w.reminders.secretTitle, w.reminders.secretText, done.secret);
    set(ui, {});
  };
  return html`<form class="card form spaced" novalidate @submit=${send}>${formError(form, ["target", "name", "token"])}
    ${choice("kind", w.reminders.kind, form.kind, ["ntfy", "webhook"].map((kind) => [kind, w.reminders.channelKinds[kind]]), (kind) => set(form, { kind, failure: null }))}
    ${text("target", w.reminders.target, form.target, (target) => set(form, { target }), { type: "url", inputmode: "url", placeholder: "https://", maxlength: 2000, hint: w.reminders.targetHint[form.kind], form, spellcheck: "false", autocapitalize: "off" })}
    ${form.kind === "ntfy" ? text("token", w.reminders.token, form.token, (token) => set(form, { token }), { hint: w.reminders.tokenHint, maxlength: 200, form, spellcheck: "false", autocapitalize: "off" }) : null}
    ${text("name", w.reminders.name, form.name, (name) => set(form, { name }), { placeholder: w.reminders.nameExample, maxlength: 100, form })}
    <div class="buttons"><button class="primary" ?disabled=${form.busy}>${w.reminders.save}</button><button type="button" class="quiet" @click=${() => { ui.form = fresh(); set(ui, {}); }}>${w.notNow}</button></div></form>`;
}

/** Being told by this browser. It is asked at the moment in which the button is pressed, never before. */
function browser() {
  if (ui.push === null) {
    ui.push = { kind: "" };
    browserPush().then((kind) => set(ui, { push: { kind } }));
  }
  const { kind } = ui.push, words = { on: w.reminders.pushIsOn, denied: w.reminders.pushDenied, none: w.reminders.pushNot, phone: w.reminders.pushIPhone, noKey: w.reminders.pushNoKey }[kind];
  const turn = (work) => async () => {
    const found = await act(work);
    if (found) set(ui, { push: { kind: found } });
  };
  return html`<div class="card stack tight"><p>${w.reminders.pushText}</p>${words ? html`<p class="muted" role="status">${words}</p>` : null}
    <div class="buttons">${kind === "on" ? html`<button @click=${turn(stopPush)}>${w.reminders.pushOff}</button>`
      : kind === "none" || kind === "phone" ? null : html`<button class="primary" @click=${turn(startPush)}>${w.reminders.pushOn}</button>`}</div></div>`;
}

async function revoke({ id, name }) {
  if (await ask({ title: name, danger: true, action: w.reminders.revoke, content: html`<p>${w.reminders.revokeText}</p>` })) await operate("calendars.delete", { id }, w.reminders.revoked);
}

function calendars(state) {
  const found = state.listed("calendars.list"), form = ui.calendar;
  const send = async (event) => {
    event.preventDefault();
    const done = await submit(form, () => app.actions.operate("calendars.create", { name: form.name.trim() || undefined }), event.target);
    if (!done) return;
    set(form, { name: "" });
    await showOnce(w.reminders.addressTitle, w.reminders.addressText, done.url);
  };
  return section("calendars", w.reminders.calendars, html`<p class="muted lead">${w.reminders.calendarsText}</p>
    ${found === undefined ? loading() : found.failure ? html`<p class="problem" role="alert">${wordsOf(found)}</p>` : found.calendars.length ? html`<ul class="list card flush">${found.calendars.map((one) => keyed(one.id, html`<li class="row">
      <span class="face blank">${icon("calendar", 22)}</span><span class="row-main"><span class="row-title"><bdi>${one.name}</bdi></span><span class="row-sub">${w.reminders.madeOn(date.full(one.createdAt.slice(0, 10)))}</span></span>
      <button class="quiet" @click=${() => revoke(one)}>${w.reminders.revoke}<span class="visually-hidden">: ${one.name}</span></button></li>`))}</ul>` : html`<p>${w.reminders.noCalendars}</p>`}
    <form class="card form spaced" novalidate @submit=${send}>${formError(form, ["name"])}${text("calendar", w.reminders.calendarName, form.name, (name) => set(form, { name }), { placeholder: w.reminders.nameExample, maxlength: 100, form, at: "name" })}
      <button ?disabled=${form.busy}>${w.reminders.newCalendar}</button></form>`);
}

export default function channels(/** @type {import("../../../types/app").State} */ state) {
  const found = state.user.id ? state.listed("channels.list", {}, "channel") : { channels: [] };
  return html`<div class="page">${head(w.reminders.more, { from: ["profile/reminders", w.reminders.title], sub: w.reminders.channelsText })}
    ${state.user.id ? html`<div class="split"><div class="stack">${section("browser", w.reminders.thisBrowser, browser())}
      ${section("channels", w.reminders.channels, html`${found === undefined ? loading() : found.failure ? html`<p class="problem" role="alert">${wordsOf(found)}</p>`
        : found.channels.length ? html`<ul class="list card flush">${found.channels.map((one) => keyed(one.id, channel(state, one)))}</ul>` : html`<p>${w.reminders.noChannels}</p>`}${add(ui.form)}`)}</div>
      <div class="stack">${calendars(state)}</div></div>` : html`<p>${w.reminders.needsDevice}</p>`}</div>`;
}
