// What pages read: one object made from what is in memory. Each change makes a new one; its parts are computed when they are asked
// for, and once.

import { dateAt, fits, renewals } from "../core/billing.js";
import { writeDay } from "../core/days.js";
import { readAmount } from "../core/money.js";
import { Fault } from "./fault.js";
import { MAXIMUM_RENEWALS, Overlay, attempt, periodOf, readPeriod, readRow, setState, stateOf, writePeriod } from "./overlay.js";
import { tracked } from "./tracked.js";

/**
 * @typedef {import("../../types/app").Subscription} Subscription
 * @typedef {object} Surroundings what the state is made of beside the store
 * @property {string} base
 * @property {string} tenant
 * @property {number} today
 * @property {import("./replica.js").Replica} replica
 * @property {import("./catalogue.js").Catalogue} catalogue
 * @property {import("./api.js").API} api
 * @property {import("./asked.js").Asked} asked
 * @property {import("../../types/app").Connection} connection
 * @property {typeof import("./reports.js") | null} reports null until it is loaded, which it is where there is something to sum
 * @property {typeof import("./input.js") | null} input null until it is loaded: soon after the first draw
 * @property {typeof import("./kinds.js") | null} kinds null until it is loaded
 * @property {(kind: string) => void} load has the rows of a declared kind in memory; a draw follows
 */

/**
 * @typedef {import("./kinds.js").Entry} Entry
 * @typedef {{all: Map<string, Entry>, here: Entry[], deleted: Entry[], gone: unknown, outbox: unknown}} Entries
 */

/**
 * Entries by the rows that they were made of: a state in which none of them was changed has the same lists as the one before.
 * @type {WeakMap<Map<string, import("./replica.js").DeclaredRow>, Entries>}
 */
const entriesMade = new WeakMap();

export const USUAL_SETTINGS = { theme: "device", language: null, totalCurrency: null, shortcuts: true };

/** What pages read: `State` of types/app.d.ts. */
export class State {
  /** @type {Map<string, any>} */ #made = new Map();
  /** @type {Surroundings} */ #of;

  /** @param {Surroundings} of */
  constructor(of) {
    this.#of = of;
    this.base = of.base;
    this.tenant = of.tenant;
    this.today = writeDay(of.today);
    this.connection = of.connection;
    // What was in memory when this state was made; the copy changes.
    const { replica } = of;
    this.overlay = replica.overlay();
    this.#reports = replica.reports;
    this.#answers = replica.answers;
    this.#deleted = replica.deleted;
    this.#gone = replica.gone;
    this.#outbox = replica.outbox;
    this.#meta = replica.meta;
  }

  #reports; #answers; #deleted; #gone; #outbox; #meta;

  /**
   * @template T
   * @param {string} name
   * @param {() => T} make
   * @returns {T}
   */
  #once(name, make) {
    if (!this.#made.has(name)) this.#made.set(name, make());
    return this.#made.get(name);
  }

  get #day() { return this.#of.today; }
  get #all() { return { overlay: this.overlay, today: this.#day, subscriptions: this.subscriptions }; }

