// All prices of a plan, past and announced. As `PriceLine` of the service (in the database: the view `Price_line`).

import { compareAmounts } from "./money.js";
import { FIRST_DAY } from "./days.js";

/**
 * @typedef {import("./money.js").Amount} Amount
 * @typedef {{fee: Amount, currency: string}} Price
 * @typedef {{effectiveOn: number, price: Price}} Entry a price and the first day on which it holds
 */

/**
 * Whether two prices are the same: numbers are compared, not their writing.
 * @param {Price} one
 * @param {Price} other
 */
export const isSamePrice = (one, other) => one.currency === other.currency && compareAmounts(one.fee, other.fee) === 0;

/** The price of a day is that of the greatest day not after it; before the first known day it is the first known price. */
export class PriceLine {
  /** @param {Entry[]} entries in any order, at least one; of two for the same day the later one counts */
  constructor(entries) {
    const byDay = new Map(entries.map((entry) => [entry.effectiveOn, entry]));
    /** By day, each day once. */
    this.entries = [...byDay.values()].sort((one, other) => one.effectiveOn - other.effectiveOn);
  }

  /**
   * A line of one price, which holds on every day.
   * @param {Price} price
   */
  static always(price) { return new PriceLine([{ effectiveOn: FIRST_DAY, price }]); }

  /**
   * The index of the entry that holds on a day.
   * @param {number} day
   */
  index(day) {
    let low = 0, high = this.entries.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.entries[middle].effectiveOn <= day) low = middle + 1; else high = middle;
    }
    return Math.max(low - 1, 0);
  }

  /**
   * The price that holds on a day.
   * @param {number} day
   */
  priceOn(day) { return this.entries[this.index(day)].price; }

  /**
   * What a period costs that begins on a day: nothing if it is a free trial, else the user's own fee if there is one (in the plan's
   * currency), else the plan's price of that day.
   * @param {number} start
   * @param {Amount | null} [ownFee]
   * @param {boolean} [freeTrial]
   * @returns {Price}
   */
  costFrom(start, ownFee = null, freeTrial = false) {
    const listed = this.priceOn(start);
    if (freeTrial) return { fee: { units: 0n, digits: listed.fee.digits }, currency: listed.currency };
    return { fee: ownFee ?? listed.fee, currency: listed.currency };
  }

  /**
   * The next entry after a day.
   * @param {number} day
   */
  next(day) { return this.entries.find((entry) => entry.effectiveOn > day) ?? null; }
}
