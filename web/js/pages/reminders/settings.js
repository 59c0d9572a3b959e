// Reminders: when, of what, and by mail. What is chosen holds at once, offline too.

import { html, keyed } from "../../kernel/template.js";
import { daysBetween } from "../../charts/days.js";
import { act, app, draw } from "../../parts/context.js";
import { choice, text, toggle } from "../../parts/field.js";
import { capital, date, inDays } from "../../parts/format.js";
import { face } from "../../parts/face.js";
import { icon } from "../../parts/icons.js";
import { head, links, loading, section } from "../../parts/page.js";
import { say } from "../../parts/toast.js";
import { LANGUAGES, locale, w } from "../../parts/words.js";

/** The days ahead that can be chosen; those of an overdue subscription come after its end. */
const DAYS = [0, 1, 2, 3, 7, 14, 30, 60], AFTER = [1, 2, 3, 7, 14];
/** How many days a kind may have. */
const MOST = 8;
/** The kinds whose days are chosen, in their order. */
const CHOSEN = ["renewal", "cancelBy", "trial", "price", "ended", "overdue", "date"];
/** How many days of reminders are shown. */
const AHEAD = 30;

const change = (patch) => act(() => app.actions.changeReminders(patch), { said: w.saved_ });
const place = (zone) => (zone.split("/").at(-1) ?? zone).replaceAll("_", " ");
/** The name of a day of the week, 1 Monday … 7 Sunday. The 1st of January 2024 was a Monday. */
const weekday = (day) => date.weekday(`2024-01-0${day}`);

const daysWords = (kind, days) => (kind === "overdue" ? w.reminders.after(Math.max(days, 1)) : days === 0 ? w.reminders.onTheDay : w.reminders.before(days));

const when = ({ settings }, { user }) => section("when", w.reminders.when, html`<div class="card form">
  ${text("remindAt", w.reminders.at, settings.remindAt, () => {}, { type: "time", hint: w.reminders.atHint(place(user.timeZone)), change: (remindAt) => {
    if (/^\d\d:\d\d$/.test(remindAt) && remindAt !== settings.remindAt) change({ remindAt });
  } })}
  ${choice("repeatDays", w.reminders.repeat, settings.repeatDays ?? "", [["", w.reminders.repeatNo], ...among([1, 2, 3, 7], settings.repeatDays).map((days) => [days, w.reminders.repeatAfter(days)])],
    (days) => change({ repeatDays: days === "" ? null : Number(days) }))}
  ${choice("weeklyOn", w.reminders.weekly, settings.weeklyOn ?? "", [["", w.reminders.never], ...[1, 2, 3, 4, 5, 6, 7].map((day) => [day, w.reminders.everyWeek(weekday(day))])],
    (day) => change({ weeklyOn: day === "" ? null : Number(day) }))}</div>`);

/** Some numbers, with another one among them. */
const among = (numbers, ...others) => [...new Set([...numbers, ...others.filter((one) => one !== null)])].sort((one, other) => one - other);

/** Takes a day of a kind in or out. */
function choose(kind, leads, days) {
  const isIn = leads.includes(days);
  if (!isIn && leads.length >= MOST) {
    say(w.reminders.tooMany(MOST), null, "wrong");
    return draw();
  }
  return change({ leads: { [kind]: (isIn ? leads.filter((one) => one !== days) : [...leads, days]).sort((one, other) => other - one) } });
}

const what = ({ settings: { leads } }, areas) => section("what", w.reminders.what, html`<div class="card stack">${CHOSEN.filter((kind) => kind !== "date" || areas.includes("contacts")).map((kind) => html`<fieldset class="leads">
  <legend>${w.reminders.kinds[kind]}</legend><div class="wrap">${among(kind === "overdue" ? AFTER : DAYS, ...leads[kind]).map((days) => html`<button type="button" class="chip" aria-pressed=${String(leads[kind].includes(days))}
    @click=${() => choose(kind, leads[kind], days)}>${daysWords(kind, days)}</button>`)}</div>
  ${leads[kind].length ? null : html`<p class="small muted">${w.reminders.silent}</p>`}</fieldset>`)}</div>`);

function mail({ settings }, { user, sendsMails }) {
  const confirmed = user.accounts.find(({ verified }) => verified), first = confirmed ?? user.accounts[0];
  const hint = !sendsMails ? w.reminders.mailNone : !first ? w.reminders.mailNoAccount : confirmed ? w.reminders.mailTo(confirmed.email) : w.reminders.mailUnconfirmed(first.email);
  return section("mail", w.reminders.mail, html`<div class="card flush">${toggle(w.reminders.byMail, hint, settings.byMail, (byMail) => change({ byMail }))}</div>
    <div class="card form spaced">${choice("language", w.reminders.mailLanguage, settings.language ?? "", [["", w.reminders.asCountry], ...Object.entries(LANGUAGES)], (id) => change({ language: id || null }))}</div>`);
}

/** An instant as the hour of the user's clock. */
const clock = (at, zone) => new Intl.DateTimeFormat(locale, { timeZone: zone, hour: "numeric", minute: "2-digit" }).format(at);
const dayOf = (at, zone) => new Intl.DateTimeFormat("en-CA", { timeZone: zone, year: "numeric", month: "2-digit", day: "2-digit" }).format(at);
/** The user's zone, or UTC where the browser does not know it. */
const known = (zone) => { try { return new Intl.DateTimeFormat("en", { timeZone: zone }).resolvedOptions().timeZone; } catch { return "UTC"; } };

function ahead(reminders, { today, user }) {
  const zone = known(user.timeZone), all = reminders.upcoming(AHEAD), days = [...new Set(all.map(({ at }) => dayOf(at, zone)))];
  return section("ahead", w.reminders.ahead, html`<p class="muted lead">${w.reminders.aheadText}</p>${days.length ? html`<div class="days">${days.map((day) => keyed(day, html`<div class="day">
    <h3 class="day-name"><span>${date.weekdayDay(day)}</span><span>${inDays(daysBetween(today, day))}</span></h3>
    <ul class="list">${all.filter(({ at }) => dayOf(at, zone) === day).map((one) => keyed(one.id, upcoming(one, zone)))}</ul></div>`))}</div>` : html`<p>${w.reminders.aheadNothing}</p>`}`);
}

function upcoming({ kind, on, at, subscription, contact }, zone) {
  const name = subscription?.name ?? contact?.name ?? w.reminders.ofUser[kind] ?? w.gone;
  return html`<li class="row">${subscription || contact ? face(name, "", subscription?.plan.provider ?? name) : html`<span class="face blank">${icon("calendar", 22)}</span>`}
    <span class="row-main"><span class="row-title"><bdi translate=${subscription || contact ? "no" : null}>${name}</bdi></span><span class="row-sub">${w.reminders.kinds[kind]} · ${w.reminders.aheadOf(date.medium(on))}</span></span>
    <span class="row-end"><span class="when">${capital(clock(at, zone))}</span></span></li>`;
}

export default function settings(/** @type {import("../../../types/app").State} */ state) {
  const { reminders } = state;
  return html`<div class="page">${head(w.reminders.title, { from: ["profile", w.profile], sub: w.reminders.text })}
    ${reminders ? html`<div class="split"><div class="stack">${when(reminders, state)}${what(reminders, state.areas)}</div>
      <div class="stack">${mail(reminders, state)}${state.user.id ? links([["profile/channels", "bell", w.reminders.more, w.reminders.moreHint]]) : html`<p class="muted">${w.reminders.needsDevice}</p>`}${ahead(reminders, state)}</div></div>` : loading()}</div>`;
}
