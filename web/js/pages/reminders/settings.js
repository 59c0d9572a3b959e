// The page of reminders: their hour, days ahead, mails and calendars. A choice holds at once, offline too.

import { html } from "../../kernel/template.js";
import { USUAL_LEADS, USUAL_REMINDERS } from "../../core/reminders.js";
import { act, app, draw } from "../../parts/context.js";
import { choice, text, toggle } from "../../parts/field.js";
import { date } from "../../parts/format.js";
import { head, loading, section } from "../../parts/page.js";
import { say } from "../../parts/toast.js";
import { LANGUAGES, w } from "../../parts/words.js";
import { calendars } from "./calendars.js";

const SETTING = "reminderSetting", LEAD = "reminderLead";
/** The days ahead that can be chosen; those of an overdue subscription come after its end. */
const DAYS = [0, 1, 2, 3, 7, 14, 30, 60], AFTER = [1, 2, 3, 7, 14];
/** How many days a kind may have. */
const MOST = 8;

/** Some numbers, with others among them. */
const among = (numbers, ...others) => [...new Set([...numbers, ...others.filter((one) => one !== null)])].sort((one, other) => one - other);
const place = (zone) => (zone.split("/").at(-1) ?? zone).replaceAll("_", " ");
/** The name of a day of the week, 1 Monday … 7 Sunday. The 1st of January 2024 was a Monday. */
const weekday = (day) => date.weekday(`2024-01-0${day}`);

/** One choice after the other: the next one begins with the rows that this one leaves. */
let last = Promise.resolve();
const inTurn = (work) => { last = last.then(() => act(work, { said: w.saved_ })).then(() => {}); return last; };

/** Changes the settings. The row has the user's id, so that two devices make the same one: to add it again changes nothing. */
const change = (fields) => inTurn(async () => {
  const { state } = app, [entry] = state.rows(SETTING) ?? [], id = state.user.id ?? "";
  if (entry) return app.actions.saveRow(SETTING, entry.id, { ...entry.row, ...fields }, entry.row);
  await (state.row(SETTING, id) ? app.actions.restoreRow(SETTING, id) : app.actions.addRow(SETTING, USUAL_REMINDERS, id));
  const { row } = /** @type {any} */ (app.state.row(SETTING, id));
  return app.actions.saveRow(SETTING, id, { ...row, ...fields }, row);
});

/** The rows of a kind, and the days that they say; without a row its usual ones. */
function daysOf(kind, entries) {
  const rows = entries.filter(({ row }) => row.kind === kind);
  return { rows, chosen: rows.length ? [...new Set(rows.map(({ row }) => row.days).filter((one) => one !== null))] : USUAL_LEADS[kind] };
}

/** Takes a day of a kind in or out. The rows of a kind take the place of its usual days; one without days says that there are none. */
const choose = (kind, days) => inTurn(async () => {
  const { rows, chosen } = daysOf(kind, app.state.rows(LEAD) ?? []), isIn = chosen.includes(days);
  if (!isIn && chosen.length >= MOST) {
    say(w.reminders.tooMany(MOST), null, "wrong");
    return draw();
  }
  const wanted = isIn ? chosen.filter((one) => one !== days) : [...chosen, days];
  const kept = rows.filter(({ row }, at) => row.days !== null && wanted.includes(row.days) && rows.findIndex((one) => one.row.days === row.days) === at);
  const missing = wanted.filter((one) => !kept.some(({ row }) => row.days === one));
  for (const one of wanted.length ? missing : [null]) await app.actions.addRow(LEAD, { kind, days: one });
  for (const { id } of rows.filter((one) => !kept.includes(one))) await app.actions.removeRow(LEAD, id);
  return undefined;
});

const daysWords = (kind, days) => (kind === "overdue" ? w.reminders.after(Math.max(days, 1)) : days === 0 ? w.reminders.onTheDay : w.reminders.before(days));

const when = (state, settings) => section("when", w.reminders.when, html`<div class="card form">
  ${text("remindAt", w.reminders.at, settings.remindAt, () => {}, { type: "time", hint: w.reminders.atHint(place(state.user.timeZone)), change: (remindAt) => {
    if (/^\d\d:\d\d$/.test(remindAt) && remindAt !== settings.remindAt) change({ remindAt });
  } })}
  ${choice("repeatDays", w.reminders.repeat, settings.repeatDays ?? "", [["", w.reminders.repeatNo], ...among([1, 2, 3, 7], settings.repeatDays).map((days) => [days, w.reminders.repeatAfter(days)])],
    (days) => change({ repeatDays: days === "" ? null : Number(days) }))}
  ${choice("weeklyOn", w.reminders.weekly, settings.weeklyOn ?? "", [["", w.reminders.never], ...[1, 2, 3, 4, 5, 6, 7].map((day) => [day, w.reminders.everyWeek(weekday(day))])],
    (day) => change({ weeklyOn: day === "" ? null : Number(day) }))}</div>`);

const what = (state, entries) => section("what", w.reminders.what, html`<div class="card stack">${Object.keys(USUAL_LEADS).filter((kind) => kind !== "date" || state.areas.includes("contacts")).map((kind) => {
  const { chosen } = daysOf(kind, entries);
  return html`<fieldset class="leads"><legend>${w.reminders.kinds[kind]}</legend><div class="tools">${among(kind === "overdue" ? AFTER : DAYS, ...chosen).map((days) => html`<button type="button" class="chip"
    aria-pressed=${String(chosen.includes(days))} @click=${() => choose(kind, days)}>${daysWords(kind, days)}</button>`)}</div>
    ${chosen.length ? null : html`<p class="small muted">${w.reminders.silent}</p>`}</fieldset>`;
})}</div>`);

function mail(state, settings) {
  const { accounts } = state.user, confirmed = accounts.find(({ verified }) => verified), first = confirmed ?? accounts[0];
  const hint = !state.sendsMails ? w.reminders.mailNone : !first ? w.reminders.mailNoAccount : confirmed ? w.reminders.mailTo(confirmed.email) : w.reminders.mailUnconfirmed(first.email);
  const isRefused = confirmed && confirmed.email === settings.mailRefused;
  return section("mail", w.reminders.mail, html`${isRefused ? html`<div class="notice"><p>${w.reminders.mailRefused(confirmed.email)}</p>
    <div class="tools"><button type="button" @click=${() => change({ mailRefused: null })}>${w.reminders.mailAgain}</button></div></div>` : null}
    <div class="card flush">${toggle(w.reminders.byMail, hint, settings.byMail, (byMail) => change({ byMail }))}</div>
    <div class="card form spaced">${choice("language", w.reminders.mailLanguage, settings.language ?? "", [["", w.reminders.asCountry], ...Object.entries(LANGUAGES)], (id) => change({ language: id || null }))}</div>`);
}

export default function settings(/** @type {import("../../../types/app").State} */ state, visit) {
  const rows = state.rows(SETTING), leads = state.rows(LEAD), held = { ...USUAL_REMINDERS, ...rows?.[0]?.row };
  return html`<div class="page">${head(w.reminders.title, { from: ["profile", w.profile], sub: w.reminders.text })}
    ${!state.user.id ? html`<p class="muted">${w.reminders.needsDevice}</p>` : rows && leads ? html`<div class="split"><div class="stack">${when(state, held)}${what(state, leads)}</div>
      <div class="stack">${mail(state, held)}${calendars(state, visit)}</div></div>` : loading()}</div>`;
}
