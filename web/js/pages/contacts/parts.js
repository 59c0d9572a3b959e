// A contact in pages: its names, its numbers and addresses in words, and when its days come.

import { html } from "../../kernel/template.js";
import { digitsOf, fullName, nextOf, readDate } from "../../core/contacts.js";
import { folded } from "../../core/contactsearch.js";
import { readDay, writeDay } from "../../core/days.js";
import { act, app } from "../../parts/context.js";
import { compare, date, inDays } from "../../parts/format.js";
import { locale, w } from "../../parts/words.js";

/** The kind of the rows. */
export const KIND = "contact";

/** A name of Chinese characters has the family's name first and no space. */
const isHan = ({ firstName, lastName }) => /^\p{Script=Han}+$/u.test(firstName + lastName);
export const nameOf = (row) => (isHan(row) ? `${row.lastName}${row.middleName ?? ""}${row.firstName}` : fullName(row));

/** The letter below which a contact stands. */
export function letterOf({ lastName }) {
  const [first = ""] = folded(lastName);
  return /^\p{L}$/u.test(first) ? first.toLocaleUpperCase(locale) : "#";
}
export const byName = (one, other) => compare(one.row.lastName, other.row.lastName) || compare(one.row.firstName, other.row.firstName) || (one.id < other.id ? -1 : 1);

/** A number for people: `(788) 678-8768`, or with its country. */
export const phoneText = ({ area, number, e164 }) => e164?.replace(/^\+1(\d{3})(\d{3})(\d{4})$/, "+1 $1 $2 $3") ?? `(${area ?? ""}) ${(number ?? "").slice(0, 3)}-${(number ?? "").slice(3)}`;
export const phoneAddress = (phone) => `tel:${phone.e164 ? "+" : ""}${digitsOf(phone)}`;
/** The lines of a postal address. A postal code of digits stands before the city, unless a state is between them. */
export function addressLines({ street, apt, city, state, zip, country }) {
  const place = zip && !state && /^[0-9 -]+$/.test(zip) ? [zip, city].filter(Boolean).join(" ") : [[city, state].filter(Boolean).join(", "), zip].filter(Boolean).join(" ");
  return [[street, apt].filter(Boolean).join(", "), place, country].filter(Boolean);
}
/** A link to a map; nothing of it is loaded here. */
export const mapAddress = (address) => `https://www.openstreetmap.org/search?${new URLSearchParams({ query: addressLines({ ...address, apt: null }).join(", ") })}`;
export const typeText = (type) => (Object.hasOwn(w.contacts.types, type) ? w.contacts.types[type] : type);

/** A day for people, with its year where that is known. */
export function dayText({ date: text }) {
  const found = readDate(text);
  return !found ? text : found.year === null ? date.medium(`2000-${text.slice(2)}`) : date.full(text);
}
/** "in 12 days, turns 32", in the tone of how soon it is. */
export function whenText(one, today) {
  const now = readDay(today), next = nextOf(one, now);
  if (!next) return one.yearly || !readDate(one.date) ? null : html`<span class="when off">${w.contacts.isOver}</span>`;
  const days = next.day - now, years = next.years ? (one.type === "birthday" ? w.contacts.turns : w.contacts.years)(next.years) : null;
  return html`<span class=${`when ${days <= 14 ? "soon" : "off"}`}>${[inDays(days), years].filter(Boolean).join(", ")}</span>`;
}
/** The day on which a date comes next, for lists. */
export const nextDay = (one, today) => { const next = nextOf(one, readDay(today)); return next && writeDay(next.day); };

export const remove = ({ id, row }) => act(() => app.actions.removeRow(KIND, id), { said: w.contacts.deletedSaid(nameOf(row)) });
export const restore = ({ id, row }) => act(() => app.actions.restoreRow(KIND, id), { said: w.contacts.restoredSaid(nameOf(row)) });
