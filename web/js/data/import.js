// Adding the subscriptions of a file: its own export, one of Wallos or SubTrackr, or comma-separated values. It is loaded when it is
// used. As `ImportRun` of the service's kit.

import { begin, countOfFirst, dateAt, makeTerms } from "../core/billing.js";
import { parseDay, readDay, writeDay } from "../core/days.js";
import { compareAmounts, parseAmount } from "../core/money.js";
import { beginning, result } from "./database.js";
import { Fault } from "./fault.js";
import { Held, identity, identityOf, planNamed, UNNAMED, UNNAMED_OWN, USUAL_PLAN } from "./import-held.js";
import { readFile } from "./import-files.js";
import { checkNew } from "./input.js";
import { attempt } from "./overlay.js";
import { PlanTable, readPlan, readPrice } from "./plans.js";

/**
 * @typedef {import("./import-rows.js").ImportedRow} ImportedRow
 * @typedef {import("../core/billing.js").Duration} Duration
 * @typedef {import("../../types/app").Plan} Plan
 * @typedef {import("../../types/app").Subscription} Subscription
 * @typedef {{sold: Plan[], all: Map<string, Plan>}} Plans those that are sold in the user's country; all, by `exact`
 * @typedef {{create: any, identities: string[], isCancelled: boolean, renewsLater: boolean, name: string, subtitle: string | null,
 *   price: {fee: string, currency: string}, duration: Duration}} Entry
 */

/** How large a file may be, in characters. */
const MOST = 32 * 1024 * 1024;

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

/**
 * The own fee of an export that does not say it, as far as the prices tell it. An own fee stays the same from period to period, and a
 * price may differ from the plan's because the plan's has changed since.
 * @param {any} one
 * @returns {string | null}
 */
function likelyOwnFee({ plan, fee, currency, freeTrial, next }) {
  const paid = freeTrial ? next : { fee, currency };
  if (!paid || paid.currency !== plan.currency || isSameFee(paid.fee, plan.fee)) return null;
  return freeTrial || !next || isSameFee(next.fee, fee) ? paid.fee : null;
}

/**
 * A plan of the catalogue by all that tells it from others.
 * @param {any} plan
 */
