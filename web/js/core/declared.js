// Changes of rows whose kind is declared by fields and lists of parts. As `DeclaredEdit` of the service: each part of a list changes
// by itself, under a path such as `phones.0190…`.

/**
 * @typedef {"text" | "integer" | "flag" | "day" | "id"} FieldKind
 * @typedef {object} Field
 * @property {string} name
 * @property {FieldKind} kind
 * @property {number} [minimum] characters of a text, or the least number
 * @property {number} [maximum]
 * @property {boolean} [isOptional]
 * @property {boolean} [isImmutable]
 * @property {boolean} [isMultiline]
 * @typedef {{name: string, maximum: number, fields: Field[]}} Part a list of parts
 * @typedef {object} Declaration
 * @property {string} name the name of the kind on the wire
 * @property {string[]} title the fields that name a row for people
 * @property {Field[]} fields
 * @property {Part[]} parts
 * @property {(row: Row) => Fault[]} [check] the faults that no single field shows
 * @typedef {Record<string, any>} Row
 * @typedef {object} Fault
 * @property {string} field
 * @property {string} code as the service has it
 * @property {string} message
 * @property {string} [says] the name of its words, where the code has none
 * @property {Record<string, string | number>} [values]
 */

import { parseDay } from "./days.js";
import { isEqual } from "./merge.js";

/**
 * @param {string} name
 * @param {number} minimum
 * @param {number} maximum
 * @param {Partial<Field>} [more]
 * @returns {Field}
 */
export const text = (name, minimum, maximum, more) => ({ name, kind: "text", minimum, maximum, ...more });
/**
 * @param {string} name
 * @param {number} minimum
 * @param {number} maximum
 * @param {Partial<Field>} [more]
 * @returns {Field}
 */
export const integer = (name, minimum, maximum, more) => ({ name, kind: "integer", minimum, maximum, ...more });
/**
 * @param {string} name
 * @returns {Field}
 */
export const flag = (name) => ({ name, kind: "flag" });
/**
 * @param {string} name
 * @param {Partial<Field>} [more]
 * @returns {Field}
 */
export const day = (name, more) => ({ name, kind: "day", ...more });
/**
 * @param {string} name
 * @param {Partial<Field>} [more]
 * @returns {Field}
 */
export const id = (name, more) => ({ name, kind: "id", ...more });

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** @param {unknown} value @returns {value is Record<string, any>} */
const isObject = (value) => typeof value === "object" && value !== null && !Array.isArray(value);

/**
 * The value of a field that a new row does not name; undefined: it has to be named.
 * @param {Field} field
 */
const standard = ({ isOptional, kind }) => isOptional ? null : kind === "flag" ? false : undefined;

/**
 * The parts of a row's list by their paths. Ids are in small letters there, in whichever the row has them.
 * @param {Part} list
 * @param {Row | null | undefined} row
 * @returns {Map<string, Row>}
 */
function partsOf(list, row) {
  const parts = row?.[list.name];
  return new Map(!Array.isArray(parts) ? [] : parts.filter((part) => typeof part?.id === "string").map((part) => [`${list.name}.${part.id.toLowerCase()}`, part]));
}

/** A change of a row. */
export class DeclaredEdit {
  /** The changed fields, and the changed parts by their paths. @type {Map<string, any>} */ fields = new Map();
  /** The paths of parts that the sender has added. @type {Set<string>} */ added = new Set();
  /** @type {Fault[]} */ faults = [];

  /**
   * @param {Record<string, any>} given
   * @param {Row | null} row the row before the change; null: it is a new one
   * @param {Declaration} declaration
   */
  constructor(given, row, declaration) {
    this.row = row;
    this.declaration = declaration;
    for (const [name, value] of Object.entries(given)) {
      const list = declaration.parts.find((part) => part.name === name);
      if (list) this.#take(value, list); else this.fields.set(name, value);
    }
    if (row) return;
    for (const field of declaration.fields) if (!this.fields.has(field.name) && standard(field) !== undefined) this.fields.set(field.name, standard(field));
  }

