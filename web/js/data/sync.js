// Push, pull, and again if something came up meanwhile. As `SyncRun` of the service's kit; one tab does it at a time.

import { isFault, Fault } from "./fault.js";
import { result, takePage } from "./database.js";
import { giveFormer } from "./former.js";
import { mayBeginAgain, sent, startOver, takeAnswers, waiting } from "./outbox.js";
import { pause } from "./locks.js";
import { heldFor } from "./overlay.js";

/** @typedef {{received: number, sent: number, reported: number}} Summary */

/** How many changes one request may carry, and about how many bytes. */
const MOST = 100, LONGEST = 512 * 1024;
/** How often it starts over before it gives up: a server that always says so is broken. */
const STARTS = 3;
/** How often, and how many seconds at a time, a push waits for a service that takes no more changes for the moment. */
const WAITS = 20, LONGEST_WAIT = 60;
/** How many rows a page has. */
const PAGE = 500;

/**
 * Whether the cursor is of no use.
 * @param {Fault} fault
 */
const leadsNowhere = (fault) => fault.code === "resync" || (fault.code === "input_invalid" && fault.errors.some(({ field }) => field === "cursor"));
/**
 * Whether the service says of what was sent that it cannot be read, and will not be when it is sent again.
 * @param {Fault} fault
 */
const isUnreadable = (fault) => fault.code === "too_large" || (fault.code === "input_invalid" && fault.errors.length > 0 && !leadsNowhere(fault));
/**
 * Whether the service does not know that a change may say on which day it was made.
 * @param {Fault} fault
 */
const isOfDay = (fault) => fault.code === "input_invalid" && fault.errors.some(({ field, code }) => code === "unknown" && field.endsWith(".madeOn"));

/** Keeps the store in step with the service. */
export class Sync {
  /**
   * @param {object} of
   * @param {import("./database.js").Database} of.database
   * @param {import("./api.js").API} of.api
   * @param {import("./session.js").Session} of.session
   * @param {import("./locks.js").Locks} of.locks
   * @param {(touched: import("./database.js").Touched) => Promise<void>} of.onChange
   */
  constructor({ database, api, session, locks, onChange }) {
    this.database = database;
    this.api = api;
    this.session = session;
    this.locks = locks;
    this.onChange = onChange;
  }

