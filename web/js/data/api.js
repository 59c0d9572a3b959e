// The service's operations, called by name. The session is a cookie that no script can read.

import { Fault } from "./fault.js";

/**
 * Method and path of each operation that the app uses.
 * @type {Record<string, [method: string, path: string]>}
 */
const OPERATIONS = {
  "server.info": ["GET", "/v1"],
  "countries.list": ["GET", "/v1/countries"],
  "providers.list": ["GET", "/v1/providers"],
  "plans.list": ["GET", "/v1/plans"],
  "plans.get": ["GET", "/v1/plans/{id}"],
  "devices.register": ["POST", "/v1/devices"],
  "accounts.register": ["POST", "/v1/accounts"],
  "accounts.delete": ["DELETE", "/v1/accounts"],
  "sessions.create": ["POST", "/v1/sessions"],
  "sessions.list": ["GET", "/v1/sessions"],
  "sessions.delete": ["DELETE", "/v1/sessions/{id}"],
  "sessions.end": ["DELETE", "/v1/sessions/current"],
  "me.get": ["GET", "/v1/me"],
  "me.delete": ["DELETE", "/v1/me"],
  "me.changePassword": ["PUT", "/v1/me/password"],
  "me.changeEmail": ["PUT", "/v1/me/email"],
  "me.export": ["GET", "/v1/me/export"],
  "emails.verify": ["POST", "/v1/email-verifications"],
  "passwords.forgot": ["POST", "/v1/password-resets"],
  "passwords.reset": ["PUT", "/v1/password-resets"],
  "links.describe": ["POST", "/v1/account-links"],
  "answers.preview": ["POST", "/v1/answers/preview"],
  "answers.give": ["POST", "/v1/answers"],
  "calendars.list": ["GET", "/v1/calendars"],
  "calendars.create": ["POST", "/v1/calendars"],
  "calendars.delete": ["DELETE", "/v1/calendars/{id}"],
  "dashboard.get": ["GET", "/v1/dashboard"],
  "contacts.import": ["POST", "/v1/contacts/import"],
  "contacts.merge": ["POST", "/v1/contacts/{id}/merge"],
  "changes.pull": ["GET", "/v1/changes"],
  "changes.push": ["POST", "/v1/changes"],
};
/** These give a session or end one: in place of a token in the answer the service sets a cookie. */
const OF_SESSIONS = new Set(["devices.register", "sessions.create", "sessions.end"]);
/** How long an answer may take. */
const PATIENCE = 30_000;

/** Calls operations of the service under a path. */
export class API {
  /** @param {string} base the path of the app, with a slash at its end */
  constructor(base) { this.base = base; }

  /**
   * Calls an operation.
   * @param {string} name
   * @param {Record<string, any>} [input] what is undefined is left out
   * @returns {Promise<any>} its output; null where it has none
   */
  async call(name, input = {}) {
    const [method, pattern] = OPERATIONS[name];
    const fields = Object.fromEntries(Object.entries(input).filter(([, value]) => value !== undefined));
    let path = pattern.replace(/\{(\w+)\}/g, (_, field) => {
      const value = fields[field];
      delete fields[field];
      return encodeURIComponent(String(value));
    });
    /** @type {Record<string, string>} */
    const headers = { Accept: "application/json" };
    if (OF_SESSIONS.has(name)) headers["Session-Delivery"] = "cookie";
    /** @type {string | undefined} */
    let body;
    if (method === "GET") {
      const query = new URLSearchParams(Object.entries(fields).map(([name, value]) => [name, String(value)]));
      if (query.size) path += `?${query}`;
    } else if (Object.keys(fields).length) {
      body = JSON.stringify(fields);
      headers["Content-Type"] = "application/json";
    }
    let response, text;
    try {
      response = await fetch(this.base + path.slice(1), {
        method, headers, body, credentials: "same-origin", cache: "no-store", redirect: "error", signal: /** @type {any} */ (AbortSignal).timeout(PATIENCE),
      });
      text = await response.text();
    } catch {
      throw Fault.offline("the service cannot be reached");
    }
    if (response.ok) {
      if (!text) return null;
      try { return JSON.parse(text); } catch { throw Fault.offline(`no ${name} in ${text.length} characters`); }
    }
    throw refusal(response, text);
  }
}

/** @param {Response} response */
function retryAfter(response) {
  const text = response.headers.get("Retry-After");
  return text && /^[0-9]{1,6}$/.test(text) ? Number(text) : null;
}

/**
 * What an answer says that is no success.
 * @param {Response} response
 * @param {string} text
 */
function refusal(response, text) {
  /** @type {import("./fault.js").Problem | null} */
  let problem = null;
  try {
    const read = JSON.parse(text);
    if (typeof read?.code === "string" && typeof read.detail === "string") problem = { ...read, status: response.status };
  } catch { /* A proxy in front of a service that is away, a page to sign in to a network. */ }
  const wait = problem?.retryAfter ?? retryAfter(response);
  if (!problem) return Fault.offline("the service is not available", wait);
  switch (problem.code) {
    case "token_missing": case "token_invalid": case "token_ended":
      return new Fault("signedOut", problem.code, problem.detail, { problem });
    case "user_deleted": return new Fault("userDeleted", problem.code, problem.detail, { problem });
    case "rate_limited": case "unavailable": case "tenant_migrating": case "outcome_unknown": case "internal":
      return Fault.offline(problem.detail, wait, problem);
  }
  if (response.status >= 500) return Fault.offline(problem.detail, wait, problem);
  return new Fault("refused", problem.code, problem.detail, { problem, field: problem.errors?.[0]?.field ?? "" });
}
