// Exact amounts of money: an integer count of units of 10⁻ᵈ. No Number ever holds one. As `Amount`, `Money` and `ExactSum` of the
// service.

/** @typedef {{units: bigint, digits: number}} Amount */

/** The largest number of digits after the point. */
export const MAXIMUM_DIGITS = 6;
const LARGEST = 2n ** 63n - 1n, SMALLEST = -(2n ** 63n);
const POWERS = Array.from({ length: MAXIMUM_DIGITS + 1 }, (_, i) => 10n ** BigInt(i));

/** @param {number} digits */
export const unitsPerOne = (digits) => POWERS[Math.min(Math.max(digits, 0), MAXIMUM_DIGITS)];

/** @param {bigint} units */
const isInt64 = (units) => units >= SMALLEST && units <= LARGEST;

/**
 * Reads an optional minus, at most 18 digits (leading zeros not counted), and a point with 1…6 of them after it or none.
 * @param {unknown} text
 * @returns {Amount | null} null: it is no amount
 */
export function parseAmount(text) {
  const found = typeof text === "string" ? /^(-?)([0-9]+)(?:\.([0-9]{1,6}))?$/.exec(text) : null;
  if (!found) return null;
  const digits = found[3] ?? "", all = (found[2] + digits).replace(/^0+/, "");
  if (all.length > 18) return null;
  const units = BigInt(all || "0");
  return { units: found[1] ? -units : units, digits: digits.length };
}

/**
 * Reads the amount of a row.
 * @param {string} text
 * @returns {Amount}
 */
export function readAmount(text) {
  const amount = parseAmount(text);
  if (!amount) throw new RangeError(`"${String(text).slice(0, 40)}" is no amount`);
  return amount;
}

/**
 * The number with exactly its digits after the point.
 * @param {Amount} amount
 */
export function writeAmount({ units, digits }) {
  if (digits === 0) return String(units);
  const text = String(units < 0n ? -units : units).padStart(digits + 1, "0");
  return `${units < 0n ? "-" : ""}${text.slice(0, -digits)}.${text.slice(-digits)}`;
}

/**
 * The same number with another count of digits after the point.
 * @param {Amount} amount
 * @param {number} digits
 * @returns {Amount | null} null: that would lose a digit other than 0, or be too large
 */
export function rescaled(amount, digits) {
  if (digits === amount.digits) return amount;
  if (!(digits >= 0 && digits <= MAXIMUM_DIGITS)) return null;
  if (digits > amount.digits) {
    const units = amount.units * unitsPerOne(digits - amount.digits);
    return isInt64(units) ? { units, digits } : null;
  }
  const unit = unitsPerOne(amount.digits - digits);
  return amount.units % unit === 0n ? { units: amount.units / unit, digits } : null;
}

/**
 * The number in millionths.
 * @param {Amount} amount
 */
export const millionths = ({ units, digits }) => units * unitsPerOne(MAXIMUM_DIGITS - digits);

/**
 * Below, above or 0: numbers are compared, not their writing.
 * @param {Amount} one
 * @param {Amount} other
 */
export function compareAmounts(one, other) {
  const difference = one.digits === other.digits ? one.units - other.units : millionths(one) - millionths(other);
  return difference < 0n ? -1 : difference > 0n ? 1 : 0;
}

/**
 * The exact sum of two amounts as text, with the digits of the one that has more: for sums on pages.
 * @param {string} one
 * @param {string} other
 */
export function add(one, other) {
  const left = readAmount(one), right = readAmount(other), digits = Math.max(left.digits, right.digits);
  return writeAmount({ units: left.units * unitsPerOne(digits - left.digits) + right.units * unitsPerOne(digits - right.digits), digits });
}

/**
 * Below, above or 0, of two amounts as text.
 * @param {string} one
 * @param {string} other
 */
export const compare = (one, other) => compareAmounts(readAmount(one), readAmount(other));

/** The largest fee of a period, in any currency. */
export const LARGEST_FEE = { units: 99_999_999_999n, digits: 0 };

/** Why a fee was refused. */
export class FeeError extends Error {
  /**
   * @param {"malformed" | "negative" | "tooLarge" | "tooManyDigits"} code
   * @param {string} message
   * @param {Record<string, string | number>} [values]
   */
  constructor(code, message, values = {}) {
    super(message);
    this.code = code;
    this.values = values;
  }
}

/**
 * Reads a fee such as `17.99` and gives it exactly the digits of its currency: 1.5 USD is 1.50.
 * @param {string} text
 * @param {string} currency
 * @param {number} digits
 * @returns {Amount}
 */
