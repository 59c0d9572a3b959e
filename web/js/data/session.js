// Whose rows these are: the device and its user. The token is in a cookie that no script can read.

import { localDay } from "../core/days.js";
import { Fault, isFault } from "./fault.js";
import { guessedCountry, ownTimeZone } from "./place.js";
import { dropAll, dropRows, remember, result } from "./database.js";
import { isUserOf, noteFormer, reportFormer } from "./former.js";
import { enqueue, handOver, isAccountless, mayBeginAgain, newKey, report, startOver, waiting } from "./outbox.js";

/**
 * @typedef {{id: string, userName: string | null, country: string, timeZone: string, accounts: {email: string, verified: boolean}[], version: number}} User
 * @typedef {{id: string, name: string}} Device
 */

/** What this browser is called in the list of devices. */
function deviceName() {
  const text = navigator.userAgent;
  const browser = /Edg\//.test(text) ? "Edge" : /Firefox\//.test(text) ? "Firefox" : /Chrome\//.test(text) ? "Chrome" : /Safari\//.test(text) ? "Safari" : "Browser";
  const system = /Android/.test(text) ? "Android" : /iPhone|iPad/.test(text) ? "iOS" : /Windows/.test(text) ? "Windows" : /Mac OS X/.test(text) ? "Mac" : /Linux/.test(text) ? "Linux" : "";
  return system ? `${browser}, ${system}` : browser;
}

/** The session of this browser with a tenant. */
export class Session {
  /**
   * @param {object} of
   * @param {import("./database.js").Database} of.database
   * @param {import("./api.js").API} of.api
   * @param {import("./locks.js").Locks} of.locks
   * @param {(touched: import("./database.js").Touched) => Promise<void>} of.onChange
   */
  constructor({ database, api, locks, onChange }) {
    this.database = database;
    this.api = api;
    this.locks = locks;
    this.onChange = onChange;
  }

  /** The country and the time zone of a new user. */
  async placeOfNewUser() {
    const [country, timeZone] = await this.database.read(({ meta }) => Promise.all([result(meta.get("country")), result(meta.get("timeZone"))]), ["meta"]);
    return { country: /** @type {string | undefined} */ (country) ?? guessedCountry(), timeZone: /** @type {string} */ (timeZone ?? ownTimeZone()) };
  }

  /** The device's id, made once, for a request that gives a session: from now on there may be a cookie. */
  deviceID() {
    return this.database.write(async ({ meta }) => {
      meta.delete("stranger");
      const known = await result(meta.get("device"));
      if (known) return /** @type {string} */ (known.id);
      const id = newKey();
      meta.put({ id, name: deviceName() }, "device");
      return id;
    }, ["meta"]);
  }

