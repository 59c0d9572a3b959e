// A subscription in pages: the ring of its period, when it is due, its row, and its menu.

import { html } from "../kernel/template.js";
import { amount, capital, date, every, inDays } from "./format.js";
import { w } from "./words.js";
import { face } from "./face.js";
import { icon } from "./icons.js";
import { act, app, go } from "./context.js";
import { menu } from "./layer.js";

/** How pressing it is: the tone of rings and days. */
export const tone = (s) => (s.status !== "active" ? "off" : s.remaining < 0 ? "due" : s.remaining <= 3 ? "soon" : "calm");

/** The initials inside the ring of the period: how much of it has passed. */
export function dial(s, size = 48) {
  const r = size / 2 - 2, around = 2 * Math.PI * r, part = s.remaining < 0 ? 1 : s.passed;
  return html`<span class=${`dial ${tone(s)}`} aria-hidden="true"><svg width=${size} height=${size} viewBox=${`0 0 ${size} ${size}`}>
    <circle class="track" cx=${size / 2} cy=${size / 2} r=${r}></circle>
    <circle class="passed" cx=${size / 2} cy=${size / 2} r=${r} transform=${`rotate(-90 ${size / 2} ${size / 2})`}
      stroke-dasharray=${`${Math.max(0.01, part * around).toFixed(2)} ${around.toFixed(2)}`}></circle></svg>${face(s.name, "", s.plan.provider)}</span>`;
}

/** "tomorrow" and the like, in the tone of the due date. */
export function due(s) {
  if (s.status === "ended") return html`<span class="when off">${w.endedOn(date.short(s.endDate))}</span>`;
  if (s.status === "cancelled") return html`<span class="when off">${w.until(date.short(s.endDate))}</span>`;
  return html`<span class=${`when ${tone(s)}`}>${inDays(s.remaining)}</span>`;
}

export const tag = (text, kind = "") => html`<span class=${`tag ${kind}`}>${text}</span>`;

/** The small arrow of a change that waits, with its words. */
export const waiting = (s) => (s.waiting ? html` <span class="waits" title=${w.notSent}>${icon("up", 14)}<span class="visually-hidden">${w.notSent}</span></span>` : null);

/** Its standing as a word; none where it just goes on. */
export const standing = (s) => ({ trial: w.trial, overdue: w.overdue, cancelled: w.cancelled, ended: w.ended })[s.standing] ?? null;
export const standingTag = (s) => {
  const word = standing(s);
  return word ? tag(word, { trial: "soon", overdue: "due" }[s.standing] ?? "off") : null;
};

/** Returns the next price; of a cancelled subscription the current one. */
export const nextPrice = (s) => s.nextPrice ?? s.price;

/** A subscription in a list of days. @param price the price paid on that day */
export const row = (s, price = nextPrice(s), end = html`<span class="when">${every(s.plan.duration)}</span>`) => html`<a class="row" href=${`subscriptions/${s.id}`}>
  ${dial(s)}<span class="row-main"><span class="row-title"><bdi translate="no">${s.name}</bdi>${waiting(s)}</span>
    <span class="row-sub"><bdi translate="no">${s.subtitle}</bdi>${standing(s) ? html`${s.subtitle ? " · " : ""}${standing(s)}` : null}</span></span>
  <span class="row-end">${price ? amount(price.fee, price.currency) : null}${end}</span></a>`;

/** Cancels, and opens the provider's page beside it: the cancelling is done there. */
export function cancel(s) {
  if (s.cancelUrl) open(s.cancelUrl, "_blank", "noopener,noreferrer");
  return act(() => app.actions.cancel(s.id), { said: s.cancelUrl ? w.cancelledHere(s.name) : w.cancelledSaid(s.name) });
}
export const renew = (s) => act(() => app.actions.renew(s.id), { said: w.renewedSaid(s.name) });
export const resume = (s) => act(() => app.actions.resume(s.id), { said: w.resumedSaid(s.name) });
export async function remove(s) {
  const done = await act(() => app.actions.remove(s.id), { said: w.deletedSaid(s.name) });
  return done;
}

/** The menu of a row: on its ⋯, by long press and by right click. */
export function subscriptionMenu(s, at) {
  menu(at, s.name, [
    { text: w.open, icon: "next", act: () => go(`subscriptions/${s.id}`) },
    ...(s.status === "active" ? [{ text: w.renewNow, icon: "check", act: () => renew(s) }, { text: w.cancelIt, icon: "close", act: () => cancel(s) }]
      : [{ text: w.resumeIt, icon: "check", act: () => resume(s) }]),
    { text: w.edit, icon: "pen", act: () => go(`subscriptions/${s.id}/edit`) },
    { text: w.deleteIt, icon: "trash", danger: true, act: () => remove(s) },
  ]);
}

/** When it renews, in words for its page: "In 2 days". */
export const whenWords = (s) => capital(inDays(s.remaining));
