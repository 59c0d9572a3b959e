// What is kept in the browser: rows of the service, and what was changed here and waits. One database for each tenant.

import { Fault } from "./fault.js";

/**
 * @typedef {{scope: string, version: number, entity: string, id: string, deleted: boolean, data?: any}} Change
 * @typedef {{dropped: string[], changes: Change[], cursor: string, more: boolean, total: number}} Page
 * @typedef {object} Touched what a transaction has changed, for those who hold a copy in memory
 * @property {boolean} [all]
 * @property {[entity: string, id: string][]} [rows]
 * @property {string[]} [tables]
 */

/** It only grows. A new one may drop rows and pull again; the outbox is always migrated. 2: rows of declared kinds are kept. */
const VERSION = 2;

/** The scope of the user's own rows. */
const OWN = "user";
/** The scope of plans that were asked for, before a pull brings them. */
export const ASKED = "asked";
/** The version of a plan that was made here and may be another one by now. */
export const GUESSED = -1;
/** Entities with rows that go with one of theirs: of a subscription its periods, of a plan its prices. */
const CHILD = /** @type {Record<string, string>} */ ({ subscription: "period", plan: "price" });
/** Kinds with a form of their own. All others are kept as they come: a later build finds those that this one does not know. */
export const OWN_FORMS = new Set(["me", "subscription", "period", "plan", "price", "provider", "country", "currency"]);

const TABLES = ["own", "catalogue", "outbox", "acknowledged", "reports", "deleted", "answers", "meta", "drafts"];
/** Of a user alone: dropped when the user is another one, or gone. */
const OF_USER = ["own", "catalogue", "outbox", "acknowledged", "deleted", "answers", "drafts"];
/** What is remembered of the browser, whoever uses it. */
const OF_BROWSER = new Set(["settings", "created", "clockOffset", "clockChecked", "areas", "sendsMails"]);

/**
 * The result of a request.
 * @template T
 * @param {IDBRequest<T>} request
 * @returns {Promise<T>}
 */
export const result = (request) => new Promise((resolve, reject) => {
  request.onsuccess = () => resolve(request.result);
  request.onerror = () => reject(request.error);
});

/**
 * All keys of an array that begin so.
 * @param {...string} start
 */
export const beginning = (...start) => IDBKeyRange.bound(start, [...start, []], false, true);

/**
 * All ids of an entity that begin with a text.
 * @param {string} entity
 * @param {string} prefix
 */
export const withPrefix = (entity, prefix) => IDBKeyRange.bound([entity, prefix], [entity, `${prefix}\uffff`, []]);

/** @param {unknown} error */
const storeFault = (error) => error instanceof Fault ? error
  : new Fault("store", error instanceof DOMException ? error.name : "store", `the store of this browser: ${error instanceof Error ? error.message : error}`);

/** One browser's store of a tenant. */
export class Database {
  /** @param {IDBDatabase} database */
  constructor(database) {
    this.database = database;
    /** Called when another page wants a newer schema, and this one lets go; or when the browser has taken the store away. */
    this.onOutdated = () => {};
    database.onversionchange = () => { database.close(); this.onOutdated(); };
    database.onclose = () => this.onOutdated();
  }

  /**
   * Opens the store of a tenant, and makes it where there is none.
   * @param {string} tenant
   */
  static async open(tenant) {
    try {
      const request = indexedDB.open(`subtrack.${tenant}`, VERSION);
      request.onupgradeneeded = ({ oldVersion }) => {
        const database = request.result;
        const has = (/** @type {string} */ name) => database.objectStoreNames.contains(name);
        // The user's own rows by kind and id; all others by kind, id and scope.
        if (!has("own")) database.createObjectStore("own");
        if (!has("catalogue")) database.createObjectStore("catalogue");
        // In its order. `today` is the user's day on which it was done.
        if (!has("outbox")) database.createObjectStore("outbox", { keyPath: "number", autoIncrement: true }).createIndex("row", "id");
        // What was answered: offered again when the server's data turn out to have gone back in time.
        if (!has("acknowledged")) database.createObjectStore("acknowledged", { keyPath: "number", autoIncrement: true });
        if (!has("reports")) database.createObjectStore("reports", { keyPath: "number", autoIncrement: true });
        if (!has("deleted")) database.createObjectStore("deleted", { keyPath: "id" });
        if (!has("answers")) database.createObjectStore("answers", { keyPath: "id" });
        if (!has("meta")) database.createObjectStore("meta");
        if (!has("drafts")) database.createObjectStore("drafts");
        // A build before may have passed over rows of kinds that it did not know: all is pulled once more, and the areas are asked for.
        if (oldVersion === 1) for (const name of ["cursor", "left", "clockChecked"]) request.transaction?.objectStore("meta").delete(name);
      };
      return new Database(await result(request));
    } catch (error) {
      throw storeFault(error);
    }
  }

