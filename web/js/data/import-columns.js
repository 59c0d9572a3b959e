// The names that programs give the columns of a table, and what people write in place of a currency's code. As `ImportColumn` and
// `CurrencySign` of the service's kit.

/**
 * The columns that are read: their names in lower case, without anything but letters. The first that has a value counts.
 * @type {Record<string, string[]>}
 */
export const COLUMNS = {
  name: ["name", "provider", "service", "servicename", "subscription", "title"], plan: ["plan", "planname"], planType: ["plantype"],
  category: ["category", "categoryname"], label: ["label"], note: ["note", "notes", "description"],
  nextRenewal: ["nextrenewal", "nextpayment", "renewaldate", "renewsat", "nextbilling", "nextbillingdate"], startDate: ["startdate", "start", "since"],
  autoRenew: ["autorenew", "renewal", "autorenewal"], active: ["active"], inactive: ["inactive"], status: ["status", "state"],
  cancelledOn: ["cancellationdate", "cancelationdate", "cancelledon"], notify: ["notify"], reminderDays: ["reminderdays", "notifydaysbefore"],
  muted: ["muted"],
  freeTrial: ["freetrial"], price: ["price", "cost", "fee", "amount"], currency: ["currency", "originalcurrency", "currencycode"], currencyNumber: ["currencyid"],
  cycle: ["cycle", "paymentcycle", "schedule", "billingcycle", "frequency", "period"], cycleNumber: ["cycle"], frequency: ["frequency"],
  planSource: ["plansource"], planPrice: ["planprice"], country: ["country"], trialDays: ["trialdays"], noticeDays: ["noticedays"],
};
/** The names of columns in files of this program, where they are others. */
export const TITLES = /** @type {Record<string, string>} */ ({
  planType: "plan_type", nextRenewal: "next_renewal", startDate: "start_date", autoRenew: "auto_renew", cancelledOn: "cancelled_on", reminderDays: "reminder_days",
  freeTrial: "free_trial", planSource: "plan_source", planPrice: "plan_price", trialDays: "trial_days", noticeDays: "notice_days",
});
/** The columns that fields of the API come of. */
export const OF_FIELDS = /** @type {Record<string, string>} */ ({
  "plan.provider": "name", "plan.name": "plan", "plan.type": "planType", "plan.category": "category", "plan.fee": "price", fee: "price", "plan.currency": "currency",
  "plan.duration": "cycle", "plan.duration.value": "cycle", "plan.trialDays": "trialDays", "plan.noticeDays": "noticeDays", startDate: "startDate", nextRenewal: "nextRenewal",
  label: "label", note: "note", reminderDays: "reminderDays", autoRenew: "autoRenew",
});

/**
 * What people write in place of a currency's code; by country where several currencies have the sign.
 * @type {Record<string, string | Record<string, string>>}
 */
const SIGNS = {
  "€": "EUR", "£": "GBP", "₹": "INR", "₩": "KRW", "₽": "RUB", "₺": "TRY", "₴": "UAH", "₪": "ILS", "₫": "VND", "₱": "PHP", "₦": "NGN", "฿": "THB",
  "₡": "CRC", "₲": "PYG", "₸": "KZT", "₵": "GHS", "元": "CNY", "円": "JPY", "zł": "PLN", "kč": "CZK", "ft": "HUF", "lei": "RON", "sfr": "CHF",
  "fr": "CHF", "rp": "IDR", "rm": "MYR", "r$": "BRL", "us$": "USD", "u$s": "USD", "a$": "AUD", "au$": "AUD", "c$": "CAD", "ca$": "CAD", "nz$": "NZD",
  "s$": "SGD", "hk$": "HKD", "nt$": "TWD", "mx$": "MXN", "r": "ZAR",
  "$": {
    US: "USD", CA: "CAD", AU: "AUD", NZ: "NZD", SG: "SGD", HK: "HKD", TW: "TWD", MX: "MXN", AR: "ARS", CL: "CLP", CO: "COP", EC: "USD", SV: "USD", PR: "USD",
  },
  "¥": { JP: "JPY", CN: "CNY" }, "￥": { JP: "JPY", CN: "CNY" },
  "kr": { SE: "SEK", NO: "NOK", DK: "DKK", IS: "ISK", GL: "DKK", FO: "DKK" }, "rs": { IN: "INR", PK: "PKR", LK: "LKR", NP: "NPR", MU: "MUR" },
};

/**
 * What a text means: a code, a sign, or a sign with a code.
 * @param {string} text
 * @returns {string | Record<string, string> | null}
 */
export function meaning(text) {
  const plain = text.toLowerCase().replace(/[\s.]/gu, "");
  if (Object.hasOwn(SIGNS, plain)) return SIGNS[plain];
  const code = plain.replace(/\P{L}/gu, ""), rest = plain.replace(/\p{L}/gu, "");
  return /^[a-z]{3}$/.test(code) && (!rest || Object.hasOwn(SIGNS, rest)) ? code.toUpperCase() : null;
}
