// Answers to what waits on Today, and the settings of reminders. Where the service has reminders, an answer is one to them, and a change
// that waits; else it stays in this browser.

import { readDay, writeDay } from "../core/days.js";
import { result } from "./database.js";
import { Fault } from "./fault.js";
import { HELD, drop, enqueue } from "./outbox.js";
import { SETTINGS, answersTo } from "./reminders.js";

/**
 * @typedef {import("../../types/app").Done} Done
 * @typedef {import("../../types/app").Actions} Actions
 * @typedef {object} Means
 * @property {import("./database.js").Database} database
 * @property {() => import("./state.js").State} state
 * @property {(touched: import("./database.js").Touched) => Promise<void>} onChange
 * @property {(change: {entity?: string, id: string, op: string, fields?: Record<string, any>}) => Promise<string>} put puts a change into the outbox
 * @property {(key: string) => Promise<boolean>} withdraw takes a change back that was never sent
 * @property {() => Actions} actions
 */

/**
 * The actions that answer.
 * @param {Means} means
 * @returns {Pick<Actions, "answer" | "undoAnswer" | "changeReminders">}
 */
export function answersOf({ database, state, onChange, put, withdraw, actions }) {
  /**
   * How answers of this page are taken back.
   * @type {Map<string, () => Promise<void>>}
   */
  const undos = new Map();

  /**
   * Answers reminders. It can be taken back for a while, and is sent then.
   * @param {import("../../types/app").Question} question
   * @param {import("../../types/app").Answer} answer
   * @returns {Promise<Done>}
   */
  async function answerReminders(question, answer) {
    const { id, kind, on, contact, subscription } = question, day = state().today, today = readDay(day), notBefore = Date.now() + HELD;
    await database.write(async (tables) => {
      const keys = [];
      for (const change of answersTo(question, answer, today)) keys.push(await enqueue(tables, { entity: "reminder", op: "answer", ...change, today, notBefore }));
      await keepAnswer(tables, { id, kind, subscriptionId: subscription?.id ?? null, contact, on, answer, day, keys });
    }, ["own", "outbox", "acknowledged", "answers"]);
    await onChange({ tables: ["outbox", "answers"] });
    return { id: subscription?.id ?? id, undo: () => actions().undoAnswer(id) };
  }

  /**
   * Takes an answer to reminders back, all of it or nothing.
   * @param {{id: string, keys: string[]}} given
   */
  async function undoReminders({ id, keys }) {
    const isDone = await database.write(async ({ outbox, answers }) => {
      const all = await result(outbox.getAll()), mine = all.filter(({ key }) => keys.includes(key));
      if (mine.length < keys.length || mine.some(({ attempted }) => attempted)) return false;
      for (const key of keys) drop(outbox, await result(outbox.getAll()), key);
      answers.delete(id);
      return true;
    }, ["outbox", "answers"]);
    await onChange({ tables: ["outbox", "answers"] });
    if (!isDone) throw Fault.invalid("", "answerSent", "the answer was sent and cannot be taken back");
  }

  return {
    async answer(questionId, answer) {
      const question = state().questions.find(({ id }) => id === questionId);
      if (!question) throw new Fault("unknown", "unknown", "this is not asked any more");
      if (question.reminders?.length) return answerReminders(question, answer);
      const { subscription } = question;
      if (!subscription) throw new Fault("unknown", "unknown", "this is about no subscription");
      const { id } = subscription;
      const change = answer === "cancel" || answer === "over" ? await actions().cancel(id) : answer === "renewed" ? await actions().renew(id) : null;
      undos.set(questionId, change?.undo ?? (async () => {}));
      await database.write((tables) => keepAnswer(tables, { id: questionId, kind: question.kind, subscriptionId: id, on: question.on, answer, day: state().today }), ["answers"]);
      await onChange({ tables: ["answers"] });
      return { id, undo: () => actions().undoAnswer(questionId) };
    },
    async undoAnswer(questionId) {
      const given = await database.read(({ answers }) => result(answers.get(questionId)), ["answers"]);
      if (given?.keys) return undoReminders(given);
      const undo = undos.get(questionId);
      if (undo) await undo();
      else if (given?.answer === "cancel" || given?.answer === "over") await actions().resume(given.subscriptionId);
      else if (given?.answer === "renewed") {
        const key = state().outboxOf(given.subscriptionId).findLast(({ op }) => op === "renew")?.key;
        if (!key || !await withdraw(key)) throw Fault.invalid("", "sent", "the renewal was sent and cannot be taken back");
      }
      undos.delete(questionId);
      await database.write(async ({ answers }) => { answers.delete(questionId); }, ["answers"]);
      await onChange({ tables: ["answers"] });
    },
    async changeReminders(patch) {
      // The row has the id of its user, who must be there.
      if (!state().user.id) await actions().sync();
      const { id } = state().user;
      if (id) await put({ entity: SETTINGS, id, op: "update", fields: patch });
    },
  };
}

/**
 * Keeps an answer, and forgets old ones.
 * @param {Record<string, IDBObjectStore>} tables
 * @param {{id: string, day: string} & Record<string, any>} answer
 */
async function keepAnswer({ answers }, answer) {
  answers.put(answer);
  const old = writeDay(readDay(answer.day) - 400);
  for (const given of await result(answers.getAll())) if (given.day < old) answers.delete(given.id);
}
