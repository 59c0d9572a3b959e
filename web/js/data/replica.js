// What of the store is in memory: the user's own rows, the plans they hold, and what waits. Changed by what transactions say they
// have changed, in this tab or another one.

import { beginning, OWN_FORMS, result, withPrefix } from "./database.js";
import { Overlay, readRow } from "./overlay.js";
import { guessedCountry, ownTimeZone } from "./place.js";
import { PlanTable, readPlan, readPrice } from "./plans.js";

/**
 * @typedef {import("./overlay.js").Entry} Entry
 * @typedef {import("./database.js").Touched} Touched
 * @typedef {{id: string, scope: string, version: number, data: any}} DeclaredRow
 */

/** So many single rows are read one by one; for more a whole table is. */
const SINGLE = 400;


/** A copy of the store. */
export class Replica {
  /** @type {Map<string, Entry>} */ entries = new Map();
  /** @type {{id: string, version: number, data: import("./overlay.js").UserRow} | null} */ me = null;
  /** @type {Map<number, import("./plans.js").PlanRow>} */ plans = new Map();
  /** @type {Map<number, number>} */ planVersions = new Map();
  /** @type {Map<number, import("../core/prices.js").Entry[]>} */ prices = new Map();
  /** @type {Map<string, any>} */ providers = new Map();
  /** @type {Map<string, {name: string, minorDigits: number}>} */ currencies = new Map();
  /** @type {Map<string, {name: string, currency: string}>} */ countries = new Map();
  /** @type {import("./overlay.js").Mutation[]} */ outbox = [];
  /** @type {{id: string, deletedAt: number, data: any}[]} */ deleted = [];
  /**
   * Deleted rows of declared kinds.
   * @type {{id: string, kind: string, deletedAt: number, data: any}[]}
   */
  gone = [];
  /** Whether the user has rows of declared kinds. */ hasDeclared = false;
  /** Rows of the declared kinds that were asked for, by id. @type {Map<string, Map<string, DeclaredRow>>} */ declared = new Map();
  /** @type {any[]} */ reports = [];
  /** @type {any[]} */ answers = [];
  /** @type {Map<string, any>} */ meta = new Map();
  /** @type {Map<string, any>} */ drafts = new Map();
  /** Whether a row was left out, for it cannot be read: the store is damaged, or the service newer. */ hasUnreadable = false;
  /** Plans that a page looks at. @type {Set<number>} */ wanted = new Set();
  /** Grows with each change; `catalogue` and `periods` with those of the catalogue and of periods. */
  version = 0;
  catalogueVersion = 0;
  periodsVersion = 0;

  /** @type {Promise<void>} */ #queue = Promise.resolve();

  /** @param {import("./database.js").Database} database */
  constructor(database) { this.database = database; }

  /**
   * Reads what was changed, one after the other.
   * @param {Touched} touched
   */
  refresh(touched) {
    this.#queue = this.#queue.catch(() => {}).then(() => touched.all ? this.#load() : this.#reread(touched));
    return this.#queue;
  }

  /**
   * Has the rows of a declared kind in memory from now on.
   * @param {string} kind
   */
  load(kind) {
    this.#queue = this.#queue.catch(() => {}).then(() => this.declared.has(kind) ? undefined : this.database.read((tables) => this.#kind(tables, kind), ["own", "catalogue"]));
    return this.#queue;
  }

