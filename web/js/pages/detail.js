// One subscription: its next renewal, its price now and next, its prices and its periods.

import { html, keyed } from "../kernel/template.js";
import { act, app, go } from "../parts/context.js";
import { amount, capital, date, every, money } from "../parts/format.js";
import { icon } from "../parts/icons.js";
import { empty, head, loading, section, table } from "../parts/page.js";
import { cancel, dial, remove, renew, resume, standingTag, waiting, whenWords } from "../parts/subscription.js";
import { questionWords } from "../parts/questions.js";
import { isDearer } from "../parts/sums.js";
import { w } from "../parts/words.js";
import { priceLine } from "../charts/priceline.js";

const FROM = () => ["subscriptions", w.subscriptions];

function facts(s, today) {
  const next = s.nextPrice, by = s.cancelBy;
  return html`<dl class="facts"><div><dt>${w.now}</dt><dd>${s.freeTrial ? w.free : amount(s.price.fee, s.price.currency)}</dd></div>
    ${next ? html`<div><dt>${w.fromDay(date.short(next.on))}</dt><dd class=${isDearer(next, s.price) && !s.freeTrial ? "rise" : ""}>${amount(next.fee, next.currency)}</dd></div>` : null}
    <div><dt>${w.paid}</dt><dd class="plain">${every(s.plan.duration)}</dd></div>
    ${s.status === "active" && !s.overdue ? html`<div><dt>${w.cancelBy}</dt><dd class=${by <= today ? "rise" : ""}>${by === today ? w.today : by < today ? w.passed : date.short(by)}</dd></div>` : null}</dl>`;
}

/** Returns the words above the day: it renews, runs out, or has ended. */
const eyebrow = (s) => (s.status === "cancelled" ? w.runsOut : s.status === "ended" || s.overdue ? w.endedWord : s.freeTrial ? w.trialEndsOn : w.renews);

/** @param s the subscription */
const buttons = (s) => html`<div class="buttons" data-of="deeds">${s.status === "active" ? html`<button class=${s.overdue ? "primary" : ""} @click=${() => renew(s)}>${w.renewNow}</button><button @click=${() => cancel(s)}>${w.cancelIt}</button>`
  : html`<button class="primary" @click=${() => resume(s)}>${w.resumeIt}</button>`}
  <button class="quiet danger" @click=${async () => { if (await remove(s)) go("subscriptions"); }}>${w.deleteIt}</button></div>`;

function prices(s, since, today) {
  const all = s.plan.prices.filter((point, i, list) => point.effectiveOn > since || (list[i + 1]?.effectiveOn ?? "9999") > since);
  const points = all.length ? all : [{ effectiveOn: since, ...s.price }];
  return section("price", w.priceTitle, html`<div class="card">${priceLine(points, since, s.endDate, today)}
    ${table(w.pricesTable, [w.from, w.price], points.map(({ effectiveOn, fee, currency }) => [date.full(effectiveOn < since ? since : effectiveOn), money(fee, currency)]))}</div>`,
  html`<span class="muted">${points.length > 1 ? w.prices(points.length) : w.sameSince(date.shortYear(since))}</span>`);
}

const periodRow = (period, now) => keyed(period.number, html`<tr class=${period.number === now ? "now" : ""}><td>${period.number + 1}</td><td>${date.range(period.startDate, period.endDate)}</td>
  <td class="num">${period.freeTrial ? w.free : money(period.fee, period.currency)}</td></tr>`);

function periods(s, list) {
  const rows = list.toReversed(), [first, rest] = [rows.slice(0, 6), rows.slice(6)];
  const heads = html`<thead><tr><th scope="col">${w.no_}</th><th scope="col">${w.fromTo}</th><th scope="col" class="num">${w.cost}</th></tr></thead>`;
  return section("periods", w.periods, html`<div class="card flush"><table class="periods">${heads}<tbody>${first.map((one) => periodRow(one, s.period))}</tbody></table>
    ${rest.length ? html`<details class="inset"><summary>${w.earlierPeriods(rest.length)}</summary><table class="periods"><caption class="visually-hidden">${w.earlierPeriods(rest.length)}</caption>${heads}<tbody>${rest.map((one) => periodRow(one, s.period))}</tbody></table></details>` : null}</div>`,
  html`<span class="muted">${w.soFar(list.length)}</span>`);
}

