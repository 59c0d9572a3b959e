// What subscriptions cost in a year and in a month, and what was saved, by currency. As `Spending` and `Savings` of the service.

import { countOfFirst, fits } from "./billing.js";
import { addDays } from "./days.js";
import { ExactSum, MAXIMUM_DIGITS } from "./money.js";

/**
 * @typedef {import("./money.js").Amount} Amount
 * @typedef {import("./prices.js").Price} Price
 * @typedef {import("./billing.js").Terms} Terms
 */

/** How many of a unit make a year, for what a year costs. */
export const PER_YEAR = { day: 365, week: 52, month: 12, year: 1 };

/** A total of money that is larger than can be written. */
export class TotalTooLarge extends Error {
  /** @param {string} currency */
  constructor(currency) {
    super(`the total in ${currency} is too large to be written`);
    this.currency = currency;
  }
}

/** @param {number} digits */
const bounded = (digits) => Math.min(Math.max(digits, 0), MAXIMUM_DIGITS);

/** @param {Map<string, ExactSum>} sums */
const byCode = (sums) => [...sums].sort(([one], [other]) => one < other ? -1 : one > other ? 1 : 0);

/** The fees are summed exactly, and each total is rounded once, half to even, to its currency's digits. */
export class Spending {
  /** @type {Map<string, ExactSum>} */
  #sums = new Map();

  /**
   * Adds what an active subscription costs each period.
   * @param {Price} price
   * @param {Terms} terms
   */
  add(price, terms) {
    let sum = this.#sums.get(price.currency);
    if (!sum) this.#sums.set(price.currency, sum = new ExactSum());
    sum.add(price.fee, PER_YEAR[terms.duration.unit], terms.duration.value);
  }

  /**
   * The totals, by code of currency.
   * @param {(currency: string) => number} digits
   * @returns {{currency: string, month: Amount, year: Amount}[]}
   */
  totals(digits) {
    return byCode(this.#sums).map(([currency, sum]) => {
      const month = sum.rounded(bounded(digits(currency)), 12), year = sum.rounded(bounded(digits(currency)));
      if (!month || !year) throw new TotalTooLarge(currency);
      return { currency, month, year };
    });
  }
}

/**
 * What was not paid because subscriptions were cancelled before they renewed: each period that would have begun since, from the day
 * of the cancelled renewal to today, at the price that held on its first day.
 */
export class Savings {
  /** @type {Map<string, ExactSum>} */
  #sums = new Map();

  /**
   * Adds what a cancelled subscription would have cost since its end.
   * @param {import("./billing.js").State} state
   * @param {Terms} terms
   * @param {import("./prices.js").PriceLine} prices
   * @param {Amount | null} ownFee
   * @param {number} today
   */
  add(state, terms, prices, ownFee, today) {
    if (today < state.end) return;
    const [anchor, first] = fits(state, terms) ? [state.anchor, state.anchorCount] : [state.end, 0];
    let counted = 0;
    for (let index = prices.index(state.end); index < prices.entries.length; index++) {
      const next = prices.entries[index + 1];
      const lastDay = next ? Math.min(today, addDays(next.effectiveOn, -1)) : today;
      const begun = Math.max(countOfFirst(lastDay, anchor, terms.duration) - first, 0);
      const { fee, currency } = prices.entries[index].price;
      if (begun <= counted) continue;
      let sum = this.#sums.get(currency);
      if (!sum) this.#sums.set(currency, sum = new ExactSum());
      sum.add(ownFee ?? fee, begun - counted);
      counted = begun;
    }
  }

  /**
   * The totals, by code of currency.
   * @param {(currency: string) => number} digits
   * @returns {{currency: string, amount: Amount}[]}
   */
  totals(digits) {
    return byCode(this.#sums).map(([currency, sum]) => {
      const amount = sum.rounded(bounded(digits(currency)));
      if (!amount) throw new TotalTooLarge(currency);
      return { currency, amount };
    });
  }
}
