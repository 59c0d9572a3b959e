// Searching the catalogue: in the store where it has been pulled, else by asking the service.

import { writeDay } from "../core/days.js";
import { ASKED, beginning, result, upsert } from "./database.js";
import { isFault } from "./fault.js";
import { readPlan } from "./plans.js";

/**
 * @typedef {import("../../types/app").ProviderHit} Hit
 * @typedef {Hit & {words: string[], folded: string, plans: number[], texts: string}} Indexed
 */

/** Providers that people often add, the best known first; those that sell in the country are shown. */
const OFTEN = [
  "Netflix", "Spotify", "YouTube Premium", "YouTube", "Amazon Prime", "Disney+", "Disney Plus", "iCloud+", "Apple Music", "Google One", "ChatGPT",
  "Microsoft 365", "Audible", "HBO Max", "Max", "Apple TV+", "Dropbox", "Adobe Creative Cloud", "Nintendo Switch Online", "PlayStation Plus", "Xbox Game Pass",
];

/**
 * Lower case without accents.
 * @param {string} text
 */
export const folded = (text) => text.normalize("NFD").replace(/\p{M}+/gu, "").toLowerCase().replace(/ß/g, "ss").replace(/ø/g, "o").replace(/æ/g, "ae");

/**
 * Words of a text.
 * @param {string} text
 */
const wordsOf = (text) => folded(text).split(/[^\p{L}\p{N}+]+/u).filter(Boolean);

/**
 * Whether a word begins with what was typed, one mistake (a letter wrong, missing, too many, or two swapped) forgiven.
 * @param {string} word
 * @param {string} typed
 */
export function beginsAlmost(word, typed) {
  if (typed.length < 3 || word.length < typed.length - 1) return false;
  let i = 0;
  while (i < typed.length && i < word.length && typed[i] === word[i]) i++;
  if (i === typed.length) return true;
  const rest = typed.slice(i), left = word.slice(i);
  return left.slice(1).startsWith(rest.slice(1)) || left.startsWith(rest.slice(1)) || left.slice(1).startsWith(rest)
    || (rest.length > 1 && left[0] === rest[1] && left[1] === rest[0] && left.slice(2).startsWith(rest.slice(2)));
}

/**
 * How well words lead to a provider; less is better, null: some word leads nowhere.
 * @param {string[]} typed
 * @param {Indexed} provider
 * @param {boolean} forgives
 */
function score(typed, provider, forgives) {
  let sum = 0;
  for (const word of typed) {
    if (provider.folded.startsWith(word)) sum += 0;
    else if (provider.words.some((other) => other.startsWith(word))) sum += 2;
    else if (provider.texts.includes(` ${word}`)) sum += 5;
    else if (provider.folded.includes(word)) sum += 6;
    else if (forgives && provider.words.some((other) => beginsAlmost(other, word))) sum += 9;
    else return null;
  }
  return sum;
}

/** The catalogue of a tenant. */
export class Catalogue {
  /** @type {{version: number, country: string, providers: Indexed[]} | null} */ #index = null;

  /**
   * @param {import("./database.js").Database} database
   * @param {import("./api.js").API} api
   * @param {import("./replica.js").Replica} replica
   * @param {(touched: import("./database.js").Touched) => Promise<void>} onChange
   */
  constructor(database, api, replica, onChange) {
    this.database = database;
    this.api = api;
    this.replica = replica;
    this.onChange = onChange;
  }

  /** Whether the user's catalogue is in the store. */
  get isHere() { return this.replica.meta.has("cursor") && !this.replica.meta.has("left"); }

  /**
   * What the index is made of: another one makes another index.
   * @param {string} country
   * @param {number} today
   */
  version(country, today) { return `${this.replica.catalogueVersion} ${this.isHere} ${country} ${today}`; }

