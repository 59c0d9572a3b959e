// Search of contacts by typed terms, and of contacts that may be one person. As `ContactSearch`, `ContactText` and `ContactDuplicates` of
// the service.

import { digitsOf } from "./contacts.js";

/** @typedef {import("./contacts.js").Contact} Contact */

/** How many terms and how many characters a search may have. */
export const MOST_TERMS = 8, LONGEST = 100;

/**
 * One character without case and accents.
 * @param {string} one
 */
function foldedOne(one) {
  // Beyond the basic plane the database's collation knows no cases.
  if (one.length > 1) return one;
  const bare = [...one.normalize("NFKD")].filter((part) => !/\p{Mn}/u.test(part)), base = bare.length === 1 ? bare[0] : one, lower = base.toLowerCase();
  return [...lower].length === 1 ? lower : base;
}

/** Characters are folded once. @type {Map<string, string>} */
const known = new Map();

/**
 * A text without case and accents: `José` is `jose`. Each character stays one, as in the database's collation: `ß` is not `ss`.
 * @param {string} text
 */
export function folded(text) {
  // eslint-disable-next-line no-control-regex
  if (/^[\u0000-\u007f]*$/.test(text)) return text.toLowerCase();
  let all = "";
  for (const one of text.normalize("NFC")) {
    let found = known.get(one);
    if (found === undefined) known.set(one, found = foldedOne(one));
    all += found;
  }
  return all;
}

/**
 * @typedef {{text: string, digits: string | null}} Term
 * @typedef {{names: string[], digits: string[], emails: string[], others: string[]}} Texts the texts of a contact, by the place in which they count
 */

/**
 * The terms of a search; null: it has none, or breaks a limit.
 * @param {string} text
 * @returns {Term[] | null}
 */
export function termsOf(text) {
  const words = text.split(/\p{White_Space}\p{M}*/u).filter(Boolean);
  if (!words.length || words.length > MOST_TERMS || [...text].length > LONGEST) return null;
  return words.map((word) => {
    const digits = word.replace(/[^0-9]/g, ""), significant = digits.replace(/^0+/, "");
    // Zeros at its beginning stand for no country: they are left out.
    return { text: folded(word), digits: digits && /^[0-9+\-().]+$/.test(word) ? significant || digits : null };
  });
}

/** The folded texts of a contact: they are made once. @type {WeakMap<Contact, Texts>} */
const made = new WeakMap();

/**
 * @param {Contact} contact
 * @returns {Texts}
 */
function textsOf(contact) {
  let texts = made.get(contact);
  if (texts) return texts;
  const { firstName, middleName, lastName, note, phones, emails, addresses, dates } = contact;
  const all = (/** @type {(string | null)[]} */ list) => list.flatMap((text) => text === null || text === undefined ? [] : folded(text));
  texts = {
    names: all([firstName, middleName, lastName]), digits: phones.map(digitsOf), emails: all(emails.map(({ email }) => email)),
    others: all([note, ...dates.map(({ date }) => date), ...addresses.flatMap(({ street, apt, city, state, zip, country }) => [street, apt, city, state, zip, country])]),
  };
  made.set(contact, texts);
  return texts;
}

/**
 * Whether a word behind another one begins so.
 * @param {string} text
 * @param {string} word
 */
function hasWord(text, word) {
  if (!word) return false;
  for (let place = text.indexOf(word, 1); place > 0; place = text.indexOf(word, place + 1)) if (" -'.".includes(text[place - 1])) return true;
  return false;
}

/**
 * How well a contact matches, the best is 0; null: it does not. Each term adds 0 where a name begins with it, 1 where a word in a name
 * does, 2 where a number or an address of mail does, 3 where it is anywhere else.
 * @param {Term[]} terms
 * @param {Contact} contact
 */
export function rank(terms, contact) {
  const { names, emails, others, digits } = textsOf(contact);
  let sum = 0;
  for (const term of terms) {
    const { text } = term, numbers = term.digits === null ? [] : digits, number = term.digits ?? "";
    if (names.some((name) => name.startsWith(text))) continue;
    if (names.some((name) => hasWord(name, text))) sum += 1;
    else if (emails.some((email) => email.startsWith(text)) || numbers.some((one) => one.startsWith(number))) sum += 2;
    else if ((text !== "" && [...names, ...emails, ...others].some((one) => one.includes(text))) || numbers.some((one) => one.includes(number))) sum += 3;
    else return null;
  }
  return sum;
}

/**
 * @typedef {{kind: "phone" | "email" | "date" | "address", value: string}} Reason
 * @typedef {{first: string, second: string, reasons: Reason[]}} Pair two contacts by their ids, the one before the other first
 */

/** How many digits a number has at least that two people do not have by chance. */
const SURE_DIGITS = 7;
/** Parts the pieces of a key. */
const UNIT = "\u001f";

/**
 * The values of a contact by which it may be another one, each in the form in which two are compared.
 * @param {Contact} contact
 * @returns {(Reason & {key: string})[]}
 */
function valuesOf(contact) {
  const names = [contact.firstName, contact.middleName ?? "", contact.lastName].map(folded).join(UNIT);
  return [
    ...contact.phones.flatMap((phone) => {
      const digits = digitsOf(phone), key = /^1[0-9]{10}$/.test(digits) ? digits.slice(1) : digits;
      return key.length < SURE_DIGITS ? [] : [{ kind: /** @type {const} */ ("phone"), key, value: phone.e164 ?? `${phone.area ?? ""} ${phone.number ?? ""}` }];
    }),
    ...contact.emails.map(({ email }) => ({ kind: /** @type {const} */ ("email"), key: email.toLowerCase(), value: email })),
    ...contact.dates.map(({ type, date }) => ({ kind: /** @type {const} */ ("date"), key: [names, folded(type), date].join(UNIT), value: date })),
    ...contact.addresses.map(({ street, apt, city, state, zip }) => {
      const parts = [street, apt, city, state, zip], words = parts.map((part) => folded(part ?? "").split(/\p{White_Space}+/u).filter(Boolean).join(" "));
      return { kind: /** @type {const} */ ("address"), key: [names, ...words].join(UNIT), value: parts.filter((part) => part !== null && part !== undefined).join(", ") };
    }),
  ];
}

/**
 * The pairs of contacts that may be one person, in the order of the contacts. Of many that share a value each is paired with the
 * first one.
 * @param {{id: string, row: Contact}[]} contacts
 * @returns {Pair[]}
 */
export function duplicates(contacts) {
  /** @type {Map<string, number>} */
  const holders = new Map();
  /** @type {Map<number, Map<number, Reason[]>>} */
  const found = new Map();
  contacts.forEach(({ row }, place) => {
    for (const { kind, key, value } of valuesOf(row)) {
      const name = `${kind}${UNIT}${key}`, holder = holders.get(name) ?? place;
      holders.set(name, holder);
      if (holder === place) continue;
      const pairs = found.get(holder) ?? new Map(), reasons = pairs.get(place) ?? [];
      found.set(holder, pairs.set(place, reasons));
      if (reasons.some((/** @type {Reason} */ one) => one.kind === kind)) continue;
      reasons.push({ kind, value: valuesOf(contacts[holder].row).find((one) => one.key === key && one.kind === kind)?.value ?? value });
    }
  });
  return [...found].sort(([one], [other]) => one - other).flatMap(([first, pairs]) => [...pairs].sort(([one], [other]) => one - other)
    .map(([second, reasons]) => ({ first: contacts[first].id, second: contacts[second].id, reasons })));
}
