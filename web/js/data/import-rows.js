// The rows of a file that another program wrote: names and texts. What stands there and cannot be read is told, never guessed: a
// wrong day or currency would be believed. As `ImportedRow` of the service's kit.

import { parseDay, writeDay } from "../core/days.js";
import { amountIn, isPart } from "../core/written.js";
import { Fault } from "./fault.js";
import { COLUMNS, meaning, OF_FIELDS, TITLES } from "./import-columns.js";

/** @typedef {import("../core/billing.js").Duration} Duration */

/** @type {Record<string, Duration>} */
const CYCLES = {
  daily: { value: 1, unit: "day" }, weekly: { value: 1, unit: "week" }, biweekly: { value: 2, unit: "week" }, fortnightly: { value: 2, unit: "week" },
  monthly: { value: 1, unit: "month" }, bimonthly: { value: 2, unit: "month" }, quarterly: { value: 3, unit: "month" },
  semiannually: { value: 6, unit: "month" }, semiannual: { value: 6, unit: "month" }, yearly: { value: 1, unit: "year" }, annual: { value: 1, unit: "year" },
  annually: { value: 1, unit: "year" },
};
const YES = new Set(["yes", "true", "1", "automatic", "enabled", "on", "y"]), NO = new Set(["no", "false", "0", "manual", "disabled", "off", "n"]);

/** @typedef {"active" | "trial" | "cancelled" | "ended"} Standing `cancelled` runs out, or has ended: the file does not say which */
/** @type {Record<string, Standing>} */
const STANDINGS = {
  active: "active", enabled: "active", current: "active", running: "active", yes: "active", trial: "trial", trialing: "trial", cancelled: "cancelled",
  canceled: "cancelled", disabled: "cancelled", paused: "cancelled", inactive: "cancelled", no: "cancelled", ended: "ended", expired: "ended",
};

/** @param {string} text */
const letters = (text) => text.toLowerCase().replace(/\P{L}/gu, "");
/**
 * The beginning of a text, in quotes: some are long.
 * @param {string} text
 */
const quoted = (text, most = 40) => `"${[...text].slice(0, most).join("")}"`;

/** A subscription as a file tells it. */
export class ImportedRow {
  /**
   * The values by names in lower case, without anything but letters, each with the file's own name of its column.
   * @type {Map<string, {column: string, text: string}>}
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
    for (const [column, value] of Object.entries(values)) if (value.trim()) this.#values.set(letters(column), { column, text: value.trim() });
  }

  /** @param {string} column */
  #value(column) { return COLUMNS[column].map((name) => this.#values.get(name)).find((value) => value !== undefined); }
  /** @param {string} column */
  #text(column) { return this.#value(column)?.text ?? null; }

