// A contact's form. Names are given once; numbers, addresses and days can be added, changed and removed at any time.

import { html, keyed } from "../../kernel/template.js";
import { AREA_DIGITS, NUMBER_DIGITS, readDate } from "../../core/contacts.js";
import { newID } from "../../data/outbox.js";
import { afterDraw, app, dropDraft, go, goingOn, ofPerson, saveDraft, set, submit } from "../../parts/context.js";
import { area, choice, errorOf, formError, text, toggle } from "../../parts/field.js";
import { date } from "../../parts/format.js";
import { icon } from "../../parts/icons.js";
import { empty, head, loading } from "../../parts/page.js";
import { say } from "../../parts/toast.js";
import { w } from "../../parts/words.js";
import { KIND, nameOf, typeText } from "./parts.js";

/** Kinds that can be chosen; another one that a part has stays. */
const TYPES = { phones: ["cell", "home", "work", "fax", "other"], addresses: ["home", "work", "other"], emails: ["home", "work", "other"], dates: ["birthday", "anniversary", "other"] };
/** Countries whose numbers have an area code of three digits and seven more. */
const OF_PARTS = new Set(["US", "CA", "PR", "DO", "JM"]);
/** Days before a date that can be chosen; "" is as usual. */
const DAYS = ["", 0, 1, 3, 7, 14, 30];

let form = null, visit = null;
ofPerson(() => { form = null; });
const draftOf = (id) => (id ? `contact ${id}` : "contact new");

const EMPTY = {
  phones: (state) => ({ isWhole: !OF_PARTS.has(state.user.country), area: "", number: "", e164: "" }), emails: () => ({ email: "" }),
  addresses: () => ({ street: "", apt: "", city: "", state: "", zip: "", country: "" }), dates: () => ({ day: "", month: "", year: "", yearly: true, reminderDays: "" }),
};
/** Ids sort by time, and parts are shown in the order of their ids. */
const made = (list, state) => ({ id: newID(Date.now()), type: TYPES[list][0], ...EMPTY[list](state) });

/** A row as the fields of a form. */
const valuesOf = (row) => ({
  firstName: row.firstName, middleName: row.middleName ?? "", lastName: row.lastName, note: row.note ?? "",
  phones: row.phones.map((one) => ({ ...one, isWhole: Boolean(one.e164), area: one.area ?? "", number: one.number ?? "", e164: one.e164 ?? "" })), emails: row.emails.map((one) => ({ ...one })),
  addresses: row.addresses.map((one) => ({ ...Object.fromEntries(Object.entries(one).map(([name, value]) => [name, value ?? ""])) })),
  dates: row.dates.map((one) => {
    const { year = null, month = "", day = "" } = readDate(one.date) ?? {};
    return { ...one, day: String(day), month: String(month), year: year === null ? "" : String(year), reminderDays: one.reminderDays ?? "" };
  }),
});

const or = (value) => (value.trim() === "" ? null : value.trim());
/** The text of a date; empty where day or month is missing. */
const dateText = ({ day, month, year }) => (day && month ? `${year ? `${year.padStart(4, "0")}-` : "--"}${month.padStart(2, "0")}-${day.padStart(2, "0")}` : "");
/** The fields of a form as a row. Parts in which nothing was typed are left out. */
const rowOf = (of) => ({
  firstName: of.firstName.trim(), middleName: or(of.middleName), lastName: of.lastName.trim(), note: or(of.note),
  phones: of.phones.filter(({ isWhole, area, number, e164 }) => (isWhole ? e164 : area || number))
    .map(({ id, type, isWhole, area, number, e164 }) => ({ id, type, area: isWhole ? null : or(area), number: isWhole ? null : or(number), e164: isWhole ? or(e164) : null })),
  emails: of.emails.filter(({ email }) => or(email)).map(({ id, type, email }) => ({ id, type, email: email.trim() })),
  addresses: of.addresses.filter(({ id, type, ...texts }) => Object.values(texts).some(or)).map(({ id, type, ...texts }) => ({ id, type, ...Object.fromEntries(Object.entries(texts).map(([name, value]) => [name, or(value)])) })),
  dates: of.dates.filter(({ day, month, year }) => day || month || year)
    .map((one) => ({ id: one.id, type: one.type, date: dateText(one), yearly: one.year === "" || one.yearly, reminderDays: one.reminderDays === "" ? null : Number(one.reminderDays) })),
});

const digitsOnly = (typed) => typed.replace(/[^0-9]/g, "");
/** A whole number: a plus and digits. */
const wholeOnly = (typed) => { const digits = digitsOnly(typed).slice(0, 15); return digits || typed.trimStart().startsWith("+") ? `+${digits}` : ""; };
const short = (text, needed) => (!text || text.length === needed ? null : text.length < needed ? w.contacts.digitsMissing(needed - text.length) : w.contacts.digitsMore(text.length - needed));