  /**
   * Providers of the store with what they sell.
   * @param {string} country
   * @param {number} today
   * @returns {Promise<Indexed[]>}
   */
  async #providers(country, today) {
    const { catalogueVersion } = this.replica;
    if (this.#index && this.#index.version === catalogueVersion && this.#index.country === country) return this.#index.providers;
    const day = writeDay(today);
    const [plans, own, providers] = await this.database.read((tables) => Promise.all([
      result(tables.catalogue.getAll(beginning("plan"))), result(tables.own.getAll(beginning("plan"))), result(tables.catalogue.getAll(beginning("provider"))),
    ]), ["catalogue", "own"]);
    const known = new Map(providers.map((row) => [row.id, row.data]));
    /** @type {Map<string, Indexed>} */
    const found = new Map();
    for (const { id, data } of [...own, ...plans]) {
      if ((!data.private && data.country !== country) || (data.withdrawnOn && data.withdrawnOn <= day)) continue;
      const key = `${data.private} ${data.provider}`;
      let provider = found.get(key);
      if (!provider) {
        const of = data.private ? null : known.get(data.provider);
        found.set(key, provider = {
          name: data.provider, category: data.category ?? of?.category ?? "Other", planCount: 0, website: of?.website ?? null, own: Boolean(data.private),
          onlyPlan: null, words: wordsOf(data.provider), folded: folded(data.provider), plans: [], texts: "",
        });
        provider.texts = ` ${wordsOf(provider.category).join(" ")}`;
      }
      provider.plans.push(Number(id));
      provider.texts += ` ${wordsOf(`${data.name} ${data.type}`).join(" ")}`;
    }
    const all = [...found.values()];
    for (const provider of all) {
      provider.planCount = provider.plans.length;
      provider.onlyPlan = provider.plans.length === 1 ? provider.plans[0] : null;
    }
    this.#index = { version: catalogueVersion, country, providers: all };
    return all;
  }

