// Puts the parts together: the store, what is in memory of it, the session, sync, and the tabs of this browser.

import { localDay } from "../core/days.js";
import { API } from "./api.js";
import { Asked } from "./asked.js";
import { Catalogue } from "./catalogue.js";
import { Database, result } from "./database.js";
import { Fault, isFault } from "./fault.js";
import { Backoff, Locks } from "./locks.js";
import { Replica } from "./replica.js";
import { guessedCountry, ownTimeZone } from "./place.js";
import { heldFor } from "./overlay.js";
import { State } from "./state.js";

/** @typedef {ReturnType<typeof import("./engine.js").engineOf> & {input: typeof import("./input.js"), kinds: typeof import("./kinds.js")}} Engine */

/** How often a page looks by itself whether something waits, and one that is looked at asks, for where no socket holds. */
const EVERY = 60_000;
/** How long what may be sent can wait before this tab sees to it: the tab in which it was made does so at once, unless it was closed. */
const PATIENCE = 3_000;
/** Rates are asked for anew after half a day. */
const RATES = 43_200_000;

/** All is pulled anew for a row that cannot be read once a day. */
const HEALED = 86_400_000;

/** Where the app is: `<base>` and `<meta name="tenant">` of the page, or the address. */
function placeOfPage() {
  const base = new URL(document.baseURI).pathname.replace(/[^/]*$/, "");
  const tenant = document.querySelector("meta[name=tenant]")?.getAttribute("content") || /^\/t\/([^/]+)\//.exec(base)?.[1] || "default";
  return { base, tenant };
}

/**
 * Opens the app: reads the store, and keeps it in step from then on. No request is waited for.
 * @param {{base?: string, tenant?: string}} [place]
 * @returns {Promise<import("../../types/app").App>}
 */