const exact = ({ provider, name, type, country, duration }) => [provider, name, type, country, duration.value, duration.unit].join("\u0000");

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
   * @param {() => import("./state.js").State} state
   * @param {(ids: number[]) => Promise<void>} want has plans in memory
   */
  constructor(database, state, want) {
    this.database = database;
    this.state = state();
    this.readState = state;
    this.want = want;
    this.today = readDay(this.state.today);
    /** @type {Entry[]} */
    this.entries = [];
  }

  /**
   * The plans of the catalogue.
   * @returns {Promise<Plans>}
   */
  async #catalogue() {
    const { country } = this.state.overlay.user, { providers, currencies } = this.state.overlay.plans;
    const [plans, prices] = await this.database.read(({ catalogue }) => Promise.all([result(catalogue.getAll(beginning("plan"))), result(catalogue.getAll(beginning("price")))]), ["catalogue"]);
    const known = new Map(plans.map(({ id, data }) => [Number(id), readPlan(data)]));
    /** @type {Map<number, any[]>} */
    const lines = new Map();
    for (const { data } of prices) if (known.has(data.planId)) lines.set(data.planId, [...lines.get(data.planId) ?? [], readPrice(data)]);
    const table = new PlanTable(known, lines, providers, currencies);
    const all = [...known.keys()].sort((one, other) => one - other).flatMap((id) => table.plan(id, this.today) ?? []);
    const sold = all.filter((plan) => !plan.withdrawn && plan.country === country);
    // Of two that are alike the one that is sold comes last, and stays.
    const ordered = [...all].reverse().sort((one, other) => Number(other.withdrawn) - Number(one.withdrawn));
    return { sold, all: new Map(ordered.map((plan) => [exact(plan), plan])) };
  }

  /**
   * Reads a file. A row is left out where the same subscription is here already: by its id, or by provider, plan, price, currency,
   * duration and label. Each that is here stands for one row.
   * @param {{name: string, text: string}} file
   */
  async read({ text }) {
    if (text.length > MOST) throw Fault.invalid("", "tooLong", "the file is larger than 32 MiB", { maximum: MOST });
    const file = readFile(text), plans = await this.#catalogue();
    const numbers = new Set("rows" in file ? file.rows.map(({ currencyNumber }) => currencyNumber).filter(Boolean) : []);
    /** @type {{id: unknown, name: string, place: string, row: ImportedRow | null, made: Entry | Fault}[]} */
    const all = "own" in file
      ? file.own.map((one, i) => ({ id: one?.id, name: one?.label ?? one?.plan?.provider ?? `entry ${i + 1}`, place: `entry ${i + 1}`, row: null, made: faultOr(() => this.#own(one, plans)) }))
      : file.rows.map((one) => ({ id: null, name: one.label ?? one.name ?? one.place, place: one.place, row: one, made: faultOr(() => this.#other(one, plans, numbers.size)) }));
    const found = all.flatMap(({ made }) => made instanceof Fault || made.create.planId === undefined ? [] : [Number(made.create.planId)]);
    await this.want([...new Set(found)]);
    this.state = this.readState();
    const held = new Held(this.state.subscriptions);
    // Rows with the id of a subscription come before those that are only like it.
    const known = all.map(({ id }) => held.withID(id));
    this.entries = [];
    const rows = all.map(({ name, place, row, made }, i) => {
      const shown = { ...this.#row(name, made, known[i], held), place };
      // What the service would refuse is told by the file's own name of the column.
      return shown.problem && row && !shown.problem.errors?.length ? { ...shown, problem: row.named(shown.problem) } : shown;
    });
    return { rows, format: file.format };
  }

  /**
   * What is shown of a row; one that is new is among `entries` then.
   * @param {string} name
   * @param {Entry | Fault} made
   * @param {Subscription | null} known
   * @param {Held} held
   */
  #row(name, made, known, held) {
    const here = known ?? (made instanceof Fault ? null : held.like(made.identities));
    const { subtitle, price, duration } = made instanceof Fault ? { subtitle: null, price: null, duration: null } : made;
    const shown = { name: made instanceof Fault ? name : made.name, subtitle, price, duration, on: null, problem: null, here };
    if (here) return { ...shown, standing: "same" };
    if (made instanceof Fault) return { ...shown, standing: "refused", problem: made };
    const checked = faultOr(() => {
      const { fields } = checkNew(made.create, this.state), preview = this.state.preview(made.create);
      if ("failure" in preview) throw preview;
      return { fields, endDate: preview.endDate };
    });
    if (checked instanceof Fault) return { name, subtitle: null, price: null, duration: null, on: null, standing: "refused", problem: checked, here: null };
    made.create = checked.fields;
    this.entries.push(made);
    return { ...shown, on: checked.endDate, standing: "new" };
  }

  /**
   * Of an export of our own: to the same plan of the catalogue where it is here, else to one of the user's own.
   * @param {any} one
   * @param {Plans} plans
   * @returns {Entry}
   */
  #own(one, plans) {
    const { plan } = one ?? {};
    if (!plan?.duration || ![one.startDate, one.endDate, plan.provider, plan.name, plan.fee, plan.currency].every((text) => typeof text === "string"))
      throw Fault.invalid("", "unknownForm", "the file was changed and is no export any more");
    const same = plan.private ? undefined : plans.all.get(exact(plan)), of = same ?? plan, ownFee = "ownFee" in one ? one.ownFee : likelyOwnFee(one);
    const create = given({
      freeTrial: one.freeTrial, autoRenew: one.autoRenew, label: one.label, reminderDays: one.reminderDays, muted: one.muted || undefined,
      note: one.note, planId: same?.id,
      plan: same ? undefined : given({
        provider: plan.provider, name: plan.name, type: plan.type, category: plan.category, fee: plan.fee, currency: plan.currency, duration: plan.duration,
        trialDays: plan.trialDays, noticeDays: plan.noticeDays,
      }),
      fee: plan.currency === of.currency ? ownFee : undefined,
    });
    // A period from its first day keeps the day of the month also where its end was clamped: 31 January to 28 February.
    const start = day(one.startDate), end = day(one.endDate);
    if (attempt(() => begin(start, makeTerms(of.duration, of.trialDays), one.freeTrial).end) === end) create.startDate = one.startDate;
    else create.nextRenewal = one.endDate;
    /** @type {Entry} */
    const entry = {
      create, identities: [plan, ...same ? [same] : []].map((of) => identityOf(of, ownFee, one.label)), isCancelled: false, renewsLater: false,
      name: one.label ?? plan.provider, subtitle: plan.name, price: { fee: ownFee ?? of.fee, currency: of.currency }, duration: plan.duration,
    };
    if (one.status !== "active") cancel(entry, end, this.today);
    return entry;
  }

  /**
   * @param {ImportedRow} row
   * @param {Plans} plans
   * @param {number} numbers how many numbers the file has for currencies
   * @returns {Entry}
   */
  #other(row, plans, numbers) {
    if (row.fault) throw row.fault;
    const { country } = this.state.overlay.user, usual = this.state.currency();
    const said = () => {
      const found = row.currency(null, country);
      if (found === null && row.currencyNumber !== null && numbers > 1) throw Fault.invalid("currency", "unknownCurrency", "the file has numbers for its currencies");
      if (found === null && !usual) throw Fault.invalid("currency", "required", "is missing");
      return found;
    };
    const told = faultOr(said), currency = (told instanceof Fault ? null : told) ?? usual ?? "", digits = this.state.digits(currency), faults = row.faults(digits, said), { name } = row;
    if (faults.length || name === null) throw together(faults);
    const fee = row.fee(digits), plan = given({ provider: name, name: row.plan ?? USUAL_PLAN, type: row.planType, category: row.category, fee, currency, duration: row.duration });
    const exported = row.exported(plan, country, digits);
    if (exported) return this.#own(exported, plans);
    const create = given({ freeTrial: row.isTrial || undefined, autoRenew: row.autoRenew, label: row.label, reminderDays: row.reminderDays, muted: row.muted || undefined, note: row.note });
    const end = setDates(create, row, row.duration, this.today), found = match(plans.sold, plan, row.plan !== null);
    if (found) create.planId = found.id; else create.plan = plan;
    // It may have got a plan of the user's own when the catalogue was not here.
    const named = row.plan !== null ? planNamed(row.plan, row.planType) : found ? UNNAMED_OWN : UNNAMED;
    const own = identity({ provider: name, plan: named, fee, currency, duration: row.duration, label: row.label });
    /** @type {Entry} */
    const entry = {
      create, identities: found ? [identityOf(found, null, row.label), own] : [own], isCancelled: false, renewsLater: false, name: row.label ?? name,
      subtitle: found?.name ?? row.plan, price: { fee, currency }, duration: row.duration,
    };
    if (!row.isActive) cancel(entry, end, this.today);
    return entry;
  }
}

/**
 * All faults of a row as one, which tells each of them.
 * @param {Fault[]} faults
 */
function together(faults) {
  const [{ field, code, detail, values }] = faults, fault = Fault.invalid(field, code, detail, values);
  fault.errors = faults.map(({ field, code, detail, values }) => ({ field, code, message: detail, values }));
  return fault;
}

/**
 * What a rule gives, or the fault for which it refuses.
 * @template T
 * @param {() => T} rule
 * @returns {T | Fault}
 */
function faultOr(rule) {
  try { return rule(); } catch (error) {
    if (error instanceof Fault) return error;
    throw error;
  }
}

/**
 * A day of an export.
 * @param {string} text
 */
function day(text) {
  const day = parseDay(text);
  if (day === null) throw Fault.invalid("", "unknownForm", "the file was changed and is no export any more");
  return day;
}
