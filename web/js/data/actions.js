// What a person may do. Changes are checked, put into the outbox, and are in the state at once; then they are sent.

import { readDay, writeDay } from "../core/days.js";
import { writeAmount } from "../core/money.js";
import { result } from "./database.js";
import { Fault, isFault } from "./fault.js";
import { checkNew, checkPatch, checkUser } from "./input.js";
import { changedFields, declarationOf, differing, mineOf, newFields } from "./kinds.js";
import { enqueue, newID } from "./outbox.js";
import { answerFields } from "./reminders.js";

/** How long a renewal can be taken back before it is sent: afterwards it cannot. */
const HELD = 10_000;

/**
 * @typedef {import("../../types/app").Done} Done
 * @typedef {object} Means
 * @property {import("./database.js").Database} database
 * @property {import("./api.js").API} api
 * @property {import("./session.js").Session} session
 * @property {import("./asked.js").Asked} asked
 * @property {() => import("./state.js").State} state
 * @property {() => number} now milliseconds since 1970 by the server's clock
 * @property {(touched: import("./database.js").Touched) => Promise<void>} onChange
 * @property {() => Promise<void>} sync asks for a sync; it fails as the sync does
 * @property {(ids: number[]) => Promise<void>} want has plans in memory
 * @property {(kind: string) => Promise<void>} load has the rows of a declared kind in memory
 * @property {() => void} syncSoon asks for one without waiting for it; a change that is held is sent later by itself
 */

/**
 * What was asked for by a mailed link. The service refuses a token that is used up or too old as a field, which no form shows.
 * @template T
 * @param {Promise<T>} work
 * @returns {Promise<T>}
 */
const ofLink = (work) => work.catch((error) => {
  if (isFault(error, "refused") && error.errors.some(({ field }) => field === "token")) throw Object.assign(error, { code: "token_invalid" });
  throw error;
});

/**
 * The actions of an app.
 * @param {Means} means
 * @returns {import("../../types/app").Actions}
 */