/** The fields of one part. */
const FIELDS = {
  phones(one, at, put, shown) {
    const other = () => { put({ isWhole: !one.isWhole }); focusOn(`f-${at}.${FIRST.phones({ isWhole: !one.isWhole })}`); };
    const whole = html`<p><button type="button" class="link" @click=${other}>${one.isWhole ? w.contacts.asParts : w.contacts.asWhole}</button></p>`;
    if (one.isWhole) return html`${text(`${at}.e164`, w.contacts.whole, one.e164, (e164) => put({ e164 }), { only: wholeOnly, inputmode: "tel", placeholder: w.contacts.wholeExample, hint: w.contacts.wholeHint, form: shown })}${whole}`;
    // A number that is pasted as a whole fills both fields.
    const number = (typed) => put(!form.phones.find(({ id }) => id === one.id)?.area && typed.length === AREA_DIGITS + NUMBER_DIGITS ? { area: typed.slice(0, AREA_DIGITS), number: typed.slice(AREA_DIGITS) } : { number: typed });
    return html`<div class="phone-fields">${text(`${at}.area`, w.contacts.area, one.area, (typed) => put({ area: typed }), { only: digitsOnly, inputmode: "numeric", hint: short(one.area, AREA_DIGITS), form: shown })}
      ${text(`${at}.number`, w.contacts.number, one.number, number, { only: digitsOnly, inputmode: "numeric", hint: short(one.number, NUMBER_DIGITS), form: shown })}</div>${whole}`;
  },
  emails: (one, at, put, shown) => text(`${at}.email`, w.contacts.email, one.email, (email) => put({ email }), { type: "email", spellcheck: "false", autocapitalize: "none", maxlength: 254, form: shown }),
  addresses: (one, at, put, shown) => html`${text(`${at}.street`, w.contacts.street, one.street, (street) => put({ street }), { maxlength: 40, form: shown })}
    ${text(`${at}.apt`, w.contacts.apt, one.apt, (apt) => put({ apt }), { maxlength: 100, form: shown })}
    <div class="fields-two">${text(`${at}.zip`, w.contacts.zip, one.zip, (zip) => put({ zip }), { maxlength: 10, form: shown })}${text(`${at}.city`, w.contacts.city, one.city, (city) => put({ city }), { maxlength: 100, form: shown })}</div>
    <div class="fields-two">${text(`${at}.state`, w.contacts.state, one.state, (state) => put({ state }), { maxlength: 100, form: shown })}${text(`${at}.country`, w.contacts.country, one.country, (country) => put({ country }), { maxlength: 100, form: shown })}</div>`,
  dates(one, at, put, shown) {
    const months = [["", ""], ...Array.from({ length: 12 }, (_, i) => [String(i + 1), date.monthLong(`2000-${String(i + 1).padStart(2, "0")}-01`)])];
    const days = DAYS.map(String).includes(String(one.reminderDays)) ? DAYS : [...DAYS, Number(one.reminderDays)];
    return html`<div class="date-fields">${text(`${at}.day`, w.contacts.day, one.day, (day) => put({ day }), { at: `${at}.date`, only: (typed) => digitsOnly(typed).slice(0, 2), inputmode: "numeric", form: shown })}
        ${choice(`${at}.month`, w.contacts.month, one.month, months, (month) => put({ month }))}
        ${text(`${at}.year`, w.contacts.year, one.year, (year) => put({ year }), { only: (typed) => digitsOnly(typed).slice(0, 4), inputmode: "numeric", hint: one.year ? null : w.contacts.yearHint, form: shown })}</div>
      ${choice(`${at}.reminderDays`, w.contacts.remindMe, one.reminderDays, days.map((day) => [day, day === "" ? w.contacts.asUsual : day === 0 ? w.contacts.onTheDay : w.contacts.daysBefore(day)]), (reminderDays) => put({ reminderDays }), { form: shown })}
      ${one.year ? html`<div class="card flush">${toggle(w.contacts.yearly, w.contacts.yearlyHint, one.yearly, (yearly) => put({ yearly }))}</div>` : null}`;
  },
};
const LISTS = () => [["phones", "phone", w.contacts.phones, w.contacts.addPhone], ["emails", "mail", w.contacts.emails, w.contacts.addEmail], ["addresses", "pin", w.contacts.addresses, w.contacts.addAddress], ["dates", "gift", w.contacts.dates, w.contacts.addDate]];
/** The first field of a part. */
const FIRST = { phones: (one) => (one.isWhole ? "e164" : "area"), emails: () => "email", addresses: () => "street", dates: () => "day" };

/** Moves the focus after the next draw. */
const focusOn = (id) => afterDraw(() => document.getElementById(id)?.focus());

