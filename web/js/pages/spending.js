// Spending: a year by month and by category, price increases, and savings.

import { html } from "../kernel/template.js";
import { set } from "../parts/context.js";
import { amount, date, listed, money, percent } from "../parts/format.js";
import { face } from "../parts/face.js";
import { icon } from "../parts/icons.js";
import { empty, head, loading, section, table } from "../parts/page.js";
import { segments } from "../parts/field.js";
import { tag } from "../parts/subscription.js";
import { w } from "../parts/words.js";
import { columns, TONES } from "../charts/columns.js";

const ui = { currency: null };
const part = (fee, whole) => (Number(whole) ? Number(fee) / Number(whole) : 0);
const name = (category) => category || w.noCategory;

function bars(year) {
  const whole = year.total, highest = Math.max(...year.categories.map(({ fee }) => Number(fee)), 0);
  return html`<ol class="bars">${year.categories.map(({ category, fee, count }, i) => html`<li><span class="bar-name"><span class=${`key ${TONES[Math.min(7, i)]}`} aria-hidden="true"></span>${name(category)}</span>
    <span class="bar-value">${money(fee, year.currency)} <span class="muted">${percent(part(fee, whole))}</span></span>
    <svg class="bar" viewBox="0 0 100 2" preserveAspectRatio="none" aria-hidden="true"><rect class="ground" width="100" height="2"></rect><rect class=${TONES[Math.min(7, i)]} width=${100 * part(fee, highest)} height="2"></rect></svg></li>`)}</ol>`;
}

const figure = (title, value, kind = "") => html`<div><dt>${title}</dt><dd class=${kind}>${value}</dd></div>`;

export default function spending(/** @type {import("../../types/app").State} */ state, params) {
  const now = Number(state.today.slice(0, 4)), year = /^\d{4}$/.test(params.year ?? "") ? Number(params.year) : now;
  const report = state.spendingIn(year), chosen = report?.currencies.find(({ currency }) => currency === ui.currency) ?? report?.currencies[0];
  const running = state.spending.find(({ currency }) => currency === chosen?.currency), saved = state.saved.find(({ currency }) => currency === chosen?.currency);
  const nav = html`<nav class="years" aria-label=${w.years}><a class="icon-button" href=${`spending/${year - 1}`} aria-label=${String(year - 1)}>${icon("back")}</a>
    ${year < now ? html`<a class="icon-button" href=${`spending/${year + 1}`} aria-label=${String(year + 1)}>${icon("next")}</a>` : null}<button class="wide-only" @click=${() => print()}>${w.print}</button></nav>`;
  const order = chosen?.categories.map(({ category }) => category) ?? [];
  const total = state.total;
  return html`<div class="page">${head(w.spending, { sub: String(year), actions: nav })}
    ${report === undefined ? loading() : !chosen ? empty("chart", w.nothingSpent(year), "", html`<a class="button" href="add">${w.addOne}</a>`) : html`
    ${report.currencies.length > 1 ? segments("currency", w.currency, chosen.currency, report.currencies.map(({ currency }) => [currency, currency]), (currency) => set(ui, { currency })) : null}
    <dl class="figures">${figure(w.inYear(year), amount(chosen.total, chosen.currency, "l"))}${Number(chosen.expected) ? figure(w.toComeHead, amount(chosen.expected, chosen.currency, "l")) : null}
      ${running && year === now ? html`${figure(w.monthNow, amount(running.month, running.currency, "l"))}${figure(w.yearNow, amount(running.year, running.currency, "l"))}` : null}
      ${saved ? figure(w.saved, amount(saved.fee, saved.currency, "l"), "saved") : null}</dl>
    ${total && year === now ? html`<p class="muted">${total.month ? w.totalSentence(money(total.month, total.currency), money(total.year, total.currency)) : ""} ${total.missing.length ? w.rateMissing(listed(total.missing)) : total.ratesOf ? w.ratesOf(date.full(total.ratesOf)) : ""}</p>` : null}
    <div class="split wide-left">${section("bymonth", w.byMonth, html`<div class="card">${columns(chosen.months, order, chosen.currency, state.today)}
      ${table(w.byMonthTable, [w.month, ...order.map(name), w.sum, w.toComeHead], chosen.months.map((m) => [date.month(`${m.month}-01`), ...order.map((category) => money(m.categories.find((one) => one.category === category)?.fee ?? "0", chosen.currency)), money(m.paid, chosen.currency), money(m.expected, chosen.currency)]))}</div>`,
    html`<span class="muted">${report.currencies.length > 1 ? w.currencyApart(chosen.currency) : chosen.currency}</span>`)}
    ${section("share", w.byCategory, html`<div class="card">${chosen.categories.length ? bars(chosen) : html`<p class="muted">${w.nothingSpent(year)}</p>`}</div>`)}</div>
    ${report.dearer.length ? section("changes", w.becameDearer, html`<ul class="list card flush">${report.dearer.map(({ subscription: s, from, to, on }) => html`<li><a class="row" href=${`subscriptions/${s.id}`}>${face(s.name, "", s.plan.provider)}<span class="row-main"><span class="row-title" translate="no">${s.name}</span>
      <span class="row-sub">${w.fromToPrice(money(from.fee, from.currency), money(to.fee, to.currency), date.shortYear(on))}</span></span>${on > state.today ? tag(w.toComeShort, "soon") : null}</a></li>`)}</ul>`) : null}`}</div>`;
}