export function actionsOf({ database, api, session, asked, state, now, onChange, want, load, sync, syncSoon }) {
  /**
   * Puts a change into the outbox.
   * @param {{entity?: string, id: string, op: string, fields?: Record<string, any>, notBefore?: number}} change
   */
  async function put({ entity = "subscription", ...change }) {
    const key = await database.write((tables) => enqueue(tables, { entity, ...change, today: readDay(state().today) }), ["own", "outbox", "acknowledged"]);
    await onChange({ tables: ["outbox"] });
    if (!change.notBefore) syncSoon();
    return key;
  }

  /**
   * Takes a change back that was never sent.
   * @param {string} key
   * @returns {Promise<boolean>} false: it was sent, or is gone
   */
  async function withdraw(key) {
    const isDone = await database.write(async ({ outbox }) => {
      const all = await result(outbox.getAll()), mutation = all.find((one) => one.key === key);
      if (!mutation || mutation.attempted) return false;
      drop(outbox, all, key);
      return true;
    }, ["outbox"]);
    if (isDone) await onChange({ tables: ["outbox"] });
    return isDone;
  }

  /** @param {string} id */
  function found(id) {
    const subscription = state().subscription(id);
    if (!subscription) throw new Fault("unknown", "unknown", "there is no such subscription in this browser");
    return subscription;
  }

  /**
   * A row of a declared kind, deleted or not; null: there is none of this id.
   * @param {string} kind
   * @param {string} id
   */
  async function entry(kind, id) {
    await load(kind);
    return state().row(kind, id) ?? null;
  }
  /**
   * @param {string} kind
   * @param {string} id
   */
  async function here(kind, id) {
    const found = await entry(kind, id);
    if (!found || found.isDeleted) throw new Fault("unknown", "unknown", `there is no such ${kind} in this browser`);
    return found;
  }

  /**
   * Does nothing.
   * @param {string} id
   * @returns {Done}
   */
  const none = (id) => ({ id, undo: async () => {} });

  /**
   * @param {string} id
   * @param {string} key
   * @param {() => Promise<unknown>} opposite
   * @returns {Done}
   */
  const done = (id, key, opposite) => ({ id, undo: async () => { if (!await withdraw(key)) await opposite(); } });

  /**
   * Writes an answer into the row of a reminder; null takes it back.
   * @param {string} id
   * @param {import("../../types/app").Answer | null} answer
   */
  const note = async (id, answer) => actions.saveRow("reminder", id, { ...(await here("reminder", id)).row, ...answerFields(answer, state().today) });

  /**
   * What was read of a file.
   * @type {import("./import.js").Import | null}
   */
  let imported = null;

  /** @type {import("../../types/app").Actions} */
  const actions = {
    async addSubscription(input) {
      const { fields } = checkNew(input, state()), id = newID(now());
      const isFirst = !state().isKept;
      const key = await put({ id, op: "create", fields });
      if (isFirst) navigator.storage?.persist?.().catch(() => {});
      return {
        id,
        undo: async () => {
          // What was changed of it since goes with it.
          const others = state().outbox.items.filter((item) => item.rowId === id && item.key !== key);
          for (const other of others.reverse()) await withdraw(other.key);
          if (!await withdraw(key)) await actions.remove(id);
        },
      };
    },

    async change(id, patch) {
      const fields = checkPatch(id, patch, state()), before = found(id), entry = state().overlay.entries.get(id);
      if (!Object.keys(fields).length || !entry) return none(id);
      const { row } = entry, plan = state().overlay.plans.plans.get(row.planId);
      /** @type {Record<string, any>} */
      const former = {
        planId: row.planId, freeTrial: row.freeTrial, autoRenew: row.autoRenew, fee: row.ownFee && writeAmount(row.ownFee),
        label: row.label, reminderDays: row.reminderDays, muted: row.muted, note: row.note,
        startDate: before.startDate, nextRenewal: before.endDate,
      };
      /** @type {Record<string, any>} */
      const opposite = {};
      for (const field of Object.keys(fields)) {
        if (field !== "plan") opposite[field] = former[field];
        else if (plan) opposite.plan = Object.fromEntries(Object.keys(fields.plan).map((name) => [name, name === "fee" ? writeAmount(plan.fee) : /** @type {any} */ (plan)[name]]));
      }
      const key = await put({ id, op: "update", fields });
      return done(id, key, () => actions.change(id, opposite));
    },

    async renew(id) {
      const { cancelledOn, period } = found(id);
      if (cancelledOn) throw Fault.invalid("", "cancelled", "it was cancelled; resume it first");
      const isNamed = state().outboxOf(id).some(({ op, fields }) => op === "renew" && fields?.period === period);
      if (isNamed) throw Fault.invalid("", "periodWaits", "a renewal waits to be sent, and its plan is not in this browser yet");
      const key = await put({ id, op: "renew", fields: { period }, notBefore: Date.now() + HELD });
      return done(id, key, async () => { throw Fault.invalid("", "sent", "the renewal was sent and cannot be taken back"); });
    },

    async cancel(id) {
      if (found(id).cancelledOn) return none(id);
      return done(id, await put({ id, op: "cancel" }), () => actions.resume(id));
    },
    async resume(id) {
      if (!found(id).cancelledOn) return none(id);
      return done(id, await put({ id, op: "resume" }), () => actions.cancel(id));
    },
    async remove(id) {
      found(id);
      return done(id, await put({ id, op: "delete" }), () => actions.restore(id));
    },
    async restore(id) {
      if (state().subscription(id)) return none(id);
      return done(id, await put({ id, op: "restore" }), () => actions.remove(id));
    },

    async addRow(kind, row, id = newID(now())) {
      const isFirst = !state().isKept, key = await put({ entity: kind, id, op: "create", fields: newFields(kind, row) });
      if (isFirst) navigator.storage?.persist?.().catch(() => {});
      return done(id, key, () => actions.removeRow(kind, id));
    },
    async saveRow(kind, id, row, before) {
      const { row: held } = await here(kind, id), fields = changedFields(kind, held, before ?? held, row);
      if (!Object.keys(fields).length) return none(id);
      const key = await put({ entity: kind, id, op: "update", fields }), after = (await here(kind, id)).row;
      return done(id, key, () => actions.saveRow(kind, id, held, after));
    },
    async removeRow(kind, id) {
      await here(kind, id);
      return done(id, await put({ entity: kind, id, op: "delete" }), () => actions.restoreRow(kind, id));
    },
    async restoreRow(kind, id) {
      if ((await entry(kind, id))?.isDeleted === false) return none(id);
      return done(id, await put({ entity: kind, id, op: "restore" }), () => actions.removeRow(kind, id));
    },
    async operate(name, input) {
      await sync();
      const output = await api.call(name, typeof input === "function" ? input(/** @type {any} */ (state())) : input);
      await sync().catch(ignoreOffline);
      return output;
    },
    async keep(name, value) {
      await database.remember({ [`kept ${name}`]: value });
      await onChange({ tables: ["meta"] });
    },

    async answer(questionId, answer) {
      const question = state().questions.find(({ id }) => id === questionId);
      if (!question) throw new Fault("unknown", "unknown", "this is not asked any more");
      const { kind, on, subscription, contact, reminders } = question, id = subscription?.id ?? contact?.id ?? questionId;
      const changes = [answer === "cancel" || answer === "over" ? await actions.cancel(id) : answer === "renewed" ? await actions.renew(id) : none(id)];
      for (const reminder of reminders) changes.push(await note(reminder, answer));
      // What cannot be taken back any more is the change of the subscription: then its answer stays too.
      undos.set(questionId, async () => { for (const { undo } of changes) await undo(); });
      await database.write(async ({ answers }) => {
        answers.put({ id: questionId, kind, subscriptionId: subscription?.id, contactId: contact?.id, reminders, on, answer, day: state().today });
        const old = writeDay(readDay(state().today) - 400);
        for (const given of await result(answers.getAll())) if (given.day < old) answers.delete(given.id);
      }, ["answers"]);
      await onChange({ tables: ["answers"] });
      return { id, undo: () => actions.undoAnswer(questionId) };
    },
    async undoAnswer(questionId) {
      const given = await database.read(({ answers }) => result(answers.get(questionId)), ["answers"]);
      const undo = undos.get(questionId);
      if (undo) await undo();
      else if (given?.answer === "cancel" || given?.answer === "over") await actions.resume(given.subscriptionId);
      else if (given?.answer === "renewed") {
        const key = state().outboxOf(given.subscriptionId).findLast(({ op }) => op === "renew")?.key;
        if (!key || !await withdraw(key)) throw Fault.invalid("", "sent", "the renewal was sent and cannot be taken back");
      }
      if (!undo) for (const reminder of given?.reminders ?? []) await note(reminder, null);
      undos.delete(questionId);
      await database.write(async ({ answers }) => { answers.delete(questionId); }, ["answers"]);
      await onChange({ tables: ["answers"] });
    },

    async useMine(lostId, field) {
      const lost = state().lost.find(({ id }) => id === lostId), mine = lost?.fields.find((/** @type {any} */ one) => one.field === field);
      if (!lost || !mine) return;
      /** @type {any} */
      const patch = { [field]: mine.yours };
      if (lost.entity === "me") await actions.changeMe(patch);
      else if (declarationOf(lost.entity)) await put({ entity: lost.entity, id: lost.rowId, op: "update", fields: mineOf(lost.entity, (await here(lost.entity, lost.rowId)).row, field, mine.yours) });
      else await actions.change(lost.rowId, patch);
      await database.write(async ({ reports }) => {
        const report = await result(reports.get(lostId));
        if (!report) return;
        report.lost = report.lost.filter((/** @type {any} */ one) => one.field !== field);
        if (report.lost.length || report.problem) reports.put(report); else reports.delete(lostId);
      }, ["reports"]);
      await onChange({ tables: ["reports"] });
    },
    async dismissLost(lostId) {
      await database.write(async ({ reports }) => { if (lostId === undefined) reports.clear(); else reports.delete(lostId); }, ["reports"]);
      await onChange({ tables: ["reports"] });
    },
    async discard(key) {
      await database.write(async ({ outbox }) => { drop(outbox, await result(outbox.getAll()), key); }, ["outbox"]);
      await onChange({ tables: ["outbox"] });
    },

    async changeMe(patch) {
      const fields = checkUser(patch, state()), { id } = state().user;
      if (!Object.keys(fields).length) return;
      if (id) { await put({ entity: "me", id, op: "update", fields }); return; }
      // Before the device is known to the service, these are what its user will get.
      if (fields.userName !== undefined) {
        await sync();
        return actions.changeMe(patch);
      }
      await database.remember(fields);
      await onChange({ tables: ["meta"] });
    },

    async register(input) {
      // The user must be there, and nothing that waits depends on it.
      await sync();
      await session.register(input);
      await sync().catch(ignoreOffline);
    },
    async signIn(input) {
      const before = await session.lastNumber();
      if (!state().signedOut && before > 0) {
        // What is not sent now is somebody else's afterwards, and never sent: renewals that could be taken back until now, too.
        await release();
        try { await sync(); } catch (error) { if (!isFault(error, "signedOut")) throw error; }
      } else if (!state().signedOut) await session.noticeEnd();
      const merged = await session.signIn(input, before).catch(async (error) => {
        // Its answer may have been lost, and not its cookie: then somebody is signed in.
        if (isFault(error, "offline")) {
          await onChange({ tables: ["meta"] });
          session.adopt().then((isUser) => { if (isUser) syncSoon(); }).catch((fault) => { if (!isFault(fault)) throw fault; });
        }
        throw error;
      });
      asked.forget("sessions");
      await sync().catch(ignoreOffline);
      return merged;
    },
    async signOut({ discardUnsent = false } = {}) {
      const before = await session.lastNumber();
      try {
        if (state().signedOut) throw new Fault("signedOut", "token_ended", "the session has ended");
        // Renewals that could be taken back until now are sent.
        await release();
        await sync();
        await session.signOut(before);
      } catch (error) {
        const count = state().outbox.count;
        if (isFault(error, "signedOut")) {
          const only = count + await session.countOfOnlyCopies();
          if (only && !discardUnsent) throw new Fault("unsent", "unsent", `${only} changes were never sent`, { values: { count: only } });
          await session.forget();
          return;
        }
        if (isFault(error, "offline") && count && !discardUnsent) throw new Fault("unsent", "unsent", `${count} changes were not sent yet`, { values: { count } });
        throw error;
      }
      asked.forget("sessions");
      await sync().catch(ignoreOffline);
    },
    async endSession(id) {
      await api.call("sessions.delete", { id });
      asked.forget("sessions");
      await onChange({ tables: [] });
    },
    async makeCalendar(name) {
      const { calendar, path } = await api.call("calendars.create", { name: name || undefined });
      asked.forget("calendars");
      return { id: calendar.id, name: calendar.name, address: new URL(path.slice(1), document.baseURI).href };
    },
    async endCalendar(id) {
      await api.call("calendars.delete", { id });
      asked.forget("calendars");
    },
    async changePassword(input) {
      await api.call("me.changePassword", input);
      asked.forget("sessions");
      asked.forget("calendars");
    },
    async changeEmail(input) { await api.call("me.changeEmail", input); await sync().catch(ignoreOffline); },
    async deleteAccount(input) {
      await api.call("accounts.delete", input);
      asked.forget("calendars");
      await sync().catch(ignoreOffline);
    },
    async deleteUser(input = {}) {
      try { await api.call("me.delete", input); } catch (error) {
        // An answer was lost: it is done.
        if (!isFault(error, "userDeleted")) throw error;
      }
      await session.forget();
    },
    /** Asks the service anew what it has and does. */
    async lookAtService() { await session.lookAtService(); },
    async forgot(email) { await api.call("passwords.forgot", { email }); },
    describeLink: (input) => api.call("links.describe", input),
    previewAnswers: (token) => ofLink(api.call("answers.preview", { token })),
    async giveAnswer(input) {
      const given = await ofLink(api.call("answers.give", input));
      // Somebody else's browser may have opened the mail.
      syncSoon();
      return given;
    },
    async verify(token) { await ofLink(api.call("emails.verify", { token })); await sync().catch(() => {}); },
    reset: (input) => ofLink(api.call("passwords.reset", input)),

    async exportData(format) {
      const name = `subtrackit-${state().today}`;
      if (format === "json") {
        const all = await api.call("me.export");
        // The service does not say whether a fee is the user's own; an import needs it.
        for (const { subscription } of all.subscriptions) {
          const one = state().subscription(subscription.id);
          if (one) Object.assign(subscription, { ownFee: one.ownFee, cancelledOn: one.cancelledOn });
        }
        return { name: `${name}.json`, type: "application/json", text: JSON.stringify(all, null, 2) };
      }
      const { table } = await import("./export.js");
      return { name: `${name}.csv`, type: "text/csv;charset=utf-8", text: table(state().subscriptions) };
    },

    async readImport(file) {
      const { Import } = await import("./import.js");
      imported = new Import(database, state, want);
      return /** @type {any} */ (await imported.read(file));
    },
    async doImport() {
      const entries = imported?.entries ?? [];
      imported = null;
      const today = readDay(state().today);
      // All or none.
      await database.write(async (tables) => {
        for (const { create, isCancelled, renewsLater } of entries) {
          const id = newID(now());
          await enqueue(tables, { entity: "subscription", id, op: "create", fields: create, today });
          if (!isCancelled) continue;
          await enqueue(tables, { entity: "subscription", id, op: "cancel", today });
          if (renewsLater) await enqueue(tables, { entity: "subscription", id, op: "update", fields: { autoRenew: true }, today });
        }
      }, ["own", "outbox", "acknowledged"]);
      await onChange({ tables: ["outbox"] });
      syncSoon();
      return { added: entries.length };
    },

    async sync() { await sync().catch((error) => { if (!isFault(error)) throw error; }); },
    async set(name, value) {
      await database.write(async ({ meta }) => { meta.put({ ...await result(meta.get("settings")), [name]: value }, "settings"); }, ["meta"]);
      await onChange({ tables: ["meta"] });
    },
    async saveDraft(name, value) {
      await database.write(async ({ drafts }) => { drafts.put(value, name); }, ["drafts"]);
      await onChange({ tables: ["drafts"] });
    },
    async dropDraft(name) {
      await database.write(async ({ drafts }) => { drafts.delete(name); }, ["drafts"]);
      await onChange({ tables: ["drafts"] });
    },
  };

  /**
   * How answers of this page are taken back.
   * @type {Map<string, () => Promise<void>>}
   */
  const undos = new Map();

  /** What could be taken back until now cannot be any more. */
  async function release() {
    await database.write(async ({ outbox }) => {
      for (const mutation of await result(outbox.getAll())) if (mutation.notBefore) outbox.put({ ...mutation, notBefore: undefined });
    }, ["outbox"]);
  }

  return actions;
}

/**
 * Takes a change out of the outbox. What was made on top of it goes on from what was before it, unless the service may know it.
 * @param {IDBObjectStore} outbox
 * @param {import("./overlay.js").Mutation[]} all what is in it
 * @param {string} key
 */
function drop(outbox, all, key) {
  const mutation = all.find((one) => one.key === key);
  if (!mutation) return;
  outbox.delete(mutation.number);
  if (!mutation.attempted) for (const later of all) if (later.after === key) outbox.put({ ...later, after: mutation.after });
}

/**
 * What was done is done, whether the network stays there for what follows or not.
 * @param {unknown} error
 */
function ignoreOffline(error) { if (!isFault(error, "offline")) throw error; }