function parts(state, /** @type {any[]} */ [list, sign, title, adding], store, shown) {
  const add = () => {
    const one = made(list, state);
    store({ [list]: [...form[list], one] });
    focusOn(`f-${list}.${one.id}.${FIRST[list](one)}`);
  };
  const remove = (id) => { store({ [list]: form[list].filter((one) => one.id !== id) }); focusOn(`add-${list}`); };
  const fault = errorOf(shown, list);
  return html`<section class="parts" aria-labelledby=${`of-${list}`}><h2 id=${`of-${list}`}>${icon(sign, 20)} ${title}</h2>
    ${form[list].map((one, i) => {
      const at = `${list}.${one.id}`, put = (values) => store({ [list]: form[list].map((other) => (other.id === one.id ? { ...other, ...values } : other)) }), types = TYPES[list].includes(one.type) ? TYPES[list] : [...TYPES[list], one.type];
      return keyed(one.id, html`<fieldset class="card part"><legend class="visually-hidden">${title} ${i + 1}</legend>
        <div class="part-head">${choice(`${at}.type`, w.contacts.kind, one.type, types.map((type) => [type, typeText(type)]), (type) => put({ type }), { form: shown })}
          <button type="button" class="icon-button" aria-label=${w.contacts.removePart(`${title} ${i + 1}`)} @click=${() => remove(one.id)}>${icon("trash", 20)}</button></div>
        ${FIELDS[list](one, at, put, shown)}</fieldset>`);
    })}
    ${fault ? html`<p class="hint wrong">${fault}</p>` : null}
    <button type="button" class="quiet" id=${`add-${list}`} @click=${add}>${icon("plus", 20)}${adding}</button></section>`;
}

const names = (isNew, store, shown) => (isNew ? html`<fieldset class="stack tight"><legend class="visually-hidden">${w.contacts.names}</legend><p class="notice" id="names-stay">${w.contacts.namesStay}</p>
  ${text("firstName", w.contacts.firstName, form.firstName, (firstName) => store({ firstName }), { required: true, maxlength: 100, autocapitalize: "words", form: shown })}
  ${text("middleName", w.contacts.middleName, form.middleName, (middleName) => store({ middleName }), { maxlength: 100, autocapitalize: "words", form: shown })}
  ${text("lastName", w.contacts.lastName, form.lastName, (lastName) => store({ lastName }), { required: true, maxlength: 100, autocapitalize: "words", form: shown })}</fieldset>`
  : html`<p class="muted">${w.contacts.namesAreFixed}</p>`);

export default function editing(/** @type {import("../../../types/app").State} */ state, /** @type {any} */ place) {
  const { id = null } = place;
  const one = id ? state.row(KIND, id) : null, back = id ? `contacts/${id}` : "contacts";
  if (one === undefined) return html`<div class="page narrow">${head(w.edit, { from: ["contacts", w.contactsTab] })}${loading()}</div>`;
  if (id && (!one || one.isDeleted)) return html`<div class="page narrow">${head(w.contacts.contact, { from: ["contacts", w.contactsTab] })}${empty("search", w.contacts.noSuch, "", html`<a class="button" href="contacts">${w.contactsTab}</a>`)}</div>`;
  // Each visit begins with what is known then: another device may have changed it since the last one.
  if (!form || visit !== place) {
    visit = place;
    const draft = state.draft(draftOf(id)), start = one ? { ...valuesOf(one.row), before: one.row } : { firstName: "", middleName: "", lastName: "", note: "", phones: [made("phones", state)], emails: [], addresses: [], dates: [], before: null };
    form = { ...(draft ?? start), id, failure: null, busy: false };
  }
  const store = (values) => { set(form, values); saveDraft(draftOf(id), form); };
  const leave = async () => { await dropDraft(draftOf(id)); form = null; };
  const save = async (event) => {
    event.preventDefault();
    const goOn = goingOn(), row = rowOf(form), done = await submit(form, () => (one ? app.actions.saveRow(KIND, id, row, form.before) : app.actions.addRow(KIND, row)), event.target);
    if (!done) return;
    await leave();
    goOn(`contacts/${done.id}`);
    say((one ? w.contacts.saved : w.contacts.added)(nameOf(row)), { text: w.undo, act: async () => { await done.undo(); if (!one) go("contacts"); } });
  };
  const shown = form, fields = ["firstName", "middleName", "lastName", "note", ...LISTS().flatMap(([list]) => [list, ...form[list].flatMap((part) => Object.keys(part).concat("date").map((name) => `${list}.${part.id}.${name}`))])];
  return html`<div class="page narrow">${head(one ? w.contacts.editTitle(nameOf(one.row)) : w.contacts.newTitle, { from: [back, one ? nameOf(one.row) : w.contactsTab] })}
    <form class="stack" novalidate @submit=${save}>${names(!one, store, shown)}
      ${LISTS().map((list) => parts(state, list, store, shown))}
      ${area("note", w.contacts.note, form.note, (note) => store({ note }), { maxlength: 2000, form: shown })}
      ${formError(shown, fields)}
      <div class="dock"><div class="pair"><button class="primary tall" ?disabled=${form.busy}>${w.contacts.save}</button><a class="button tall" href=${back} @click=${leave}>${w.notNow}</a></div></div></form></div>`;
}
