// Rows of a user whom the service has lost, as after an operator restored an older backup. What was done lately is sent again; older
// rows, and those of other devices, are only here. As `Store+Former` of the service's kit.

import { begin, makeTerms } from "../core/billing.js";
import { readDay, writeDay } from "../core/days.js";
import { beginning, remember, result, withPrefix } from "./database.js";
import { newKey, report, waiting } from "./outbox.js";
import { attempt } from "./overlay.js";

/**
 * @typedef {import("./outbox.js").Mutation} Mutation
 * @typedef {Record<string, IDBObjectStore>} Tables
 * @typedef {object} Former a row, as the changes that make it anew
 * @property {string} entity
 * @property {string} id
 * @property {Omit<Mutation, "number">[]} steps
 * @property {number} period the number of its period; that of the new row is 0
 * @property {number} ended how many periods have ended: they cannot be sent
 * @typedef {{rows: Former[], answered: string[]}} Noted `answered`: the keys of changes that the rows have in them
 */

/** Kinds whose rows go with others, or that nobody can add. */
const NOT_ADDED = new Set(["me", "period", "plan", "price"]);

/**
 * Whether the person of an address has what the browser holds: its user has the address, or no account, so that nobody else can sign in
 * as that user.
 * @param {Tables} tables
 * @param {string} email
 */
export async function isUserOf({ own, meta }, email) {
  const me = (await result(own.getAll(beginning("me"))))[0], address = email.trim().toLowerCase();
  if (!me?.data.accounts.length) return await result(meta.get("accountless")) !== "0";
  return me.data.accounts.some((/** @type {{email: string}} */ account) => account.email.toLowerCase() === address);
}

/**
 * Notes the rows that no kept change adds, before they are dropped.
 * @param {Tables} tables
 * @param {number} today
 */
export async function noteFormer(tables, today) {
  const [rows, keys, answered, waits, before] = await Promise.all([
    result(tables.own.getAll()), result(tables.own.getAllKeys()), result(tables.acknowledged.getAll()), waiting(tables), noted(tables),
  ]);
  const made = [...answered.map((/** @type {{mutation: Mutation}} */ { mutation }) => mutation), ...waits].filter(({ op }) => op === "create");
  const added = new Set(made.map(({ id }) => id));
  /** @type {Former[]} */
  const former = [];
  for (const [i, row] of rows.entries()) {
    const entity = String(/** @type {any[]} */ (keys[i])[0]);
    if (NOT_ADDED.has(entity) || added.has(row.id)) continue;
    former.push(entity === "subscription" ? await formerSubscription(tables, row, today)
      : { entity, id: row.id, steps: [step(entity, row.id, "create", today, row.data)], period: 0, ended: 0 });
  }
  if (!former.length) return;
  // A former sign-in may not have got so far as to send them.
  const ids = new Set(former.map(({ id }) => id));
  remember(tables.meta, {
    formerRows: {
      rows: [...before.rows.filter(({ id }) => !ids.has(id)), ...former],
      answered: [...before.answered, ...answered.map((/** @type {{mutation: Mutation}} */ { mutation }) => mutation.key)],
    },
  });
}

/**
 * Has the user add the noted rows that the service does not have, when all of the user's rows have been pulled.
 * @param {Tables} tables
 * @param {number} now
 * @returns {Promise<number>} how many were reported, for something of them cannot be sent
 */
export async function giveFormer(tables, now) {
  const { rows, answered } = await noted(tables), known = new Set(answered);
  /** @type {Map<string, Former>} */
  const lacking = new Map();
  for (const row of rows) if (await result(tables.own.getKey([row.entity, row.id])) === undefined) lacking.set(row.id, row);
  const waits = await waiting(tables);
  tables.outbox.clear();
  for (const { steps } of lacking.values()) for (const one of steps) tables.outbox.add(one);
  for (const { number: _, ...mutation } of waits) {
    const given = lacking.get(mutation.id);
    if (given && known.has(mutation.key)) continue;
    const { op, fields } = mutation;
    tables.outbox.add(given && op === "renew" && fields ? { ...mutation, fields: { ...fields, period: fields.period - given.period } } : mutation);
  }
  remember(tables.meta, { formerRows: undefined });
  const incomplete = [...lacking.values()].filter(({ ended }) => ended > 0);
  for (const { steps, ended } of incomplete)
    report(tables, /** @type {Mutation} */ (steps[0]), [],
      { code: "status_conflict", detail: `The service had lost it, and got it from this device, without the periods that have ended: ${ended}.` }, now);
  return incomplete.length;
}

/**
 * Tells of the noted rows, for another person has signed in.
 * @param {Tables} tables
 * @param {{code: string, detail: string}} problem
 * @param {number} now
 */
export async function reportFormer(tables, problem, now) {
  for (const { steps } of (await noted(tables)).rows) report(tables, /** @type {Mutation} */ (steps[0]), [], problem, now);
  remember(tables.meta, { formerRows: undefined });
}

/**
 * @param {Tables} tables
 * @returns {Promise<Noted>}
 */
const noted = async ({ meta }) => /** @type {Noted | undefined} */ (await result(meta.get("formerRows"))) ?? { rows: [], answered: [] };

/**
 * @param {string} entity
 * @param {string} id
 * @param {string} op
 * @param {number} today
 * @param {Record<string, any>} [fields]
 * @returns {Omit<Mutation, "number">}
 */
const step = (entity, id, op, today, fields) => ({ key: newKey(), entity, id, op, today: writeDay(today), ...fields && { fields } });

/**
 * A subscription as it stands in its period, with its own plan if it has one.
 * @param {Tables} tables
 * @param {{id: string, data: any}} row
 * @param {number} today
 * @returns {Promise<Former>}
 */
async function formerSubscription({ own, catalogue }, { id, data }, today) {
  const number = String(data.planId), ownRow = await result(own.get(["plan", number]));
  const plan = ownRow?.data ?? (await result(catalogue.getAll(beginning("plan", number))))[0]?.data;
  // Where somebody corrected the renewal, the period does not follow from its first day.
  const begun = plan && attempt(() => begin(readDay(data.startDate), makeTerms(plan.duration, plan.trialDays ?? null), data.freeTrial));
  const isByStart = data.freeTrial || !begun || writeDay(begun.end) === data.endDate;
  /** @type {Record<string, any>} */
  const fields = { [isByStart ? "startDate" : "nextRenewal"]: isByStart ? data.startDate : data.endDate };
  if (plan?.private) {
    const { provider, name, type, category, fee, currency, duration, trialDays, noticeDays } = plan;
    fields.plan = { provider, name, type, category, fee, currency, duration, trialDays: trialDays ?? undefined, noticeDays };
  } else fields.planId = data.planId;
  if (data.freeTrial) fields.freeTrial = true;
  // What was cancelled runs out.
  if (data.autoRenew && data.cancelledOn == null) fields.autoRenew = true;
  if (data.ownFee != null) fields.fee = data.ownFee;
  for (const name of ["label", "reminderDays", "note"]) if (data[name] != null) fields[name] = data[name];
  if (data.muted) fields.muted = true;
  const steps = [step("subscription", id, "create", today, fields)];
  if (data.cancelledOn != null && readDay(data.endDate) > today) steps.push({ ...step("subscription", id, "cancel", readDay(data.cancelledOn)), after: steps[0].key });
  return { entity: "subscription", id, steps, period: data.period, ended: await result(own.count(withPrefix("period", `${id} `))) };
}
