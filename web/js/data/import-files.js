// The forms of files that an import reads: our own export, lists of JSON, and tables. As `ImportedRow.rows` of the service's kit.

import { Fault } from "./fault.js";
import { ImportedRow } from "./import-rows.js";

/**
 * A field without the apostrophe that an export puts before a formula.
 * @param {string} field
 */
const unescaped = (field) => /^'+[=+\-@\t\r]/.test(field) ? field.slice(1) : field;

/**
 * Comma-separated values (RFC 4180), with whatever ends lines; empty lines are left out.
 * @param {string} text
 * @returns {{number: number, fields: string[], isUnclosed: boolean}[]}
 */
export function lines(text) {
  const whole = text.replace(/^\ufeff/, ""), head = whole.split(/[\r\n]/, 1)[0];
  const count = (/** @type {string} */ one) => head.split(one).length;
  const separator = [",", ";", "\t"].reduce((best, one) => count(one) > count(best) ? one : best);
  /** @type {ReturnType<typeof lines>} */
  const all = [];
  /** @type {string[]} */
  let fields = [];
  let field = "", number = 1, began = 1, isQuoted = false;
  const endField = () => {
    fields.push(unescaped(field));
    field = "";
  };
  const end = (isUnclosed = false) => {
    endField();
    if (isUnclosed || fields.some((one) => one !== "")) all.push({ number: began, fields, isUnclosed });
    fields = [];
    began = number;
  };
  for (let i = 0; i < whole.length; i++) {
    // Both halves of \r\n end one line.
    const one = whole[i], isSecondHalf = one === "\n" && whole[i - 1] === "\r", isNewline = one === "\n" || one === "\r";
    if (isNewline && !isSecondHalf) number++;
    if (isQuoted) {
      if (one !== "\"") field += one;
      else if (whole[i + 1] === "\"") { field += one; i++; }
      else isQuoted = false;
    } else if (one === "\"" && field === "") isQuoted = true;
    else if (one === separator) endField();
    else if (!isNewline) field += one;
    else if (!isSecondHalf) end();
  }
  end(isQuoted);
  return all;
}

/**
 * @param {unknown} value
 * @returns {string | null}
 */
function loose(value) {
  if (typeof value === "string") return value;
  if (typeof value === "number") return String(value);
  if (typeof value === "boolean") return value ? "yes" : "no";
  // A category with its own fields.
  if (value && typeof value === "object" && !Array.isArray(value)) return loose(/** @type {any} */ (value).name ?? null);
  return null;
}

/** @param {string} detail */
const noForm = (detail) => Fault.invalid("", "unknownForm", detail);

/**
 * The rows of a file, whichever of the known forms it has.
 * @param {string} text
 * @returns {{format: "subtrackit", own: any[]} | {format: "json" | "csv", rows: ImportedRow[]}}
 */
export function readFile(text) {
  if (!/[^\s\ufeff]/.test(text)) throw Fault.invalid("", "emptyFile", "the file is empty");
  if (/^[\s\ufeff]*[{[]/.test(text)) {
    let value;
    try { value = JSON.parse(text.replace(/^\ufeff/, "")); } catch { throw noForm("the file is no JSON"); }
    // What `me.export` gives, and what the terminal writes.
    if (value?.format === "subtrack" || (value?.exportedAt && Array.isArray(value.subscriptions))) {
      if (value.version > 1) throw noForm("the file was written by a newer version");
      if (!Array.isArray(value.subscriptions)) throw noForm("the file was changed and is no export any more");
      return { format: "subtrackit", own: value.subscriptions.map((/** @type {any} */ one) => one?.subscription ?? one) };
    }
    const list = Array.isArray(value) ? value : value?.subscriptions ?? value?.data;
    if (!Array.isArray(list)) throw noForm("the file has no list of subscriptions");
    return {
      format: "json",
      rows: list.map((one, i) => {
        if (!one || typeof one !== "object" || Array.isArray(one)) return new ImportedRow({}, `entry ${i + 1}`, noForm("it is no object"));
        const values = Object.fromEntries(Object.entries(one).flatMap(([name, value]) => { const text = loose(value); return text === null ? [] : [[name, text]]; }));
        return new ImportedRow(values, `entry ${i + 1}`);
      }),
    };
  }
  const [head, ...rest] = lines(text);
  if (!head || head.fields.length < 2) throw noForm("the file is neither JSON nor CSV with a line of names, such as name,price,currency");
  return {
    format: "csv",
    rows: rest.map(({ number, fields, isUnclosed }) => {
      const isLong = fields.slice(head.fields.length).some((one) => one !== "");
      const fault = isUnclosed ? noForm("a quote is never closed; nothing from there on was read")
        : isLong ? noForm(`it has ${fields.length} fields, and the first line ${head.fields.length} names`) : null;
      const values = Object.fromEntries(head.fields.map((name, i) => [name, fields[i] ?? ""]).reverse());
      return new ImportedRow(values, `line ${number}`, fault);
    }),
  };
}
