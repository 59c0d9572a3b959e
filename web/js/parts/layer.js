// Questions and menus above the page: `<dialog>` and a popover, both gone when they are answered.

import { html, render } from "../kernel/template.js";
import { w } from "./words.js";
import { icon } from "./icons.js";

/** Asks before something that cannot be taken back in one tap. Resolves to true for the action, else false.
 *  `content` is a template below the title, `action` the words of the button that does it. */
export function ask({ title, content, action, danger = false, refuse = w.notNow }) {
  return new Promise((resolve) => {
    const dialog = document.createElement("dialog");
    document.body.append(dialog);
    dialog.setAttribute("aria-labelledby", "dialog-title");
    const end = (answer) => { dialog.close(answer); };
    dialog.addEventListener("close", () => { const answer = dialog.returnValue === "yes"; dialog.remove(); resolve(answer); });
    dialog.addEventListener("click", (event) => { if (event.target === dialog) end("no"); });
    render(html`<form method="dialog" class="stack tight" @submit=${(event) => { event.preventDefault(); end("yes"); }}><h2 id="dialog-title">${title}</h2>
      <div>${content}</div><div class="buttons end"><button type="button" @click=${() => end("no")}>${refuse}</button>
      ${action ? html`<button class=${danger ? "primary danger-fill" : "primary"}>${action}</button>` : null}</div></form>`, dialog);
    dialog.showModal();
  });
}

/** Opens a menu at a place of the page; on a phone it comes from below. Arrow keys move, Escape closes.
 *  @param at the element, or the event, that asked for it @param items `{text, icon, act, danger}` */
export function menu(at, title, items) {
  // A button of the mouse is still down: Firefox takes its release for one beside the menu, and closes it.
  if (at.buttons) {
    addEventListener("pointerup", () => setTimeout(() => menu({ clientX: at.clientX, clientY: at.clientY }, title, items)), { once: true });
    return;
  }
  const opener = /** @type {HTMLElement | null} */ (document.activeElement);
  const holder = document.createElement("div");
  holder.popover = "auto";
  holder.className = "menu";
  holder.setAttribute("role", "menu");
  holder.setAttribute("aria-label", title);
  (document.getElementById("main") ?? document.body).append(holder);
  const close = () => holder.hidePopover();
  render(html`<p class="menu-title" aria-hidden="true">${title}</p>${items.map((item) => html`<button role="menuitem" tabindex="-1" class=${item.danger ? "danger" : ""}
    @click=${() => { close(); item.act(); }}>${icon(item.icon, 20)}<span>${item.text}</span></button>`)}`, holder);
  const buttons = [...holder.querySelectorAll("button")];
  holder.addEventListener("keydown", (event) => {
    const now = buttons.indexOf(/** @type {any} */ (document.activeElement));
    const next = { ArrowDown: now + 1, ArrowUp: now - 1, Home: 0, End: buttons.length - 1 }[event.key];
    if (event.key === "Tab") close();
    if (next === undefined) return;
    event.preventDefault();
    buttons[(next + buttons.length) % buttons.length].focus();
  });
  holder.addEventListener("toggle", (event) => {
    if (event.newState !== "closed") return;
    holder.remove();
    if (document.activeElement === document.body) opener?.focus?.();
  });
  holder.showPopover();
  const box = at.clientX === undefined ? at.getBoundingClientRect() : { left: at.clientX, right: at.clientX, bottom: at.clientY, top: at.clientY };
  if (matchMedia("(min-width: 44rem)").matches) {
    const { width, height } = holder.getBoundingClientRect();
    const left = Math.max(8, Math.min(box.right - (at.clientX === undefined ? width : 0), innerWidth - width - 8));
    const top = box.bottom + height + 8 > innerHeight ? Math.max(8, box.top - height - 4) : box.bottom + 4;
    holder.style.left = `${left}px`;
    holder.style.top = `${top}px`;
  }
  buttons[0]?.focus();
}