export async function openApp(place = {}) {
  const { base, tenant } = { ...placeOfPage(), ...place };
  const database = await Database.open(tenant), api = new API(base), locks = new Locks(tenant), replica = new Replica(database);
  const channel = typeof BroadcastChannel === "function" ? new BroadcastChannel(`subtrack.${tenant}`) : null;
  const ended = new AbortController();
  /** @type {Set<() => void>} */
  const listeners = new Set();

  /** @type {{kind: "inStep" | "sending" | "offline" | "signIn", detail: string | null, originRefused: string | null}} */
  let link = { kind: "inStep", detail: null, originRefused: null };
  /** @type {State | null} */
  let state = null;
  let isClosed = false, isOutdated = false;

  const now = () => Date.now() + (replica.meta.get("clockOffset") ?? 0);
  /** The user's day. */
  const today = () => {
    const waiting = replica.outbox.findLast(({ entity, fields }) => entity === "me" && fields?.timeZone)?.fields?.timeZone;
    return localDay(now(), waiting ?? replica.user().timeZone) ?? Math.floor(now() / 86_400_000);
  };
  /** @returns {import("../../types/app").Connection} */
  const connection = () => {
    const left = replica.meta.get("left");
    const syncedAt = replica.meta.get("syncedAt");
    let rows = replica.entries.size;
    if (left) rows += pulled;
    return {
      // What waits is never in step, also while it can be taken back.
      kind: replica.meta.get("signedOut") ? "signIn" : link.kind !== "inStep" || !replica.outbox.length ? link.kind : navigator.onLine ? "sending" : "offline",
      waiting: replica.outbox.length, pulled: left ? rows / (rows + left) : null,
      isSecure: location.protocol === "https:" || /^(?:localhost|127\.|\[::1\])/.test(location.hostname), detail: link.detail, originRefused: link.originRefused,
      syncedAt: syncedAt ? new Date(syncedAt).toISOString() : null, isOutdated,
    };
  };
  let pulled = 0;

  function changed() {
    state = null;
    for (const listener of listeners) listener();
  }
  /**
   * Takes in what was changed in the store.
   * @param {import("./database.js").Touched} touched
   */
  async function take(touched) {
    if (isClosed) return;
    await replica.refresh(touched);
    pulled += touched.rows?.length ?? 0;
    followLive();
    arm();
    changed();
  }
  /**
   * Something was changed here: other tabs hear of it.
   * @param {import("./database.js").Touched} touched
   */
  async function onChange(touched) {
    if (isClosed) return;
    channel?.postMessage({ touched });
    await take(touched);
  }
  /** @param {typeof link} next */
  function onLink(next, isTold = true) {
    if (next.kind === link.kind && next.detail === link.detail && next.originRefused === link.originRefused) return;
    link = next;
    if (isTold) channel?.postMessage({ link });
    changed();
  }

  const backoff = new Backoff();
  /** @type {Promise<void> | null} */ let running = null;
  /** @type {Promise<void> | null} */ let following = null;
  /** @type {ReturnType<typeof setTimeout> | undefined} */ let retry;
  /** @type {ReturnType<typeof setTimeout> | undefined} */ let soon;
  /** Until then the service asked to be left alone. */
  let restUntil = 0;

  /** @type {ReturnType<typeof setTimeout> | undefined} */ let alarm;
  /**
   * Sees to it that the first change that waits is sent when its time has come, wherever it was made: in this tab, in one that is
   * closed by now, or before the browser was started again. After a failure the next attempt is set already.
   */
  function arm() {
    clearTimeout(alarm);
    const [first] = replica.outbox;
    if (!first || isClosed || retry !== undefined || !hasSomething()) return;
    const held = heldFor(first, Date.now());
    // A tab that is looked at comes first; the others need not ask then.
    const wait = held ? held + 50 + (document.visibilityState === "visible" ? 0 : PATIENCE) : PATIENCE;
    alarm = setTimeout(() => {
      syncSoon();
      arm();
    }, wait);
  }

  /** Notes that all is in step, once a minute. */
  async function noteSync() {
    const minute = Math.floor(Date.now() / 60_000) * 60_000;
    if (replica.meta.get("syncedAt") === minute) return;
    await database.remember({ syncedAt: minute });
    await onChange({ tables: ["meta"] });
  }

  async function exchange() {
    clearTimeout(retry);
    retry = undefined;
    if (replica.outbox.length) onLink({ kind: "sending", detail: null, originRefused: null });
    try {
      await (await engine()).sync.run();
      backoff.reset();
      await noteSync().catch((error) => { if (!isFault(error)) throw error; });
      onLink({ kind: "inStep", detail: null, originRefused: null });
      if (replica.meta.get("user")) startLive();
    } catch (error) {
      if (isClosed) return;
      if (isFault(error, "signedOut") || isFault(error, "userDeleted")) {
        parts?.live.stop();
        onLink({ kind: isFault(error, "signedOut") ? "signIn" : "inStep", detail: null, originRefused: null });
      } else {
        const isOrigin = isFault(error) && error.code === "origin_refused";
        onLink({ kind: "offline", detail: isFault(error) && error.problem ? error.detail : null, originRefused: isOrigin ? error.detail : null });
        const wait = backoff.next(isFault(error) ? error.retryAfter : null);
        if (isFault(error) && error.retryAfter) restUntil = Date.now() + wait;
        retry = setTimeout(() => {
          retry = undefined;
          syncSoon();
          arm();
        }, wait + 20);
      }
      throw error;
    } finally {
      arm();
    }
  }

  /**
   * Runs one sync at a time. Who asks while one runs shares the next, which sees all that was changed before.
   * @returns {Promise<void>}
   */
  function run() {
    if (isClosed) return Promise.reject(Fault.offline("the app is closed"));
    if (!running) {
      running = exchange().finally(() => { running = null; });
      return running;
    }
    if (!following) following = running.then(() => null, (error) => error).then((error) => {
      following = null;
      // The sync was asked for by a user who is deleted by now. Another one is made when there is something to keep.
      if (isFault(error, "userDeleted") && !hasSomething()) throw error;
      if (restUntil > Date.now()) throw Fault.offline("the service asked to be left alone");
      return run();
    });
    return following;
  }
  /** Asks for a sync without waiting for it. */
  function syncSoon() {
    if (soon !== undefined || isClosed) return;
    soon = setTimeout(() => {
      soon = undefined;
      // What waits is sent when the service has rested: a timer is set for that.
      if (!hasSomething() || restUntil > Date.now()) return;
      run().catch((error) => { if (!isFault(error)) throw error; });
    }, 0);
  }
  /** Whether there is something to keep in step: a device is registered when there is something to keep, not before. */
  const hasSomething = () => !replica.meta.get("signedOut") && (replica.meta.has("user") || replica.outbox.length > 0);

  /** @type {Engine | null} */
  let parts = null;
  /** @type {Promise<Engine> | null} */
  let loading = null;
  /** What changes the store and speaks with the service, loaded once. */
  /** @returns {Promise<Engine>} */
  function engine() {
    loading ??= import("./engine.js").then(({ engineOf, input, kinds }) => {
      parts = { ...engineOf({ base, database, api, locks, asked, state: readState, now, onChange, want: (/** @type {number[]} */ ids) => catalogue.want(ids), load: (/** @type {string} */ kind) => replica.load(kind), run, syncSoon }), input, kinds };
      changed();
      return parts;
    }, (error) => {
      loading = null;
      throw error;
    });
    return loading;
  }
  /**
   * Has the rows of a declared kind in memory, and what lays changes over them.
   * @param {string} kind
   */
  function loadKind(kind) {
    Promise.all([engine(), replica.load(kind)]).then(() => changed(), (error) => { if (!isFault(error)) throw error; });
  }
  /** @type {typeof import("./reports.js") | null} */
  let reports = null;
  const loadReports = async () => { if (!reports) { reports = await import("./reports.js"); changed(); } };
  let isLive = false, isKeeper = false;
  /** The tab that keeps the socket opens it as long as somebody is signed in, in whichever tab that was done. */
  function followLive() {
    if (!isKeeper) return;
    if (replica.meta.has("user") && !replica.meta.get("signedOut")) parts?.live.start(); else parts?.live.stop();
  }
  /** One tab keeps the socket. */
  function startLive() {
    if (isLive || isClosed) return;
    isLive = true;
    locks.held("live", () => new Promise((resolve) => {
      if (isClosed) return resolve(undefined);
      isKeeper = true;
      followLive();
      ended.signal.addEventListener("abort", () => { parts?.live.stop(); resolve(undefined); });
    }), ended.signal).catch(() => {});
  }

  /** @type {Set<string>} */
  let ratesAsked = new Set();
  let ratesAt = 0;
  const asked = new Asked(() => changed(), (currencies) => {
    if (Date.now() - ratesAt > RATES) ratesAsked = new Set();
    if (!replica.meta.has("user") || currencies.every((code) => ratesAsked.has(code))) return;
    for (const code of currencies) ratesAsked.add(code);
    ratesAt = Date.now();
    const currency = currencies[currencies.length - 1];
    api.call("dashboard.get", { currency }).then(async ({ total }) => {
      if (!total) return;
      await database.remember({ rates: { at: Date.now(), rates: total.rates, missing: total.missing } });
      await onChange({ tables: ["meta"] });
    }).catch((error) => {
      if (!isFault(error)) throw error;
      ratesAsked = new Set();
    });
  });
  const catalogue = new Catalogue(database, api, replica, take);
  const readState = () => state ??= new State({ base, tenant, today: today(), replica, catalogue, api, asked, connection: connection(), reports, input: parts?.input ?? null, kinds: parts?.kinds ?? null, load: loadKind });
  /** @type {any} */
  const actions = new Proxy({}, {
    get: (_, name) => name === "then" ? undefined : async (/** @type {any[]} */ ...given) => /** @type {any} */ ((await engine()).actions)[name](...given),
  });

  // Country and time zone until there is a user with values from the service.
  await database.write(async ({ meta }) => {
    const [created, user] = await Promise.all([result(meta.get("created")), result(meta.get("user"))]);
    if (!user) {
      if (await result(meta.get("timeZone")) === undefined) meta.put(ownTimeZone(), "timeZone");
      const country = guessedCountry();
      if (country && await result(meta.get("country")) === undefined) meta.put(country, "country");
    }
    if (!created) meta.put(Date.now(), "created");
  }, ["meta"]);
  await replica.refresh({ all: true });
  // A damaged row comes again with all others. Not on each visit: a newer service may have rows that this build cannot read.
  if (replica.hasUnreadable && Math.abs(Date.now() - (replica.meta.get("healed") ?? 0)) > HEALED) {
    await database.remember({ cursor: undefined, left: undefined, healed: Date.now() });
    await replica.refresh({ tables: ["meta"] });
  }
  // Sums and questions are of pages with something on them: a browser that keeps nothing yet has its first view without.
  if (replica.entries.size || replica.outbox.length || replica.meta.has("user")) await loadReports();

  if (channel) channel.onmessage = ({ data }) => {
    if (data.touched) take(data.touched).catch((error) => { if (!isFault(error)) throw error; });
    if (data.link) onLink(data.link, false);
  };
  database.onOutdated = () => {
    // Nothing can be kept any more until the page is loaded anew.
    isOutdated = true;
    onLink({ kind: "offline", detail: null, originRefused: null }, false);
    close();
  };
  let day = today();
  /** Midnight, and what a page that was not looked at has missed. */
  function tick() {
    if (today() !== day) { day = today(); changed(); }
  }
  const everySecond = setInterval(tick, 15_000);
  const every = setInterval(() => {
    if (document.visibilityState === "visible" && !parts?.live.isOpen) syncSoon();
    // A tab may have been closed before it told of what it put into the outbox.
    database.read(({ outbox }) => result(outbox.count()), ["outbox"]).then((count) => {
      if (count !== replica.outbox.length) return take({ tables: ["outbox"] });
    }).catch((error) => { if (!isFault(error)) throw error; });
  }, EVERY);
  const seen = () => {
    if (document.visibilityState !== "visible") return;
    tick();
    parts?.live.hurry();
    syncSoon();
  };
  const online = () => { backoff.reset(); restUntil = 0; parts?.live.hurry(); syncSoon(); changed(); };
  const offline = () => onLink({ kind: "offline", detail: null, originRefused: null });
  addEventListener("online", online);
  addEventListener("offline", offline);
  document.addEventListener("visibilitychange", seen);

  async function close() {
    if (isClosed) return;
    isClosed = true;
    ended.abort();
    parts?.live.stop();
    clearTimeout(retry);
    clearTimeout(soon);
    clearTimeout(alarm);
    clearInterval(everySecond);
    clearInterval(every);
    removeEventListener("online", online);
    removeEventListener("offline", offline);
    document.removeEventListener("visibilitychange", seen);
    channel?.close();
    await Promise.resolve(running).catch(() => {});
    database.close();
  }

  // A browser that forgot what it kept may have its cookie still.
  if (!replica.meta.has("user") && !replica.meta.has("stranger"))
    engine().then(({ session }) => session.adopt()).then((isUser) => { if (isUser) syncSoon(); }).catch((error) => { if (!isFault(error)) throw error; });
  syncSoon();
  arm();
  setTimeout(() => { if (!isClosed) Promise.all([engine(), loadReports()]).catch(() => {}); }, 400);

  return {
    get state() { return /** @type {any} */ (readState()); },
    actions,
    onChange(listener) {
      listeners.add(listener);
      return () => { listeners.delete(listener); };
    },
    close,
  };
}