  /**
   * Providers that letters lead to, own plans first.
   * @param {string} text
   * @param {string} country
   * @param {number} today
   * @returns {Promise<Hit[]>}
   */
  async search(text, country, today) {
    const typed = wordsOf(text);
    if (!typed.length) return [];
    const local = await this.#providers(country, today);
    /** @type {Indexed[]} */
    let from = local;
    if (!this.isHere) {
      const asked = await this.#ask({ country: country || undefined, search: text.trim().slice(0, 100), limit: 50 });
      from = [...local.filter(({ own }) => own), ...asked.map(indexed)];
      // The service looks for the very text; a typing mistake is forgiven among those that begin alike.
      if (!asked.length && typed[0].length > 2)
        from.push(...(await this.#ask({ country: country || undefined, search: typed[0].slice(0, 2), limit: 200 })).map(indexed));
    }
    for (const forgives of [false, true]) {
      const hits = from.map((provider) => ({ provider, score: score(typed, provider, forgives) })).filter(({ score }) => score !== null);
      if (!hits.length) continue;
      return hits.sort((one, other) => Number(other.provider.own) - Number(one.provider.own) || (one.score ?? 0) - (other.score ?? 0)
        || one.provider.name.length - other.provider.name.length || (one.provider.name < other.provider.name ? -1 : 1)).slice(0, 30).map(({ provider }) => hit(provider));
    }
    return [];
  }

  /**
   * Those that are often added.
   * @param {string} country
   * @param {number} today
   * @returns {Promise<Hit[]>}
   */
  async often(country, today) {
    const from = this.isHere ? (await this.#providers(country, today)).filter(({ own }) => !own)
      : (await this.#ask({ country: country || undefined, limit: 200 })).map(indexed);
    const place = new Map(OFTEN.map((name, i) => [folded(name), i]));
    return from.map((provider) => ({ provider, place: place.get(provider.folded) ?? OFTEN.length }))
      .sort((one, other) => one.place - other.place || other.provider.planCount - one.provider.planCount || (one.provider.name < other.provider.name ? -1 : 1))
      .slice(0, 8).map(({ provider }) => hit(provider));
  }

  /**
   * @param {Record<string, any>} input
   * @returns {Promise<any[]>} none where the service cannot be reached
   */
  async #ask(input) {
    try {
      return (await this.api.call("providers.list", input)).providers;
    } catch (error) {
      // A country that this service does not have: the providers of all.
      if (isFault(error, "refused") && input.country) return this.#ask({ ...input, country: undefined });
      if (isFault(error)) return [];
      throw error;
    }
  }

  /**
   * The numbers of what a provider sells, the user's own plans first; null: there is no such provider.
   * @param {string} provider
   * @param {string} country
   * @param {number} today
   * @returns {Promise<{ids: number[], category: string} | null>}
   */
  async plansOf(provider, country, today) {
    const local = (await this.#providers(country, today)).filter(({ name }) => name === provider);
    if (!this.isHere) {
      let plans = [];
      try { ({ plans } = await this.api.call("plans.list", { country: country || undefined, provider, limit: 50 })); } catch (error) { if (!isFault(error)) throw error; }
      plans = plans.filter((/** @type {any} */ plan) => plan.provider === provider);
      if (plans.length) {
        await this.#keep(plans.filter((/** @type {any} */ plan) => !plan.private).map((/** @type {any} */ plan) => plan.id));
        const ids = [...local.filter(({ own }) => own).flatMap(({ plans }) => plans), ...plans.map((/** @type {any} */ plan) => plan.id)];
        await this.want([...new Set(ids)]);
        return { ids: [...new Set(ids)], category: plans[0].category };
      }
    }
    if (!local.length) return null;
    const ids = local.sort((one, other) => Number(other.own) - Number(one.own)).flatMap(({ plans }) => plans);
    await this.want(ids);
    return { ids, category: local[0].category };
  }

  /**
   * Has plans in memory.
   * @param {number[]} ids
   */
  async want(ids) {
    const unknown = ids.filter((id) => !this.replica.plans.has(id));
    for (const id of ids) this.replica.wanted.add(id);
    if (unknown.length) await this.onChange({ rows: unknown.map((id) => ["plan", String(id)]), tables: [] });
  }

  /**
   * Has a plan in memory, asked from the service where it is not here.
   * @param {number} id
   */
  async plan(id) {
    await this.want([id]);
    if (this.replica.plans.has(id)) return;
    await this.#keep([id]);
    await this.want([id]);
  }

  /**
   * Asks for plans and keeps them until a pull brings them.
   * @param {number[]} ids
   */
  async #keep(ids) {
    const found = (await Promise.all(ids.filter((id) => !this.replica.plans.has(id)).slice(0, 24).map(async (id) => {
      try { return await this.api.call("plans.get", { id }); } catch (error) { if (isFault(error)) return null; throw error; }
    }))).filter(Boolean);
    if (!found.length) return;
    await this.database.write(async (tables) => {
      for (const plan of found) {
        const prices = plan.prices.length ? plan.prices : [{ effectiveOn: "1970-01-01", fee: plan.fee, currency: plan.currency }];
        const { id, prices: _, withdrawn, ...fields } = plan, key = String(id);
        const data = {
          ...fields, fee: prices[0].fee, currency: prices[0].currency, feeSince: prices[0].effectiveOn, formerTerms: null, withdrawnOn: withdrawn ? "1970-01-01" : null,
        };
        readPlan(data);
        await upsert(tables, { scope: ASKED, entity: "plan", id: key, version: 0, data });
        for (const price of prices.slice(1))
          await upsert(tables, { scope: ASKED, entity: "price", id: `${key} ${price.effectiveOn}`, version: 0, data: { ...price, planId: id } });
      }
    }, ["own", "catalogue"]);
    for (const { id } of found) this.replica.wanted.add(id);
    await this.onChange({ rows: found.map(({ id }) => ["plan", String(id)]), tables: [] });
  }
}

/**
 * @param {any} provider
 * @returns {Indexed}
 */
const indexed = ({ name, category, planCount, website }) => ({
  name, category, planCount, website: website ?? null, own: false, onlyPlan: null, words: wordsOf(name), folded: folded(name), plans: [], texts: ` ${wordsOf(category).join(" ")}`,
});

/**
 * @param {Indexed} provider
 * @returns {Hit}
 */
const hit = ({ name, category, planCount, website, own, onlyPlan }) => ({ name, category, planCount, website, own, onlyPlan });
