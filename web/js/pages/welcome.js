// The first minute: one question, no account.

import { html } from "../kernel/template.js";
import { set, act, app } from "../parts/context.js";
import { country } from "../parts/format.js";
import { gate } from "../parts/page.js";
import { finder, often, place, typed } from "../parts/providers.js";
import { places } from "../parts/shell.js";
import { w } from "../parts/words.js";

const ui = { choosing: false };

/** Choosing the country, which decides the plans that are offered. */
const countryChoice = (state) => {
  const countries = state.countries();
  const change = async (event) => {
    await act(() => app.actions.changeMe({ country: event.target.value }));
    set(ui, { choosing: false });
  };
  return countries ? html`<label class="field"><span class="label">${w.country}</span><select autocomplete="country" @change=${change}>${countries.map(({ id, currency }) =>
    html`<option value=${id} .selected=${id === state.user.country}>${country(id)} (${currency})</option>`)}</select></label>` : null;
};

/** Whether there is nothing yet that Today could be about: no account, nothing kept, nothing on its way. */
export const isNew = (state) => !state.isKept || (state.connection.pulled === null && !state.hasDeclared && ![state.user.accounts, state.subscriptions, state.deleted, state.outbox.items, state.lost].some((list) => list.length));

export default (state) => gate(html`<h1 tabindex="-1">${w.welcomeTitle}</h1><p class="muted">${w.welcomeText}</p>
  ${finder(state)}${typed.text.trim() ? null : often(state)}
  ${ui.choosing ? countryChoice(state) : null}
  <p class="links"><a href="sign-in">${w.haveAccount}</a>${places(state).map(([path, , name]) => html`<a href=${path.slice(1)}>${name}</a>`)}<button class="link" aria-expanded=${String(ui.choosing)} @click=${() => set(ui, { choosing: !ui.choosing })}>${place(state)}</button></p>`);
