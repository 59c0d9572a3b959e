// Plans with their prices, categories and the digits of currencies. As `PlanTable` of the service's kit.

import { makeTerms } from "../core/billing.js";
import { readDay, writeDay } from "../core/days.js";
import { parseAmount, readAmount, rescaled, writeAmount } from "../core/money.js";
import { PriceLine, isSamePrice } from "../core/prices.js";

/**
 * @typedef {import("../core/money.js").Amount} Amount
 * @typedef {import("../core/billing.js").Duration} Duration
 * @typedef {import("../../types/app").Plan} Plan
 * @typedef {object} PlanRow what is stored of a plan, days as numbers and amounts as such
 * @property {string} provider
 * @property {string} name
 * @property {string} type
 * @property {string | null} category
 * @property {string} country
 * @property {Amount} fee
 * @property {string} currency
 * @property {number} feeSince
 * @property {Duration} duration
 * @property {number | null} trialDays
 * @property {number} noticeDays
 * @property {{until: number, duration: Duration, noticeDays: number} | null} formerTerms
 * @property {number | null} withdrawnOn
 * @property {boolean} private
 */

/**
 * @param {any} data
 * @returns {PlanRow}
 */
export const readPlan = (data) => ({
  provider: data.provider, name: data.name, type: data.type, category: data.category ?? null, country: data.country,
  fee: readAmount(data.fee), currency: data.currency, feeSince: readDay(data.feeSince), duration: data.duration,
  trialDays: data.trialDays ?? null, noticeDays: data.noticeDays,
  formerTerms: data.formerTerms ? { ...data.formerTerms, until: readDay(data.formerTerms.until) } : null,
  withdrawnOn: data.withdrawnOn ? readDay(data.withdrawnOn) : null, private: Boolean(data.private),
});

/** @param {PlanRow} plan */
export const writePlan = (plan) => ({
  ...plan, fee: writeAmount(plan.fee), feeSince: writeDay(plan.feeSince),
  formerTerms: plan.formerTerms && { ...plan.formerTerms, until: writeDay(plan.formerTerms.until) },
  withdrawnOn: plan.withdrawnOn === null ? null : writeDay(plan.withdrawnOn),
});

/**
 * @param {any} data
 * @returns {import("../core/prices.js").Entry}
 */
export const readPrice = (data) => ({ effectiveOn: readDay(data.effectiveOn), price: { fee: readAmount(data.fee), currency: data.currency } });

/**
 * A plan of the user's own, as the service will have it.
 * @param {any} plan what was given
 * @param {string} country
 * @param {number} digits of its currency
 * @param {number} since first day of its fee
 * @returns {PlanRow}
 */
export function ownPlan(plan, country, digits, since) {
  const fee = readAmount(plan.fee);
  return {
    provider: plan.provider, name: plan.name, type: plan.type ?? "Standard", category: plan.category ?? "Other", country,
    fee: rescaled(fee, digits) ?? fee, currency: plan.currency, feeSince: since, duration: plan.duration,
    trialDays: plan.trialDays ?? null, noticeDays: plan.noticeDays ?? 0, formerTerms: null, withdrawnOn: null, private: true,
  };
}

/**
 * A plan with what a patch names.
 * @param {PlanRow} plan
 * @param {Record<string, any>} patch
 * @returns {PlanRow}
 */
export function patchedPlan(plan, patch) {
  const changed = { ...plan };
  for (const field of /** @type {const} */ (["provider", "name", "type", "category", "currency", "duration", "noticeDays"]))
    if (patch[field] !== undefined && patch[field] !== null) /** @type {any} */ (changed)[field] = patch[field];
  const fee = parseAmount(patch.fee);
  if (fee) changed.fee = rescaled(fee, plan.fee.digits) ?? fee;
  if (patch.trialDays !== undefined) changed.trialDays = patch.trialDays;
  return changed;
}

/** @type {WeakMap<PlanRow, {prices: unknown, line: PriceLine}>} */
const lines = new WeakMap();
/** @type {WeakMap<PlanRow, import("../core/billing.js").Terms | null>} */
const allTerms = new WeakMap();
/** @type {WeakMap<PlanRow, {prices: unknown, category: string, today: number, id: number, plan: Plan}>} */
const shown = new WeakMap();

/**
 * Digits of a currency before the first pull, as the browser knows them.
 * @param {string} currency
 */
function usualDigits(currency) {
  if (!/^[A-Z]{3}$/.test(currency)) return 2;
  return new Intl.NumberFormat("en", { style: "currency", currency }).resolvedOptions().maximumFractionDigits ?? 2;
}

/** The plans that some subscriptions need. */
export class PlanTable {
  /** @type {Map<number, PlanRow>} */ plans;
  /** @type {Map<number, import("../core/prices.js").Entry[]>} */ prices;
  #provisional = -1;

