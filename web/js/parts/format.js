// Dates, spans and amounts in the reader's language. Days are calendar days; amounts stay decimal text.

import { html } from "../kernel/template.js";
import { w, locale } from "./words.js";

const cache = new Map();
/** Makes a formatter once for each language and purpose. */
function once(key, make) {
  const name = `${locale} ${key}`;
  let found = cache.get(name);
  if (!found) cache.set(name, found = make());
  return found;
}

/** Midnight of a day in UTC, for formatters that count in UTC. */
const atMidnight = (day) => new Date(`${day}T00:00:00Z`);
const dates = (options) => once(JSON.stringify(options), () => new Intl.DateTimeFormat(locale, { timeZone: "UTC", ...options }));
const write = (options) => (day) => day ? dates(options).format(atMidnight(day)) : "";

export const date = {
  long: write({ weekday: "long", day: "numeric", month: "long" }),
  medium: write({ day: "numeric", month: "long" }),
  full: write({ day: "numeric", month: "long", year: "numeric" }),
  short: write({ day: "numeric", month: "short" }),
  shortYear: write({ day: "numeric", month: "short", year: "numeric" }),
  weekday: write({ weekday: "long" }),
  weekdayShort: write({ weekday: "short" }),
  weekdayDay: write({ weekday: "short", day: "numeric", month: "short" }),
  day: write({ day: "numeric" }),
  month: write({ month: "long", year: "numeric" }),
  monthLong: write({ month: "long" }),
  monthShort: write({ month: "short" }),
  monthNarrow: write({ month: "narrow" }),
  year: write({ year: "numeric" }),
  range: (from, to) => dates({ day: "numeric", month: "short", year: "numeric" }).formatRange(atMidnight(from), atMidnight(to)),
  months: (from, to) => dates({ month: "long", year: "numeric" }).formatRange(atMidnight(from), atMidnight(to)),
};

/** An instant as "12 minutes ago". */
export function ago(instant, now) {
  const seconds = Math.round((Date.parse(instant) - Date.parse(now)) / 1000), far = Math.abs(seconds);
  const format = once("relative", () => new Intl.RelativeTimeFormat(locale, { numeric: "auto" }));
  if (far < 3600) return format.format(Math.round(seconds / 60), "minute");
  if (far < 86_400) return format.format(Math.round(seconds / 3600), "hour");
  return format.format(Math.round(seconds / 86_400), "day");
}

/** An instant by the device's clock: "9:12", with its day where that is not today. */
export function clock(instant) {
  const at = new Date(instant), day = at.toDateString() === new Date().toDateString() ? {} : /** @type {const} */ ({ day: "numeric", month: "long" });
  return once(`clock ${Object.keys(day)}`, () => new Intl.DateTimeFormat(locale, { ...day, hour: "numeric", minute: "2-digit" })).format(at);
}

/** Days from today as "tomorrow", "in 5 days", "3 days ago". */
export const inDays = (count) => once("relative", () => new Intl.RelativeTimeFormat(locale, { numeric: "auto" })).format(count, "day");
export const capital = (text) => text.charAt(0).toLocaleUpperCase(locale) + text.slice(1);
/** Several names as a list with commas and "and". */
export const listed = (names) => once("list", () => new Intl.ListFormat(locale, { type: "conjunction" })).format(names);
export const number = (value) => once("number", () => new Intl.NumberFormat(locale)).format(value);
/** Hundredths as a percentage without decimals. */
export const percent = (part) => once("percent", () => new Intl.NumberFormat(locale, { style: "percent", maximumFractionDigits: 0 })).format(part);
/** Which plural form a count takes: `one`, `other` … */
export const plural = (count) => once("plural", () => new Intl.PluralRules(locale)).select(count);
/** Compares two names as people of the language sort them. */
export const compare = (a, b) => once("collator", () => new Intl.Collator(locale, { numeric: true, sensitivity: "base" })).compare(a, b);

/** The name of a country in the reader's language; its code where there is none. */
export const country = (code) => (!code ? "" : once("countries", () => new Intl.DisplayNames(locale, { type: "region", fallback: "code" })).of(code));
/** The name of a currency in the reader's language. */
export const currencyName = (code) => (!code ? "" : once("currencies", () => new Intl.DisplayNames(locale, { type: "currency", fallback: "code" })).of(code));

/** The first day of the week: 0 is Monday. */
export function firstWeekday() {
  const info = new Intl.Locale(locale);
  return ((info.getWeekInfo?.() ?? info.weekInfo)?.firstDay ?? 1) - 1;
}

/** An amount has as many decimals as it was written with, and its currency's at least. */
const moneyFormat = (currency, digits) => once(`money ${currency} ${digits}`, () => {
  const usual = new Intl.NumberFormat(locale, { style: "currency", currency });
  if (digits === null) return new Intl.NumberFormat(locale, { style: "currency", currency, maximumFractionDigits: 0 });
  const least = usual.resolvedOptions().minimumFractionDigits;
  return digits > least ? new Intl.NumberFormat(locale, { style: "currency", currency, minimumFractionDigits: least, maximumFractionDigits: digits }) : usual;
});
const digitsOf = (value) => value.length - 1 - (value.indexOf(".") < 0 ? value.length - 1 : value.indexOf("."));

/** An amount as text. It is decimal text and stays exact: Intl takes text without rounding it to a binary number. */
export const money = (value, currency) => moneyFormat(currency, digitsOf(value)).format(value);
/** The same without decimals, for the scales of drawings. */
export const roughMoney = (value, currency) => moneyFormat(currency, null).format(value);

/** An amount as people type it: with the comma of the reader's language where that has one. */
export const asTyped = (value) => (once("comma", () => new Intl.NumberFormat(locale).format(0.5).includes(",")) ? value.replace(".", ",") : value);

/** Splits an amount into the text before the number, the number, its decimals, and the text behind. */
function inParts(value, currency) {
  const found = { before: "", whole: "", fraction: "", after: "" };
  for (const { type, value: text } of moneyFormat(currency, digitsOf(value)).formatToParts(value)) {
    if (type === "fraction" || type === "decimal") found.fraction += text;
    else if (type === "integer" || type === "group" || type === "minusSign") found.whole += text;
    else found[found.whole ? "after" : "before"] += text;
  }
  return found;
}

/** From so many characters on an amount gets smaller type, and a line of its own beside others. */
const LONG = 11;

/** An amount as type: currency and decimals stand back. It is read aloud as one. */
export function amount(value, currency, size = "") {
  if (value === null || value === undefined) return null;
  const parts = inParts(String(value), currency), isLong = parts.whole.length + parts.fraction.length > LONG;
  return html`<bdi class=${`amount ${size}${isLong ? " long" : ""}`}><span class="cur">${parts.before}</span>${parts.whole}<span class="frac">${parts.fraction}</span><span class="cur">${parts.after}</span></bdi>`;
}

/** A plan's rhythm: "a month", "every 4 weeks". */
export const every = ({ value, unit }) => w.every(value, unit);
