// Changes that were made here and are not answered yet: in their order, each with a key, so that none is done twice.

import { addDays, readDay, writeDay } from "../core/days.js";
import { compareAmounts } from "../core/money.js";
import { fits, makeTerms } from "../core/billing.js";
import { Fault } from "./fault.js";
import { GUESSED, remember, result, takeChange, upsert } from "./database.js";
import { attempt, readRow, stateOf } from "./overlay.js";
import { ownPlan, patchedPlan, readPlan, writePlan } from "./plans.js";

/**
 * @typedef {import("./overlay.js").Mutation} Mutation
 * @typedef {Record<string, IDBObjectStore>} Tables
 * @typedef {{key: string, outcome: "applied" | "merged" | "refused" | "unknown", replayed: boolean, row?: any, plan?: any,
 *   lost: {field: string, kept: unknown, yours: unknown}[], error?: import("./fault.js").Problem}} Answer
 */

/** The fields that say nothing of others. A change keeps their values before it, for those may have been pulled away when it is answered. */
const SINGLE = ["label", "note", "reminderDays", "muted"];
/**
 * The value of such a field. A row of an older service does not tell whether it is muted.
 * @param {any} data
 * @param {string} name
 */
const singleOf = (data, name) => data[name] ?? (name === "muted" ? false : null);
/** The service knows keys for 90 days; what is offered again must be known. */
const OFFERED = 30 * 86_400_000;

/**
 * A new id that sorts by time (UUIDv7, RFC 9562 §5.7).
 * @param {number} now milliseconds since 1970
 */
export function newID(now) {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  for (let i = 0; i < 6; i++) bytes[i] = Math.floor(now / 2 ** (40 - 8 * i)) % 256;
  bytes[6] = (bytes[6] & 0x0f) | 0x70;
  bytes[8] = (bytes[8] & 0x3f) | 0x80;
  const text = Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
  return `${text.slice(0, 8)}-${text.slice(8, 12)}-${text.slice(12, 16)}-${text.slice(16, 20)}-${text.slice(20)}`;
}

/** A random id (UUIDv4), also where the browser has no `randomUUID`: on plain HTTP. */
export function newKey() {
  if (crypto.randomUUID) return crypto.randomUUID();
  const id = newID(0);
  const start = newID(Math.floor(Math.random() * 2 ** 47));
  return `${start.slice(0, 13)}-4${id.slice(15)}`;
}

/**
 * All that waits, in its order.
 * @param {Tables} tables
 * @returns {Promise<Mutation[]>}
 */
export const waiting = ({ outbox }) => result(outbox.getAll());

/**
 * Puts a change behind those that wait. What it is based on is what the store holds of the row now.
 * @param {Tables} tables
 * @param {{entity: string, id: string, op: string, fields?: Record<string, any>, today: number, notBefore?: number}} change
 * @returns {Promise<string>} its key
 */
export async function enqueue(tables, { entity, id, op, fields, today, notBefore }) {
  const of = await result(tables.outbox.index("row").getAll(id));
  const isOfPlan = fields !== undefined && Object.hasOwn(fields, "plan");
  // What this device did of a plan since the last pull is its own, also where the service did not say which version came of it.
  const after = of.at(-1)?.key ?? (isOfPlan ? await lastOfPlan(tables, id) : undefined);
  /** @type {Partial<Mutation>} */
  const mutation = { key: newKey(), entity, id, op, today: writeDay(today) };
  if (fields && Object.keys(fields).length) mutation.fields = fields;
  if (after) mutation.after = after;
  if (notBefore) mutation.notBefore = notBefore;
  if (op !== "create") {
    const row = await result(tables.own.get([entity, id]));
    if (row) mutation.baseVersion = row.version;
    const before = row && fields && entity === "subscription" ? SINGLE.filter((name) => name in fields).map((name) => [name, singleOf(row.data, name)]) : [];
    if (before.length) mutation.before = Object.fromEntries(before);
    // What stands in for a plan has no version; that of the subscription, made after it, serves then.
    const plan = row && entity === "subscription" && isOfPlan ? await result(tables.own.get(["plan", String(row.data.planId)])) : null;
    if (plan && plan.version > 0) mutation.planVersion = plan.version;
  }
  await result(tables.outbox.add(mutation));
  return /** @type {string} */ (mutation.key);
}

/**
 * The key of the last change of a row's plan that was answered.
 * @param {Tables} tables
 * @param {string} id
 */
async function lastOfPlan({ acknowledged }, id) {
  const all = await result(acknowledged.getAll());
  return all.findLast(({ mutation }) => mutation.id === id && mutation.fields?.plan !== undefined)?.mutation.key;
}

/**
 * A change as it is sent.
 * @param {Mutation} mutation
 * @param {boolean} saysDay whether it says on which day it was made
 */
export function sent({ key, entity, id, op, baseVersion, planVersion, after, fields, today }, saysDay) {
  return { key, entity, id, op, baseVersion, planVersion, after, madeOn: saysDay ? today : undefined, fields };
}

