// The pages behind the links in mails. Only a button acts, because mail scanners open links.

import { html } from "../kernel/template.js";
import { app, set, submit } from "../parts/context.js";
import { formError } from "../parts/field.js";
import { listed } from "../parts/format.js";
import { gate } from "../parts/page.js";
import { password } from "../parts/password.js";
import { w } from "../parts/words.js";

/** @type {{token: string | null, link: any, newPassword: string, show: boolean, failure: any, busy: boolean, done: any}} */
const form = { token: null, link: null, newPassword: "", show: false, failure: null, busy: false, done: null };

/** Takes the token out of the address, and with it out of the history. Asks the service for the effect of the link. */
function read(purpose) {
  const token = new URLSearchParams(location.hash.slice(1)).get("token");
  if (token) {
    Object.assign(form, { token, link: null, done: null, failure: null });
    history.replaceState(history.state, "", location.pathname);
    app.actions.describeLink({ token, purpose }).then((link) => set(form, { link }), () => {});
  }
}

/** Which other addresses it concerns, before the button is pressed. */
const others = () => (form.link?.otherAccounts?.length && w.effects[form.link.effect] ? html`<p>${w.effects[form.link.effect]} <bdi class="strong">${listed(form.link.otherAccounts)}</bdi></p>` : null);

export function verify() {
  read("verify");
  const send = async (event) => {
    event.preventDefault();
    if (await submit(form, () => app.actions.verify(form.token ?? ""), event.target)) set(form, { done: w.verified });
  };
  return gate(html`<h1 tabindex="-1">${w.verifyTitle}</h1>${form.done ? html`<p role="status">${form.done}</p><a class="button primary tall" href="./">${w.toStart}</a>`
    : form.token ? html`<p class="muted">${form.link?.email ? html`<bdi class="strong">${form.link.email}</bdi> · ` : null}${w.verifyText}</p>${others()}
      <form class="stack tight" @submit=${send}>${formError(form)}<button class="primary tall" ?disabled=${form.busy}>${w.verifyButton}</button></form>`
      : html`<p>${w.noToken}</p><a class="button tall" href="./">${w.toStart}</a>`}`);
}

export function reset(/** @type {import("../../types/app").State} */ state) {
  read("reset");
  const send = async (event) => {
    event.preventDefault();
    const found = await submit(form, () => app.actions.reset({ token: form.token ?? "", newPassword: form.newPassword }), event.target);
    if (!found) return;
    const told = found.removedAccounts?.length ? `${w.removedAccounts} ${listed(found.removedAccounts)}` : found.otherAccounts?.length ? `${w.stayedAccounts} ${listed(found.otherAccounts)}` : "";
    set(form, { done: `${w.resetDone} ${told}`.trim(), newPassword: "" });
  };
  return gate(html`<h1 tabindex="-1">${w.resetTitle}</h1>${form.done ? html`<p role="status">${form.done}</p><a class="button primary tall" href="sign-in">${w.signIn}</a>`
    : form.token ? html`${form.link?.email ? html`<p class="muted"><bdi class="strong">${form.link.email}</bdi></p>` : null}${others()}
      <form class="stack tight" novalidate @submit=${send}>${formError(form, ["newPassword"])}${password(form, "newPassword", w.newPassword, { isNew: true, about: [form.link?.email] })}
        <button class="primary tall" ?disabled=${form.busy}>${w.resetButton}</button></form>`
      : html`<p>${w.noToken}</p>${state.sendsMails ? html`<a class="button tall" href="forgot">${w.sendMail}</a>` : html`<a class="button tall" href="sign-in">${w.signIn}</a>`}`}`);
}
