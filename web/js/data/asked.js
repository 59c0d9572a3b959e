// What pages ask for and is not in memory: read once for each version of what it depends on. What was there before stays until the
// new one is here, so that nothing flickers.

import { Fault } from "./fault.js";

/** @typedef {{value: any, version: unknown, isRunning: boolean, used: number}} Kept */

/** So many answers are kept; the longest unused go first. */
const MOST = 200;

/** Questions and their answers. */
export class Asked {
  /** @type {Map<string, Kept>} */ #kept = new Map();
  #count = 0;

  /**
   * @param {() => void} onAnswer
   * @param {(currencies: string[]) => void} rates asks for exchange rates
   */
  constructor(onAnswer, rates) {
    this.onAnswer = onAnswer;
    this.rates = rates;
  }

  /**
   * The answer to a question; undefined until it is here, then a draw follows.
   * @template T
   * @param {string} name
   * @param {unknown} version another one is asked for anew
   * @param {() => Promise<T>} ask
   * @param {T} [otherwise] the answer where it fails
   * @param {boolean} [givesFailure] whether a failure is an answer
   * @returns {T | undefined}
   */
  get(name, version, ask, otherwise, givesFailure = false) {
    let kept = this.#kept.get(name);
    if (!kept) this.#kept.set(name, kept = { value: undefined, version: undefined, isRunning: false, used: 0 });
    kept.used = ++this.#count;
    if (kept.version !== version && !kept.isRunning) {
      const mine = kept;
      mine.isRunning = true;
      mine.version = version;
      ask().then((value) => { mine.value = value; }, (error) => {
        if (!(error instanceof Fault)) throw error;
        mine.value = givesFailure ? error : otherwise;
      }).finally(() => {
        mine.isRunning = false;
        this.onAnswer();
      });
      if (this.#kept.size > MOST) {
        const oldest = [...this.#kept].filter(([, { isRunning }]) => !isRunning).sort(([, one], [, other]) => one.used - other.used)[0];
        if (oldest) this.#kept.delete(oldest[0]);
      }
    }
    return kept.value;
  }

  /**
   * Forgets an answer: it is asked for anew.
   * @param {string} start of its name
   */
  forget(start) { for (const name of this.#kept.keys()) if (name.startsWith(start)) this.#kept.delete(name); }
}