  close() { this.database.close(); }

  /**
   * Does something in a transaction: all of it or nothing.
   * @template T
   * @param {"readonly" | "readwrite"} mode
   * @param {(tables: Record<string, IDBObjectStore>) => Promise<T>} body waits for nothing but requests of these tables
   * @param {string[]} [names]
   * @returns {Promise<T>}
   */
  async transaction(mode, body, names = TABLES) {
    try {
      const transaction = this.database.transaction(names, mode);
      const over = new Promise((resolve, reject) => {
        transaction.oncomplete = () => resolve(undefined);
        transaction.onabort = () => reject(transaction.error ?? new DOMException("it was taken back", "AbortError"));
      });
      over.catch(() => {});
      const tables = Object.fromEntries(names.map((name) => [name, transaction.objectStore(name)]));
      try {
        const value = await body(tables);
        if (mode === "readwrite") await over;
        return value;
      } catch (error) {
        try { transaction.abort(); } catch { /* It is over already. */ }
        // Where a full disk has aborted it, the transaction says so, and its requests do not.
        throw error instanceof Fault ? error : transaction.error ?? error;
      }
    } catch (error) {
      throw storeFault(error);
    }
  }

  /**
   * @template T
   * @param {(tables: Record<string, IDBObjectStore>) => Promise<T>} body
   * @param {string[]} [names]
   */
  read(body, names) { return this.transaction("readonly", body, names); }
  /**
   * @template T
   * @param {(tables: Record<string, IDBObjectStore>) => Promise<T>} body
   * @param {string[]} [names]
   */
  write(body, names) { return this.transaction("readwrite", body, names); }

  /**
   * What is remembered under a name.
   * @param {string} name
   */
  meta(name) { return this.read(({ meta }) => result(meta.get(name)), ["meta"]); }
  /**
   * Remembers something; undefined: forgets it.
   * @param {Record<string, unknown>} values
   */
  remember(values) { return this.write(async ({ meta }) => remember(meta, values), ["meta"]); }
}

/**
 * @param {IDBObjectStore} meta
 * @param {Record<string, unknown>} values
 */
export function remember(meta, values) {
  for (const [name, value] of Object.entries(values)) {
    if (value === undefined || value === null) meta.delete(name); else meta.put(value, name);
  }
}

/**
 * Where a row is kept.
 * @param {string} scope
 * @param {string} entity
 * @param {string} id
 * @returns {["own" | "catalogue", string[]]}
 */
const place = (scope, entity, id) => scope === OWN ? ["own", [entity, id]] : ["catalogue", [entity, id, scope]];

/**
 * An id as it is kept.
 * @param {string} entity
 * @param {string} id
 */
const kept = (entity, id) => entity === "me" || entity === "subscription" ? id.toLowerCase() : id;

/**
 * Takes in a row unless a newer one is held.
 * @param {Record<string, IDBObjectStore>} tables
 * @param {{scope: string, entity: string, id: string, version: number, data: any}} row
 */
export async function upsert(tables, { scope, entity, id, version, data }) {
  const [table, key] = place(scope, entity, id);
  const held = await result(tables[table].get(key));
  if (held && held.version > version) return;
  tables[table].put({ id, scope, version, data }, key);
}

/**
 * Takes in a page together with its cursor. A page that was asked for from another place than where the store stands by now
 * (another tab was quicker) is left alone.
 * @param {Record<string, IDBObjectStore>} tables
 * @param {Page} page
 * @param {string | undefined} since the cursor that it was asked for from
 * @param {number} now milliseconds since 1970
 * @returns {Promise<Touched | null>} what was changed; null: it was not taken
 */
export async function takePage(tables, page, since, now) {
  if (await result(tables.meta.get("cursor")) !== since) return null;
  /** @type {Touched} */
  const touched = { rows: [], tables: ["meta", "deleted"] };
  if (since === undefined) {
    // A copy begins anew. What was asked for, and stands in for rows to come, stays until they are here.
    await dropRows(tables, true);
    touched.all = true;
  }
  for (const scope of page.dropped) {
    await dropScope(tables, scope);
    touched.all = true;
  }
  await Promise.all(page.changes.map((change) => takeChange(tables, change, now)));
  for (const { entity, id } of page.changes) touched.rows?.push([entity, kept(entity, id)]);
  await tidyDeleted(tables, now);
  remember(tables.meta, { cursor: page.cursor, left: page.more ? page.total : undefined });
  return touched;
}