  /**
   * Gives the device another id: somebody has this one by an answer that was lost.
   * @returns {Promise<string>} the id, which is kept, so that a repetition is known
   */
  async #renewDeviceID() {
    const id = newKey();
    await this.database.remember({ device: { id, name: deviceName() } });
    return id;
  }

  /**
   * A browser may have forgotten what was kept, and not its cookie: then it has a user, whose rows are pulled again.
   * @returns {Promise<boolean>} whether there is a user
   */
  adopt() { return this.locks.held("change", () => this.#adopt()); }

  /** Asks the service what time it has, which areas there are, whether it sends mails, and whether the cookie is alive; keeps what lasts. */
  async lookAtService() {
    const info = await this.api.call("server.info"), offset = Date.parse(info.now) - Date.now();
    await this.database.remember({
      clockOffset: Number.isFinite(offset) ? offset : 0, clockChecked: Date.now(), areas: Array.isArray(info.areas) ? info.areas : undefined,
      sendsMails: typeof info.sendsMails === "boolean" ? info.sendsMails : undefined,
    });
    await this.onChange({ tables: ["meta"] });
    return info;
  }

  /**
   * Scripts do not see the cookie, so the service is asked whether it is alive: once in the life of a store, unless an answer that
   * may have brought one was lost since.
   */
  async #adopt() {
    const [user, isStranger] = await this.database.read(({ meta }) => Promise.all([result(meta.get("user")), result(meta.get("stranger"))]), ["meta"]);
    if (user || isStranger) return user !== undefined;
    try {
      // An older service does not say it: then its refusal does.
      if ((await this.lookAtService()).signedIn !== false) {
        const user = await this.api.call("me.get");
        await this.database.write(async (tables) => begin(tables, user, null), ["meta"]);
        await this.onChange({ tables: ["meta"] });
        return true;
      }
    } catch (error) {
      if (!isFault(error, "signedOut")) throw error;
    }
    await this.database.remember({ stranger: true });
    return false;
  }

  /** Registers the device unless it is, or was. */
  async registerIfNeeded() {
    if (await this.database.meta("user")) return;
    await this.locks.held("change", async () => {
      // Another tab may have done it meanwhile.
      if (await this.#adopt()) return;
      const { user, device } = await this.#makeUser(await this.placeOfNewUser());
      await this.database.write(async (tables) => begin(tables, user, device), ["meta"]);
    });
    await this.onChange({ tables: ["meta"] });
  }

  /**
   * Has the service make a user.
   * @param {{country: string | undefined, timeZone: string}} place
   * @returns {Promise<{user: User, device: Device}>}
   */
  async #makeUser({ country, timeZone }) {
    let isAsIs = true;
    for (let i = 0; i < 4; i++) {
      try {
        return await this.api.call("devices.register", {
          id: await this.deviceID(), name: deviceName(), country: isAsIs ? country : undefined, timeZone: isAsIs ? timeZone : undefined,
        });
      } catch (error) {
        if (!isFault(error, "refused")) throw error;
        // An answer was lost, and its cookie with it: the device is made anew, for nobody has used that user.
        if (error.code === "device_known") await this.#renewDeviceID();
        // A country or a time zone that this service does not know.
        else if (error.code === "input_invalid" && isAsIs) isAsIs = false;
        else throw error;
      }
    }
    throw Fault.offline("every device is known to the service");
  }

  /**
   * Sees to it that a sync goes on after the service has refused the session. Somebody may have signed in since, also by an answer that
   * was lost: then its cookie is here. A device whose user is no more is registered again where nothing is lost by that, and what waits is
   * the new user's. Else the session has ended: all stays readable.
   * @param {string | undefined} former the user whom the service did not take
   * @param {boolean} isFirst whether the sync has not begun anew yet; a browser whose cookies do not hold registers once
   * @returns {Promise<boolean>} whether there is a session now
   */
  async goesOn(former, isFirst) {
    // A sign-in that is under way is over first. What was refused may be the cookie from before it.
    return this.locks.held("change", async () => {
      const [user, signedOut] = await this.database.read(({ meta }) => Promise.all([result(meta.get("user")), result(meta.get("signedOut"))]), ["meta"]);
      // Another tab may have done it meanwhile.
      if (user === undefined || user !== former) return user !== undefined;
      if (signedOut) return false;
      const isSignedIn = await this.#isSignedIn().catch((error) => {
        if (!isFault(error, "userDeleted")) throw error;
        return false;
      });
      if (isSignedIn) return true;
      if (await this.database.read(mayBeginAgain)) {
        if (isFirst) await this.#registerAgain();
        return isFirst;
      }
      await this.#end();
      return false;
    });
  }

  /** Registers the device again. */
  async #registerAgain() {
    const me = await this.database.read(async ({ own }) => (await result(own.getAll(IDBKeyRange.bound(["me"], ["me", []]))))[0]?.data, ["own"]);
    const place = await this.placeOfNewUser();
    const made = await this.#makeUser({ country: me?.country ?? place.country, timeZone: me?.timeZone ?? place.timeZone });
    await this.database.write(async (tables) => {
      const waits = await waiting(tables);
      for (const mutation of waits) handOver(tables, mutation, made.user.id.toLowerCase(), new Map());
      await dropRows(tables, true);
      tables.acknowledged.clear();
      tables.deleted.clear();
      await startOver(tables);
      if (me?.userName && !waits.some(({ entity, fields }) => entity === "me" && fields?.userName !== undefined))
        await enqueue(tables, { entity: "me", id: made.user.id.toLowerCase(), op: "update", fields: { userName: me.userName }, today: Math.floor(Date.now() / 86_400_000) });
      begin(tables, made.user, made.device);
    });
    await this.onChange({ all: true });
  }

  /**
   * Asks whose the cookie is, and takes note where it is another user's.
   * @returns {Promise<boolean>} whether somebody is signed in
   */
  async #isSignedIn() {
    try {
      await this.#follow(await this.api.call("me.get"));
      return true;
    } catch (error) {
      if (!isFault(error, "signedOut") && !isFault(error, "userDeleted")) throw error;
      return false;
    }
  }

  /** Takes note that the cookie is another user's: it came with an answer that was lost. */
  follow() { return this.locks.held("change", async () => this.#follow(await this.api.call("me.get"))); }

  /**
   * Takes note of who is signed in. Of a user without account all was merged, so what waits is the other one's; of one with an account it
   * is told, and not sent in the other one's name. Nothing was merged where the former session had ended.
   * @param {User} user
   */
  async #follow(user) {
    const [known, hadEnded] = await this.database.read(({ meta }) => Promise.all([result(meta.get("user")), result(meta.get("hadEnded"))]), ["meta"]);
    // A tab that has its answer may have taken note of it meanwhile.
    if (known === user.id.toLowerCase()) {
      if (hadEnded) await this.database.remember({ hadEnded: undefined });
      return;
    }
    const isMerged = !hadEnded && user.accounts.length > 0 && await this.database.read(isAccountless);
    const isTheirs = Boolean(hadEnded) && await this.database.read(async (tables) => {
      for (const { email } of user.accounts) if (await isUserOf(tables, email)) return true;
      return false;
    });
    await this.#replaceUser(user, null, isMerged ? 0 : Infinity, new Map(), isTheirs);
    await this.onChange({ all: true });
  }

  /** Takes note that the session has ended: all stays readable. */
  async #end() {
    await this.database.remember({ signedOut: true, hadEnded: undefined });
    await this.onChange({ tables: ["meta"] });
  }

  /** Asks whether the session has ended without anybody noticing. The rows would be taken for another user's then, and dropped. */
  noticeEnd() {
    return this.locks.held("change", async () => {
      if (!await this.database.meta("user")) return;
      try {
        if (!await this.#isSignedIn() && !await this.database.read(mayBeginAgain)) await this.#end();
      } catch (error) {
        // Any other fault is met by the sign-in, and told.
        if (!isFault(error)) throw error;
      }
    });
  }

  /** How many rows of a user without account are nowhere else, for the session has ended. */
  countOfOnlyCopies() {
    return this.database.read(async (tables) => {
      const noted = (await result(tables.meta.get("formerRows")))?.rows.length ?? 0;
      if (!await isAccountless(tables)) return noted;
      return noted + (await result(tables.own.getAllKeys())).filter((key) => Array.isArray(key) && !["me", "period", "plan", "price"].includes(String(key[0]))).length;
    });
  }

  /**
   * Forgets a user who was deleted, with all rows. What was never sent becomes reports: nobody else has it.
   * @param {number} now
   */
  async forgetDeleted(now) {
    await this.database.write(async (tables) => {
      for (const mutation of await waiting(tables))
        report(tables, mutation, [], { code: "user_deleted", detail: "It was not sent before the user was deleted." }, now);
      await dropAll(tables, true);
    });
    await this.onChange({ all: true });
  }

  /** Forgets the user with everything, as if the browser were new. */
  async forget() {
    await this.database.write((tables) => dropAll(tables));
    await this.onChange({ all: true });
  }

  /** The number of the last change that waits. */
  lastNumber() {
    return this.database.read(async ({ outbox }) => /** @type {number} */ ((await result(outbox.getAllKeys())).at(-1) ?? 0), ["outbox"]);
  }

  /**
   * Gives the user an account.
   * @param {{email: string, password: string, userName?: string, currentPassword?: string}} input
   */
  async register(input) {
    await this.api.call("accounts.register", input);
    // Whatever becomes of the pull: from now on somebody can sign in as this user.
    await this.database.remember({ accountless: "0" });
  }

  /**
   * Signs in. What the browser has kept without account is merged into the account's user.
   * @param {{email: string, password: string, createIfMissing?: boolean}} input
   * @param {number} before the last change that was made before this was begun
   */
  async signIn(input, before) {
    const made = await this.locks.held("change", async () => {
      const signedOut = await this.database.meta("signedOut");
      const hasEnded = signedOut || await this.database.meta("hadEnded") || !await this.database.meta("user");
      // The service may know the user no more, for a backup was restored that is older. What is here is nowhere else.
      const isTheirs = Boolean(hasEnded) && await this.database.read((tables) => isUserOf(tables, input.email));
      const { country, timeZone } = await this.placeOfNewUser();
      const id = hasEnded ? await this.deviceID() : undefined;
      // The cookie may come without the answer, also to a page that is closed meanwhile. Whose it is by now is asked before anything else.
      if (signedOut) await this.database.remember({ signedOut: undefined, hadEnded: true });
      /** @param {string | undefined} id */
      const create = (id) => this.api.call("sessions.create", { ...input, device: { id, name: deviceName(), country, timeZone } });
      const made = await create(id).catch(async (error) => {
        // The answer to another user's sign-in on this device was lost, and its cookie with it.
        if (id && isFault(error, "refused") && error.code === "device_known") return create(await this.#renewDeviceID());
        throw error;
      }).catch(async (error) => {
        // An answer that refuses brings no cookie.
        if (signedOut && (!isFault(error, "offline") || error.problem)) await this.database.remember({ signedOut: true, hadEnded: undefined });
        throw error;
      });
      await this.#replaceUser(made.user, made.device, before, new Map(made.merged.same.map((/** @type {any} */ pair) => [pair.from.toLowerCase(), pair.to.toLowerCase()])), isTheirs);
      return made;
    });
    await this.onChange({ all: true });
    return { created: made.created, moved: made.merged.moved, same: made.merged.same.length };
  }

  /**
   * Signs out: the device gets a fresh user without account.
   * @param {number} before
   */
  async signOut(before) {
    await this.locks.held("change", async () => {
      const told = await this.database.read(async ({ reports }) => (await result(reports.getAllKeys())), ["reports"]);
      const made = await this.api.call("sessions.end");
      await this.#replaceUser(made.user, made.device, before, new Map());
      await this.database.write(async ({ reports }) => { for (const key of told) reports.delete(key); }, ["reports"]);
    });
    await this.onChange({ all: true });
  }

  /**
   * Takes note of who is signed in now. The rows of the former user go.
   * @param {User} user
   * @param {Device | null} device null: as it is known here
   * @param {number} last what is behind it was made in the meantime, and is the new user's; what waits from before is somebody
   *   else's where the user is another one
   * @param {Map<string, string>} same
   * @param {boolean} [isTheirs] whether what the device had of the former user is this user's: then it is sent again
   */
  async #replaceUser(user, device, last, same, isTheirs = false) {
    const now = Date.now();
    await this.database.write(async (tables) => {
      const former = await result(tables.meta.get("user"));
      if (former && former !== user.id.toLowerCase() && isTheirs) {
        const zone = (await result(tables.own.getAll(IDBKeyRange.bound(["me"], ["me", []]))))[0]?.data.timeZone;
        // Before what was acknowledged is offered again: the rows have it in them.
        await noteFormer(tables, localDay(now + Number(await result(tables.meta.get("clockOffset")) ?? 0), zone ?? ownTimeZone()) ?? Math.floor(now / 86_400_000));
        await startOver(tables, "epoch");
        for (const mutation of await waiting(tables)) handOver(tables, mutation, user.id.toLowerCase(), same);
        for (const name of ["deleted", "answers"]) tables[name].clear();
      } else if (former && former !== user.id.toLowerCase()) {
        const unsent = { code: "status_conflict", detail: "It was not sent before another user signed in." };
        for (const mutation of await waiting(tables)) {
          if (mutation.number > last) {
            handOver(tables, mutation, user.id.toLowerCase(), same);
            continue;
          }
          // Somebody else's changes are not sent in this user's name; they are told, not lost silently.
          report(tables, mutation, [], unsent, now);
          tables.outbox.delete(mutation.number);
        }
        await reportFormer(tables, unsent, now);
        for (const name of ["acknowledged", "deleted", "answers", "drafts"]) tables[name].clear();
      }
      await dropRows(tables);
      await startOver(tables);
      begin(tables, user, device);
    });
  }
}

/**
 * @param {Record<string, IDBObjectStore>} tables
 * @param {User} user
 * @param {Device | null} device
 */
function begin({ meta }, user, device) {
  remember(meta, {
    user: user.id.toLowerCase(), country: user.country, timeZone: user.timeZone, accountless: user.accounts.length ? "0" : "1", signedOut: undefined,
    hadEnded: undefined,
  });
  if (device) meta.put(device, "device");
}
