// The contract between the data (js/data) and the pages (js/pages). Pages are functions of `State`; what a person does
// becomes a call of `Actions`. Pages neither fetch nor write.
//
//     import { openApp } from "./data/app.js";
//     const app = await openApp();                      // reads IndexedDB; no request is waited for
//     app.onChange(() => requestDraw());                // the state became another, or something that was asked for came
//     render(page(app.state, app.actions), document.body);
//
// Days are "2026-11-23", amounts are decimal strings ("17.99") with the digits of their currency, instants are
// "2026-11-23T14:00:00Z". No amount is ever a Number.

/** A day of the calendar: `2026-11-23`. */
export type Day = string;
/** A decimal number as text: `17.99`. Compute with js/core/money.js alone. */
export type Amount = string;

export interface Price { fee: Amount; currency: string }
export interface Duration { value: number; unit: "day" | "week" | "month" | "year" }

/** A plan as it is on the user's today. */
export interface Plan {
  id: number;
  provider: string;
  name: string;
  /** `Standard`, `Student`, `Family` … */
  type: string;
  category: string;
  country: string;
  /** What a period costs that begins today. */
  fee: Amount;
  currency: string;
  duration: Duration;
  /** Days of a free trial; null: none. */
  trialDays: number | null;
  noticeDays: number;
  withdrawn: boolean;
  /** A plan of the user's own. */
  private: boolean;
  /** The words to show beside the provider's name; null: the provider says it all. */
  title: string | null;
  /** All prices by day, announced ones included; the first may begin long ago. */
  prices: PricePoint[];
  /** The next announced price; null: none is known. */
  announced: PricePoint | null;
}
export interface PricePoint { effectiveOn: Day; fee: Amount; currency: string }

/** A subscription as it stands on this device: rows of the server with what waits laid over them, on the user's today. */
export interface Subscription {
  id: string;
  plan: Plan;
  /** False until the plan has been pulled; then `plan` is a stand-in with the provider "…". */
  planIsHere: boolean;
  /** The name for people: the label, else the provider. */
  name: string;
  /** The words below the name; null: none. With a label it begins with the provider. */
  subtitle: string | null;
  label: string | null;
  note: string | null;
  /** First day of the current period, and of the next one. */
  startDate: Day;
  endDate: Day;
  /** Days from today to `endDate`; negative once past it. */
  remaining: number;
  /** How much of the current period has passed, 0…1. */
  passed: number;
  /** Number of the current period, from 0. */
  period: number;
  /** What the current period costs. */
  price: Price;
  /** What the next one costs and when it begins; null: it was cancelled. */
  nextPrice: (Price & { on: Day }) | null;
  /** What it goes on costing each period: of a trial that which follows. For lists and sums. */
  usualPrice: Price;
  /** The user's own fee; null: what the plan costs. */
  ownFee: Amount | null;
  freeTrial: boolean;
  autoRenew: boolean;
  /** `active` past its end is overdue; `cancelled` runs out; `ended` is cancelled and past its end. */
  status: "active" | "cancelled" | "ended";
  /** One word for lists and chips. */
  standing: "active" | "trial" | "due" | "overdue" | "cancelled" | "ended";
  overdue: boolean;
  /** Active, and ends within its reminder days or has ended already. */
  due: boolean;
  cancelBy: Day;
  cancelledOn: Day | null;
  /** Days before the end to be reminded; null: as usual (7). */
  reminderDays: number | null;
  /** Whether it is muted: reminders tell only that it is overdue. */
  muted: boolean;
  /** Something of it was changed here and is not sent yet. */
  waiting: boolean;
  version: number;
  /** Where the provider lets one cancel; null: not known. */
  cancelUrl: string | null;
  website: string | null;
}

export interface Period { number: number; startDate: Day; endDate: Day; fee: Amount; currency: string; freeTrial: boolean }

/** A subscription with its history. */
export interface Details {
  subscription: Subscription;
  /** By number, the current one included, it is the last. */
  periods: Period[];
  /** What the ended and the current period cost so far, by currency. */
  paid: Price[];
  /** First day of the first period. */
  since: Day;
  notices: Notice[];
}

/** What changes with a plan that the user should know before paying again. */
export interface Notice {
  subscriptionId: string;
  kind: "price" | "terms" | "withdrawn";
  /** The renewal with which it holds; of `withdrawn` the day from which it is not sold. */
  on: Day;
  cancelBy: Day;
  from: Price | null;
  to: Price | null;
  fromTerms: { duration: Duration; noticeDays: number } | null;
  toTerms: { duration: Duration; noticeDays: number } | null;
}