  get user() {
    return this.#once("user", () => ({
      id: this.#of.replica.me?.id ?? this.#meta.get("user") ?? null, ...this.overlay.user, userName: this.overlay.user.userName ?? null,
      waiting: this.#outbox.some(({ entity }) => entity === "me"),
    }));
  }
  get device() { return this.#meta.get("device") ?? null; }
  get hasDeclared() { return this.#of.replica.hasDeclared; }
  get isKept() { return this.#meta.has("user") || this.overlay.entries.size > 0 || this.#outbox.length > 0; }
  get areas() { return this.#meta.get("areas") ?? ["subscriptions"]; }
  /** Whether the service has said which areas it has. */
  get hasAreas() { return this.#meta.has("areas"); }
  /** Whether mails leave the service. One that does not say it is taken for one that sends them. */
  get sendsMails() { return this.#meta.get("sendsMails") ?? true; }
  /** @param {string} name */
  kept(name) { return this.#meta.get(`kept ${name}`); }
  /** @returns {import("../../types/app").Settings} */
  get settings() { return { ...USUAL_SETTINGS, ...this.#meta.get("settings") }; }

  get subscriptions() {
    return this.#once("subscriptions", () => {
      /** @type {Subscription[]} */
      const all = [];
      for (const entry of this.overlay.entries.values()) if (!entry.isDeleted) all.push(tracked(this.overlay, entry, this.#day));
      return all.sort((one, other) => one.remaining - other.remaining || (one.id < other.id ? -1 : 1));
    });
  }
  /** @param {string} id */
  subscription(id) {
    const entry = this.overlay.entries.get(id);
    return entry && !entry.isDeleted ? tracked(this.overlay, entry, this.#day) : undefined;
  }
  get deleted() {
    return this.#once("deleted", () => {
      const here = [...this.overlay.entries.values()].filter(({ isDeleted }) => isDeleted);
      const known = new Set(here.map(({ id }) => id));
      const stored = [...this.#deleted].sort((one, other) => other.deletedAt - one.deletedAt)
        .filter(({ id }) => !known.has(id) && !this.overlay.entries.has(id))
        .map(({ id, data }) => ({ id, version: 0, row: readRow(data), isPending: false, isDeleted: true, ended: [] }));
      return [...here, ...stored].map((entry) => tracked(this.overlay, entry, this.#day));
    });
  }

  /**
   * The rows of a declared kind, all by id and parted into those that are here and those that were deleted; undefined until they are
   * in memory.
   * @param {string} kind
   * @returns {Entries | undefined}
   */
  #entries(kind) {
    const { kinds, replica, load } = this.#of, rows = replica.declared.get(kind);
    if (kinds && rows) return this.#once(`rows ${kind}`, () => {
      const known = entriesMade.get(rows);
      if (known?.gone === this.#gone && known.outbox === this.#outbox) return known;
      const all = kinds.entriesOf(kind, rows, this.#gone, this.#outbox), list = [...all.values()];
      const made = { all, here: list.filter(({ isDeleted }) => !isDeleted), deleted: list.filter(({ isDeleted }) => isDeleted), gone: this.#gone, outbox: this.#outbox };
      entriesMade.set(rows, made);
      return made;
    });
    this.#once(`load ${kind}`, () => { load(kind); return true; });
    return undefined;
  }
  /** @param {string} kind */
  rows(kind) { return this.#entries(kind)?.here; }
  /**
   * @param {string} kind
   * @param {string} id
   */
  row(kind, id) {
    const entries = this.#entries(kind);
    return entries && (entries.all.get(id) ?? null);
  }
  /** @param {string} kind */
  deletedRows(kind) { return this.#entries(kind)?.deleted; }

  get #sums() { return this.#of.reports; }
  /** @param {number} days */
  leaving(days) { return this.#once(`leaving ${days}`, () => this.#sums?.leaving(this.#all, days) ?? []); }
  /** @param {string} month */
  calendar(month) { return this.#once(`calendar ${month}`, () => this.#sums?.calendar(this.#all, month) ?? []); }
  get spending() { return this.#once("spending", () => this.#sums?.spending(this.#all) ?? []); }
  get saved() { return this.#once("saved", () => this.#sums?.saved(this.#all) ?? []); }
  get total() {
    return this.#once("total", () => {
      const currency = this.settings.totalCurrency ?? this.currency();
      const total = this.#sums?.total(this.spending, currency, this.#meta.get("rates"), (code) => this.digits(code)) ?? null;
      if (!total?.missing.length) return total;
      this.#of.asked.rates([...this.spending.map(({ currency }) => currency), total.currency]);
      // Until the service has answered nobody knows which rates are missing.
      return this.#meta.has("rates") || !this.#meta.has("user") || this.connection.kind === "offline" ? total : { ...total, missing: [] };
    });
  }
  get notices() { return this.#once("notices", () => this.#sums?.notices(this.#all) ?? []); }
  get questions() {
    return this.#once("questions", () => {
      if (!this.areas.includes("reminders")) return this.#sums?.questions(this.#all, this.notices, new Map(this.#answers.map((answer) => [answer.id, answer]))) ?? [];
      const rows = this.rows("reminder") ?? [], contacts = rows.some(({ row }) => row.kind === "date") ? this.rows("contact") ?? [] : [];
      return this.#sums?.reminded({ ...this.#all, user: this.user.id, notices: this.notices, rows, contacts, hasWeek: this.leaving(7).length > 0 }) ?? [];
    });
  }
  get answered() {
    return this.#once("answered", () => this.#answers.filter(({ id, day }) => day === this.today && !this.questions.some((open) => open.id === id)).flatMap((given) => {
      const { id, kind, on, answer, reminders = [] } = given, subscription = given.subscriptionId ? this.subscription(given.subscriptionId) : null, contact = given.contactId ? this.row("contact", given.contactId) : null;
      if (subscription === undefined || (given.contactId && (!contact || contact.isDeleted))) return [];
      const waiting = subscription?.waiting || reminders.some((/** @type {string} */ one) => this.row("reminder", one)?.waiting);
      return [{ question: { id, kind, subscription, contact: contact ?? null, date: null, on, notice: null, answers: [], reminders }, answer, waiting }];
    }));
  }
  get lost() {
    return this.#once("lost", () => this.#reports.map(({ number, at, mutation, lost, problem }) => ({
      id: number, at: new Date(at).toISOString(), entity: mutation.entity, rowId: mutation.id, name: this.#name(mutation), op: mutation.op,
      fields: lost.map((/** @type {any} */ field) => ({
        field: field.field, theirs: field.kept, yours: field.yours,
        mayUseMine: mutation.entity === "me" || (mutation.entity === "subscription" ? this.subscription(mutation.id) !== undefined : this.#declared(mutation)?.isDeleted === false),
      })), problem,
      // What was typed is nowhere else.
      typed: !problem ? [] : this.#of.kinds?.declarationOf(mutation.entity) ? this.#of.kinds.typedOf(mutation.entity, mutation.fields ?? {})
        : Object.entries({ ...mutation.fields, plan: undefined, ...mutation.fields?.plan })
          .filter(([, value]) => value !== undefined).map(([field, value]) => ({ field, value })),
    })));
  }
  get outbox() {
    return this.#once("outbox", () => ({
      count: this.#outbox.length,
      items: this.#outbox.map((mutation) => ({
        key: mutation.key, entity: mutation.entity, rowId: mutation.id, name: this.#name(mutation), op: mutation.op, fields: Object.keys(mutation.fields ?? {}), day: mutation.today,
      })),
    }));
  }
  /**
   * What waits of a subscription.
   * @param {string} id
   */
  outboxOf(id) { return this.#outbox.filter((mutation) => mutation.id === id); }
  /** Whether the session has ended. */
  get signedOut() { return this.#meta.get("signedOut") === true; }
  /**
   * The name of what a change is about.
   * @param {import("./overlay.js").Mutation} mutation
   */
  #name({ entity, id, fields }) {
    if (entity !== "subscription") return this.#of.kinds?.declarationOf(entity) ? this.#of.kinds.nameOf(entity, this.#declared({ entity, id })?.row ?? fields) : null;
    const entry = this.overlay.entries.get(id), stored = this.#deleted.find((row) => row.id === id);
    if (entry) return tracked(this.overlay, entry, this.#day).name;
    if (stored) return stored.data.label ?? this.overlay.plans.plans.get(stored.data.planId)?.provider ?? null;
    return fields?.label ?? fields?.plan?.provider ?? this.overlay.plans.plans.get(fields?.planId)?.provider ?? null;
  }

  /**
   * The row of a declared kind that a change is about.
   * @param {{entity: string, id: string}} mutation
   */
  #declared({ entity, id }) { return this.#of.kinds?.declarationOf(entity) ? this.#entries(entity)?.all.get(id) : undefined; }

  /**
   * The version of what is held of a plan.
   * @param {number} id
   */
  planVersion(id) { return this.#of.replica.planVersions.get(id); }

  /** @param {string} currency */
  digits(currency) { return this.overlay.plans.digits(currency); }
  currency() {
    const { country } = this.overlay.user;
    return this.#of.replica.countries.get(country)?.currency ?? this.countries()?.find(({ id }) => id === country)?.currency ?? null;
  }

  // Reading that takes a moment.

  /**
   * @param {string} id
   * @returns {import("../../types/app").Loading<import("../../types/app").Details | null>}
   */
  details(id) {
    const subscription = this.subscription(id);
    if (!subscription) return null;
    const stored = this.#of.asked.get(`periods ${id}`, this.#of.replica.periodsVersion, () => this.#of.replica.periods(id));
    const sums = this.#sums;
    if (stored === undefined || !sums) return undefined;
    return this.#once(`details ${id}`, () => {
      const periods = this.#periods(id, stored).map(writePeriod).map((period) => ({ ...period, fee: this.#written(period) }));
      const paid = sums.sums(periods.filter(({ startDate }) => startDate <= this.today), (currency) => this.digits(currency));
      return { subscription, periods, paid, since: periods[0].startDate, notices: this.notices.filter(({ subscriptionId }) => subscriptionId === id) };
    });
  }
  /** @param {{fee: string, currency: string}} price */
  #written({ fee, currency }) { return this.overlay.plans.written({ fee: readAmount(fee), currency }); }

  /**
   * All periods of a subscription: those that the server has, those that were ended here, those that ended by themselves, the current one.
   * @param {string} id
   * @param {any[]} stored
   */
  #periods(id, stored) {
    const { overlay } = this, entry = overlay.entries.get(id);
    if (!entry) return [];
    const by = new Map([...stored.map(({ data }) => readPeriod(data)), ...entry.ended].map((period) => [period.number, period]));
    const periods = [...by.values()].filter(({ number }) => number < entry.row.period);
    const row = { ...entry.row }, terms = overlay.plans.terms(row.planId);
    if (row.autoRenew && row.cancelledOn === null && terms) {
      for (const state of attempt(() => renewals(stateOf(row), this.#day, terms, MAXIMUM_RENEWALS)) ?? []) {
        periods.push(periodOf(row));
        setState(row, state);
        overlay.price(row);
      }
    }
    periods.push(periodOf(overlay.current(row, this.#day)));
    return periods.sort((one, other) => one.number - other.number);
  }

  /** @param {number} year */
  spendingIn(year) {
    const stored = this.#of.asked.get("periods", this.#of.replica.periodsVersion, () => this.#of.replica.allPeriods());
    const sums = this.#sums;
    if (stored === undefined || !sums) return undefined;
    return this.#once(`spending ${year}`, () => {
      /** @type {Map<string, any[]>} */
      const by = new Map();
      for (const row of stored) {
        const id = row.data.subscriptionId.toLowerCase(), of = by.get(id);
        if (of) of.push(row); else by.set(id, [row]);
      }
      const periods = new Map(this.subscriptions.map(({ id }) => [id, this.#periods(id, by.get(id) ?? [])]));
      return sums.spendingIn(this.#all, year, periods, this.currency());
    });
  }

  /** @param {string} text */
  providers(text) {
    const { catalogue, asked } = this.#of, { country } = this.overlay.user;
    return asked.get(`providers ${text}`, catalogue.version(country, this.#day), () => catalogue.search(text, country, this.#day));
  }
  often() {
    const { catalogue, asked } = this.#of, { country } = this.overlay.user;
    return asked.get("often", catalogue.version(country, this.#day), () => catalogue.often(country, this.#day));
  }
  /** @param {string} provider */
  plansOf(provider) {
    const { catalogue, asked } = this.#of, { country } = this.overlay.user;
    const found = asked.get(`plans ${provider}`, catalogue.version(country, this.#day), () => catalogue.plansOf(provider, country, this.#day));
    if (!found) return found;
    return { provider, category: found.category, plans: found.ids.flatMap((id) => this.overlay.plans.plan(id, this.#day) ?? []) };
  }
  /** @param {number} id */
  plan(id) {
    const plan = this.overlay.plans.plan(id, this.#day);
    if (plan) return plan;
    const isOver = this.#of.asked.get(`plan ${id}`, 0, () => this.#of.catalogue.plan(id).then(() => true));
    return isOver ? null : undefined;
  }
  countries() {
    const { countries } = this.#of.replica;
    if (countries.size) return this.#once("countries", () => [...countries].map(([id, { name, currency }]) => ({ id, name, currency })).sort((one, other) => one.name < other.name ? -1 : 1));
    return this.#of.asked.get("countries", 0, async () => {
      const all = [];
      for (let cursor; ;) {
        /** @type {any} */
        const page = await this.#of.api.call("countries.list", { limit: 200, cursor });
        all.push(...page.countries);
        cursor = page.nextCursor ?? undefined;
        if (!cursor) return all;
      }
    }, []);
  }
  currencies() {
    const { currencies } = this.#of.replica;
    return this.#once("currencies", () => currencies.size
      ? [...currencies].map(([id, { name, minorDigits }]) => ({ id, name, digits: minorDigits })).sort((one, other) => one.id < other.id ? -1 : 1)
      : Intl.supportedValuesOf("currency").map((id) => ({ id, name: new Intl.DisplayNames("en", { type: "currency" }).of(id) ?? id, digits: this.digits(id) })));
  }
  calendars() { return this.#of.asked.get("calendars", this.#meta.get("user") ?? 0, async () => (await this.#of.api.call("calendars.list")).calendars, undefined, true); }
  sessions() { return this.#of.asked.get("sessions", this.#meta.get("user") ?? 0, async () => (await this.#of.api.call("sessions.list")).sessions, undefined, true); }

  get #checks() {
    // A draw follows when they are here, some moments after the first one.
    if (!this.#of.input) throw new Fault("unknown", "loading", "one moment");
    return this.#of.input;
  }
  /** @param {import("../../types/app").NewSubscription} input */
  preview(input) {
    try {
      const { fields } = this.#checks.checkNew(input, this);
      const overlay = new Overlay({ entries: new Map(), plans: this.overlay.plans.fork(), user: this.overlay.user, deleted: new Map(), outbox: [] });
      const row = overlay.begun(fields, this.#day);
      if (!row) throw Fault.invalid("startDate", "endTooFarAway", "no such period can be");
      return this.#previewed(overlay, row);
    } catch (error) {
      if (error instanceof Fault) return /** @type {import("../../types/app").Failure} */ (error);
      throw error;
    }
  }
  /**
   * @param {string} id
   * @param {import("../../types/app").SubscriptionPatch} patch
   */
  previewChange(id, patch) {
    try {
      const fields = this.#checks.checkPatch(id, patch, this), entry = this.overlay.entries.get(id);
      if (!entry) throw new Fault("unknown", "unknown", "there is no such subscription in this browser");
      const overlay = new Overlay({ entries: new Map(), plans: this.overlay.plans.fork(), user: this.overlay.user, deleted: new Map(), outbox: [] });
      const row = { ...overlay.current(entry.row, this.#day) };
      overlay.update(row, fields, this.#day);
      return this.#previewed(overlay, overlay.current(row, this.#day));
    } catch (error) {
      if (error instanceof Fault) return /** @type {import("../../types/app").Failure} */ (error);
      throw error;
    }
  }
  /**
   * @param {Overlay} overlay
   * @param {import("./overlay.js").Row} row
   */
  #previewed({ plans }, row) {
    const line = plans.line(row.planId), terms = plans.terms(row.planId), next = line ? line.costFrom(row.endDate, row.ownFee) : row, state = stateOf(row);
    const then = terms && dateAt(fits(state, terms) ? row.anchorDate : row.endDate, fits(state, terms) ? row.anchorCount + 1 : 1, terms.duration);
    return {
      startDate: writeDay(row.startDate), endDate: writeDay(row.endDate), price: { fee: plans.written(row), currency: row.currency },
      next: { fee: plans.written(next), currency: next.currency }, then: writeDay(then ?? row.endDate),
    };
  }

  /** @param {string} name */
  draft(name) { return this.#of.replica.drafts.get(name); }
}