/**
 * Takes in the answers to the first changes of the outbox, together with the rows that they brought.
 * @param {Tables} tables
 * @param {Answer[]} answers
 * @param {Mutation[]} mutations what was sent
 * @param {number} now milliseconds since 1970
 * @returns {Promise<{done: number, reported: number, rows: [string, string][]}>} how many changes were done with
 */
export async function takeAnswers(tables, answers, mutations, now) {
  if (answers.length !== mutations.length || answers.some(({ key }, i) => key.toLowerCase() !== mutations[i].key))
    throw Fault.offline("the answers are not those of the changes that were sent");
  let done = 0, reported = 0;
  /** @type {[string, string][]} */
  const rows = [];
  for (const [i, answer] of answers.entries()) {
    const mutation = mutations[i];
    if (answer.outcome === "unknown") break;
    done++;
    // Another tab may have sent the same, and have been told.
    if (!await result(tables.outbox.get(mutation.number))) continue;
    tables.outbox.delete(mutation.number);
    if (answer.row) {
      await takeChange(tables, answer.row, now);
      rows.push([answer.row.entity, answer.row.id.toLowerCase()]);
      if (answer.plan) {
        await takeChange(tables, answer.plan, now);
        rows.push([answer.plan.entity, answer.plan.id]);
      } else {
        // What was made of the plan after that, in the same push, is in the row, and not in this change.
        const isChanged = mutations.some((later) => later.number > mutation.number && later.id === mutation.id && later.fields?.plan !== undefined);
        await standIn(tables, answer.row, mutation, answer, isChanged);
      }
      const plan = answer.row.data?.planId;
      if (plan !== undefined) rows.push(["plan", String(plan)]);
    }
    if (answer.outcome !== "refused") tables.acknowledged.add({ answeredAt: now, mutation });
    const lost = await sendAgain(tables, answer, mutation);
    if (answer.outcome === "refused" || lost.length) {
      report(tables, mutation, lost, answer.error ?? null, now);
      reported++;
    }
  }
  await tidy(tables, now);
  return { done, reported, rows };
}

/**
 * Sends those lost fields again that nobody else has changed: the service merges by groups, and a new note keeps a label from
 * being written. Once: a service that refuses it for ever would be asked for ever. As `Store.sendAgain` of the service's kit.
 * @param {Tables} tables
 * @param {Answer} answer
 * @param {Mutation} mutation
 * @returns {Promise<Answer["lost"]>} the fields that are lost
 */
async function sendAgain(tables, answer, mutation) {
  const lost = answer.lost ?? [], now = answer.row?.data, { before } = mutation;
  if (!lost.length || mutation.op !== "update" || !before || !now || await isSentAgain(tables, mutation)) return lost;
  /** @type {Mutation[]} */
  const later = (await result(tables.outbox.index("row").getAll(mutation.id))).filter((/** @type {Mutation} */ { number }) => number > mutation.number);
  // A change that is not an update may make an end of the row.
  if (later.some(({ op }) => op !== "update")) return lost;
  const free = lost.filter(({ field }) => SINGLE.includes(field) && singleOf(now, field) === before[field]);
  // A field that was changed once more waits behind this change already. Behind a change that waits it would follow that one, which
  // the service takes for somebody else's.
  const waits = free.filter(({ field }) => later.some(({ fields }) => fields?.[field] !== undefined));
  const again = later.length ? [] : free;
  if (again.length) tables.outbox.add({
    key: newKey(), entity: mutation.entity, id: mutation.id, op: "update", today: mutation.today, baseVersion: answer.row.version,
    after: mutation.key, fields: Object.fromEntries(again.map(({ field, yours }) => [field, yours])),
  });
  return lost.filter((one) => !again.includes(one) && !waits.includes(one));
}

/**
 * Whether a change has the values of an answered one, on top of which it was made.
 * @param {Tables} tables
 * @param {Mutation} mutation
 */
async function isSentAgain({ acknowledged }, { id, after, fields }) {
  if (!after) return false;
  const said = (await result(acknowledged.getAll())).find((/** @type {{mutation: Mutation}} */ one) => one.mutation.key === after)?.mutation;
  return said?.id === id && Object.entries(fields ?? {}).every(([name, value]) => said.fields?.[name] === value);
}

/**
 * Keeps what was made here of a plan of the user's own until the server's row is pulled: of an answer to a push the subscription
 * alone comes, which refers to it. An answer that comes again shows the subscription as others have made it since: then what was
 * made here stands in only where it may still be so, as a guess.
 * @param {Tables} tables
 * @param {any} change the row of the answer
 * @param {Mutation} mutation
 * @param {Answer} answer
 * @param {boolean} isChanged
 */