  /**
   * The name that the file has for a column.
   * @param {string} column
   */
  nameOf(column) { return this.#value(column)?.column ?? TITLES[column] ?? COLUMNS[column][0]; }

  /**
   * A fault of a field of the API, by the file's name for its column.
   * @param {Fault} fault
   */
  named(fault) {
    if (!Object.hasOwn(OF_FIELDS, fault.field)) return fault;
    return Fault.invalid(this.nameOf(OF_FIELDS[fault.field]), fault.code, fault.detail, fault.values);
  }

  /**
   * @param {string} column
   * @param {string} code
   * @param {string} detail
   * @param {Record<string, string | number>} [values]
   */
  #fault(column, code, detail, values) { return Fault.invalid(this.nameOf(column), code, detail, values); }

  get name() { return this.#text("name"); }
  get plan() { return this.#text("plan"); }
  /** The kind of the plan: `Student`. */
  get planType() { return this.#text("planType"); }
  get category() { return this.#text("category"); }
  get label() { return this.#text("label"); }
  get note() { return this.#text("note"); }
  get nextRenewal() { return this.#day("nextRenewal"); }
  get startDate() { return this.#day("startDate"); }
  get cancelledOn() { return this.#day("cancelledOn"); }
  get autoRenew() { return this.#flag("autoRenew"); }
  get currencyNumber() { return this.#text("currencyNumber"); }

  /**
   * Whether something is so; null: it is not said.
   * @param {string} column
   */
  #flag(column) {
    const text = this.#text(column);
    if (text === null) return null;
    if (YES.has(text.toLowerCase())) return true;
    if (NO.has(text.toLowerCase())) return false;
    throw this.#fault(column, "noFlag", `${quoted(text)} is neither yes nor no`, { text: text.slice(0, 40) });
  }

  /**
   * How it stands. A date of Wallos is a reminder to cancel: a date counts as a cancellation only where the row has no status.
   * @returns {Standing}
   */
  get standing() {
    const active = this.#flag("active");
    if (active !== null) return active ? "active" : "cancelled";
    const inactive = this.#flag("inactive");
    if (inactive !== null) return inactive ? "cancelled" : "active";
    const text = this.#text("status");
    if (text === null) return this.#text("cancelledOn") === null ? "active" : "cancelled";
    const standing = text.toLowerCase();
    if (Object.hasOwn(STANDINGS, standing)) return STANDINGS[standing];
    throw this.#fault("status", "noStatus", `${quoted(text)} is no status: write active, trial, cancelled, paused or ended`, { text: text.slice(0, 40) });
  }
  /** Whether it goes on, and is not disabled, paused or cancelled. */
  get isActive() { return this.standing === "active" || this.standing === "trial"; }
  get isTrial() { return this.#flag("freeTrial") ?? this.standing === "trial"; }

  /** How many days before its end to be reminded; null: it is not said, or as usual. */
  get reminderDays() {
    const isNotified = this.#flag("notify"), text = this.#text("reminderDays");
    // Wallos: −1 is as it is set for all of them.
    if (isNotified === false || text === null || text === "-1") return null;
    const days = wholeNumber(text);
    if (days !== null && days >= 0 && days <= 365) return days;
    throw this.#fault("reminderDays", "noDays", `${quoted(text)} is no number of days from 0 to 365`, { text: text.slice(0, 40), minimum: 0, maximum: 365 });
  }

  /** Whether it is muted; not so where it is not said. */
  get muted() { return this.#flag("muted") ?? false; }

  /**
   * What a period costs.
   * @param {number} digits those of its currency after the point
   */
  fee(digits) {
    const amount = this.#amount("price", digits);
    if (amount === null) throw this.#fault("price", "required", "is missing");
    return amount;
  }

  /**
   * An amount with or without a sign of its currency; null: it is not said.
   * @param {string} column
   * @param {number} digits
   */
  #amount(column, digits) {
    const text = this.#text(column);
    if (text === null) return null;
    const written = amountIn(text, digits), value = text.slice(0, 40);
    if (written.kind === "amount") return written.amount;
    if (written.kind === "none") throw this.#fault(column, "noAmount", `${quoted(text)} is no amount such as 15.99`, { text: value });
    const { thousands, fraction } = written;
    throw this.#fault(column, "twoAmounts", `${quoted(text)} may be ${thousands} or ${fraction}; write ${thousands} or ${fraction}`, { text: value, thousands, fraction });
  }

  /**
   * ISO 4217, by a code or by a sign; null where it is not said.
   * @param {string | null} standard the currency that a sign means which several currencies have
   * @param {string} country the user's
   */
  currency(standard, country) {
    const sign = [...this.#text("price") ?? ""].filter((one) => !isPart(one)).join("");
    for (const [column, text] of /** @type {[string, string | null][]} */ ([["currency", this.#text("currency")], ["price", sign || null]])) {
      if (text === null) continue;
      const found = meaning(text);
      if (typeof found === "string") return found;
      if (!found) throw this.#fault(column, "noCurrency", `${quoted(text, 20)} is no currency such as EUR or €`, { text: text.slice(0, 20) });
      const possible = [...new Set(Object.values(found))].sort();
      if (standard && possible.includes(standard)) return standard;
      if (found[country]) return found[country];
      throw this.#fault(column, "manyCurrencies", `"${text}" may be ${possible.join(", ")}`, { text: text.slice(0, 20), possible: possible.join(", ") });
    }
    return null;
  }

  /**
   * How long a period lasts; a month where it is not said.
   * @returns {Duration}
   */
  get duration() {
    const cycle = wholeNumber(this.#text("cycleNumber")), frequency = wholeNumber(this.#text("frequency"));
    // In the API of Wallos: a number for the unit, and how many of them.
    if (cycle !== null && frequency !== null) {
      const unit = /** @type {(Duration["unit"] | undefined)[]} */ ([undefined, "day", "week", "month", "year"])[cycle];
      if (unit && frequency >= 1 && frequency <= 1200) return { value: frequency, unit };
      throw this.#fault("cycleNumber", "noLength", `cycle ${cycle} with frequency ${frequency} is no length such as 3 months`, { text: `${cycle}, ${frequency}` });
    }
    const text = this.#text("cycle");
    if (text === null) return { value: 1, unit: "month" };
    const word = letters(text), digits = text.replace(/[^0-9]/g, "");
    if (!digits && Object.hasOwn(CYCLES, word)) return CYCLES[word];
    const single = word.replaceAll("every", ""), unit = /** @type {const} */ (["day", "week", "month", "year"]).find((unit) => single === unit || single === `${unit}s`);
    const value = digits ? Number(digits) : 1;
    if (!unit || !(value >= 1 && value <= 1200) || /[.,-]/.test(text)) throw this.#fault("cycle", "noLength", `${quoted(text)} is no length such as 3 months`, { text: text.slice(0, 40) });
    return { value, unit };
  }

  /**
   * `2026-01-31`, also with a time of day behind it. Other ways to write days differ in which number is the month.
   * @param {string} column
   */
  #day(column) {
    const text = this.#text(column);
    if (text === null) return null;
    const day = parseDay(text.slice(0, 10));
    if (day !== null && (text.length <= 10 || text[10] === "T" || text[10] === " ")) return day;
    throw this.#fault(column, "noDay", `${quoted(text)} is no day such as 2026-01-31`, { text: text.slice(0, 40) });
  }

  /** Whether the plan is the user's own; null: the row does not say whose it is. */
  get #isOwn() {
    const text = this.#text("planSource"), source = text?.toLowerCase();
    if (text === null) return null;
    if (source === "own") return true;
    if (source === "catalog" || source === "catalogue") return false;
    throw this.#fault("planSource", "noSource", `${quoted(text)} is neither own nor catalog`, { text: text.slice(0, 40) });
  }

  /**
   * @param {string} column
   * @param {number} minimum
   */
  #number(column, minimum) {
    const text = this.#text(column), number = wholeNumber(text);
    if (text === null) return null;
    if (number !== null && number >= minimum && number <= 1200) return number;
    throw this.#fault(column, "noDays", `${quoted(text)} is no number from ${minimum} to 1200`, { text: text.slice(0, 40), minimum, maximum: 1200 });
  }

  /** Makes sure that one that has ended says when: the present period would be made up for it. */
  #checkEnd() {
    if (this.standing !== "ended" || this.nextRenewal !== null || this.cancelledOn !== null) return;
    throw this.#fault("status", "noEnd", `"${this.#text("status") ?? "ended"}" needs the day on which it ended, in next_renewal or cancelled_on`);
  }

  /**
   * The faults of all values, each by the file's name for its column.
   * @param {number} digits those of its currency after the point
   * @param {() => unknown} currency reads the currency
   * @returns {Fault[]}
   */
  faults(digits, currency) {
    /** @type {Fault[]} */
    const faults = this.name === null ? [Fault.invalid("name", "required", "is missing")] : [];
    /** @type {(() => unknown)[]} */
    const reads = [
      () => this.fee(digits), currency, () => this.duration, () => this.nextRenewal, () => this.startDate, () => this.cancelledOn, () => this.standing,
      () => this.#checkEnd(), () => this.isTrial, () => this.autoRenew, () => this.reminderDays, () => this.muted,
      ...this.#text("planSource") === null ? [] : [() => this.#isOwn, () => this.#amount("planPrice", digits), () => this.#number("trialDays", 1), () => this.#number("noticeDays", 0)],
    ];
    for (const read of reads) {
      try { read(); } catch (error) {
        if (!(error instanceof Fault)) throw error;
        const fault = error;
        if (!faults.some(({ field, detail }) => field === fault.field && detail === fault.detail)) faults.push(fault);
      }
    }
    return faults;
  }

  /**
   * The subscription of a table that this program wrote, as its JSON has it.
   * @param {any} plan the plan that the row says, with the price that the user pays
   * @param {string} country the user's, for a row that does not say the plan's
   * @param {number} digits those of its currency after the point
   * @returns {any} null where the row does not say whose the plan is, or has no dates: it is read as a row of another program then
   */
  exported(plan, country, digits) {
    const isOwn = this.#isOwn, start = this.startDate, end = this.nextRenewal;
    if (isOwn === null || start === null || end === null) return null;
    const listed = this.#amount("planPrice", digits);
    return {
      plan: {
        ...plan, type: plan.type ?? "Standard", category: plan.category ?? "Other", country: this.#text("country") ?? country, fee: listed ?? plan.fee,
        trialDays: this.#number("trialDays", 1), noticeDays: this.#number("noticeDays", 0) ?? 0, private: isOwn,
      },
      startDate: writeDay(start), endDate: writeDay(end), fee: plan.fee, currency: plan.currency, freeTrial: this.isTrial, autoRenew: this.autoRenew ?? false,
      status: this.isActive ? "active" : "cancelled", label: this.label, reminderDays: this.reminderDays, muted: this.muted,
      note: this.note, ownFee: listed === null ? null : plan.fee,
    };
  }
}

/** @param {string | null} text */
const wholeNumber = (text) => text !== null && /^[+-]?[0-9]{1,15}$/.test(text) ? Number(text) : null;
