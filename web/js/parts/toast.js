// One line that reports an action and offers Undo. It stays ten seconds, longer under the pointer or with focus.

import { html, render } from "../kernel/template.js";
import { w } from "./words.js";
import { icon } from "./icons.js";

let timer, last = 0;
const place = () => document.getElementById("toast");

function show(text, action, tone) {
  const holder = place();
  if (!holder) return;
  holder.hidden = !text;
  render(text ? html`<div class=${`toast ${tone}`}><p>${text}</p>
    ${action ? html`<button class="quiet" @click=${() => { hide(); action.act(); }}>${action.text}</button>` : null}
    <button class="icon-button" aria-label=${w.close} @click=${hide}>${icon("close", 18)}</button></div>` : html``, holder);
}

function hide() {
  const hadFocus = place()?.contains(document.activeElement);
  clearTimeout(timer);
  show("", null, "");
  // The keyboard goes on from the page's title, not from the window.
  if (hadFocus) document.querySelector("h1")?.focus({ preventScroll: true });
}
const wait = (ms) => { clearTimeout(timer); timer = setTimeout(() => (place()?.matches(":hover, :focus-within") ? wait(2000) : hide()), ms); };

/** Says something at the lower edge. @param action words and a function, or null. @param tone "wrong" for a failure */
export function say(text, /** @type {{text: string, act: () => unknown} | null} */ action = null, tone = "") {
  last += 1;
  show(text, action, tone);
  wait(10_000);
}
