// The rows of a file that another program wrote: names and texts. What stands there and cannot be read is told, never guessed: a
// wrong day or currency would be believed. As `ImportedRow` of the service's kit.

import { parseDay, writeDay } from "../core/days.js";
import { parseAmount } from "../core/money.js";
import { Fault } from "./fault.js";

/** @typedef {import("../core/billing.js").Duration} Duration */

/**
 * What people write in place of a currency's code; by country where several currencies have the sign.
 * @type {Record<string, string | Record<string, string>>}
 */
const SIGNS = {
  "€": "EUR", "£": "GBP", "₹": "INR", "₩": "KRW", "₽": "RUB", "₺": "TRY", "₴": "UAH", "₪": "ILS", "₫": "VND", "₱": "PHP", "₦": "NGN", "฿": "THB",
  "₡": "CRC", "₲": "PYG", "₸": "KZT", "₵": "GHS", "元": "CNY", "円": "JPY", "zł": "PLN", "kč": "CZK", "ft": "HUF", "lei": "RON", "sfr": "CHF",
  "fr": "CHF", "rp": "IDR", "rm": "MYR", "r$": "BRL", "us$": "USD", "u$s": "USD", "a$": "AUD", "au$": "AUD", "c$": "CAD", "ca$": "CAD", "nz$": "NZD",
  "s$": "SGD", "hk$": "HKD", "nt$": "TWD", "mx$": "MXN", "r": "ZAR",
  "$": {
    US: "USD", CA: "CAD", AU: "AUD", NZ: "NZD", SG: "SGD", HK: "HKD", TW: "TWD", MX: "MXN", AR: "ARS", CL: "CLP", CO: "COP", EC: "USD", SV: "USD", PR: "USD",
  },
  "¥": { JP: "JPY", CN: "CNY" }, "￥": { JP: "JPY", CN: "CNY" },
  "kr": { SE: "SEK", NO: "NOK", DK: "DKK", IS: "ISK", GL: "DKK", FO: "DKK" }, "rs": { IN: "INR", PK: "PKR", LK: "LKR", NP: "NPR", MU: "MUR" },
};
/** @type {Record<string, Duration>} */
const CYCLES = {
  daily: { value: 1, unit: "day" }, weekly: { value: 1, unit: "week" }, biweekly: { value: 2, unit: "week" }, fortnightly: { value: 2, unit: "week" },
  monthly: { value: 1, unit: "month" }, bimonthly: { value: 2, unit: "month" }, quarterly: { value: 3, unit: "month" },
  semiannually: { value: 6, unit: "month" }, semiannual: { value: 6, unit: "month" }, yearly: { value: 1, unit: "year" }, annual: { value: 1, unit: "year" },
  annually: { value: 1, unit: "year" },
};
const YES = new Set(["yes", "true", "1", "automatic", "enabled", "on", "y"]);
/** What may stand in a number beside digits. */
const PART = /^[0-9., '’\u00a0\u202f]$/;

/** @param {string} text */
const letters = (text) => text.toLowerCase().replace(/\P{L}/gu, "");

/**
 * What a text means: a code, a sign, or a sign with a code.
 * @param {string} text
 * @returns {string | Record<string, string> | null}
 */
function meaning(text) {
  const plain = text.toLowerCase().replace(/[\s.]/gu, "");
  if (Object.hasOwn(SIGNS, plain)) return SIGNS[plain];
  const code = plain.replace(/\P{L}/gu, ""), rest = plain.replace(/\p{L}/gu, "");
  return /^[a-z]{3}$/.test(code) && (!rest || Object.hasOwn(SIGNS, rest)) ? code.toUpperCase() : null;
}

/**
 * The number of a text such as `$15.99`, `59,99 €`, `1,299.00`; null where there is none, or more than one.
 * @param {string} text
 * @returns {string | null}
 */
export function amountIn(text) {
  const all = [...text], first = all.findIndex((one) => /[0-9]/.test(one)), last = all.findLast((one) => /[0-9]/.test(one));
  if (first < 0 || last === undefined || /[-−–(]/.test(text)) return null;
  const number = all.slice(first, all.lastIndexOf(last) + 1);
  if (!number.every((one) => PART.test(one))) return null;
  const plain = number.map((one) => /[0-9.,]/.test(one) ? one : " ").join("");
  const points = plain.split(".").length - 1, commas = plain.split(",").length - 1, separators = plain.replace(/[0-9]/g, "");
  // The last of two kinds is the decimal point. A single comma is one unless three digits stand behind it; a point always.
  let decimal = "";
  if (points && commas) decimal = separators.at(-1) === " " ? "" : separators.at(-1) ?? "";
  else if (points === 1) decimal = ".";
  else if (commas === 1 && plain.length - 1 - plain.indexOf(",") !== 3) decimal = ",";
  const parts = decimal ? plain.split(decimal) : [plain];
  if (parts.length > 2) return null;
  // What parts thousands does so.
  const groups = parts[0].split(/[^0-9]/);
  if (new Set(parts[0].replace(/[0-9]/g, "")).size > 1 || !groups.slice(1).every((group) => group.length === 3)) return null;
  const written = groups.join("") + (parts.length > 1 ? `.${parts[1]}` : "");
  return parseAmount(written) ? written : null;
}

/** A subscription as a file tells it. */
export class ImportedRow {
  /**
   * The values by names in lower case, without anything but letters.
   * @type {Map<string, string>}
   */
  #values = new Map();

  /**
   * @param {Record<string, string>} values
   * @param {string} place `line 3`, `entry 3`
   * @param {Fault | null} [fault] what is wrong with it as a whole
   */
  constructor(values, place, fault = null) {
    this.place = place;
    this.fault = fault;
    for (const [name, value] of Object.entries(values)) if (value.trim()) this.#values.set(letters(name), value.trim());
  }

  /** @param {...string} names */
  #value(...names) {
    for (const name of names) if (this.#values.has(name)) return this.#values.get(name) ?? null;
    return null;
  }

  get name() { return this.#value("name", "provider", "service", "servicename", "subscription", "title"); }
  get plan() { return this.#value("plan", "planname"); }
  /** The kind of the plan: `Student`. */
  get planType() { return this.#value("plantype"); }
  get category() { return this.#value("category", "categoryname"); }
  get label() { return this.#value("label"); }
  get note() { return this.#value("note", "notes", "description"); }
  get nextRenewal() { return day(this.#value("nextrenewal", "nextpayment", "renewaldate", "renewsat", "nextbilling", "nextbillingdate"), "nextRenewal"); }
  get startDate() { return day(this.#value("startdate", "start", "since"), "startDate"); }
  get autoRenew() {
    const text = this.#value("autorenew", "renewal", "autorenewal");
    return text === null ? null : isYes(text);
  }
  /** Whether it goes on. A date of cancellation counts only where the row has no status. */
  get isActive() {
    const active = this.#value("active"), inactive = this.#value("inactive");
    if (active !== null) return isYes(active);
    if (inactive !== null) return !isYes(inactive);
    const status = this.#value("status", "state")?.toLowerCase();
    if (status === undefined) return this.cancellation === null;
    return !["cancelled", "canceled", "disabled", "paused", "ended", "expired", "inactive", "no"].includes(status);
  }
  get cancellation() { return this.#value("cancellationdate", "cancelationdate", "cancelledon"); }
  get cancelledOn() { return day(this.cancellation, "cancellationDate"); }
  get reminderDays() {
    const notify = this.#value("notify"), days = this.#value("reminderdays", "notifydaysbefore");
    if ((notify !== null && !isYes(notify)) || days === null || !/^\+?-?[0-9]{1,6}$/.test(days)) return null;
    return Number(days) >= 0 && Number(days) <= 365 ? Number(days) : null;
  }
  get isTrial() {
    const trial = this.#value("freetrial");
    return trial === null ? this.#value("status")?.toLowerCase() === "trial" : isYes(trial);
  }
  get #price() { return this.#value("price", "cost", "fee", "amount"); }
  /** What a period costs. */
  get fee() {
    const price = this.#price;
    if (price === null) throw Fault.invalid("price", "required", "is missing");
    return amount(price, "price");
  }
  get currencyNumber() { return this.#value("currencyid"); }

  /**
   * ISO 4217, by a code or by a sign; null where it is not said.
   * @param {string | null} standard the currency that a sign means which several currencies have
   * @param {string} country the user's
   */
  currency(standard, country) {
    const sign = [...this.#price ?? ""].filter((one) => !PART.test(one)).join("");
    for (const text of [this.#value("currency", "originalcurrency", "currencycode"), sign || null]) {
      if (text === null) continue;
      const found = meaning(text);
      if (typeof found === "string") return found;
      if (!found) throw Fault.invalid("currency", "unknownCurrency", `"${text.slice(0, 20)}" is no currency such as EUR or €`);
      const possible = [...new Set(Object.values(found))].sort();
      if (standard && possible.includes(standard)) return standard;
      if (found[country]) return found[country];
      throw Fault.invalid("currency", "unknownCurrency", `"${text}" may be ${possible.join(", ")}`);
    }
    return null;
  }

  /**
   * How long a period lasts; a month where it is not said.
   * @returns {Duration}
   */
  get duration() {
    const cycle = this.#value("cycle"), frequency = this.#value("frequency");
    // In the API of Wallos: a number for the unit, and how many of them.
    if (cycle !== null && frequency !== null && /^[0-9]+$/.test(cycle) && /^[0-9]+$/.test(frequency)) {
      const unit = /** @type {(Duration["unit"] | undefined)[]} */ ([undefined, "day", "week", "month", "year"])[Number(cycle)], value = Number(frequency);
      if (!unit || value < 1 || value > 1200) throw Fault.invalid("cycle", "malformed", `cycle ${cycle} with frequency ${frequency} is no length such as 3 months`);
      return { value, unit };
    }
    const text = this.#value("cycle", "paymentcycle", "schedule", "billingcycle", "frequency", "period");
    if (text === null) return { value: 1, unit: "month" };
    const word = letters(text), digits = text.replace(/[^0-9]/g, "");
    if (!digits && Object.hasOwn(CYCLES, word)) return CYCLES[word];
    const single = word.replace("every", ""), unit = /** @type {const} */ (["day", "week", "month", "year"]).find((unit) => single === unit || single === `${unit}s`);
    const value = digits ? Number(digits) : 1;
    if (!unit || !(value >= 1 && value <= 1200) || /[.,-]/.test(text)) throw Fault.invalid("cycle", "malformed", `"${text.slice(0, 40)}" is no length such as 3 months`);
    return { value, unit };
  }

  /**
   * The subscription of a table that this program wrote, as its JSON has it.
   * @param {any} plan the plan that the row says, with the price that the user pays
   * @param {string} country the user's, for a row that does not say the plan's
   * @returns {any} null where the row does not say whose the plan is, or has no dates: it is read as a row of another program then
   */
  exported(plan, country) {
    const source = this.#value("plansource")?.toLowerCase() ?? "";
    if (!["own", "catalog", "catalogue"].includes(source)) return null;
    const start = this.startDate, end = this.nextRenewal;
    if (start === null || end === null) return null;
    const text = this.#value("planprice"), listed = text === null ? null : amount(text, "plan_price");
    return {
      plan: {
        ...plan, type: plan.type ?? "Standard", category: plan.category ?? "Other", country: this.#value("country") ?? country, fee: listed ?? plan.fee,
        trialDays: this.#number("trialdays", 1, "trial_days"), noticeDays: this.#number("noticedays", 0, "notice_days") ?? 0, private: source === "own",
      },
      startDate: writeDay(start), endDate: writeDay(end), fee: plan.fee, currency: plan.currency, freeTrial: this.isTrial, autoRenew: this.autoRenew ?? false,
      status: this.isActive ? "active" : "cancelled", label: this.label, reminderDays: this.reminderDays, note: this.note,
      ownFee: listed === null ? null : plan.fee,
    };
  }

  /**
   * @param {string} name
   * @param {number} minimum
   * @param {string} field
   */
  #number(name, minimum, field) {
    const text = this.#value(name), number = Number(text);
    if (text === null) return null;
    if (!/^[0-9]{1,6}$/.test(text) || number < minimum || number > 1200)
      throw Fault.invalid(field, "range", `"${text.slice(0, 40)}" is no number from ${minimum} to 1200`, { minimum, maximum: 1200 });
    return number;
  }
}

/**
 * @param {string} text
 * @param {string} field
 */
function amount(text, field) {
  const amount = amountIn(text);
  if (!amount) throw Fault.invalid(field, "malformed", `"${text.slice(0, 40)}" is no amount such as 15.99`);
  return amount;
}

/** @param {string} text */
const isYes = (text) => YES.has(text.toLowerCase());

/**
 * `2026-01-31`, also with a time of day behind it. Other ways to write days differ in which number is the month.
 * @param {string | null} text
 * @param {string} field
 */
function day(text, field) {
  if (text === null) return null;
  const day = parseDay(text.slice(0, 10));
  if (day === null || (text.length > 10 && text[10] !== "T" && text[10] !== " ")) throw Fault.invalid(field, "malformed", `"${text.slice(0, 40)}" is no day such as 2026-01-31`);
  return day;
}

/**
 * A field without the apostrophe that an export puts before a formula.
 * @param {string} field
 */
const unescaped = (field) => /^'+[=+\-@\t\r]/.test(field) ? field.slice(1) : field;

/**
 * Comma-separated values (RFC 4180), with whatever ends lines; empty lines are left out.
 * @param {string} text
 * @returns {{number: number, fields: string[], isUnclosed: boolean}[]}
 */
export function lines(text) {
  const whole = text.replace(/^\ufeff/, ""), head = whole.split(/[\r\n]/, 1)[0];
  const count = (/** @type {string} */ one) => head.split(one).length;
  const separator = [",", ";", "\t"].reduce((best, one) => count(one) > count(best) ? one : best);
  /** @type {ReturnType<typeof lines>} */
  const all = [];
  /** @type {string[]} */
  let fields = [];
  let field = "", number = 1, began = 1, isQuoted = false;
  const endField = () => {
    fields.push(unescaped(field));
    field = "";
  };
  const end = (isUnclosed = false) => {
    endField();
    if (isUnclosed || fields.some((one) => one !== "")) all.push({ number: began, fields, isUnclosed });
    fields = [];
    began = number;
  };
  for (let i = 0; i < whole.length; i++) {
    // Both halves of \r\n end one line.
    const one = whole[i], isSecondHalf = one === "\n" && whole[i - 1] === "\r", isNewline = one === "\n" || one === "\r";
    if (isNewline && !isSecondHalf) number++;
    if (isQuoted) {
      if (one !== "\"") field += one;
      else if (whole[i + 1] === "\"") { field += one; i++; }
      else isQuoted = false;
    } else if (one === "\"" && field === "") isQuoted = true;
    else if (one === separator) endField();
    else if (!isNewline) field += one;
    else if (!isSecondHalf) end();
  }
  end(isQuoted);
  return all;
}

/**
 * @param {unknown} value
 * @returns {string | null}
 */
function loose(value) {
  if (typeof value === "string") return value;
  if (typeof value === "number") return String(value);
  if (typeof value === "boolean") return value ? "yes" : "no";
  // A category with its own fields.
  if (value && typeof value === "object" && !Array.isArray(value)) return loose(/** @type {any} */ (value).name ?? null);
  return null;
}

/** @param {string} detail */
const noForm = (detail) => Fault.invalid("", "unknownForm", detail);

/**
 * The rows of a file, whichever of the known forms it has.
 * @param {string} text
 * @returns {{format: "subtrackit", own: any[]} | {format: "json" | "csv", rows: ImportedRow[]}}
 */
export function readFile(text) {
  if (!/[^\s\ufeff]/.test(text)) throw Fault.invalid("", "emptyFile", "the file is empty");
  if (/^[\s\ufeff]*[{[]/.test(text)) {
    let value;
    try { value = JSON.parse(text.replace(/^\ufeff/, "")); } catch { throw noForm("the file is no JSON"); }
    // What `me.export` gives, and what the terminal writes.
    if (value?.format === "subtrack" || (value?.exportedAt && Array.isArray(value.subscriptions))) {
      if (value.version > 1) throw noForm("the file was written by a newer version");
      if (!Array.isArray(value.subscriptions)) throw noForm("the file was changed and is no export any more");
      return { format: "subtrackit", own: value.subscriptions.map((/** @type {any} */ one) => one?.subscription ?? one) };
    }
    const list = Array.isArray(value) ? value : value?.subscriptions ?? value?.data;
    if (!Array.isArray(list)) throw noForm("the file has no list of subscriptions");
    return {
      format: "json",
      rows: list.map((one, i) => {
        if (!one || typeof one !== "object" || Array.isArray(one)) return new ImportedRow({}, `entry ${i + 1}`, noForm("it is no object"));
        const values = Object.fromEntries(Object.entries(one).flatMap(([name, value]) => { const text = loose(value); return text === null ? [] : [[name, text]]; }));
        return new ImportedRow(values, `entry ${i + 1}`);
      }),
    };
  }
  const [head, ...rest] = lines(text);
  if (!head || head.fields.length < 2) throw noForm("the file is neither JSON nor CSV with a line of names, such as name,price,currency");
  return {
    format: "csv",
    rows: rest.map(({ number, fields, isUnclosed }) => {
      const isLong = fields.slice(head.fields.length).some((one) => one !== "");
      const fault = isUnclosed ? noForm("a quote is never closed; nothing from there on was read")
        : isLong ? noForm(`it has ${fields.length} fields, and the first line ${head.fields.length} names`) : null;
      const values = Object.fromEntries(head.fields.map((name, i) => [name, fields[i] ?? ""]).reverse());
      return new ImportedRow(values, `line ${number}`, fault);
    }),
  };
}
