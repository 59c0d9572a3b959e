// The gate: signing in, making an account, and asking for a new password.

import { html } from "../kernel/template.js";
import { app, go, ofPerson, set, submit } from "../parts/context.js";
import { formError, text } from "../parts/field.js";
import { gate } from "../parts/page.js";
import { password } from "../parts/password.js";
import { say } from "../parts/toast.js";
import { w } from "../parts/words.js";

const fresh = () => ({ email: "", password: "", userName: "", show: false, failure: null, busy: false, sent: false });
let form = fresh();
ofPerson(() => { form = fresh(); });
const store = (values) => set(form, values);
const done = (path, words) => { form = fresh(); go(path); if (words) say(words); };
const email = (shown = form) => text("email", w.email, form.email, (value) => store({ email: value }), { type: "email", inputmode: "email", autocomplete: "username", required: true, maxlength: 254, autocapitalize: "off", spellcheck: "false", form: shown });

/** Returns how many subscriptions of this device come along. */
const comesAlong = (state) => (state.isKept && !state.user.accounts.length && state.subscriptions.length ? w.comesAlong(state.subscriptions.length) : w.signInText);

export function signIn(/** @type {import("../../types/app").State} */ state) {
  const send = async (event) => {
    event.preventDefault();
    const found = await submit(form, () => app.actions.signIn({ email: form.email.trim(), password: form.password }), event.target);
    if (found) done("", found.moved || found.same ? w.merged(found.moved, found.same) : w.signedIn);
  };
  return gate(html`<h1 tabindex="-1">${w.signInTitle}</h1><p class="muted">${comesAlong(state)}</p>
    <form class="stack tight" novalidate @submit=${send}>${formError(form, ["email", "password"])}${email()}${password(form, "password", w.password)}
      <button class="primary tall" ?disabled=${form.busy}>${w.signIn}</button></form>
    <p class="links"><a href="register">${w.makeAccount}</a><a href="forgot">${w.forgotLink}</a></p>`);
}

export function register(/** @type {import("../../types/app").State} */ state) {
  const send = async (event) => {
    event.preventDefault();
    const userName = form.userName.trim();
    const found = await submit(form, () => app.actions.register({ email: form.email.trim(), password: form.password, ...(userName ? { userName } : {}) }), event.target);
    if (found) done("", app.state.sendsMails ? w.registered : w.registeredOnly);
  };
  return gate(html`<h1 tabindex="-1">${w.registerTitle}</h1><p class="muted">${w.registerText(state.subscriptions.length)}</p>
    <form class="stack tight" novalidate @submit=${send}>${formError(form, ["userName", "email", "password"])}
      ${text("userName", w.name, form.userName || (state.user.userName ?? ""), (userName) => store({ userName }), { autocomplete: "name", maxlength: 100, form })}${email()}
      ${password(form, "password", w.password, { isNew: true, about: [form.userName, form.email] })}${state.sendsMails ? null : html`<p class="small muted">${w.noMails}</p>`}
      <button class="primary tall" ?disabled=${form.busy}>${w.makeTheAccount}</button></form>
    <p class="links"><a href="sign-in">${w.haveOne}</a><a href="./">${w.notNow}</a></p>`);
}

/** The visit of the page at which the service was asked whether it sends mails. */
let asked = null;

export function forgot(/** @type {import("../../types/app").State} */ state, params) {
  // A browser without a user has asked once, maybe long ago.
  if (asked !== params) {
    asked = params;
    app.actions.lookAtService().catch(() => {});
  }
  const send = async (event) => {
    event.preventDefault();
    if (await submit(form, () => app.actions.forgot(form.email.trim()), event.target)) store({ sent: true });
  };
  if (!state.sendsMails) return gate(html`<h1 tabindex="-1">${w.forgotTitle}</h1><p role="status">${w.noMails}</p><p>${w.noMailsHelp}</p><p class="links"><a href="sign-in">${w.signIn}</a></p>`);
  return gate(form.sent ? html`<h1 tabindex="-1">${w.mailSentTitle}</h1><p role="status">${w.mailSent(form.email.trim())}</p><p class="links"><a href="sign-in">${w.signIn}</a></p>`
    : html`<h1 tabindex="-1">${w.forgotTitle}</h1><p class="muted">${w.forgotText}</p>
    <form class="stack tight" novalidate @submit=${send}>${formError(form, ["email"])}${email()}<button class="primary tall" ?disabled=${form.busy}>${w.sendMail}</button></form>
    <p class="links"><a href="sign-in">${w.back}</a></p>`);
}