/** What "Waiting for you" asks on Today. `id` is the same every time the same is asked. */
export interface Question {
  id: string;
  /** The service alone asks about `renewal`, `ended`, `date` and `digest`. */
  kind: "overdue" | "cancelBy" | "trial" | "price" | "terms" | "withdrawn" | "renewal" | "ended" | "date" | "digest";
  /** Null where it is about a contact's date, or the week. */
  subscription: Subscription | null;
  /** The contact of a date, and the date within it; of one that was answered the contact alone. */
  contact: DeclaredEntry | null;
  date: any;
  /** The day that it is about: the end passed, the last day to cancel, the end of the trial, the dearer renewal. */
  on: Day;
  notice: Notice | null;
  /** Which answers make sense, the first one being the usual. */
  answers: Answer[];
  /** The rows of kind `reminder` that take the answer; empty where the service decides no reminders. */
  reminders: string[];
}
/** `keep`, `done`: noted, nothing changes. `cancel`: cancelled. `renewed`: renewed. `over`: cancelled as of its end. `later`: asked tomorrow. */
export type Answer = "keep" | "done" | "cancel" | "renewed" | "over" | "later";
/** A question that was answered today: one line with Undo. `waiting`: something of the answer is not sent yet. */
export interface Answered { question: Question; answer: Answer; waiting: boolean }

/** A change that was not done as it was made: "What others changed". */
export interface Lost {
  id: number;
  at: string;
  /** `subscription`, `plan`, `me`, or a declared kind. */
  entity: string;
  /** The id of the row, and the name to show; null where the row is gone. */
  rowId: string;
  name: string | null;
  op: "create" | "update" | "delete" | "restore" | "renew" | "cancel" | "resume";
  /** Fields of which somebody else's value was kept; empty where `problem` says why nothing was done. */
  fields: { field: string; theirs: unknown; yours: unknown; mayUseMine: boolean }[];
  problem: { code: string; detail: string } | null;
  /** Of a refused change the fields that it had, those of a plan among them. */
  typed: { field: string; value: unknown }[];
}

/** A change that waits. */
export interface Waiting { key: string; entity: string; rowId: string; name: string | null; op: Lost["op"]; fields: string[]; day: Day }

/** How this device stands with the service. */
export interface Connection {
  /** `inStep`: nothing waits, not even what can be taken back still. */
  kind: "inStep" | "sending" | "offline" | "signIn";
  /** How many changes wait. */
  waiting: number;
  /** Of a pull in pages: how much is done, 0…1; null: none is under way. */
  pulled: number | null;
  /** Whether the connection is encrypted, or on this machine itself. */
  isSecure: boolean;
  /** Why it is offline, in the service's words where it said so. */
  detail: string | null;
  /** The service does not know the address by which this page came (a proxy changes it): what it said; else null. */
  originRefused: string | null;
  /** When the rows were the service's the last time, to the minute; null: never. */
  syncedAt: string | null;
  /** The store was taken away, or a newer build has it: nothing can be kept until the page is loaded anew. */
  isOutdated: boolean;
}

export interface User {
  /** Null until the device is registered. */
  id: string | null;
  userName: string | null;
  country: string;
  timeZone: string;
  /** Empty: no account yet. */
  accounts: { email: string; verified: boolean }[];
  waiting: boolean;
}

/** A provider that a search found. */
export interface ProviderHit {
  name: string;
  category: string;
  planCount: number;
  website: string | null;
  /** The user's own plan stands before the catalogue. */
  own: boolean;
  /** The only plan of it, where there is one only: the step "What" is skipped. */
  onlyPlan: number | null;
}

/** A row of a declared kind as it stands on this device. */
export interface DeclaredEntry {
  id: string;
  version: number;
  row: any;
  /** Something of it was changed here and is not sent yet. */
  waiting: boolean;
  isDeleted: boolean;
}

/** Something that is read from the store or asked from the service; `undefined` as long as it is not here, then a draw follows. */
export type Loading<T> = T | undefined;

export interface CategorySum { category: string; fee: Amount; count: number }
/** What a year looked like, in one currency. */
export interface SpendingYear {
  currency: string;
  /** Twelve months `2026-01` …: what was paid in each, by category, and `expected`, what is to come in it. */
  months: { month: string; paid: Amount; expected: Amount; categories: CategorySum[] }[];
  /** What was paid in the year, by category too. */
  total: Amount;
  /** What is to come in the year. */
  expected: Amount;
  categories: CategorySum[];
}
export interface Dearer { subscription: Subscription; from: Price; to: Price; on: Day }
export interface SpendingReport {
  year: number;
  /** A part for each currency, the user's first. */
  currencies: SpendingYear[];
  /** What became dearer in this year or will, by day. */
  dearer: Dearer[];
}

