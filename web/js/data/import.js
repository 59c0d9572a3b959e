// Adding the subscriptions of a file: its own export, one of Wallos or SubTrackr, or comma-separated values. It is loaded when it is
// used. As `ImportRun` of the service's kit.

import { begin, countOfFirst, dateAt, makeTerms } from "../core/billing.js";
import { readDay, writeDay } from "../core/days.js";
import { parseAmount, compareAmounts } from "../core/money.js";
import { beginning, result } from "./database.js";
import { Fault } from "./fault.js";
import { readFile } from "./import-rows.js";
import { checkNew } from "./input.js";
import { attempt } from "./overlay.js";
import { PlanTable, readPlan, readPrice } from "./plans.js";

/**
 * @typedef {import("./import-rows.js").ImportedRow} ImportedRow
 * @typedef {import("../core/billing.js").Duration} Duration
 * @typedef {import("../../types/app").Plan} Plan
 * @typedef {{create: any, identities: string[], isCancelled: boolean, renewsLater: boolean, name: string, subtitle: string | null,
 *   price: {fee: string, currency: string}, duration: Duration}} Entry
 */

/** How large a file may be, in characters. */
const MOST = 32 * 1024 * 1024;

/**
 * The properties by which two subscriptions are alike.
 * @param {{provider: string, name: string, currency: string, duration: Duration}} plan
 * @param {string | null | undefined} label
 */
const identity = ({ provider, name, currency, duration }, label) =>
  [provider.toLowerCase(), name.toLowerCase(), currency, `${duration.value} ${duration.unit}`, label?.toLowerCase() ?? ""].join("\u0000");

/**
 * A name without differences of case, spaces and points.
 * @param {string} name
 */
const plain = (name) => name.toLowerCase().replaceAll("+", " plus").split(/[^\p{L}\p{N}]+/u).filter(Boolean).join(" ");

/**
 * How long a period lasts, where 12 months are a year and a week is 7 days.
 * @param {Duration} duration
 */
const lengthOf = ({ value, unit }) => unit === "year" ? `${value * 12} month` : unit === "week" ? `${value * 7} day` : `${value} ${unit}`;

/**
 * @param {string} one
 * @param {string} other
 */
const isSameFee = (one, other) => {
  const left = parseAmount(one), right = parseAmount(other);
  return left !== null && right !== null && compareAmounts(left, right) === 0;
};

/**
 * The plan of the catalogue of the same provider, name, price, currency and duration. A file may name both in one: `Netflix Premium`.
 * @param {Plan[]} plans
 * @param {any} wanted
 * @param {boolean} namesPlan whether the row names the plan; otherwise the price has to tell it from others
 * @returns {Plan | null}
 */
function match(plans, wanted, namesPlan) {
  const alike = plans.filter((plan) => isSameFee(plan.fee, wanted.fee) && plan.currency === wanted.currency && lengthOf(plan.duration) === lengthOf(wanted.duration));
  const provider = plain(wanted.provider), name = plain(wanted.name);
  const named = alike.filter((plan) => {
    const names = [plain(plan.name), plain(`${plan.name} ${plan.type}`)], owner = plain(plan.provider);
    return namesPlan ? provider === owner && names.includes(name) : names.some((one) => provider === `${owner} ${one}`);
  });
  const found = named.length || namesPlan ? named : alike.filter((plan) => plain(plan.provider) === provider);
  return found.length === 1 ? found[0] : null;
}

/**
 * The first end of a period on a day or after it.
 * @param {number} anchor
 * @param {number} day
 * @param {Duration} duration
 */
const periodEnd = (anchor, day, duration) => dateAt(anchor, Math.max(countOfFirst(day - 1, anchor, duration), 1), duration);

/**
 * The first day of the period that ends on a day; null where the calendar does not lead there.
 * @param {number} anchor
 * @param {number} end
 * @param {Duration} duration
 */
function periodStart(anchor, end, duration) {
  if (anchor >= end) return null;
  const count = countOfFirst(end - 1, anchor, duration), start = dateAt(anchor, count - 1, duration);
  return dateAt(anchor, count, duration) === end && start !== null && dateAt(start, 1, duration) === end ? start : null;
}

/**
 * Says when a row's current period began, or ends.
 * @param {any} create
 * @param {ImportedRow} row
 * @param {Duration} duration
 * @param {number} today
 * @returns {number} the day on which that period ends, as far as it matters: of one that was cancelled
 */