  /**
   * Sends what waits, and pulls what is new. A device that was never registered is registered first.
   * @returns {Promise<Summary>}
   */
  async run() {
    await this.session.registerIfNeeded();
    for (let attempt = 1; ; attempt++) {
      const user = await this.database.meta("user");
      try {
        return await this.locks.held("exchange", () => this.#exchange());
      } catch (error) {
        // Also a user without account and data goes after a month without use. What was changed here meanwhile is nowhere else.
        if (!isFault(error, "signedOut")) throw error;
        if (attempt > STARTS) throw Fault.offline("the service refuses a session that it knows");
        if (!await this.session.goesOn(user, attempt === 1)) throw error;
      }
    }
  }

  async #exchange() {
    /** @type {Summary} */
    const summary = { received: 0, sent: 0, reported: 0 };
    try {
      const [isOut, isUnknown] = await this.database.read(({ meta }) => Promise.all([result(meta.get("signedOut")), result(meta.get("hadEnded"))]), ["meta"]);
      if (isOut || isUnknown) throw new Fault("signedOut", "token_ended", "this browser is signed out");
      await this.#checkClock();
      for (let starts = 0; ;) {
        try {
          await this.#giveFormer(summary);
          await this.#push(summary);
          await this.#pull(summary);
          if (!(await this.#ready()).length) return summary;
        } catch (error) {
          if (!isFault(error, "refused") || !leadsNowhere(error)) throw error;
          const reason = error.problem?.reason;
          if (++starts > STARTS) throw Fault.offline("the service asks to start over again and again");
          if (reason === "user") await this.session.follow();
          await this.database.write((tables) => startOver(tables, reason));
          await this.onChange({ tables: ["outbox", "meta"] });
        }
      }
    } catch (error) {
      if (isFault(error, "userDeleted")) {
        const isUnsent = await this.database.read(async (tables) => await mayBeginAgain(tables) && (await waiting(tables)).length > 0);
        if (isUnsent) throw new Fault("signedOut", "token_ended", error.detail);
        // What a deleted user had is nobody's any more, here neither; what was never sent is told.
        await this.session.forgetDeleted(Date.now());
      }
      throw error;
    }
  }

  /**
   * Has the user add what this browser had of a lost user, once it is known what of it the service has.
   * @param {Summary} summary
   */
  async #giveFormer(summary) {
    if (await this.database.meta("formerRows") === undefined) return;
    await this.#pull(summary);
    summary.reported += await this.database.write((tables) => giveFormer(tables, Date.now()));
    await this.onChange({ tables: ["outbox", "reports", "meta"] });
  }

  /** The changes that are to be sent now: those up to the first one that can be taken back still. */
  #ready() { return this.database.read(ready, ["outbox"]); }

  /** @param {Summary} summary */
  async #push(summary) {
    let size = MOST, saysDay = true, hasSent = false, waits = 0;
    // A part has gone through, and the service says when it takes the rest: all of it goes in one sync.
    const waited = async (/** @type {number | null | undefined} */ seconds) => {
      if (!hasSent || !seconds || seconds > LONGEST_WAIT || waits >= WAITS) return false;
      waits++;
      await pause(Math.max(1, seconds) * 1000);
      return true;
    };
    for (;;) {
      // From now on the service may know of it, whatever becomes of the answer. What is taken back until then is not sent.
      // The cursor is of the same moment: by it the service knows changes of a user whom another tab has signed out since.
      const { entries, cursor } = await this.database.write(async (tables) => {
        const entries = fitting((await ready(tables)).slice(0, size));
        for (const entry of entries) if (!entry.attempted) tables.outbox.put({ ...entry, attempted: true });
        return { entries, cursor: await result(tables.meta.get("cursor")) };
      }, ["outbox", "meta"]);
      if (!entries.length) return;
      /** @type {import("./outbox.js").Answer[]} */
      let answers;
      try {
        ({ results: answers } = /** @type {any} */ (await this.#again(() => this.api.call("changes.push", { mutations: entries.map((entry) => sent(entry, saysDay)), cursor }))));
      } catch (error) {
        if (isFault(error, "offline") && await waited(error.retryAfter)) continue;
        if (!isFault(error, "refused")) throw error;
        // An older service, to which all that comes was made on the day on which it comes.
        if (saysDay && isOfDay(error)) { saysDay = false; continue; }
        if (entries.length > 1 && (isUnreadable(error) || error.code === "too_many")) { size = Math.max(1, entries.length >> 1); continue; }
        if (!isUnreadable(error)) throw error;
        // One change that this service does not even read must not hold up those behind it.
        const { problem } = error;
        answers = entries.map(({ key }) => ({ key, outcome: "refused", replayed: false, lost: [], error: problem }));
      }
      const now = Date.now();
      const { done, reported, rows } = await this.database.write((tables) => takeAnswers(tables, answers, entries, now));
      summary.sent += done;
      summary.reported += reported;
      hasSent ||= done > 0;
      await this.onChange({ rows, tables: ["outbox", "reports", "deleted"] });
      if (done < entries.length) {
        const problem = answers[done].error;
        if (problem?.code === "rate_limited" && await waited(problem.retryAfter)) continue;
        throw Fault.offline(problem?.detail ?? "the service does not know what became of a change", problem?.retryAfter, problem);
      }
    }
  }

  /** @param {Summary} summary */
  async #pull(summary) {
    // The first time the user's own rows come first, and are shown at once.
    let scopes = await this.database.meta("cursor") === undefined ? "user" : undefined;
    for (;;) {
      /** @type {string | undefined} */
      const cursor = await this.database.meta("cursor");
      /** @type {import("./database.js").Page} */
      const page = await this.#again(() => this.api.call("changes.pull", { cursor, limit: PAGE, scopes }));
      if (!Array.isArray(page?.changes) || typeof page.cursor !== "string") throw Fault.offline("the service gives no page of changes");
      if (page.more && page.cursor === cursor) throw Fault.offline("the changes of the service never end");
      const isWhole = scopes === undefined;
      if (isWhole && !page.changes.length && !page.dropped?.length && page.cursor === cursor) return;
      const touched = await this.database.write((tables) => takePage(tables, { ...page, dropped: page.dropped ?? [], more: page.more || !isWhole }, cursor, Date.now()));
      if (!touched) return;
      summary.received += page.changes.length;
      await this.onChange(touched);
      if (page.more) continue;
      if (isWhole) return;
      scopes = undefined;
    }
  }

  /**
   * Asks again where the same request is still being done, which is over soon, and once where the connection was an old one.
   * @template T
   * @param {() => Promise<T>} body
   */
  async #again(body) {
    for (let attempt = 0; ; attempt++) {
      try {
        return await body();
      } catch (error) {
        const isOld = isFault(error, "offline") && error.code === "offline" && error.retryAfter === null && attempt < 1 && navigator.onLine;
        const isRunning = isFault(error, "refused") && error.code === "key_in_use" && attempt < 6;
        if (!isOld && !isRunning) throw error;
        await pause(50 + Math.random() * (isOld ? 100 : 150 * 2 ** attempt));
      }
    }
  }

  /** Looks now and then what time the server has: a device's clock may be a day off, and "today" must not be. */
  async #checkClock() {
    const now = Date.now(), checked = await this.database.meta("clockChecked");
    if (typeof checked === "number" && now - checked >= 0 && now - checked < 3_600_000) return;
    await this.session.lookAtService();
  }
}

/**
 * The changes that wait, up to the first one that can be taken back still.
 * @param {Record<string, IDBObjectStore>} tables
 */
async function ready(tables) {
  const now = Date.now(), all = await waiting(tables), held = all.findIndex((mutation) => heldFor(mutation, now) > 0);
  return held < 0 ? all : all.slice(0, held);
}

/**
 * As many as surely fit into one request.
 * @param {import("./overlay.js").Mutation[]} entries
 */
function fitting(entries) {
  let bytes = 0, count = 0;
  const encoder = new TextEncoder();
  for (const entry of entries) {
    bytes += encoder.encode(JSON.stringify(entry)).length;
    if (bytes >= LONGEST && count > 0) break;
    count++;
  }
  return entries.slice(0, count);
}
