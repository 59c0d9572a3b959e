// What keeps the app from doing what it was asked. As `KitError` of the service's kit; pages get it as `Failure`.

/**
 * @typedef {"invalid" | "refused" | "offline" | "signedOut" | "userDeleted" | "unsent" | "unknown" | "store"} Kind
 * @typedef {{type?: string, title?: string, status: number, code: string, detail: string, requestId?: string,
 *   errors?: {field: string, code: string, message: string}[], retryAfter?: number, reason?: "epoch" | "floor" | "user"}} Problem
 */

/** A failure, with what is needed to say it. */
export class Fault extends Error {
  /**
   * @param {Kind} failure
   * @param {string} code
   * @param {string} detail
   * @param {{field?: string, values?: Record<string, string | number>, problem?: Problem, retryAfter?: number | null}} more
   */
  constructor(failure, code, detail, { field = "", values = {}, problem, retryAfter = null } = {}) {
    super(detail);
    this.failure = failure;
    this.code = code;
    this.detail = detail;
    this.field = field;
    this.values = values;
    this.problem = problem;
    /** @type {{field: string, code: string, message: string, values?: Record<string, string | number>}[]} */
    this.errors = problem?.errors ?? [];
    this.requestId = problem?.requestId ?? null;
    this.retryAfter = retryAfter ?? problem?.retryAfter ?? null;
  }

  /**
   * What was typed makes no sense; nothing was changed.
   * @param {string} field
   * @param {string} code
   * @param {string} detail
   * @param {Record<string, string | number>} [values]
   */
  static invalid(field, code, detail, values) { return new Fault("invalid", code, detail, { field, values }); }

  /**
   * The service cannot be reached, or asks to be left alone for a while. Nothing is lost: it is sent later.
   * @param {string} detail
   * @param {number | null} [retryAfter] seconds
   * @param {Problem} [problem]
   */
  static offline(detail, retryAfter, problem) { return new Fault("offline", problem?.code ?? "offline", detail, { retryAfter, problem }); }
}

/**
 * Whether an error is a failure of a kind.
 * @param {unknown} error
 * @param {Kind} [kind]
 * @returns {error is Fault}
 */
export const isFault = (error, kind) => error instanceof Fault && (!kind || error.failure === kind);