export interface Total {
  currency: string;
  /** Null where a rate is missing: a part would look like the whole. */
  month: Amount | null;
  year: Amount | null;
  /** The day of the oldest rate used; null: none was needed. */
  ratesOf: Day | null;
  /** Currencies without a rate. */
  missing: string[];
}

export interface Session { id: string; device: { id: string; name: string }; createdAt: string; lastUsedAt: string; current: boolean }

export interface Settings {
  theme: "device" | "light" | "dark";
  /** Null: as the browser. */
  language: string | null;
  /** Null: that of the country. */
  totalCurrency: string | null;
  shortcuts: boolean;
}

export interface State {
  /** The path under which the app is: `/` or `/t/SLUG/`. */
  base: string;
  tenant: string;
  /** The user's today, in the user's time zone; it changes at midnight by itself. */
  today: Day;
  user: User;
  device: { id: string; name: string } | null;
  /** Whether anything was ever kept here (else `/` is Welcome). */
  isKept: boolean;
  /** Whether there are rows of declared kinds. */
  hasDeclared: boolean;
  /** By end date, then id; those deleted are not among them. */
  subscriptions: Subscription[];
  /** The subscription of an id; undefined: there is none. */
  subscription(id: string): Subscription | undefined;
  /** Can be restored, the last deleted first. */
  deleted: Subscription[];
  /** What leaves in so many days from today (0…days−1), by currency. */
  leaving(days: number): { on: Day; subscription: Subscription; price: Price }[];
  /** What active ones cost in a month and in a year, by currency. */
  spending: { currency: string; month: Amount; year: Amount }[];
  /** All in one currency; null: it would say nothing new. */
  total: Total | null;
  /** Not paid because of cancelling in time, by currency. */
  saved: Price[];
  notices: Notice[];
  /** What the service's reminders ask where the tenant has them, else what is asked by the rules of this device. */
  questions: Question[];
  answered: Answered[];
  lost: Lost[];
  outbox: { count: number; items: Waiting[] };
  connection: Connection;
  /** `["subscriptions"]`, and what else the service says it has. */
  areas: string[];
  /** Whether the service has said which areas it has. */
  hasAreas: boolean;
  /** Whether mails leave the service. One that does not say it is taken for one that sends them. */
  sendsMails: boolean;
  /** What an area keeps in this browser under a name (`Actions.keep`). */
  kept(name: string): any;

  // Rows of declared kinds (js/data/kinds.js): undefined until they are in memory, then a draw follows.

  rows(kind: string): Loading<DeclaredEntry[]>;
  /** A row, deleted or not; null: there is none of this id. */
  row(kind: string, id: string): Loading<DeclaredEntry | null>;
  /** Can be restored. */
  deletedRows(kind: string): Loading<DeclaredEntry[]>;
  settings: Settings;

  // Reading that takes a moment: undefined at first, then a draw follows.

  /** A subscription with its history; null: there is none of this id. */
  details(id: string): Loading<Details | null>;
  /** Providers that letters lead to (prefixes of words, accents folded, one typing mistake forgiven), own plans first. */
  providers(text: string): Loading<ProviderHit[]>;
  /** Those that are often added in the user's country, at most eight. */
  often(): Loading<ProviderHit[]>;
  /** What a provider sells in the user's country, with own plans; null: there is no such provider. */
  plansOf(provider: string): Loading<{ provider: string; category: string; plans: Plan[] } | null>;
  plan(id: number): Loading<Plan | null>;
  countries(): Loading<{ id: string; name: string; currency: string }[]>;
  currencies(): Loading<{ id: string; name: string; digits: number }[]>;
  /** Digits after the point of a currency; 2 where it is not known. */
  digits(currency: string): number;
  /** The currency of the user's country. */
  currency(): string | null;
  spendingIn(year: number): Loading<SpendingReport>;
  /** Renewals of a month (`2026-12`), those after the next one counted on by the calendar, and last days to cancel. */
  calendar(month: string): { on: Day; kind: "renews" | "cancelBy" | "ends"; subscription: Subscription; price: Price | null }[];
  /** The user's calendars at secret addresses; needs the network. */
  calendars(): Loading<import("./api").CalendarFeed[] | Failure>;
  /** Where the user is signed in; needs the network. */
  sessions(): Loading<Session[] | Failure>;
  /**
   * What would come of an addition: its dates and price, or why it cannot be. Nothing is written. In the first moments after the
   * first draw it is a failure of code `loading`; a draw follows.
   */
  preview(input: NewSubscription): { startDate: Day; endDate: Day; price: Price; next: Price; then: Day; failure?: undefined; field?: undefined } | Failure;
  /** The same for a change. */
  previewChange(id: string, patch: SubscriptionPatch): { startDate: Day; endDate: Day; price: Price; next: Price; failure?: undefined } | Failure;
  /** A form that was not finished; undefined: none. */
  draft(name: string): Record<string, unknown> | undefined;
}

