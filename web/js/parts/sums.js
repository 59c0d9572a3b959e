// Exact sums and comparisons of prices: decimal text in, decimal text out.

import { compareAmounts, readAmount, sumOf, writeAmount } from "../core/money.js";

/** Sums by currency, that of `first` before the others. @param prices `{fee, currency}` */
export function sums(prices, /** @type {string | null} */ first = null) {
  const found = new Map();
  for (const { fee, currency } of prices) found.set(currency, [...(found.get(currency) ?? []), readAmount(fee)]);
  return [...found].map(([currency, fees]) => ({ currency, fee: writeAmount(sumOf(fees, Math.max(...fees.map(({ digits }) => digits)))) }))
    .sort((a, b) => Number(b.currency === first) - Number(a.currency === first) || (a.currency < b.currency ? -1 : 1));
}

/** Below, above or 0. */
export const compare = (a, b) => compareAmounts(readAmount(a), readAmount(b));
/** Whether a price is higher than another of the same currency. */
export const isDearer = (next, now) => Boolean(next && now) && next.currency === now.currency && compare(next.fee, now.fee) > 0;
