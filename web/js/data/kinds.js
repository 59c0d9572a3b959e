// Rows of kinds that are declared by their fields and parts: as they stand here, with what waits laid over them. An area adds a line
// to `KINDS`; nothing else in js/data knows its rows. As `DeclaredRows` of the service's kit.

import { CONTACT } from "../core/contacts.js";
import { REMINDER, REMINDER_LEAD, REMINDER_SETTING } from "../core/reminders.js";
import { DeclaredEdit, difference } from "../core/declared.js";
import { Fault } from "./fault.js";

/**
 * @typedef {import("../core/declared.js").Declaration} Declaration
 * @typedef {import("../core/declared.js").Row} Row
 * @typedef {import("./overlay.js").Mutation} Mutation
 * @typedef {{id: string, version: number, row: Row, waiting: boolean, isDeleted: boolean}} Entry a row as it stands here
 */

/** The declarations by the names of their kinds. @type {ReadonlyMap<string, Declaration>} */
const KINDS = new Map([CONTACT, REMINDER_SETTING, REMINDER_LEAD, REMINDER].map((declaration) => [declaration.name, declaration]));

/**
 * The declaration of a kind; undefined for a kind with a form of its own, and for one that is not known here.
 * @param {string} kind
 */
export const declarationOf = (kind) => KINDS.get(kind);

/**
 * All rows of a kind, those that were deleted among them.
 * @param {string} kind
 * @param {Map<string, import("./replica.js").DeclaredRow>} rows what the server has
 * @param {{id: string, kind: string, data: any}[]} gone
 * @param {Mutation[]} outbox
 * @returns {Map<string, Entry>} by id
 */
export function entriesOf(kind, rows, gone, outbox) {
  const declaration = found(kind);
  /** @type {Map<string, Entry>} */
  const entries = new Map();
  for (const { id, kind: of, data } of gone) if (of === kind) entries.set(id, { id, version: 0, row: data, waiting: false, isDeleted: true });
  for (const { id, version, data } of rows.values()) entries.set(id, { id, version, row: data, waiting: false, isDeleted: false });
  for (const { entity, id, op, fields = {} } of outbox) {
    if (entity !== kind) continue;
    const entry = entries.get(id);
    if (op === "create") {
      // It is done already where the row is there.
      if (!entry) entries.set(id, { id, version: 0, row: new DeclaredEdit(fields, null, declaration).applied(), waiting: true, isDeleted: false });
    } else if (entry && (op !== "update" || !entry.isDeleted)) {
      entries.set(id, {
        ...entry, waiting: true, isDeleted: op === "delete" ? true : op === "restore" ? false : entry.isDeleted,
        row: op === "update" ? new DeclaredEdit(fields, entry.row, declaration).applied() : entry.row,
      });
    }
  }
  return entries;
}

/**
 * The fields of a new row, as the service would store it.
 * @param {string} kind
 * @param {Row} row
 * @throws {Fault} with all faults
 */
export const newFields = (kind, row) => checked(kind, row, null);

/**
 * The fields of a change: those that were made another in a form, and no others. What somebody else has changed meanwhile stays.
 * @param {string} kind
 * @param {Row} held the row as it stands here
 * @param {Row} before the row as the form began with it
 * @param {Row} wanted
 * @throws {Fault} with all faults
 */
export function changedFields(kind, held, before, wanted) {
  const declaration = found(kind);
  return difference(held, checked(kind, difference(before, wanted, declaration), held), declaration);
}

/**
 * The fields that make a row what another one is.
 * @param {string} kind
 * @param {Row} row
 * @param {Row} other
 */
export const differing = (kind, row, other) => difference(row, other, found(kind));

/**
 * @param {string} kind
 * @param {Record<string, any>} fields
 * @param {Row | null} row
 * @returns {Row}
 */
function checked(kind, fields, row) {
  const declaration = found(kind), edit = new DeclaredEdit(fields, row, declaration), stored = edit.check();
  const faults = [...edit.faults, ...(declaration.check?.(stored) ?? []).filter(({ field }) => !edit.faults.some((one) => one.field === field))];
  if (!faults.length) return stored;
  const [{ field, code, says, message, values }] = faults, fault = Fault.invalid(field, says ?? code, message, values);
  fault.errors = faults.map((one) => ({ field: one.field, code: one.says ?? one.code, message: one.message, values: one.values }));
  throw fault;
}

/** @param {string} kind */
function found(kind) {
  const declaration = KINDS.get(kind);
  if (!declaration) throw new Fault("unknown", "unknown", `there is no kind ${kind}`);
  return declaration;
}

/**
 * The name for people of a row, or of the fields of one that is not there.
 * @param {string} kind
 * @param {Row | undefined} row
 */
export const nameOf = (kind, row) => row && found(kind).title.map((field) => row[field]).filter(Boolean).join(" ") || null;

/**
 * A change that gives a lost field the value that was made here.
 * @param {string} kind
 * @param {Row} row the row as it stands
 * @param {string} path of a field, or of a part: `phones.0190…`
 * @param {any} value
 * @returns {Record<string, any>} the fields to send
 */
export function mineOf(kind, row, path, value) {
  const [list, id] = path.split("."), parts = found(kind).parts.some(({ name }) => name === list) ? row[list] : null;
  if (!parts) return { [path]: value };
  const isThere = parts.some((/** @type {any} */ part) => part.id === id);
  return { [list]: { [id]: value === null || isThere ? value : { ...value, new: true } } };
}

/**
 * The fields of a refused change, each part by itself, for a person who typed them.
 * @param {string} kind
 * @param {Record<string, any>} fields
 * @returns {{field: string, value: unknown}[]}
 */
export function typedOf(kind, fields) {
  const lists = new Set(found(kind).parts.map(({ name }) => name));
  return Object.entries(fields).flatMap(([field, value]) => {
    if (!lists.has(field)) return value === null ? [] : [{ field, value }];
    return Object.values(value ?? {}).flatMap((/** @type {any} */ part) => part ? [{ field, value: { ...part, id: undefined, new: undefined } }] : []);
  });
}