  /**
   * Reads the rows of a declared kind, in whichever scope they are.
   * @param {Record<string, IDBObjectStore>} tables
   * @param {string} kind
   * @param {Set<string>} [ids] those that were changed; all unless given
   */
  async #kind({ own, catalogue }, kind, ids) {
    const held = this.declared.get(kind);
    if (!ids || !held || ids.size > SINGLE) {
      const rows = await Promise.all([result(catalogue.getAll(beginning(kind))), result(own.getAll(beginning(kind)))]);
      this.declared.set(kind, new Map(rows.flat().map((row) => [row.id, row])));
      return;
    }
    const read = await Promise.all([...ids].map(async (id) =>
      /** @type {const} */ ([id, await result(own.get([kind, id])) ?? (await result(catalogue.getAll(beginning(kind, id))))[0]])));
    const rows = new Map(held);
    for (const [id, row] of read) if (row) rows.set(id, row); else rows.delete(id);
    this.declared.set(kind, rows);
  }

  async #load() {
    await this.database.read(async (tables) => {
      const { own, catalogue } = tables;
      const [me, subscriptions, plans, prices, currencies, countries] = await Promise.all([
        result(own.getAll(beginning("me"))), result(own.getAll(beginning("subscription"))), result(own.getAll(beginning("plan"))),
        result(own.getAll(beginning("price"))), result(catalogue.getAll(beginning("currency"))), result(catalogue.getAll(beginning("country"))),
        ...["outbox", "deleted", "reports", "answers", "meta", "drafts"].map((name) => this.#table(tables, name)),
      ]);
      this.me = me[0] ?? null;
      this.entries = this.#entriesOf(subscriptions);
      this.plans = new Map();
      this.planVersions = new Map();
      this.prices = new Map();
      this.providers = new Map();
      for (const row of plans) this.#plan(row);
      for (const row of prices) this.#price(row);
      this.currencies = new Map(currencies.map((row) => [row.id, row.data]));
      this.countries = new Map(countries.map((row) => [row.id, row.data]));
      await Promise.all([...this.declared.keys()].map((kind) => this.#kind(tables, kind)));
      const counts = await Promise.all([result(own.count()), ...[...OWN_FORMS].map((kind) => result(own.count(beginning(kind))))]);
      this.hasDeclared = counts.slice(1).reduce((left, count) => left - count, counts[0]) > 0;
      await this.#missingPlans(tables);
    });
    this.version++;
    this.catalogueVersion++;
    this.periodsVersion++;
  }

  /** @param {Touched} touched */
  async #reread({ rows = [], tables: names = [] }) {
    await this.database.read(async (tables) => {
      await Promise.all(names.map((name) => this.#table(tables, name)));
      /** @type {Map<string, Set<string>>} */
      const ids = new Map();
      for (const [entity, id] of rows) {
        if (!ids.has(entity)) ids.set(entity, new Set());
        ids.get(entity)?.add(id);
      }
      await Promise.all([...ids.keys()].filter((kind) => !OWN_FORMS.has(kind) && this.declared.has(kind)).map((kind) => this.#kind(tables, kind, ids.get(kind))));
      this.hasDeclared ||= [...ids.keys()].some((kind) => !OWN_FORMS.has(kind));
      if (ids.has("me")) this.me = (await result(tables.own.getAll(beginning("me"))))[0] ?? null;
      await this.#subscriptions(tables, ids.get("subscription"));
      const plans = new Set([...ids.get("plan") ?? [], ...[...ids.get("price") ?? []].map((id) => id.split(" ")[0])].map(Number));
      const needed = this.#needed();
      await Promise.all([...plans].filter((id) => needed.has(id) || this.plans.has(id)).map((id) => this.#readPlan(tables, id)));
      if ([...ids.get("plan") ?? []].length) await this.#ownPlans(tables, ids.get("plan"));
      for (const name of ids.get("provider") ?? []) if (this.providers.has(name)) this.providers.delete(name);
      if (ids.has("currency")) this.currencies = new Map((await result(tables.catalogue.getAll(beginning("currency")))).map((row) => [row.id, row.data]));
      if (ids.has("country")) this.countries = new Map((await result(tables.catalogue.getAll(beginning("country")))).map((row) => [row.id, row.data]));
      await this.#missingPlans(tables);
      if (ids.has("period") || ids.has("subscription")) this.periodsVersion++;
      if (plans.size || ids.has("provider")) this.catalogueVersion++;
    });
    this.version++;
  }

  /**
   * @param {Record<string, IDBObjectStore>} tables
   * @param {string} name
   */
  async #table(tables, name) {
    const table = tables[name];
    if (name === "meta" || name === "drafts") {
      const [values, keys] = await Promise.all([result(table.getAll()), result(table.getAllKeys())]);
      this[name] = new Map(keys.map((key, i) => [String(key), values[i]]));
    } else if (name === "deleted") {
      const all = await result(table.getAll());
      this.deleted = all.filter(({ kind }) => kind === undefined);
      this.gone = all.filter(({ kind }) => kind !== undefined);
    } else if (name === "outbox" || name === "reports" || name === "answers") this[name] = await result(table.getAll());
  }

  /**
   * @param {Record<string, IDBObjectStore>} tables
   * @param {Set<string> | undefined} ids
   */
  async #subscriptions({ own }, ids) {
    if (!ids) return;
    if (ids.size > SINGLE) {
      this.entries = this.#entriesOf(await result(own.getAll(beginning("subscription"))));
      return;
    }
    const read = await Promise.all([...ids].map(async (id) => /** @type {const} */ ([id, await result(own.get(["subscription", id]))])));
    this.entries = new Map(this.entries);
    const rows = this.#entriesOf(read.flatMap(([, row]) => row ?? []));
    for (const [id] of read) {
      const made = rows.get(id);
      if (made) this.entries.set(id, made); else this.entries.delete(id);
    }
  }

  /**
   * @param {any[]} rows
   * @returns {Map<string, Entry>} those that can be read, by id
   */
  #entriesOf(rows) {
    /** @type {Map<string, Entry>} */
    const entries = new Map();
    for (const row of rows) {
      const made = this.#readable(() => entry(row));
      if (made) entries.set(row.id, made);
    }
    return entries;
  }

  /**
   * What is read of a row; null where it cannot be read. One damaged row so does not take all others away.
   * @template T
   * @param {() => T} read
   */
  #readable(read) {
    try {
      return read();
    } catch {
      this.hasUnreadable = true;
      return null;
    }
  }

  /**
   * Plans of the user's own that are new or gone.
   * @param {Record<string, IDBObjectStore>} tables
   * @param {Set<string> | undefined} ids
   */
  async #ownPlans(tables, ids) {
    const unread = [...ids ?? []].map(Number).filter((id) => !this.plans.has(id));
    if (unread.length > SINGLE) {
      for (const row of await result(tables.own.getAll(beginning("plan")))) if (!this.plans.has(Number(row.id))) this.#plan(row);
      return;
    }
    await Promise.all(unread.map(async (id) => {
      if (await result(tables.own.getKey(["plan", String(id)])) !== undefined) await this.#readPlan(tables, id);
    }));
  }

  /** @param {any} row */
  #plan(row) {
    const id = Number(row.id), plan = this.#readable(() => readPlan(row.data));
    if (!plan) return;
    // Of two with one number that of the catalogue is shown, not what was asked for before it came.
    if (this.plans.has(id) && (this.planVersions.get(id) ?? 0) > row.version) return;
    this.plans.set(id, plan);
    this.planVersions.set(id, row.version);
  }

  /** @param {any} row */
  #price(row) {
    const plan = row.data?.planId, price = this.#readable(() => readPrice(row.data));
    if (price) this.prices.set(plan, [...(this.prices.get(plan) ?? []), price]);
  }

  /**
   * Reads a plan with its prices anew.
   * @param {Record<string, IDBObjectStore>} tables
   * @param {number} id
   */
  async #readPlan({ own, catalogue }, id) {
    const [ownRow, rows, ownPrices, prices] = await Promise.all([
      result(own.get(["plan", String(id)])), result(catalogue.getAll(beginning("plan", String(id)))),
      result(own.getAll(withPrefix("price", `${id} `))), result(catalogue.getAll(withPrefix("price", `${id} `))),
    ]);
    this.plans.delete(id);
    this.planVersions.delete(id);
    this.prices.delete(id);
    for (const row of ownRow ? [...rows, ownRow] : rows) this.#plan(row);
    for (const row of [...ownPrices, ...prices]) this.#price(row);
  }

  /** The plans that are needed to show what is here. */
  #needed() {
    const needed = new Set(this.wanted);
    for (const { row } of this.entries.values()) needed.add(row.planId);
    for (const { fields } of this.outbox) if (typeof fields?.planId === "number") needed.add(fields.planId);
    for (const { data } of this.deleted) needed.add(data.planId);
    return needed;
  }

  /**
   * Reads what is needed and not in memory yet.
   * @param {Record<string, IDBObjectStore>} tables
   */
  async #missingPlans(tables) {
    const missing = [...this.#needed()].filter((id) => !this.plans.has(id));
    if (missing.length > SINGLE) {
      const wanted = new Set(missing);
      const [plans, prices] = await Promise.all([result(tables.catalogue.getAll(beginning("plan"))), result(tables.catalogue.getAll(beginning("price")))]);
      for (const row of plans) if (wanted.has(Number(row.id))) this.#plan(row);
      for (const row of prices) if (wanted.has(row.data.planId)) this.#price(row);
    } else await Promise.all(missing.map((id) => this.#readPlan(tables, id)));
    const providers = new Set([...this.plans.values()].filter((plan) => !plan.private).map((plan) => plan.provider));
    const unread = [...providers].filter((name) => !this.providers.has(name));
    const rows = unread.length > SINGLE
      ? (await result(tables.catalogue.getAll(beginning("provider")))).filter(({ id }) => providers.has(id))
      : (await Promise.all(unread.map((name) => result(tables.catalogue.getAll(beginning("provider", name)))))).flat();
    for (const row of rows) this.providers.set(row.id, row.data);
  }

  /** Plans, prices, providers and currencies. */
  table() { return new PlanTable(this.plans, this.prices, this.providers, this.currencies); }

  /** @returns {import("./overlay.js").UserRow} */
  user() {
    return this.me?.data ?? { userName: null, country: this.meta.get("country") ?? guessedCountry() ?? "", timeZone: this.meta.get("timeZone") ?? ownTimeZone(), accounts: [] };
  }

  /** Rows with what waits laid over them. */
  overlay() {
    const deleted = this.outbox.some(({ op }) => op === "restore") ? new Map(this.deleted.map(({ id, data }) => [id, readRow(data)])) : new Map();
    return new Overlay({ entries: this.entries, plans: this.table(), user: this.user(), deleted, outbox: this.outbox });
  }

  /**
   * The periods that have ended of a subscription, as the server has them.
   * @param {string} id
   */
  periods(id) { return this.database.read(({ own }) => result(own.getAll(withPrefix("period", `${id} `))), ["own"]); }
  /** The periods that have ended of all. */
  allPeriods() { return this.database.read(({ own }) => result(own.getAll(beginning("period"))), ["own"]); }
}

/**
 * @param {{id: string, version: number, data: any}} row
 * @returns {Entry}
 */
const entry = ({ id, version, data }) => ({ id, version, row: readRow(data), isPending: false, isDeleted: false, ended: [] });

