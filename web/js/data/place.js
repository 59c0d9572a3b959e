// Where the browser is, as far as it lets one guess.

import { isTimeZone } from "../core/days.js";

/** The time zone of the browser. */
export function ownTimeZone() {
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  return zone && isTimeZone(zone) ? zone : "UTC";
}

/**
 * Time zones that stand for their country alone: what people's browsers say.
 * @type {Record<string, string>}
 */
const ZONE_COUNTRY = {
  "Europe/Berlin": "DE", "Europe/Busingen": "DE", "Europe/Vienna": "AT", "Europe/Zurich": "CH", "Europe/London": "GB", "Europe/Dublin": "IE",
  "Europe/Paris": "FR", "Europe/Madrid": "ES", "Atlantic/Canary": "ES", "Europe/Lisbon": "PT", "Europe/Rome": "IT", "Europe/Amsterdam": "NL",
  "Europe/Brussels": "BE", "Europe/Luxembourg": "LU", "Europe/Copenhagen": "DK", "Europe/Oslo": "NO", "Europe/Stockholm": "SE",
  "Europe/Helsinki": "FI", "Europe/Warsaw": "PL", "Europe/Prague": "CZ", "Europe/Bratislava": "SK", "Europe/Budapest": "HU", "Europe/Athens": "GR",
  "Europe/Bucharest": "RO", "Europe/Sofia": "BG", "Europe/Zagreb": "HR", "Europe/Ljubljana": "SI", "Europe/Vilnius": "LT", "Europe/Riga": "LV",
  "Europe/Tallinn": "EE", "Europe/Kyiv": "UA", "Europe/Istanbul": "TR", "Asia/Tokyo": "JP", "Asia/Shanghai": "CN", "Asia/Hong_Kong": "HK",
  "Asia/Taipei": "TW", "Asia/Seoul": "KR", "Asia/Singapore": "SG", "Asia/Kolkata": "IN", "Asia/Calcutta": "IN", "Asia/Kuwait": "KW", "Asia/Dubai": "AE",
  "Asia/Jerusalem": "IL", "Australia/Sydney": "AU", "Australia/Melbourne": "AU", "Australia/Brisbane": "AU", "Australia/Perth": "AU",
  "Pacific/Auckland": "NZ", "America/Toronto": "CA", "America/Vancouver": "CA", "America/New_York": "US", "America/Chicago": "US",
  "America/Denver": "US", "America/Los_Angeles": "US", "America/Phoenix": "US", "America/Sao_Paulo": "BR", "America/Mexico_City": "MX",
  "America/Argentina/Buenos_Aires": "AR", "America/Santiago": "CL", "America/Bogota": "CO", "Africa/Johannesburg": "ZA", "Africa/Cairo": "EG",
};

/** The country that the browser's time zone, else its language, lets one guess; undefined: none. */
export function guessedCountry() {
  const byZone = ZONE_COUNTRY[ownTimeZone()];
  if (byZone) return byZone;
  for (const language of navigator.languages ?? []) {
    const region = /^[A-Za-z]{2,3}(?:-[A-Za-z]{4})?-([A-Z]{2})\b/.exec(language)?.[1];
    if (region) return region;
  }
  return undefined;
}