  /**
   * @param {Map<number, PlanRow>} plans
   * @param {Map<number, import("../core/prices.js").Entry[]>} prices
   * @param {Map<string, any>} providers
   * @param {Map<string, {name: string, minorDigits: number}>} currencies
   */
  constructor(plans, prices, providers, currencies) {
    this.plans = plans;
    this.prices = prices;
    this.providers = providers;
    this.currencies = currencies;
  }

  /** A table that can be changed without changing this one. */
  fork() { return new PlanTable(new Map(this.plans), new Map(this.prices), this.providers, this.currencies); }

  /** @param {string} currency */
  digits(currency) { return this.currencies.get(currency)?.minorDigits ?? usualDigits(currency); }

  /**
   * Changes a plan of the user's own. Another fee holds from the day of the change on: what began before it costs what it did.
   * @param {number} id
   * @param {Record<string, any>} patch
   * @param {number} today
   */
  change(id, patch, today) {
    const plan = this.plans.get(id);
    if (!plan?.private) return;
    const changed = patchedPlan(plan, patch);
    if (plan.feeSince < today && !isSamePrice(plan, changed)) {
      this.prices.set(id, [...(this.prices.get(id) ?? []), { effectiveOn: plan.feeSince, price: { fee: plan.fee, currency: plan.currency } }]);
      changed.feeSince = today;
    }
    this.plans.set(id, changed);
  }

  /**
   * Takes in a plan that was made here and is not known to the server.
   * @param {any} plan
   * @param {string} country
   * @param {number} since
   * @returns {number} the number by which it is known meanwhile: below zero
   */
  add(plan, country, since) {
    const id = this.#provisional--;
    this.plans.set(id, ownPlan(plan, country, this.digits(plan.currency), since));
    return id;
  }

  /**
   * All prices of a plan; null where it has not come yet.
   * @param {number} id
   */
  line(id) {
    const plan = this.plans.get(id);
    if (!plan) return null;
    const prices = this.prices.get(id), known = lines.get(plan);
    if (known && known.prices === prices) return known.line;
    const line = new PriceLine([...(prices ?? []), { effectiveOn: plan.feeSince, price: { fee: plan.fee, currency: plan.currency } }]);
    lines.set(plan, { prices, line });
    return line;
  }

  /**
   * What a plan says of the length of its periods; null where it has not come yet.
   * @param {number} id
   */
  terms(id) {
    const plan = this.plans.get(id);
    if (!plan) return null;
    let terms = allTerms.get(plan);
    if (terms === undefined) {
      try { terms = makeTerms(plan.duration, plan.trialDays); } catch { terms = null; }
      allTerms.set(plan, terms);
    }
    return terms;
  }

  /**
   * The category of a plan.
   * @param {PlanRow} plan
   */
  category(plan) { return plan.category ?? (plan.private ? null : this.providers.get(plan.provider)?.category) ?? "Other"; }

  /**
   * The plan as people see it on a day; null where it has not come yet.
   * @param {number} id
   * @param {number} today
   * @returns {Plan | null}
   */
  plan(id, today) {
    const plan = this.plans.get(id), line = this.line(id);
    if (!plan || !line) return null;
    const prices = this.prices.get(id), category = this.category(plan), known = shown.get(plan);
    if (known && known.prices === prices && known.today === today && known.category === category && known.id === id) return known.plan;
    const price = line.priceOn(today);
    const points = line.entries.map(({ effectiveOn, price }) => ({ effectiveOn: writeDay(effectiveOn), fee: this.written(price), currency: price.currency }));
    const next = line.entries.findIndex((entry) => entry.effectiveOn > today);
    const made = {
      id, provider: plan.provider, name: plan.name, type: plan.type, category, country: plan.country, fee: this.written(price),
      currency: price.currency, duration: plan.duration, trialDays: plan.trialDays, noticeDays: plan.noticeDays,
      withdrawn: plan.withdrawnOn !== null && plan.withdrawnOn <= today, private: plan.private, title: titleOf(plan), prices: points,
      // A line of one price that begins later is the first known price, and no change.
      announced: next > 0 ? points[next] : null,
    };
    shown.set(plan, { prices, category, today, id, plan: made });
    return made;
  }

  /**
   * An amount with the digits of its currency.
   * @param {import("../core/prices.js").Price} price
   */
  written({ fee, currency }) { return writeAmount(rescaled(fee, this.digits(currency)) ?? fee); }
}

/**
 * The words to show beside the provider's name; null: none.
 * @param {{name: string, type: string, private: boolean}} plan
 */
function titleOf({ name, type, private: isOwn }) {
  if (type === "Standard" || type === name) return isOwn && name === "Standard" ? null : name;
  return `${name} ${type}`;
}