/** A plan of the user's own. */
export interface OwnPlan {
  provider: string; name?: string; type?: string; category?: string;
  fee: Amount; currency: string; duration: Duration; trialDays?: number | null; noticeDays?: number;
}
export interface NewSubscription {
  /** A plan of the catalogue, or an own one; else `plan`. */
  planId?: number;
  plan?: OwnPlan;
  /** Today unless given; not together with `nextRenewal`. */
  startDate?: Day;
  nextRenewal?: Day;
  freeTrial?: boolean;
  autoRenew: boolean;
  /** Null or left out: what the plan costs. */
  fee?: Amount | null;
  label?: string | null;
  reminderDays?: number | null;
  muted?: boolean;
  note?: string | null;
}
/** Only what is named changes; null takes away. */
export interface SubscriptionPatch {
  planId?: number;
  plan?: Partial<OwnPlan>;
  startDate?: Day;
  nextRenewal?: Day;
  freeTrial?: boolean;
  autoRenew?: boolean;
  fee?: Amount | null;
  label?: string | null;
  reminderDays?: number | null;
  muted?: boolean;
  note?: string | null;
}

/** Why something was not done. Actions reject with it; previews give it. */
export interface Failure {
  failure: "invalid" | "refused" | "offline" | "signedOut" | "userDeleted" | "unsent" | "unknown" | "store";
  /** For words: see `code` below; for `refused` the problem's code (`credentials_invalid`, `email_taken`, `rate_limited` …). */
  code: string;
  /** The field at which it stands; empty: none. `startDate`, `plan.fee`, `password` … */
  field: string;
  /** English; shown where a code has no words. For `refused` the service's own words. */
  detail: string;
  /** What goes into the words: `{maximum: 100}`, `{earliest: "2026-01-01"}`, `{currency: "JPY", digits: 0}` … */
  values: Record<string, string | number>;
  /** Of a problem: all its fields, its request's id, seconds to wait. */
  errors: { field: string; code: string; message: string; values?: Record<string, string | number> }[];
  requestId: string | null;
  retryAfter: number | null;
}
// Codes of `invalid`: required, empty, tooLong {maximum}, control, range {minimum, maximum}, malformed, negative, tooLarge,
// tooManyDigits {currency, digits}, unknownCurrency, unknownCountry, unknownTimeZone, conflict, startOutOfRange, endTooFarAway,
// startInEndedPeriod {earliest}, renewalImpossible {day}, cancelled, periodWaits, catalogue.

/** What was done, and how to take it back. */
export interface Done {
  /** The subscription that it was about. */
  id: string;
  /** Takes it back while that makes sense (unsent: it was never done; sent: the opposite is done). */
  undo(): Promise<void>;
}

export interface Actions {
  /** Adds a subscription; registers the device the first time. It is in the state at once, offline too. */
  addSubscription(input: NewSubscription): Promise<Done>;
  change(id: string, patch: SubscriptionPatch): Promise<Done>;
  renew(id: string): Promise<Done>;
  cancel(id: string): Promise<Done>;
  resume(id: string): Promise<Done>;
  remove(id: string): Promise<Done>;
  restore(id: string): Promise<Done>;
  /**
   * Adds a row of a declared kind. It is in the state at once, offline too. A failure has all faults in `errors`.
   * @param id the row's id; a new one unless given
   */
  addRow(kind: string, row: Record<string, unknown>, id?: string): Promise<Done>;
  /**
   * Makes a row another one. Only what differs from `before` is sent, each part of a list by itself.
   * @param before the row as a form began with it; as it stands unless given
   */
  saveRow(kind: string, id: string, row: Record<string, unknown>, before?: Record<string, unknown>): Promise<Done>;
  removeRow(kind: string, id: string): Promise<Done>;
  restoreRow(kind: string, id: string): Promise<Done>;
  /** Calls an operation of an area that needs the service: what waits is sent before, and what comes of it is pulled. */
  operate(name: string, input: Record<string, unknown> | ((state: State) => Record<string, unknown>)): Promise<any>;
  /** Keeps something for an area in this browser; null: forgets it. */
  keep(name: string, value: unknown): Promise<void>;
  /** Answers a question of Today. */
  answer(questionId: string, answer: Answer): Promise<Done>;
  /** Takes an answer back. */
  undoAnswer(questionId: string): Promise<void>;
  /** Makes a lost field mine after all: a new change. Then it is not in the list any more. */
  useMine(lostId: number, field: string): Promise<void>;
  /** Takes one, or all, out of the list of what others changed. */
  dismissLost(lostId?: number): Promise<void>;
  /** Takes a change back that waits. */
  discard(key: string): Promise<void>;

