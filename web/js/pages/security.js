// Password and addresses of an account, and deleting everything.

import { html } from "../kernel/template.js";
import { app, go, goingOn, ofPerson, set, submit } from "../parts/context.js";
import { choice, formError, text } from "../parts/field.js";
import { head, section } from "../parts/page.js";
import { password as passwordField } from "../parts/password.js";
import { say } from "../parts/toast.js";
import { w } from "../parts/words.js";

const fresh = () => ({ currentPassword: "", newPassword: "", newEmail: "", email: "", show: false, failure: null, busy: false });
let change = fresh(), move = fresh(), end = fresh();
ofPerson(() => { change = fresh(); move = fresh(); end = fresh(); });
const FROM = () => ["profile", w.profile];

/** Which account, where there are several. */
const account = (form, accounts) => (accounts.length > 1 ? choice(form === move ? "account2" : "account", w.email, form.email || accounts[0].email, accounts.map(({ email }) => [email, email]), (email) => set(form, { email })) : null);

export function password(/** @type {import("../../types/app").State} */ state) {
  const { accounts } = state.user, first = accounts[0]?.email ?? "";
  const submitOf = (form, work, after) => async (event) => {
    event.preventDefault();
    const goOn = goingOn();
    if (await submit(form, work, event.target)) { after(); goOn("profile"); }
  };
  if (!accounts.length) return html`<div class="page narrow">${head(w.passwordAndMail, { from: FROM() })}<p>${w.noAccountText}</p><a class="button primary" href="register">${w.makeAccount}</a></div>`;
  return html`<div class="page narrow">${head(w.passwordAndMail, { from: FROM() })}<div class="stack">
    ${section("change", w.changePassword, html`<form class="card form" novalidate @submit=${submitOf(change, () => app.actions.changePassword({ ...(accounts.length > 1 ? { email: change.email || first } : {}), currentPassword: change.currentPassword, newPassword: change.newPassword }), () => { change = fresh(); say(w.passwordChanged); })}>
      <input class="visually-hidden" type="email" autocomplete="username" readonly tabindex="-1" aria-hidden="true" .value=${change.email || first}>
      ${account(change, accounts)}${formError(change, ["currentPassword", "newPassword"])}${passwordField(change, "currentPassword", w.currentPassword)}${passwordField(change, "newPassword", w.newPassword, { isNew: true, about: [first, state.user.userName] })}
      <p class="small muted">${w.passwordEnds}</p><button class="primary" ?disabled=${change.busy}>${w.changePassword}</button></form>`)}
    ${section("mail", w.changeEmail, html`<form class="card form" novalidate @submit=${submitOf(move, () => app.actions.changeEmail({ email: move.email || first, newEmail: move.newEmail.trim(), currentPassword: move.currentPassword }), () => { move = fresh(); say(app.state.sendsMails ? w.emailChanged : w.emailChangedOnly); })}>
      ${account(move, accounts)}${formError(move, ["newEmail", "currentPassword"])}${text("newEmail", w.newEmail, move.newEmail, (newEmail) => set(move, { newEmail }), { type: "email", autocomplete: "email", form: move })}
      ${passwordField(move, "currentPassword", w.currentPassword, { id: "currentPassword2" })}
      <button ?disabled=${move.busy}>${w.changeEmail}</button></form>`)}</div></div>`;
}

/** Deleting everything: a list, the password, and a word to type. */
export function erase(/** @type {import("../../types/app").State} */ state) {
  const needsPassword = state.user.accounts.length > 0, isTyped = (end.email ?? "").trim().toLocaleLowerCase() === w.deleteWord.toLocaleLowerCase();
  const send = async (event) => {
    event.preventDefault();
    if (!isTyped) return;
    if (await submit(end, () => app.actions.deleteUser(needsPassword ? { currentPassword: end.currentPassword } : {}), event.target)) { end = fresh(); go("", { replace: true }); say(w.allDeleted); }
  };
  return html`<div class="page narrow">${head(w.deleteAll, { from: FROM() })}<div class="stack tight"><p>${w.deleteGoes}</p>
    <ul class="bullets"><li>${w.countOf(state.subscriptions.length)}</li>${state.user.accounts.map(({ email }) => html`<li>${w.accountOf(email)}</li>`)}<li>${w.allDevices}</li></ul><p class="strong">${w.cannotUndo}</p>
    <form class="card form" novalidate @submit=${send}>${formError(end, ["currentPassword"])}${needsPassword ? passwordField(end, "currentPassword", w.currentPassword) : null}
      ${text("word", w.typeWord(w.deleteWord), end.email, (email) => set(end, { email }), { autocapitalize: "off", spellcheck: "false" })}
      <button class="primary danger-fill" ?disabled=${!isTyped || end.busy}>${w.deleteAll}</button></form></div></div>`;
}