  /**
   * The list of a path; undefined for the name of a field.
   * @param {string} path
   */
  #list(path) {
    const dot = path.indexOf(".");
    return dot < 0 ? undefined : this.declaration.parts.find(({ name }) => name === path.slice(0, dot));
  }

  /**
   * @param {any} value
   * @param {Part} list
   */
  #take(value, list) {
    const held = partsOf(list, this.row);
    if (Array.isArray(value)) {
      value.forEach((element, index) => {
        const place = `${list.name}.${index}`;
        if (!isObject(element)) return this.#note(place, "malformed", "must be an object");
        const { id: given, ...members } = element, id = this.#id(given, `${place}.id`);
        if (id === null) return;
        const path = `${list.name}.${id}`;
        if (this.fields.has(path)) return this.#note(`${place}.id`, "conflict", "is another part's too");
        if (!held.has(path)) this.added.add(path);
        for (const field of list.fields) if (!Object.hasOwn(members, field.name) && standard(field) !== undefined) members[field.name] = standard(field);
        this.fields.set(path, members);
      });
      for (const path of held.keys()) if (!this.fields.has(path)) this.fields.set(path, null);
    } else if (isObject(value)) {
      for (const [name, member] of Object.entries(value)) {
        const id = this.#id(name, `${list.name}.${[...name].slice(0, 40).join("")}`);
        if (id === null) continue;
        const path = `${list.name}.${id}`;
        if (!isObject(member)) { this.fields.set(path, member); continue; }
        const { new: isNew, ...members } = member;
        if (isNew === true || !this.row) this.added.add(path);
        this.fields.set(path, members);
      }
    } else if (value === null) for (const path of held.keys()) this.fields.set(path, null);
    else this.#note(list.name, "malformed", "must be a list, or an object of parts by their ids");
  }

  /**
   * @param {unknown} value
   * @param {string} path
   */
  #id(value, path) {
    if (typeof value === "string" && UUID.test(value)) return value.toLowerCase();
    this.#note(path, "malformed", "must be a UUID: 8-4-4-4-12 hexadecimal digits");
    return null;
  }

  /**
   * @param {string} field
   * @param {string} code
   * @param {string} message
   * @param {Partial<Fault>} [more]
   */
  #note(field, code, message, more) { this.faults.push({ field, code, message, ...more }); }

  /**
   * Holds the values to the declaration, and makes each the one that is stored. White space at the ends of texts goes.
   * @returns {Row} the row as it is with the change; `faults` has what is wrong
   */
  check() {
    const { row, declaration } = this;
    for (const path of [...this.fields.keys()].sort()) {
      const value = this.fields.get(path), list = this.#list(path), field = declaration.fields.find(({ name }) => name === path);
      if (list) this.#checkPart(value, path, list);
      else if (field) {
        const stored = this.#stored(value, field, path);
        if (field.isImmutable && row && !isEqual(stored, normal(row[path] ?? null))) this.#note(path, "conflict", "never changes");
        this.fields.set(path, stored);
      } else this.#note(path, "unknown", "there is no such field");
    }
    if (!row) for (const { name } of declaration.fields) if (!this.fields.has(name)) this.#note(name, "required", "is needed");
    const changed = this.applied();
    for (const { name, maximum } of declaration.parts) {
      const count = changed[name].length;
      if (count > maximum) this.#note(name, "range", `may have ${maximum} elements, has ${count}`, { says: "tooManyParts", values: { maximum } });
    }
    return changed;
  }

  /**
   * @param {any} value
   * @param {string} path
   * @param {Part} list
   */
  #checkPart(value, path, list) {
    if (!isObject(value)) {
      if (value !== null) this.#note(path, "malformed", "must be an object");
      return;
    }
    const members = { ...value };
    for (const name of Object.keys(members).sort()) {
      const field = list.fields.find((one) => one.name === name);
      if (field) members[name] = this.#stored(members[name], field, `${path}.${name}`);
      else this.#note(`${path}.${name}`, "unknown", "there is no such field");
    }
    if (!partsOf(list, this.row).has(path)) {
      for (const field of list.fields) {
        if (Object.hasOwn(members, field.name)) continue;
        if (standard(field) === undefined) this.#note(`${path}.${field.name}`, "required", "is needed");
        else members[field.name] = standard(field);
      }
    }
    this.fields.set(path, members);
  }

  /**
   * The stored value of a sent one; the sent one where it has a fault.
   * @param {any} value
   * @param {Field} field
   * @param {string} path
   */
  #stored(value, field, path) {
    const { kind, minimum = 0, maximum = 0 } = field;
    const malformed = (/** @type {string} */ wanted) => { this.#note(path, "malformed", `must be ${wanted}`); return value; };
    if (value === null) {
      if (!field.isOptional) this.#note(path, "required", "cannot be removed");
      return value;
    }
    switch (kind) {
      case "text": {
        if (typeof value !== "string") return malformed("a text");
        const read = readText(value, maximum, field.isMultiline === true);
        if (read.fault) this.#note(path, read.fault.code, read.fault.message, read.fault);
        else if (read.text === "" && !field.isOptional) this.#note(path, "range", "must not be empty", { says: "required" });
        else return read.text === "" ? null : read.text.normalize("NFC");
        return value;
      }
      case "integer":
        if (!Number.isInteger(value)) return malformed("a whole number");
        if (value < minimum || value > maximum) this.#note(path, "range", `must be from ${minimum} to ${maximum}, is ${value}`, { values: { minimum, maximum } });
        return value;
      case "flag": return typeof value === "boolean" ? value : malformed("true or false");
      case "day": return parseDay(value) === null ? malformed("a day such as 2026-01-31") : value;
      default: return typeof value === "string" && UUID.test(value) ? value.toLowerCase() : malformed("a UUID: 8-4-4-4-12 hexadecimal digits");
    }
  }

  /**
   * The row as it is with the change. Parts are in the order of their ids.
   * @returns {Row}
   */
  applied() {
    const { row: before, declaration } = this, row = { ...before };
    for (const { name } of declaration.fields) row[name] = this.fields.has(name) ? this.fields.get(name) : row[name] ?? null;
    for (const list of declaration.parts) {
      const parts = partsOf(list, before), prefix = `${list.name}.`;
      for (const [path, value] of this.fields) {
        if (!path.startsWith(prefix)) continue;
        if (!isObject(value)) { parts.delete(path); continue; }
        // A part that somebody else has removed stays away.
        const isWhole = list.fields.every((field) => standard(field) !== undefined || Object.hasOwn(value, field.name));
        if (!parts.has(path) && !this.added.has(path) && !isWhole) continue;
        const standards = Object.fromEntries(list.fields.map((field) => [field.name, standard(field) ?? null]));
        parts.set(path, { ...standards, ...parts.get(path) ?? { id: path.slice(prefix.length) }, ...value });
      }
      row[list.name] = [...parts].sort(([one], [other]) => one < other ? -1 : 1).map(([, part]) => part);
    }
    return row;
  }
}

