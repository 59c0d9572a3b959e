// A month as a table: days on which something renews, ends, or can be cancelled for the last time.

import { html } from "../kernel/template.js";
import { afterDraw, go, set } from "../parts/context.js";
import { capital, date, every, firstWeekday, listed, money, number } from "../parts/format.js";
import { face } from "../parts/face.js";
import { icon } from "../parts/icons.js";
import { head, links } from "../parts/page.js";
import { dial, row } from "../parts/subscription.js";
import { sums } from "../parts/sums.js";
import { w } from "../parts/words.js";
import { addDays, addMonths, daysIn, weekday } from "../charts/days.js";

/** @type {{month: string | null, day: string | null}} */
const ui = { month: null, day: null };
/** Any Monday: names of days are made from it. */
const MONDAY = "2026-11-23";

const inOrder = (day) => (weekday(day) - firstWeekday() + 7) % 7;

/** Goes to another day by keys, to another month where it is there. The focus follows once that month is drawn, however long it takes. */
async function move(day) {
  const month = day.slice(0, 7);
  if (month === ui.month) set(ui, { day });
  else {
    Object.assign(ui, { month, day });
    await go(`calendar/${month}`, { replace: true });
  }
  afterDraw(() => /** @type {HTMLElement | null} */ (document.querySelector(`[data-day="${day}"]`))?.focus());
}

function keys(event, day) {
  const sign = document.documentElement.dir === "rtl" ? -1 : 1;
  const step = { ArrowLeft: -sign, ArrowRight: sign, ArrowUp: -7, ArrowDown: 7 }[event.key];
  const jump = { PageUp: -1, PageDown: 1 }[event.key];
  if (step) move(addDays(day, step));
  else if (jump) {
    const month = addMonths(day.slice(0, 7), jump);
    move(`${month}-${String(Math.min(Number(day.slice(8)), daysIn(month))).padStart(2, "0")}`);
  } else if (event.key === "Home") move(addDays(day, -inOrder(day)));
  else if (event.key === "End") move(addDays(day, 6 - inOrder(day)));
  else return;
  event.preventDefault();
}

function cell(day, list, picked, today, isFocus) {
  if (!day) return html`<td class="out"></td>`;
  const names = list.map(({ subscription }) => subscription.name);
  return html`<td class=${`${day === today ? "today" : ""} ${weekday(day) > 4 ? "rest" : ""}`}><button class=${list.length ? "cell-day has" : "cell-day"} data-day=${day} tabindex=${isFocus ? "0" : "-1"}
    aria-pressed=${String(day === picked)} aria-current=${day === today ? "date" : null} aria-label=${list.length ? `${date.medium(day)}: ${listed(names)}` : date.medium(day)} @click=${() => set(ui, { day })} @keydown=${(event) => keys(event, day)}>
    <span class="n">${number(Number(day.slice(8)))}</span>${list.length ? html`<span class="chips-day">${list.slice(0, 3).map(({ subscription }) => html`<span class="chip-day"><span class="narrow-only">${face(subscription.name, "xs", subscription.plan.provider)}</span><span class="wide-only">${subscription.name}</span></span>`)}
      ${list.length > 3 ? html`<span class="chip-more">+${list.length - 3}</span>` : null}</span>` : null}</button></td>`;
}

export default function calendar(/** @type {import("../../types/app").State} */ state, params) {
  const wanted = /^\d{4}-(?:0[1-9]|1[0-2])$/.test(params.month ?? "") ? params.month : state.today.slice(0, 7);
  if (ui.month !== wanted) { ui.month = wanted; if (ui.day?.slice(0, 7) !== wanted) ui.day = null; }
  const month = /** @type {string} */ (wanted), first = `${month}-01`, count = daysIn(month), lead = inOrder(first);
  const entries = state.calendar(month), renewals = entries.filter(({ kind }) => kind !== "cancelBy"), cancels = entries.filter(({ kind }) => kind === "cancelBy");
  const on = Map.groupBy ? Map.groupBy(renewals, (entry) => entry.on) : renewals.reduce((map, entry) => map.set(entry.on, [...(map.get(entry.on) ?? []), entry]), new Map());
  const days = [...on.keys()].sort(), isNow = state.today.startsWith(month);
  const picked = ui.day ?? (isNow ? days.find((day) => day >= state.today) ?? state.today : days[0] ?? first);
  const whole = sums(renewals.filter(({ price }) => price).map(({ price }) => price), state.currency());
  const turn = (by) => () => { ui.day = null; go(`calendar/${addMonths(month, by)}`, { replace: true }); };
  const dayRows = on.get(picked) ?? [];
  return html`<div class="page">${head(w.calendar, { actions: isNow ? null : html`<button @click=${() => { ui.day = null; go(`calendar/${state.today.slice(0, 7)}`, { replace: true }); }}>${capital(w.today)}</button>` })}
    <div class="split calendar-split"><section class="stack" aria-labelledby="month">
      <div class="month-head"><button class="icon-button" aria-label=${w.previousMonth} @click=${turn(-1)}>${icon("back")}</button>
        <div><h2 id="month" aria-live="polite">${capital(date.month(first))}</h2><p class="muted">${whole.length ? w.monthSum(listed(whole.map(({ fee, currency }) => money(fee, currency))), on.size) : w.nothingRenews}</p></div>
        <button class="icon-button" aria-label=${w.nextMonth} @click=${turn(1)}>${icon("next")}</button></div>
      <table class="month"><thead><tr>${Array.from({ length: 7 }, (_, i) => addDays(MONDAY, i + firstWeekday())).map((day) => html`<th scope="col"><span aria-hidden="true">${date.weekdayShort(day)}</span><span class="visually-hidden">${date.weekday(day)}</span></th>`)}</tr></thead>
        <tbody>${Array.from({ length: Math.ceil((count + lead) / 7) }, (_, week) => html`<tr>${Array.from({ length: 7 }, (_, i) => {
          const at = week * 7 + i - lead, day = at >= 0 && at < count ? addDays(first, at) : null;
          return cell(day, (day && on.get(day)) || [], picked, state.today, day === picked);
        })}</tr>`)}</tbody></table></section>
    <section class="stack" aria-labelledby="picked"><div class="section-head"><h2 id="picked" aria-live="polite">${capital(date.long(picked))}</h2></div>
      ${dayRows.length ? html`<div class="card flush">${dayRows.map(({ subscription, price, kind }) => row(subscription, price, html`<span class="when">${kind === "ends" ? w.runsOut : every(subscription.plan.duration)}</span>`))}</div>` : html`<p class="muted">${w.nothingRenews}</p>`}
      ${cancels.length ? html`<h2 class="spaced">${w.lastDays}</h2><div class="card flush">${cancels.map(({ subscription: s, on: day }) => html`<a class="row" href=${`subscriptions/${s.id}`}>${dial(s, 44)}<span class="row-main"><span class="row-title" translate="no">${s.name}</span>
        <span class="row-sub">${w.notice(s.plan.noticeDays)}</span></span><span class="row-end"><span class="strong">${date.short(day)}</span><span class="when">${w.renewsShort(date.short(s.endDate))}</span></span></a>`)}</div>` : null}
      ${state.areas.includes("reminders") ? links([["profile/reminders", "calendar", w.reminders.calendar.elsewhere, w.reminders.calendar.elsewhereHint]]) : null}</section></div></div>`;
}
