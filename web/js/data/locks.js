// What one tab does at a time. Web Locks; without them (an old browser, plain HTTP) each tab is careful for itself alone, which the
// transactions of the store allow: they do not take an answer twice, nor a page from another place.

/** Locks of a tenant in this browser. */
export class Locks {
  /** @type {Map<string, Promise<unknown>>} */
  #local = new Map();

  /** @param {string} tenant */
  constructor(tenant) { this.prefix = `subtrack.${tenant}.`; }

  /**
   * Does something while no other tab does a thing of this name.
   * @template T
   * @param {string} name
   * @param {() => Promise<T>} body
   * @param {AbortSignal} [signal] ends the waiting
   * @returns {Promise<T>}
   */
  async held(name, body, signal) {
    const locks = navigator.locks;
    if (locks) return await locks.request(this.prefix + name, { signal }, body);
    const before = this.#local.get(name) ?? Promise.resolve();
    const mine = before.catch(() => {}).then(body);
    this.#local.set(name, mine);
    return mine;
  }
}

/**
 * Waits.
 * @param {number} milliseconds
 * @param {AbortSignal} [signal]
 */
export const pause = (milliseconds, signal) => new Promise((resolve, reject) => {
  if (signal?.aborted) return reject(signal.reason);
  const timer = setTimeout(() => { signal?.removeEventListener("abort", ended); resolve(undefined); }, milliseconds);
  const ended = () => { clearTimeout(timer); reject(signal?.reason); };
  signal?.addEventListener("abort", ended, { once: true });
});

/** How long to wait between attempts: twice as long after each, up to a limit, and a random part of that. */
export class Backoff {
  #attempts = 0;

  /** @param {{first?: number, limit?: number}} options milliseconds */
  constructor({ first = 1000, limit = 60_000 } = {}) {
    this.first = first;
    this.limit = limit;
  }

  /** It went well: the next wait is a first one. */
  reset() { this.#attempts = 0; }

  /**
   * The next wait, no less than the service asked for.
   * @param {number | null} [retryAfter] seconds
   */
  next(retryAfter) {
    const longest = Math.min(this.first * 2 ** Math.min(this.#attempts++, 20), this.limit);
    const wait = longest * (0.5 + Math.random() / 2);
    return retryAfter ? Math.max(wait, Math.min(retryAfter, 86_400) * 1000 * (1 + Math.random() / 10)) : wait;
  }
}
