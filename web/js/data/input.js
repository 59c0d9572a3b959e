// Checks of what is typed, as the service makes them, so that most of what it would refuse is said at once.

import { BillingError, begin, beginWithRenewal, corrected, correctedRenewal, makeTerms } from "../core/billing.js";
import { isTimeZone, parseDay } from "../core/days.js";
import { FeeError, fee as readFee, writeAmount } from "../core/money.js";
import { GUESSED } from "./database.js";
import { Fault } from "./fault.js";
import { stateOf } from "./overlay.js";
import { patchedPlan } from "./plans.js";

/**
 * @typedef {import("./state.js").State} State
 * @typedef {import("../../types/app").NewSubscription} NewSubscription
 * @typedef {import("../../types/app").SubscriptionPatch} SubscriptionPatch
 */

/** @param {string} text */
const length = (text) => [...text].length;

/**
 * @param {unknown} text
 * @param {string} field
 * @param {number} maximum
 * @param {{isMultiline?: boolean, isNeeded?: boolean}} options
 */
function checkText(text, field, maximum, { isMultiline = false, isNeeded = false } = {}) {
  if (text === null || text === undefined) {
    if (isNeeded) throw Fault.invalid(field, "required", "is needed");
    return;
  }
  if (typeof text !== "string") throw Fault.invalid(field, "malformed", "must be a text");
  if (length(text) > maximum) throw Fault.invalid(field, "tooLong", `may have ${maximum} characters`, { maximum });
  // eslint-disable-next-line no-control-regex
  if ((isMultiline ? /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/ : /[\u0000-\u001f\u007f-\u009f]/).test(text))
    throw Fault.invalid(field, "control", "must not have control characters");
  if (isNeeded && !/\S/u.test(text)) throw Fault.invalid(field, "empty", "must not be empty");
}

/**
 * @param {unknown} value
 * @param {string} field
 * @param {number} minimum
 * @param {number} maximum
 */
function checkNumber(value, field, minimum, maximum) {
  if (value === null || value === undefined) return;
  if (!Number.isInteger(value) || Number(value) < minimum || Number(value) > maximum)
    throw Fault.invalid(field, "range", `must be from ${minimum} to ${maximum}`, { minimum, maximum });
}

/**
 * @param {unknown} value
 * @param {string} field
 */
function checkDay(value, field) {
  if (value !== null && value !== undefined && parseDay(value) === null) throw Fault.invalid(field, "malformed", "is no day such as 2026-01-31");
}

/**
 * @param {string} currency
 * @param {string} field
 * @param {State} state
 */
function checkCurrency(currency, field, state) {
  const { currencies } = state.overlay.plans;
  // Before the first pull none is known.
  if (currencies.size ? !currencies.has(currency) : !/^[A-Z]{3}$/.test(currency)) throw Fault.invalid(field, "unknownCurrency", "is no code such as EUR");
}

/**
 * @param {unknown} fee
 * @param {string} currency
 * @param {string} field
 * @param {State} state
 * @returns {string} with the digits of its currency
 */
function checkFee(fee, currency, field, state) {
  try {
    return writeAmount(readFee(String(fee).trim(), currency, state.digits(currency)));
  } catch (error) {
    if (error instanceof FeeError) throw Fault.invalid(field, error.code, error.message, error.values);
    throw error;
  }
}

/**
 * @param {() => void} rule
 * @param {string} field
 */
function checkDates(rule, field) {
  try { rule(); } catch (error) {
    if (error instanceof BillingError) throw Fault.invalid(field, error.code, error.message, error.values);
    throw error;
  }
}

/**
 * @param {any} plan
 * @param {State} state
 * @param {string} [prefix]
 */
function checkPlan(plan, state, prefix = "plan.") {
  checkText(plan.provider, `${prefix}provider`, 100, { isNeeded: true });
  checkText(plan.name, `${prefix}name`, 100, { isNeeded: true });
  checkText(plan.type, `${prefix}type`, 30);
  checkText(plan.category, `${prefix}category`, 50);
  if (!plan.duration) throw Fault.invalid(`${prefix}duration`, "required", "is needed");
  checkNumber(plan.duration.value, `${prefix}duration`, 1, 1200);
  if (!["day", "week", "month", "year"].includes(plan.duration.unit)) throw Fault.invalid(`${prefix}duration`, "malformed", "has no such unit");
  checkNumber(plan.trialDays, `${prefix}trialDays`, 1, 1200);
  checkNumber(plan.noticeDays, `${prefix}noticeDays`, 0, 1200);
  if (!plan.currency) throw Fault.invalid(`${prefix}currency`, "required", "is needed");
  checkCurrency(plan.currency, `${prefix}currency`, state);
  if (plan.fee === undefined || plan.fee === null || plan.fee === "") throw Fault.invalid(`${prefix}fee`, "required", "is needed");
  plan.fee = checkFee(plan.fee, plan.currency, `${prefix}fee`, state);
}

/**
 * What is named, without what is undefined.
 * @param {Record<string, any>} fields
 */
const named = (fields) => Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));

/** @param {{label?: unknown, note?: unknown, reminderDays?: unknown, startDate?: unknown, nextRenewal?: unknown}} input */
function checkCommon({ label, note, reminderDays, startDate, nextRenewal }) {
  checkText(label, "label", 100);
  checkText(note, "note", 1000, { isMultiline: true });
  checkNumber(reminderDays, "reminderDays", 0, 365);
  checkDay(startDate, "startDate");
  checkDay(nextRenewal, "nextRenewal");
  if (startDate && nextRenewal) throw Fault.invalid("nextRenewal", "conflict", "give either the start or the next renewal");
}

