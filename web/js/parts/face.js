// People and providers by their initials, in one of eight inks that the name decides.

import { html } from "../kernel/template.js";

const hue = (text) => [...text].reduce((sum, sign) => (sum * 31 + sign.codePointAt(0)) >>> 0, 7) % 8;

function initials(text) {
  const words = text.replace(/[^\p{L}\p{N} ]/gu, "").trim().split(/\s+/).filter(Boolean);
  if (words.length === 0) return "?";
  const first = [...words[0]][0];
  return (words.length > 1 ? first + [...words.at(-1)][0] : first).toLocaleUpperCase();
}

/** A circle with initials. @param text the name @param size "", "xs", "s", "l", "xl" @param ink the name that decides the ink, where it is another */
export function face(text, size = "", ink = text) {
  const letters = size === "xs" || size === "s" ? [...initials(text)][0] : initials(text);
  return html`<span class=${`face h${hue(ink || "?")} ${size}`} aria-hidden="true"><span class=${[...letters].length > 1 ? "two" : ""}>${letters}</span></span>`;
}

/** A circle of the same size around an icon. */
export const blank = (content) => html`<span class="face blank" aria-hidden="true">${content}</span>`;