export function fee(text, currency, digits) {
  const amount = parseAmount(text);
  if (!amount) throw new FeeError("malformed", `"${String(text).slice(0, 40)}" is not an amount such as "17.99"`);
  if (amount.units < 0n) throw new FeeError("negative", `must not be negative, given ${writeAmount(amount)}`);
  if (compareAmounts(amount, LARGEST_FEE) > 0)
    throw new FeeError("tooLarge", `must be at most ${writeAmount(LARGEST_FEE)}, given ${writeAmount(amount)}`, { maximum: writeAmount(LARGEST_FEE) });
  const exact = rescaled(amount, digits);
  if (exact) return exact;
  const count = digits === 0 ? "no digits" : digits === 1 ? "1 digit" : `${digits} digits`;
  throw new FeeError("tooManyDigits", `${currency} has ${count} after the point, given ${writeAmount(amount)}`, { currency, digits });
}

/**
 * Divides towards negative infinity.
 * @param {bigint} numerator
 * @param {bigint} denominator above zero
 */
function floor(numerator, denominator) {
  const quotient = numerator / denominator;
  return numerator % denominator < 0n ? quotient - 1n : quotient;
}

/** An exact sum of amounts × integer ÷ integer, rounded only when it is read. */
export class ExactSum {
  /**
   * In millionths, by divisor.
   * @type {Map<number, bigint>}
   */
  #numerators = new Map();

  /**
   * Adds amount × factor ÷ divisor.
   * @param {Amount} amount
   * @param {number} factor
   * @param {number} [divisor]
   */
  add(amount, factor, divisor = 1) {
    this.#numerators.set(divisor, (this.#numerators.get(divisor) ?? 0n) + millionths(amount) * BigInt(factor));
  }

  /**
   * The sum ÷ `divisor`, rounded half to even to so many digits after the point (0…6).
   * @param {number} digits
   * @param {number} [divisor]
   * @returns {Amount | null} null: it is too large to be written
   */
  rounded(digits, divisor = 1) {
    let numerator = 0n, denominator = 1n;
    for (const [part, sum] of this.#numerators) {
      numerator = numerator * BigInt(part) + sum * denominator;
      denominator *= BigInt(part);
    }
    denominator *= unitsPerOne(MAXIMUM_DIGITS - digits) * BigInt(divisor);
    const whole = floor(numerator, denominator), double = (numerator - whole * denominator) * 2n;
    const isUp = double > denominator || (double === denominator && (whole & 1n) === 1n);
    const units = isUp ? whole + 1n : whole;
    return isInt64(whole) && isInt64(units) ? { units, digits } : null;
  }
}

/**
 * The sum of amounts of one currency, with so many digits.
 * @param {Iterable<Amount>} amounts
 * @param {number} digits
 * @returns {Amount}
 */
export function sumOf(amounts, digits) {
  const sum = new ExactSum();
  for (const amount of amounts) sum.add(amount, 1);
  return sum.rounded(digits) ?? { units: LARGEST, digits };
}

/**
 * Totals of several currencies in one, by what a euro is worth in each. A millionth of the smallest coin is cut off for each
 * currency at the most, and the sum is rounded once, half to even.
 */
export class CurrencyConversion {
  /** @param {Iterable<[string, Amount]>} perEuro units of each currency for one euro; the euro need not be there */
  constructor(perEuro) {
    this.perEuro = new Map([...perEuro, ["EUR", { units: 1n, digits: 0 }]]);
  }

  /**
   * Those that have no rate.
   * @param {Iterable<string>} currencies
   */
  missing(currencies) { return [...new Set(currencies)].filter((currency) => !this.perEuro.has(currency)).sort(); }

  /**
   * The sum of some prices in one currency.
   * @param {Iterable<{fee: Amount, currency: string}>} prices
   * @param {string} currency
   * @param {number} digits
   * @returns {Amount | null} null: a rate is missing, or the sum is too large
   */
  sum(prices, currency, digits) {
    const bound = 2n ** 127n - 1n;
    const rate = this.perEuro.get(currency), target = rate ? millionths(rate) : 0n;
    if (target <= 0n) return null;
    let sum = 0n;
    for (const { fee, currency } of prices) {
      const rate = this.perEuro.get(currency), source = rate ? millionths(rate) : 0n;
      if (source <= 0n) return null;
      const scaled = millionths(fee) * target * 1_000_000n;
      if (scaled > bound || scaled < -bound - 1n) return null;
      sum += scaled / source;
      if (sum > bound || sum < -bound - 1n) return null;
    }
    const unit = 1_000_000n * unitsPerOne(MAXIMUM_DIGITS - Math.min(Math.max(digits, 0), MAXIMUM_DIGITS));
    const whole = sum / unit, rest = sum % unit, double = (rest < 0n ? -rest : rest) * 2n;
    const isAway = double > unit || (double === unit && (whole & 1n) === 1n);
    const units = isAway ? whole + (rest < 0n ? -1n : 1n) : whole;
    return isInt64(units) ? { units, digits } : null;
  }
}
