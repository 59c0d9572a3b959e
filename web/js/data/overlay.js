// The server's subscriptions with what waits in the outbox laid over them, in its order: what the server will make of it, as far
// as it can be told here. A change that the server has done already (its answer was lost) changes nothing: a renewal names its
// period, and all others give the values that there are. As `Overlay` of the service's kit.

import {
  begin, beginWithRenewal, caughtUp, changedPlan, changedTrial, corrected, correctedRenewal, goingOn, renewals, renewed,
} from "../core/billing.js";
import { parseDay, readDay, writeDay } from "../core/days.js";
import { parseAmount, readAmount, rescaled, writeAmount } from "../core/money.js";

/**
 * @typedef {import("../core/money.js").Amount} Amount
 * @typedef {object} Row what is stored of a subscription, days as numbers and amounts as such
 * @property {number} planId
 * @property {string | null} label
 * @property {number} startDate
 * @property {number} endDate
 * @property {boolean} freeTrial
 * @property {number} anchorDate
 * @property {number} anchorCount
 * @property {number} period
 * @property {Amount} fee
 * @property {string} currency
 * @property {Amount | null} ownFee
 * @property {boolean} autoRenew
 * @property {number | null} cancelledOn
 * @property {number | null} reminderDays
 * @property {boolean} muted
 * @property {string | null} note
 * @typedef {{number: number, startDate: number, endDate: number, fee: Amount, currency: string, freeTrial: boolean}} PeriodRow
 * @typedef {object} Entry a subscription as it stands here
 * @property {string} id
 * @property {number} version
 * @property {Row} row
 * @property {boolean} isPending something of it waits to be sent
 * @property {boolean} isDeleted
 * @property {PeriodRow[]} ended periods that were ended here
 * @typedef {{userName: string | null, country: string, timeZone: string, accounts: {email: string, verified: boolean}[]}} UserRow
 * @typedef {object} Mutation a change as it waits
 * @property {number} number its place in the order
 * @property {string} key
 * @property {string} entity
 * @property {string} id
 * @property {string} op
 * @property {number} [baseVersion]
 * @property {number} [planVersion]
 * @property {Record<string, any>} [before] values of its fields that say nothing of others, as they were when it was made
 * @property {string} [after]
 * @property {Record<string, any>} [fields]
 * @property {string} today the user's day on which it was made
 * @property {number} [notBefore] milliseconds since 1970: it can be taken back until then
 * @property {boolean} [attempted] whether it was sent at least once
 */

/** A change is held for no longer than this: one of a later time was made before the clock was set back. */
const LONGEST_HELD = 60_000;

/**
 * How many milliseconds a change can be taken back still; 0: it may be sent.
 * @param {Mutation} mutation
 * @param {number} now milliseconds since 1970
 */
export const heldFor = ({ notBefore = 0 }, now) => notBefore - now < LONGEST_HELD ? Math.max(0, notBefore - now) : 0;

/** So many periods that have ended by themselves are shown. */
export const MAXIMUM_RENEWALS = 1000;

/**
 * @param {any} data
 * @returns {Row}
 */
export const readRow = (data) => ({
  planId: data.planId, label: data.label ?? null, startDate: readDay(data.startDate), endDate: readDay(data.endDate),
  freeTrial: data.freeTrial, anchorDate: readDay(data.anchorDate), anchorCount: data.anchorCount, period: data.period,
  fee: readAmount(data.fee), currency: data.currency, ownFee: data.ownFee == null ? null : readAmount(data.ownFee),
  autoRenew: data.autoRenew, cancelledOn: data.cancelledOn == null ? null : readDay(data.cancelledOn),
  // An older service does not tell whether it is muted.
  reminderDays: data.reminderDays ?? null, muted: data.muted ?? false, note: data.note ?? null,
});

/**
 * @param {any} data
 * @returns {PeriodRow}
 */
export const readPeriod = (data) => ({
  number: data.number, startDate: readDay(data.startDate), endDate: readDay(data.endDate), fee: readAmount(data.fee),
  currency: data.currency, freeTrial: data.freeTrial,
});

/** @param {PeriodRow} period */
export const writePeriod = (period) => ({ ...period, startDate: writeDay(period.startDate), endDate: writeDay(period.endDate), fee: writeAmount(period.fee) });

/**
 * Where a row stands in its billing calendar.
 * @param {Row} row
 * @returns {import("../core/billing.js").State}
 */
export const stateOf = (row) => ({
  start: row.startDate, end: row.endDate, anchor: row.anchorDate, anchorCount: row.anchorCount, number: row.period, freeTrial: row.freeTrial,
});

/**
 * @param {Row} row
 * @param {import("../core/billing.js").State} state
 */
export function setState(row, state) {
  row.startDate = state.start;
  row.endDate = state.end;
  row.anchorDate = state.anchor;
  row.anchorCount = state.anchorCount;
  row.period = state.number;
  row.freeTrial = state.freeTrial;
}

/**
 * The current period, as it is kept when it has ended.
 * @param {Row} row
 * @returns {PeriodRow}
 */