/** The announced changes of the plan. */
const notices = (list, s, today) => (list.length ? html`<section class="notices" aria-label=${w.news}>${list.map((notice) => {
  const words = questionWords({ kind: notice.kind, subscription: s, on: notice.on, notice }, today);
  return html`<div class="notice"><p class="strong">${words.kind}</p><p>${words.text}</p></div>`;
})}</section>` : null);

export default function detail(/** @type {import("../../types/app").State} */ state, { id }) {
  const s = state.subscription(id);
  if (!s) {
    const gone = state.deleted.find((one) => one.id === id);
    return html`<div class="page narrow">${head(gone?.name ?? w.subscription, { from: FROM(), name: Boolean(gone) })}
      ${gone ? empty("trash", w.isDeleted, w.isDeletedText, html`<button class="primary" @click=${() => act(() => app.actions.restore(id))}>${w.restore}</button>`)
        : empty("search", w.noSuch, "", html`<a class="button" href="subscriptions">${w.subscriptions}</a>`)}</div>`;
  }
  const found = state.details(id), since = found?.since ?? s.startDate;
  return html`<div class="page detail">
    ${head(s.name, { from: FROM(), name: true, sub: [s.subtitle, s.plan.category].filter(Boolean).join(" · "), actions: html`${standingTag(s)}${waiting(s)}<a class="icon-button" href=${`subscriptions/${id}/edit`} aria-label=${w.edit}>${icon("pen")}</a>` })}
    <div class="split wide-left"><div class="stack">
      <section class="fact-card" aria-label=${w.now}><div class="fact-top">${dial(s, 84)}<div><p class="eyebrow">${eyebrow(s)}</p>
        <p class="fact-day">${whenWords(s)}</p><p class="muted">${capital(date.long(s.endDate))}</p></div></div>
        ${facts(s, state.today)}${buttons(s)}
        ${s.cancelUrl ? html`<p class="small muted"><a href=${s.cancelUrl} target="_blank" rel="noopener noreferrer">${w.cancelAt(s.plan.provider)}</a></p>` : null}</section>
      ${found ? notices(found.notices, s, state.today) : null}
      ${s.planIsHere ? prices(s, since, state.today) : null}
      ${found === undefined ? loading() : found ? periods(s, found.periods) : null}
    </div><div class="stack">
      ${section("total", w.soFarTitle, html`<div class="card">${(found?.paid ?? []).map(({ fee, currency }) => html`<p class="big small">${amount(fee, currency)}</p>`)}
        <p class="muted">${found ? w.paidSince(found.periods.length, date.full(since)) : ""}</p></div>`)}
      ${section("remind", w.reminder, html`<div class="card"><ul class="lines"><li>${icon("bell", 20)}<span>${s.reminderDays === null ? w.remindUsual : s.reminderDays === 0 ? w.remindOnDay : w.remindBefore(s.reminderDays)}</span></li>
        ${s.muted && state.areas.includes("reminders") ? html`<li>${icon("bell", 20)}<span>${w.reminders.muted}</span></li>` : null}
        <li>${icon("bell", 20)}<span>${s.autoRenew ? w.renewsItself(s.plan.provider) : w.asksBefore(s.plan.provider)}</span></li></ul></div>`, html`<a href=${`subscriptions/${id}/edit`}>${w.change}</a>`)}
      ${s.note ? section("note", w.note, html`<div class="card"><p class="note">${s.note}</p></div>`) : null}
    </div></div></div>`;
}

/** Those that were deleted and can come back for thirty days. */
export function deleted(/** @type {import("../../types/app").State} */ state) {
  return html`<div class="page narrow">${head(w.deleted, { from: FROM(), sub: w.deletedText })}
    ${state.deleted.length ? html`<ul class="list card flush">${state.deleted.map((s) => keyed(s.id, html`<li class="row">${dial(s)}<span class="row-main"><span class="row-title" translate="no">${s.name}</span><span class="row-sub" translate="no">${s.subtitle}</span></span>
      <button @click=${() => act(() => app.actions.restore(s.id), { said: w.restoredSaid(s.name), undo: false })}>${w.restore}<span class="visually-hidden">: ${s.name}</span></button></li>`))}</ul>`
      : empty("trash", w.nothingDeleted, "", html`<a class="button" href="subscriptions">${w.subscriptions}</a>`)}</div>`;
}