function setDates(create, row, duration, today) {
  const start = row.startDate;
  let end = row.nextRenewal;
  if (!row.isActive && end === null) {
    // The period in which it was cancelled was its last one.
    const last = row.cancelledOn;
    end = start !== null && last !== null && start < last ? periodEnd(start, last, duration) : last;
    if (end === null && start === null) end = today;
  }
  if (end !== null) {
    // Where the calendar of the first day leads to the renewal, its day of the month is the one to keep.
    const first = start === null ? null : periodStart(start, end, duration);
    if (first !== null) create.startDate = writeDay(first); else create.nextRenewal = writeDay(end);
    return end;
  }
  if (start === null) {
    create.startDate = writeDay(today);
    return today;
  }
  // The day on which it began, maybe years ago: it is in the period of today.
  const now = periodEnd(start, today + 1, duration), first = now === null ? null : periodStart(start, now, duration);
  if (row.isTrial || now === null || now === periodEnd(start, start + 1, duration)) create.startDate = writeDay(start);
  else if (first !== null) create.startDate = writeDay(first);
  else create.nextRenewal = writeDay(now);
  return now ?? today;
}

/** @param {Record<string, any>} fields */
const given = (fields) => Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined && value !== null));

/**
 * Notes that it was cancelled. One that has ended must not renew by itself before it is cancelled here.
 * @param {Entry} entry
 * @param {number} end
 * @param {number} today
 */
function cancel(entry, end, today) {
  entry.isCancelled = true;
  if (end > today || entry.create.autoRenew !== true) return;
  entry.renewsLater = true;
  entry.create.autoRenew = false;
}

/** An import: what was read of a file, and can be added. */
export class Import {
  /**
   * @param {import("./database.js").Database} database
   * @param {import("./state.js").State} state
   */
  constructor(database, state) {
    this.database = database;
    this.state = state;
    this.today = readDay(state.today);
    /** @type {Entry[]} */
    this.entries = [];
  }