export const periodOf = ({ period, startDate, endDate, fee, currency, freeTrial }) => ({ number: period, startDate, endDate, fee, currency, freeTrial });

/**
 * What a rule gives, or null where it refuses.
 * @template T
 * @param {() => T} rule
 * @returns {T | null}
 */
export const attempt = (rule) => { try { return rule(); } catch { return null; } };

/** Rows with what waits laid over them. It is made anew whenever something has changed. */
export class Overlay {
  /**
   * @param {object} of
   * @param {Map<string, Entry>} of.entries what the server has; none of them is changed
   * @param {import("./plans.js").PlanTable} of.plans
   * @param {UserRow} of.user
   * @param {Map<string, Row>} of.deleted subscriptions that were deleted and can come back
   * @param {Mutation[]} of.outbox
   */
  constructor({ entries, plans, user, deleted, outbox }) {
    this.entries = outbox.length ? new Map(entries) : entries;
    this.plans = outbox.length ? plans.fork() : plans;
    this.user = outbox.some(({ entity }) => entity === "me") ? { ...user } : user;
    this.deleted = deleted;
    for (const mutation of outbox) this.#apply(mutation);
  }

  /**
   * One that may be changed.
   * @param {Entry} entry
   * @returns {Entry}
   */
  #own(entry) {
    const copy = { ...entry, row: { ...entry.row }, ended: [...entry.ended], isPending: true };
    this.entries.set(entry.id, copy);
    return copy;
  }

  /** @param {Mutation} mutation */
  #apply(mutation) {
    const { entity, op, id } = mutation, fields = mutation.fields ?? {}, today = readDay(mutation.today);
    if (entity === "me" && op === "update") {
      for (const field of /** @type {const} */ (["userName", "country", "timeZone"]))
        if (fields[field] !== undefined && (field === "userName" || fields[field] !== null)) this.user[field] = fields[field];
    } else if (entity === "plan" && op === "update") this.plans.change(Number(id), fields, today);
    else if (entity !== "subscription") return;
    else if (op === "create") this.#create(id, fields, today);
    else if (op === "restore") {
      const row = this.deleted.get(id);
      const found = this.entries.get(id) ?? (row ? { id, version: 0, row, isPending: true, isDeleted: true, ended: [] } : null);
      if (!found) return;
      const entry = this.#own(found);
      // While it was deleted nobody said that it went on.
      if (entry.isDeleted && entry.row.autoRenew && entry.row.cancelledOn === null) this.#goOn(entry, today);
      entry.isDeleted = false;
    } else {
      const found = this.entries.get(id);
      if (!found || found.isDeleted) return;
      const entry = this.#own(found);
      // What renews by itself is in the period of the day of the change when the server looks at it.
      this.#catchUp(entry, today);
      this.#change(entry, op, fields, today);
    }
  }

  /**
   * @param {string} id
   * @param {Record<string, any>} fields
   * @param {number} today
   */
  #create(id, fields, today) {
    // It is done already where the row is there.
    if (this.entries.has(id)) return;
    const row = this.begun(fields, today);
    if (row) this.entries.set(id, { id, version: 0, row, isPending: true, isDeleted: false, ended: [] });
  }

  /**
   * The row that an addition makes; null where its plan has not come, or no such period can be.
   * @param {Record<string, any>} fields
   * @param {number} today
   * @returns {Row | null}
   */
  begun(fields, today) {
    const start = parseDay(fields.startDate) ?? today;
    const planId = fields.planId ?? (fields.plan ? this.plans.add(fields.plan, this.user.country, start) : null);
    const terms = planId === null ? null : this.plans.terms(planId);
    if (!terms) return null;
    const trial = fields.freeTrial ?? false, end = parseDay(fields.nextRenewal);
    const state = attempt(() => end !== null ? beginWithRenewal(end, terms, trial) : begin(start, terms, trial));
    if (!state) return null;
    /** @type {Row} */
    const row = {
      planId, label: fields.label ?? null, startDate: 0, endDate: 0, freeTrial: trial, anchorDate: 0, anchorCount: 0, period: 0,
      fee: { units: 0n, digits: 2 }, currency: "", ownFee: parseAmount(fields.fee), autoRenew: fields.autoRenew ?? false,
      cancelledOn: null, reminderDays: fields.reminderDays ?? null, muted: fields.muted ?? false, note: fields.note ?? null,
    };
    setState(row, { ...state, freeTrial: trial });
    this.price(row);
    return row;
  }

  /**
   * @param {Entry} entry
   * @param {string} op
   * @param {Record<string, any>} fields
   * @param {number} today
   */
  #change(entry, op, fields, today) {
    const { row } = entry;
    switch (op) {
      case "delete": entry.isDeleted = true; break;
      case "cancel": row.cancelledOn ??= today; break;
      case "resume":
        if (row.cancelledOn !== null) this.#goOn(entry, today);
        row.cancelledOn = null;
        break;
      case "renew":
        if (fields.period === row.period && row.cancelledOn === null) this.#renew(entry);
        break;
      case "update": {
        const former = { ...row };
        this.update(row, fields, today);
        if (row.period > former.period) entry.ended.push(periodOf(former));
      }
    }
  }

  /**
   * Brings what renews by itself into the period of a day, and keeps the periods that have ended.
   * @param {Entry} entry
   * @param {number} today
   */
  #catchUp(entry, today) {
    const { row } = entry;
    const terms = this.plans.terms(row.planId);
    if (!row.autoRenew || row.cancelledOn !== null || row.endDate > today || !terms) return;
    for (const state of attempt(() => renewals(stateOf(row), today, terms, MAXIMUM_RENEWALS)) ?? []) {
      entry.ended.push(periodOf(row));
      setState(row, state);
      this.price(row);
    }
    entry.row = this.current(row, today);
  }

  /**
   * Begins a period on a day, where the one so far has ended before.
   * @param {Entry} entry
   * @param {number} day
   */
  #goOn(entry, day) {
    const { row } = entry, terms = this.plans.terms(row.planId);
    const next = terms && attempt(() => goingOn(stateOf(row), day, terms));
    if (!next || next.number <= row.period) return;
    entry.ended.push(periodOf(row));
    setState(row, next);
    this.price(row);
  }

  /**
   * Ends the current period and begins the next.
   * @param {Entry} entry
   */
  #renew(entry) {
    const { row } = entry, terms = this.plans.terms(row.planId);
    const next = terms && attempt(() => renewed(stateOf(row), terms));
    if (!next) return;
    entry.ended.push(periodOf(row));
    setState(row, next);
    this.price(row);
  }

  /**
   * Changes a row in the order of the database's triggers: start, else plan, else trial.
   * @param {Row} row
   * @param {Record<string, any>} patch
   * @param {number} today
   */
  update(row, patch, today) {
    if (patch.plan) this.plans.change(row.planId, patch.plan, today);
    const former = { ...row };
    if (patch.planId != null) row.planId = patch.planId;
    if (patch.fee !== undefined) row.ownFee = parseAmount(patch.fee);
    const terms = this.plans.terms(row.planId);
    if (terms) {
      const trial = patch.freeTrial ?? row.freeTrial, at = stateOf(row);
      const start = parseDay(patch.startDate), end = parseDay(patch.nextRenewal);
      const state = attempt(() => {
        if (start !== null && start !== row.startDate) return corrected(at, start, terms, trial);
        if (end !== null && end !== row.endDate) return correctedRenewal(at, end, terms, trial);
        // It renews by itself from now on.
        if (patch.autoRenew === true && !row.autoRenew && row.cancelledOn === null && row.endDate < today) return goingOn(at, today, terms);
        return row.planId !== former.planId ? changedPlan(at, terms, trial) : changedTrial(at, trial, terms);
      });
      if (state) setState(row, state);
    }
    if (row.period > former.period && row.endDate >= today) row.cancelledOn = null;
    if (patch.plan || isOther(row, former)) this.price(row);
    if (patch.autoRenew != null) row.autoRenew = patch.autoRenew;
    if (patch.label !== undefined) row.label = patch.label;
    if (patch.reminderDays !== undefined) row.reminderDays = patch.reminderDays;
    if (patch.muted != null) row.muted = patch.muted;
    if (patch.note !== undefined) row.note = patch.note;
  }

  /**
   * What its period costs by what is known here; what the service said stays where the plan has not come yet.
   * @param {Row} row
   */
  price(row) {
    const line = this.plans.line(row.planId);
    if (!line) return;
    const { fee, currency } = line.costFrom(row.startDate, row.ownFee, row.freeTrial);
    row.fee = rescaled(fee, this.plans.digits(currency)) ?? fee;
    row.currency = currency;
  }

  /**
   * A row in the period of a day, where it renews by itself.
   * @param {Row} row
   * @param {number} today
   * @returns {Row}
   */
  current(row, today) {
    if (!row.autoRenew || row.cancelledOn !== null || row.endDate > today) return row;
    const terms = this.plans.terms(row.planId), state = terms && attempt(() => caughtUp(stateOf(row), today, terms));
    if (!state) return row;
    const caught = { ...row };
    setState(caught, state);
    this.price(caught);
    return caught;
  }
}

/**
 * Whether a change of the row asks for a new price.
 * @param {Row} row
 * @param {Row} former
 */
const isOther = (row, former) =>
  row.planId !== former.planId || row.startDate !== former.startDate || row.endDate !== former.endDate || row.freeTrial !== former.freeTrial
  || row.period !== former.period || row.anchorDate !== former.anchorDate || row.anchorCount !== former.anchorCount
  || row.cancelledOn !== former.cancelledOn
  || (row.ownFee === null) !== (former.ownFee === null)
  || (row.ownFee !== null && former.ownFee !== null && row.ownFee.units * 10n ** BigInt(6 - row.ownFee.digits) !== former.ownFee.units * 10n ** BigInt(6 - former.ownFee.digits));