/**
 * An empty text says nothing.
 * @param {string | null | undefined} text
 */
const said = (text) => text === undefined ? undefined : text === null || !/\S/u.test(text) ? null : text.trim();

/**
 * Checks an addition.
 * @param {NewSubscription} input
 * @param {State} state
 * @returns {{fields: Record<string, any>}} as it is sent
 */
export function checkNew(input, state) {
  /** @type {Record<string, any>} */
  const fields = named({ ...input, label: said(input.label) ?? undefined, note: said(input.note) ?? undefined, fee: input.fee ?? undefined, reminderDays: input.reminderDays ?? undefined });
  checkCommon(fields);
  // The day on which it was added, not that on which it is sent.
  if (!fields.startDate && !fields.nextRenewal) fields.startDate = state.today;
  /** @type {any} */
  let plan;
  if (fields.plan && fields.planId === undefined) {
    plan = fields.plan = named({ name: "Standard", ...fields.plan, trialDays: fields.plan.trialDays ?? undefined });
    if (!said(plan.name)) plan.name = "Standard";
    if (!said(plan.type)) delete plan.type;
    if (!said(plan.category)) delete plan.category;
    checkPlan(plan, state);
  } else if (fields.planId !== undefined && !fields.plan) {
    plan = state.overlay.plans.plans.get(fields.planId);
    if (!plan || isGuessed(fields.planId, state)) throw new Fault("unknown", "unknownPlan", `there is no plan ${fields.planId} in this browser`, { field: "planId" });
  } else throw Fault.invalid("planId", "required", "give a plan, of the catalogue or of your own");
  if (fields.fee !== undefined) fields.fee = checkFee(fields.fee, plan.currency, "fee", state);
  const { startDate, nextRenewal } = fields, trial = fields.freeTrial ?? false;
  checkDates(() => {
    const terms = makeTerms(plan.duration, plan.trialDays), end = parseDay(nextRenewal), start = parseDay(startDate);
    if (end !== null) beginWithRenewal(end, terms, trial); else if (start !== null) begin(start, terms, trial);
  }, nextRenewal ? "nextRenewal" : "startDate");
  return { fields };
}

/**
 * Whether what is held of a plan is no more than what was made of it here once.
 * @param {number} id
 * @param {State} state
 */
const isGuessed = (id, state) => state.planVersion(id) === GUESSED;

/**
 * Checks a change.
 * @param {string} id
 * @param {SubscriptionPatch} patch
 * @param {State} state
 * @returns {Record<string, any>} as it is sent; empty where nothing changes
 */
export function checkPatch(id, patch, state) {
  const entry = state.overlay.entries.get(id);
  if (!entry || entry.isDeleted) throw new Fault("unknown", "unknown", "there is no such subscription in this browser");
  const fields = named({ ...patch, label: said(patch.label), note: said(patch.note) });
  checkCommon(fields);
  const { plans } = state.overlay, { row } = entry, planId = fields.planId ?? row.planId, plan = plans.plans.get(planId);
  if (fields.planId !== undefined && fields.planId !== row.planId && (!plan || isGuessed(fields.planId, state)))
    throw new Fault("unknown", "unknownPlan", `there is no plan ${fields.planId} in this browser`, { field: "planId" });
  if (fields.plan) {
    if (fields.planId !== undefined || !plan?.private) throw Fault.invalid("plan", "catalogue", "is of the catalogue; only a plan of your own can be changed");
    // What others made of it meanwhile is not known; what is based on the subscription's version would undo it.
    if (isGuessed(row.planId, state)) throw new Fault("unknown", "unknownPlan", "what the plan is by now is not in this browser yet", { field: "plan" });
    fields.plan = named(fields.plan);
    const changed = { ...patchedPlan(plan, fields.plan), fee: fields.plan.fee ?? writeAmount(plan.fee) };
    checkPlan(changed, state);
    if (fields.plan.fee !== undefined) fields.plan.fee = changed.fee;
  }
  if (fields.fee !== undefined && fields.fee !== null) fields.fee = checkFee(fields.fee, plan?.currency ?? row.currency, "fee", state);
  const terms = plans.terms(planId), start = parseDay(fields.startDate), end = parseDay(fields.nextRenewal), trial = fields.freeTrial ?? row.freeTrial;
  if (terms) checkDates(() => {
    if (start !== null) corrected(stateOf(row), start, terms, trial); else if (end !== null) correctedRenewal(stateOf(row), end, terms, trial);
  }, start !== null ? "startDate" : "nextRenewal");
  return fields;
}

/**
 * @param {{userName?: string | null, country?: string, timeZone?: string}} patch
 * @param {State} state
 */
export function checkUser(patch, state) {
  const fields = named({ ...patch, userName: said(patch.userName) });
  checkText(fields.userName, "userName", 100);
  if (fields.timeZone !== undefined && !isTimeZone(fields.timeZone)) throw Fault.invalid("timeZone", "unknownTimeZone", "there is no such time zone");
  if (fields.country !== undefined) {
    const known = state.countries();
    if (known?.length ? !known.some(({ id }) => id === fields.country) : !/^[A-Z]{2}$/.test(fields.country))
      throw Fault.invalid("country", "unknownCountry", "there is no such country");
  }
  return fields;
}