  /**
   * The plans that are sold in the user's country.
   * @returns {Promise<Plan[]>}
   */
  async #catalogue() {
    const { country } = this.state.overlay.user, { providers, currencies } = this.state.overlay.plans;
    const [plans, prices] = await this.database.read(({ catalogue }) => Promise.all([result(catalogue.getAll(beginning("plan"))), result(catalogue.getAll(beginning("price")))]), ["catalogue"]);
    const known = new Map(plans.filter(({ data }) => data.country === country).map(({ id, data }) => [Number(id), readPlan(data)]));
    /** @type {Map<number, any[]>} */
    const lines = new Map();
    for (const { data } of prices) if (known.has(data.planId)) lines.set(data.planId, [...lines.get(data.planId) ?? [], readPrice(data)]);
    const table = new PlanTable(known, lines, providers, currencies);
    return [...known.keys()].sort((one, other) => one - other).flatMap((id) => table.plan(id, this.today) ?? []).filter(({ withdrawn }) => !withdrawn);
  }

  /**
   * Reads a file. Of those with the same provider, plan, currency, duration and label as many are left out as are here already, so
   * that a file can be imported again, and two like contracts stay two.
   * @param {{name: string, text: string}} file
   */
  async read({ text }) {
    if (text.length > MOST) throw Fault.invalid("", "tooLong", "the file is larger than 32 MiB", { maximum: MOST });
    const file = readFile(text), plans = await this.#catalogue();
    /** @type {Map<string, number>} */
    const here = new Map();
    for (const { plan, price, label } of this.state.subscriptions) {
      const of = identity({ ...plan, currency: price.currency }, label);
      here.set(of, (here.get(of) ?? 0) + 1);
    }
    this.entries = [];
    const numbers = new Set("rows" in file ? file.rows.map(({ currencyNumber }) => currencyNumber).filter(Boolean) : []);
    /**
     * @param {() => Entry} make
     * @param {string} name
     */
    const row = (make, name) => {
      try {
        const entry = make(), of = entry.identities.find((one) => (here.get(one) ?? 0) > 0);
        const { name, subtitle, price, duration } = entry;
        if (of !== undefined) {
          here.set(of, (here.get(of) ?? 0) - 1);
          return { name, subtitle, price, duration, on: null, standing: "same", problem: null };
        }
        const { fields } = checkNew(entry.create, this.state), preview = this.state.preview(entry.create);
        if ("failure" in preview) throw preview;
        entry.create = fields;
        this.entries.push(entry);
        return { name, subtitle, price, duration, on: preview.endDate, standing: "new", problem: null };
      } catch (error) {
        if (!(error instanceof Fault)) throw error;
        return { name, subtitle: null, price: null, duration: null, on: null, standing: "refused", problem: error };
      }
    };
    const rows = "own" in file
      ? file.own.map((one, i) => row(() => this.#own(one, plans), one?.label ?? one?.plan?.provider ?? `entry ${i + 1}`))
      : file.rows.map((one) => row(() => this.#other(one, plans, numbers.size), one.label ?? one.name ?? one.place));
    return { rows, format: file.format };
  }

  /**
   * Of an export of our own: to the same plan of the catalogue where it is here, else to one of the user's own.
   * @param {any} one
   * @param {Plan[]} plans
   * @returns {Entry}
   */
  #own(one, plans) {
    const { plan } = one ?? {};
    if (!plan?.duration || typeof one.startDate !== "string" || typeof one.endDate !== "string") throw Fault.invalid("", "unknownForm", "the file was changed and is no export any more");
    const same = plan.private ? undefined : plans.find((other) => other.provider === plan.provider && other.name === plan.name && other.type === plan.type
      && other.country === plan.country && lengthOf(other.duration) === lengthOf(plan.duration) && other.duration.unit === plan.duration.unit);
    const of = same ?? plan;
    const create = given({
      freeTrial: one.freeTrial, autoRenew: one.autoRenew, label: one.label, reminderDays: one.reminderDays, note: one.note, planId: same?.id,
      plan: same ? undefined : given({
        provider: plan.provider, name: plan.name, type: plan.type, category: plan.category, fee: plan.fee, currency: plan.currency, duration: plan.duration,
        trialDays: plan.trialDays, noticeDays: plan.noticeDays,
      }),
      fee: !one.freeTrial && one.currency === of.currency && !isSameFee(one.fee, of.fee) ? one.fee : undefined,
    });
    // A period from its first day keeps the day of the month also where its end was clamped: 31 January to 28 February.
    const start = readDay(one.startDate), end = readDay(one.endDate);
    if (attempt(() => begin(start, makeTerms(plan.duration, plan.trialDays), one.freeTrial).end) === end) create.startDate = one.startDate;
    else create.nextRenewal = one.endDate;
    /** @type {Entry} */
    const entry = {
      create, identities: [identity({ ...plan, currency: one.currency }, one.label)], isCancelled: false, renewsLater: false, name: one.label ?? plan.provider,
      subtitle: plan.name, price: { fee: one.fee, currency: one.currency }, duration: plan.duration,
    };
    if (one.status !== "active") cancel(entry, end, this.today);
    return entry;
  }

  /**
   * @param {ImportedRow} row
   * @param {Plan[]} plans
   * @param {number} numbers how many numbers the file has for currencies
   * @returns {Entry}
   */
  #other(row, plans, numbers) {
    if (row.fault) throw row.fault;
    if (row.name === null) throw Fault.invalid("name", "required", "is missing");
    const usual = this.state.currency(), said = row.currency(null, this.state.overlay.user.country);
    if (said === null && row.currencyNumber !== null && numbers > 1) throw Fault.invalid("currency", "unknownCurrency", "the file has numbers for its currencies");
    const currency = said ?? usual;
    if (!currency) throw Fault.invalid("currency", "required", "is missing");
    const plan = given({ provider: row.name, name: row.plan ?? "Standard", category: row.category, fee: row.fee, currency, duration: row.duration });
    const create = given({ freeTrial: row.isTrial || undefined, autoRenew: row.autoRenew, label: row.label, reminderDays: row.reminderDays, note: row.note });
    const end = setDates(create, row, row.duration, this.today), found = match(plans, plan, row.plan !== null);
    const own = identity(/** @type {any} */ (plan), row.label);
    if (found) create.planId = found.id; else create.plan = plan;
    /** @type {Entry} */
    const entry = {
      create, identities: found ? [identity(found, row.label), own] : [own], isCancelled: false, renewsLater: false, name: row.label ?? row.name,
      subtitle: found?.name ?? row.plan, price: { fee: plan.fee, currency }, duration: row.duration,
    };
    if (!row.isActive) cancel(entry, end, this.today);
    return entry;
  }
}