/**
 * The fields that make one row another, for a change that is sent.
 * @param {Row} row
 * @param {Row} other
 * @param {Declaration} declaration
 */
export function difference(row, other, declaration) {
  /** @type {Record<string, any>} */
  const fields = {};
  for (const { name } of declaration.fields) if (!isEqual(row[name] ?? null, other[name] ?? null)) fields[name] = other[name] ?? null;
  for (const list of declaration.parts) {
    const held = partsOf(list, row), wanted = partsOf(list, other), start = list.name.length + 1;
    /** @type {Record<string, any>} */
    const changes = {};
    for (const [path, { id: _, ...members }] of wanted) {
      const id = path.slice(start), before = held.get(path), changed = Object.entries(members).filter(([name, value]) => !before || !Object.hasOwn(before, name) || !isEqual(before[name], value));
      if (!before) changes[id] = { ...Object.fromEntries(changed), new: true };
      else if (changed.length) changes[id] = Object.fromEntries(changed);
    }
    for (const path of held.keys()) if (!wanted.has(path)) changes[path.slice(start)] = null;
    if (Object.keys(changes).length) fields[list.name] = changes;
  }
  return fields;
}

const SPACE = /^\p{White_Space}+|\p{White_Space}+$/gu, NOTHING = /^[\p{White_Space}\p{Default_Ignorable_Code_Point}]*$/u;
/**
 * A value in the form of Unicode in which texts are stored.
 * @param {any} value
 */
const normal = (value) => typeof value === "string" ? value.normalize("NFC") : value;

/** How much white space a text may have at its ends. */
const MOST_SPACE = 1000;

/**
 * A text that people type, as it is stored. As `InputText` of the service.
 * @param {string} given
 * @param {number} maximum how many characters it may have
 * @param {boolean} isMultiline
 * @returns {{text: string, fault?: undefined} | {fault: {code: string, message: string, says: string, values?: Record<string, number>}}}
 */
function readText(given, maximum, isMultiline) {
  const tooLong = (/** @type {number} */ count) => ({ fault: { code: "range", message: `may have ${maximum} characters, has ${count}`, says: "tooLong", values: { maximum } } });
  const whole = [...given].length;
  if (whole > maximum + MOST_SPACE) return tooLong(whole);
  const text = isMultiline ? given.replaceAll("\r\n", "\n") : given;
  if (NOTHING.test(text)) return { text: "" };
  const part = text.replace(SPACE, ""), count = [...part].length;
  if (count > maximum) return tooLong(count);
  // eslint-disable-next-line no-control-regex
  if ((isMultiline ? /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/ : /[\u0000-\u001f\u007f-\u009f]/).test(part))
    return { fault: { code: "malformed", message: "must not have control characters", says: "control" } };
  return { text: part };
}