  changeMe(patch: { userName?: string | null; country?: string; timeZone?: string }): Promise<void>;
  /** Gives the user an account. */
  register(input: { email: string; password: string; userName?: string; currentPassword?: string }): Promise<void>;
  signIn(input: { email: string; password: string; createIfMissing?: boolean }): Promise<{ created: boolean; moved: number; same: number }>;
  /** Fails with `unsent` (values.count) where changes would be lost, unless `discardUnsent`. */
  signOut(options?: { discardUnsent?: boolean }): Promise<void>;
  endSession(id: string): Promise<void>;
  /** Makes a calendar and gives its address, which nobody is shown again. */
  makeCalendar(name: string): Promise<{ id: string; name: string; address: string }>;
  endCalendar(id: string): Promise<void>;
  changePassword(input: { email?: string; currentPassword: string; newPassword: string }): Promise<void>;
  changeEmail(input: { email: string; newEmail: string; currentPassword: string }): Promise<void>;
  deleteAccount(input: { email: string; currentPassword: string }): Promise<void>;
  deleteUser(input?: { currentPassword?: string }): Promise<void>;
  /** Asks the service anew what it has and does. */
  lookAtService(): Promise<void>;
  forgot(email: string): Promise<void>;
  /** Of a mail's link: whose it is and what it will do; it does nothing. */
  describeLink(input: { token: string; purpose: "verify" | "reset" }): Promise<{ email: string; effect: string; otherAccounts: string[] }>;
  /** The reminders that a mail's token can answer; it does nothing. */
  previewAnswers(token: string): Promise<import("./api").PreviewAnswersOutput>;
  /** Answers a reminder by the token of its mail. */
  giveAnswer(input: import("./api").GiveAnswerInput): Promise<import("./api").GiveAnswerOutput>;
  verify(token: string): Promise<void>;
  reset(input: { token: string; newPassword: string }): Promise<{ email: string; keptUser: boolean; endedSessions: number; removedAccounts: string[]; otherAccounts: string[] }>;
  /** All that is the user's: a file to save. */
  exportData(format: "json" | "csv"): Promise<{ name: string; type: string; text: string }>;

  /** Reads a file (an export of this app, of Wallos or SubTrackr, or CSV) and says what would be added; nothing is. */
  readImport(file: { name: string; text: string }): Promise<{
    rows: { name: string; subtitle: string | null; price: Price | null; duration: Duration | null; on: Day | null; standing: "new" | "same" | "refused"; problem: Failure | null;
      /** Where it stands in the file: `line 3`, `entry 3`. A problem names the file's own columns. */
      place: string;
      /** The subscription that it is; null unless it is here already. */
      here: Subscription | null }[];
    format: "subtrackit" | "json" | "csv";
  }>;
  /** Adds what the last file that was read has and is not here. */
  doImport(): Promise<{ added: number }>;

  /** Asks for a sync now; resolves when it is over, whatever became of it. */
  sync(): Promise<void>;
  set<K extends keyof Settings>(name: K, value: Settings[K]): Promise<void>;
  saveDraft(name: string, value: Record<string, unknown>): Promise<void>;
  dropDraft(name: string): Promise<void>;
}

export interface App {
  readonly state: State;
  readonly actions: Actions;
  /** @returns a function that ends it. */
  onChange(listener: () => void): () => void;
  /** Closes the database and ends all work: for tests and before an update. */
  close(): Promise<void>;
}

/** @param place where the app is; from `<base href>` and `<meta name="tenant">` unless given. */
export declare function openApp(place?: { base?: string; tenant?: string }): Promise<App>;

// Of js/kernel/template.js
//   html`…`  svg`…`  keyed(id, template)  nothing  render(template, element)  ref(callback) as a value of `@mount`
// Of js/kernel/router.js
//   startRouter({base, routes, onChange}) → {path, params, query, go(path, {replace}), back()}; links of the page are taken by it
// Of js/kernel/window.js
//   <st-window .items=${list} .row=${(item, index) => template} .key=${(item) => id}>: rows in sight alone over 100

// ---------------------------------------------------------------- Wanted (pages write here)