/**
 * Takes in a change.
 * @param {Record<string, IDBObjectStore>} tables
 * @param {Change} change
 * @param {number} now
 */
export async function takeChange(tables, { scope, entity, id: given, version, deleted, data }, now) {
  const id = kept(entity, given), isDeclared = !OWN_FORMS.has(entity);
  if (!deleted && data) {
    // What stands in for a plan is the user's own, or was asked for; the plan may have become one of the catalogue.
    if (entity === "plan") await dropStandIns(tables, id, scope);
    await upsert(tables, { scope, entity, id, version, data });
    if (entity === "subscription" || isDeclared) tables.deleted.delete(id);
    return;
  }
  const [table, key] = place(scope, entity, id);
  const held = await result(tables[table].get(key));
  if (held && held.version <= version) {
    if (entity === "subscription") tables.deleted.put({ id, deletedAt: now, data: held.data });
    else if (isDeclared) tables.deleted.put({ id, kind: entity, deletedAt: now, data: held.data });
    tables[table].delete(key);
  }
  const child = CHILD[entity];
  if (!child) return;
  const range = withPrefix(child, `${id} `);
  const [rows, keys] = await Promise.all([result(tables[table].getAll(range)), result(tables[table].getAllKeys(range))]);
  rows.forEach((row, i) => { if (row.scope === scope && row.version <= version) tables[table].delete(keys[i]); });
}

/**
 * @param {Record<string, IDBObjectStore>} tables
 * @param {string} id
 * @param {string} scope where the row is that has come
 */
async function dropStandIns(tables, id, scope) {
  const range = beginning("plan", id);
  const [own, rows, keys] = await Promise.all([
    result(tables.own.get(["plan", id])), result(tables.catalogue.getAll(range)), result(tables.catalogue.getAllKeys(range)),
  ]);
  if (own && own.version <= 0 && scope !== OWN) tables.own.delete(["plan", id]);
  rows.forEach((row, i) => { if (row.version <= 0 && row.scope !== scope) tables.catalogue.delete(keys[i]); });
  if (!rows.some((row) => row.scope === ASKED)) return;
  const prices = await result(tables.catalogue.getAllKeys(withPrefix("price", `${id} `)));
  for (const key of prices) if (Array.isArray(key) && key[2] === ASKED) tables.catalogue.delete(key);
}

/**
 * Drops all rows of a scope that the user does not see any more.
 * @param {Record<string, IDBObjectStore>} tables
 * @param {string} scope
 */
async function dropScope(tables, scope) {
  if (scope === OWN) { tables.own.clear(); return; }
  const [rows, keys] = await Promise.all([result(tables.catalogue.getAll()), result(tables.catalogue.getAllKeys())]);
  rows.forEach((row, i) => { if (row.scope === scope) tables.catalogue.delete(keys[i]); });
}

/**
 * Drops all rows of the server's, and nothing else.
 * @param {Record<string, IDBObjectStore>} tables
 * @param {boolean} [keepsAsked] whether plans that were asked for stay
 */
export async function dropRows(tables, keepsAsked = false) {
  /** @type {[any, IDBValidKey][]} */
  const asked = [];
  if (keepsAsked) {
    for (const entity of ["plan", "price"]) {
      const range = beginning(entity);
      const [rows, keys] = await Promise.all([result(tables.catalogue.getAll(range)), result(tables.catalogue.getAllKeys(range))]);
      rows.forEach((row, i) => { if (row.scope === ASKED) asked.push([row, keys[i]]); });
    }
  }
  tables.own.clear();
  tables.catalogue.clear();
  for (const [row, key] of asked) tables.catalogue.put(row, key);
}

/**
 * Drops everything of the user: it is another one, or gone.
 * @param {Record<string, IDBObjectStore>} tables
 * @param {boolean} [keepsReports] whether what was not done as it was made can be read still
 */
export async function dropAll(tables, keepsReports = false) {
  for (const name of OF_USER) tables[name].clear();
  if (!keepsReports) tables.reports.clear();
  for (const name of await result(tables.meta.getAllKeys())) if (!OF_BROWSER.has(String(name))) tables.meta.delete(name);
}

/**
 * Forgets what was deleted long ago: it can be restored for 30 days.
 * @param {Record<string, IDBObjectStore>} tables
 * @param {number} now
 */
async function tidyDeleted({ deleted }, now) {
  for (const row of await result(deleted.getAll())) if (row.deletedAt < now - 30 * 86_400_000) deleted.delete(row.id);
}