async function standIn(tables, change, mutation, answer, isChanged) {
  const fields = mutation.fields?.plan;
  if (change.entity !== "subscription" || !change.data || !fields || answer.lost?.some(({ field }) => field === "plan")) return;
  const id = String(change.data.planId), held = await result(tables.own.get(["plan", id]));
  if (mutation.op === "create" && !held) {
    const me = (await result(tables.own.getAll(IDBKeyRange.bound(["me"], ["me", []]))))[0];
    const currency = (await result(tables.catalogue.getAll(IDBKeyRange.bound(["currency", fields.currency], ["currency", fields.currency, []]))))[0];
    const since = change.data.startDate < mutation.today ? change.data.startDate : mutation.today;
    const plan = ownPlan(fields, me?.data.country ?? await result(tables.meta.get("country")) ?? "", currency?.data.minorDigits ?? 2, readDay(since));
    if (answer.replayed && !isChanged && !mayBePlanOf(plan, readRow(change.data))) return;
    await upsert(tables, { scope: change.scope, entity: "plan", id, version: answer.replayed ? GUESSED : 0, data: writePlan(plan) });
  } else if (mutation.op === "update" && held?.data.private) {
    if (answer.replayed && Math.max(held.version, 0) !== (mutation.planVersion ?? 0)) return;
    await upsert(tables, { ...held, scope: change.scope, entity: "plan", id, data: writePlan(patchedPlan(readPlan(held.data), fields)) });
  }
}

/**
 * Whether a subscription's period and price are those that a plan gives.
 * @param {import("./plans.js").PlanRow} plan
 * @param {import("./overlay.js").Row} row
 */
function mayBePlanOf(plan, row) {
  const terms = attempt(() => makeTerms(plan.duration, plan.trialDays));
  if (!terms || plan.currency !== row.currency || (!row.freeTrial && compareAmounts(row.ownFee ?? plan.fee, row.fee) !== 0)) return false;
  return row.anchorCount > 0 ? fits(stateOf(row), terms) : addDays(row.startDate, terms.trialDays) === row.endDate;
}

/**
 * Notes what was not done as it was made.
 * @param {Tables} tables
 * @param {Mutation} mutation
 * @param {Answer["lost"]} lost
 * @param {{code: string, detail: string} | null} problem
 * @param {number} now
 */
export function report({ reports }, mutation, lost, problem, now) {
  reports.add({ at: now, mutation, lost, problem: problem && { code: problem.code, detail: problem.detail } });
}

/**
 * Forgets what is of no use any more.
 * @param {Tables} tables
 * @param {number} now
 */
async function tidy({ acknowledged }, now) {
  const count = await result(acknowledged.count());
  for (let cursor = await result(acknowledged.openCursor()); cursor; cursor = await next(cursor)) {
    if (cursor.value.answeredAt >= now - OFFERED && count <= 10_000) break;
    if (cursor.value.answeredAt >= now - OFFERED) { cursor.delete(); break; }
    cursor.delete();
  }
}

/**
 * @param {IDBCursorWithValue} cursor
 * @returns {Promise<IDBCursorWithValue | null>}
 */
function next(cursor) {
  const request = /** @type {IDBRequest<IDBCursorWithValue | null>} */ (cursor.request);
  cursor.continue();
  return result(request);
}

/**
 * Starts over: the rows are pulled anew, and what waits is kept.
 * @param {Tables} tables
 * @param {string} [reason] `epoch`: the data went back in time; what was acknowledged is offered again, before what waits. A key
 *   that the server still knows is answered once more, and nothing is done twice.
 */
export async function startOver(tables, reason) {
  remember(tables.meta, { cursor: undefined, left: undefined });
  if (reason !== "epoch") return;
  const waits = await waiting(tables), known = await result(tables.acknowledged.getAll());
  tables.outbox.clear();
  tables.acknowledged.clear();
  for (const { number: _, ...mutation } of [...known.map(({ mutation }) => mutation), ...waits]) tables.outbox.add(mutation);
}

/**
 * Makes a change that waits another user's, who has the rows of the former one by now.
 * @param {Tables} tables
 * @param {Mutation} mutation
 * @param {string} user the id of the other one
 * @param {Map<string, string>} same ids of subscriptions that both had, and those that stand for them now
 */
export function handOver({ outbox }, mutation, user, same) {
  const handed = { ...mutation };
  // Versions of one user's rows say nothing of another's.
  delete handed.baseVersion;
  delete handed.planVersion;
  if (handed.entity === "me") handed.id = user;
  handed.id = same.get(handed.id) ?? handed.id;
  outbox.put(handed);
}

/**
 * Whether the device's user, when the service knows the token no more, can be begun again without loss: one without account, whom
 * nobody can sign in as, and of whose rows and plans the service had none.
 * @param {Tables} tables
 */
export async function mayBeginAgain({ own, meta }) {
  if (!await isAccountless({ own, meta })) return false;
  if ((await result(own.getAllKeys())).some((key) => Array.isArray(key) && !["me", "plan", "price"].includes(String(key[0])))) return false;
  return !(await result(own.getAll(IDBKeyRange.bound(["plan"], ["plan", []])))).some((row) => row.data.private);
}

/**
 * Whether the device's user has no account, as far as it is known here.
 * @param {Tables} tables
 */
export async function isAccountless({ own, meta }) {
  const known = await result(meta.get("accountless"));
  if (known === "0") return false;
  const me = (await result(own.getAll(IDBKeyRange.bound(["me"], ["me", []]))))[0];
  return me ? me.data.accounts.length === 0 : known === "1";
}
