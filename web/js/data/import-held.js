// The subscriptions that are here, for the rows of a file: a row that is one of them is left out. As `HeldSubscriptions` of the
// service's kit.

import { millionths, parseAmount } from "../core/money.js";

/**
 * @typedef {import("../core/billing.js").Duration} Duration
 * @typedef {import("../../types/app").Subscription} Subscription
 */

/** The name of the plan of a row that names none. */
export const USUAL_PLAN = "Standard";

/**
 * @typedef {object} Identity the properties by which a row of a file and a subscription are the same
 * @property {string} provider
 * @property {string} plan of `planNamed`, `UNNAMED` or `UNNAMED_OWN`
 * @property {string} fee
 * @property {string} currency
 * @property {Duration} duration
 * @property {string | null | undefined} label
 */

/** @param {Identity} of */
export const identity = ({ provider, plan, fee, currency, duration, label }) => {
  const amount = parseAmount(fee);
  return [provider.toLowerCase(), plan, amount ? String(millionths(amount)) : fee, currency, `${duration.value} ${duration.unit}`, label?.toLowerCase() ?? ""].join("\u0000");
};

/**
 * A plan by its name and kind.
 * @param {string} name
 * @param {string | null} kind null: the row does not say the kind
 */
export const planNamed = (name, kind) => `=${name.toLowerCase()}\u0001${kind?.toLowerCase() ?? "?"}`;
/** The plan of a row that names none, where the catalogue has no plan at its price. */
export const UNNAMED = "?";
/** The user's own plan of a row that names none, where the catalogue has a plan at its price by now. */
export const UNNAMED_OWN = "?own";

/**
 * @param {{provider: string, name: string, type?: string, fee: string, currency: string, duration: Duration}} plan
 * @param {string | null | undefined} fee the user's payment, where that is not the plan's fee
 * @param {string | null | undefined} label
 */
export const identityOf = (plan, fee, label) => identity({ ...plan, plan: planNamed(plan.name, plan.type ?? "Standard"), fee: fee ?? plan.fee, label });

/** The subscriptions that are here. Each of them stands for one row of a file at most, so that two like contracts stay two. */
export class Held {
  /** @type {Map<string, Subscription[]>} */ #like = new Map();
  /** @type {Map<string, Subscription>} */ #byID = new Map();
  /** @type {Set<Subscription>} */ #taken = new Set();

  /** @param {Subscription[]} subscriptions */
  constructor(subscriptions) {
    // The last one of a list is taken first.
    for (const one of [...subscriptions].reverse()) {
      this.#byID.set(one.id, one);
      for (const of of identitiesOf(one)) {
        const like = this.#like.get(of);
        if (like) like.push(one); else this.#like.set(of, [one]);
      }
    }
  }

  /** @param {Subscription} one */
  #take(one) {
    if (this.#taken.has(one)) return null;
    this.#taken.add(one);
    return one;
  }

  /**
   * The subscription of an id, for the first row that asks for it.
   * @param {unknown} id
   */
  withID(id) {
    const one = typeof id === "string" ? this.#byID.get(id.toLowerCase()) : undefined;
    return one ? this.#take(one) : null;
  }

  /**
   * A subscription with one of these identities, the first of them before the others.
   * @param {string[]} identities
   */
  like(identities) {
    for (const of of identities) {
      for (let like = this.#like.get(of), one = like?.pop(); one; one = like?.pop()) {
        const taken = this.#take(one);
        if (taken) return taken;
      }
    }
    return null;
  }
}

/**
 * All identities that a row of it may have: a file says the price of its day, and may leave out the plan or its kind.
 * @param {Subscription} subscription
 */
function identitiesOf({ plan, price, nextPrice, ownFee, label }) {
  const { provider, duration } = plan, names = [planNamed(plan.name, plan.type), planNamed(plan.name, null)];
  const isUnnamed = plan.private && plan.name.toLowerCase() === USUAL_PLAN.toLowerCase();
  if (isUnnamed || !plan.private) names.push(UNNAMED);
  if (isUnnamed) names.push(UNNAMED_OWN);
  const prices = [price, { fee: ownFee ?? plan.fee, currency: plan.currency }, ...nextPrice ? [nextPrice] : []];
  return new Set(prices.flatMap(({ fee, currency }) => names.map((plan) => identity({ provider, plan, fee, currency, duration, label }))));
}
