// Made from the API description: SUBTRACKIT_WRITE_GOLDEN=1 script/test --filter OpenAPI writes it anew.

/** A reminder as the holder of a mail's token sees it. */
export type AnswerableReminder = {
  /** The answer; null: nobody has answered. */
  answer: "keep" | "cancel" | "renew" | "snooze" | "done" | null;
  /** The answers that it takes; none where its matter has changed or is over. */
  answers: ("keep" | "cancel" | "renew" | "snooze" | "done")[];
  /** The last day to cancel; null where nothing is to be cancelled. */
  cancelBy: string | null;
  /** The page on which one cancels at the provider; null: none is known. */
  cancelUrl: string | null;
  /** ISO 4217; null where there is no `fee`. */
  currency: string | null;
  /** The cost of the next period; null where there is none. */
  fee: string | null;
  /** The reminder's id. */
  id: string;
  /** Its kind. */
  kind: "renewal" | "cancelBy" | "trial" | "price" | "ended" | "overdue" | "date" | "digest";
  /** The day that it is about. */
  occursOn: string;
  /** The day on which a snoozed one is said again. */
  snoozedUntil: string | null;
  /** The name of the subscription or of the contact; null for the week's digest, and for a thing that was deleted. */
  title: string | null;
};

/** A calendar of the user's days, which programs read at a secret address. */
export type CalendarFeed = {
  /** When its address was made. */
  createdAt: string;
  /** The calendar's id. */
  id: string;
  /** The user's name for it. */
  name: string;
};

export type CancelSubscriptionInput = {
  /** The day on which it was cancelled, where that was before today; today unless given, and at the latest. Automatic renewals after that day are taken back. */
  madeOn?: string | null;
};

/** A row as it is now, or that it is gone. */
export type Change = {
  /** The row; nil: it is gone, and with a subscription its periods, with a plan its prices. */
  data?: StoredUser | StoredSubscription | StoredPeriod | StoredPlan | StoredPrice | StoredProvider | StoredCountry | StoredCurrency | StoredContact | StoredReminderSetting | StoredReminderLead | StoredReminder;
  /** Whether the row is gone. */
  deleted: boolean;
  /** The kind of row. */
  entity: "me" | "subscription" | "period" | "plan" | "price" | "provider" | "country" | "currency" | "contact" | "reminderSetting" | "reminderLead" | "reminder";
  /** The row's id among those of its kind, as text. */
  id: string;
  /** The set of rows that it belongs to: `user`, `reference`, `catalogue/US`. */
  scope: string;
  /** The version of the change in its scope. */
  version: number;
};

export type ChangeEmailInput = {
  /** Its password. */
  currentPassword: string;
  /** The account's address so far. */
  email: string;
  /** Its address from now on. */
  newEmail: string;
};

export type ChangePasswordInput = {
  /** Its password so far. */
  currentPassword: string;
  /** Which account, where the user has several. */
  email?: string | null;
  /** Its password from now on. */
  newPassword: string;
};

/** A contact as operations answer it: the row that clients hold, with its id and version. */
export type Contact = {
  /** The postal addresses, in the order of their ids. */
  addresses: StoredContactAddress[];
  /** The days that matter, in the order of their ids. */
  dates: StoredContactOccasion[];
  /** The addresses of mail, in the order of their ids. */
  emails: StoredContactEmail[];
  /** The first name. It never changes. */
  firstName: string;
  /** The contact's id. */
  id: string;
  /** The last name. It never changes. */
  lastName: string;
  /** The middle name. It never changes. */
  middleName: string | null;
  /** A note. */
  note: string | null;
  /** The numbers, in the order of their ids. */
  phones: StoredContactPhone[];
  /** The version in the user's scope. */
  version: number;
};

/** A postal address in an input, with a street, apartment, city, state or zip at least. */
export type ContactAddressInput = {
  /** The apartment, the floor or the like. */
  apt?: string | null;
  /** The city. */
  city?: string | null;
  /** The country in the user's words. */
  country?: string | null;
  /** The part's id, if the client has made one. */
  id?: string | null;
  /** The state or province. */
  state?: string | null;
  /** The street with its number, at most 40 characters. */
  street?: string | null;
  /** A word for it; `home` unless given. */
  type?: string | null;
  /** The postal code, at most 10 characters. */
  zip?: string | null;
};

/** A day that matters in an input. */
export type ContactDateInput = {
  /** The day: `1995-06-25` of the years 1000 to 2999, or `--06-25` where the year is not known. */
  date: string;
  /** The part's id, if the client has made one. */
  id?: string | null;
  /** How many days before it the user wants to be reminded, 0…365; null: as the settings say. */
  reminderDays?: number | null;
  /** A word for it; `birthday` unless given. */
  type?: string | null;
  /** Whether it comes each year; true unless given. A day without a year always does. */
  yearly?: boolean | null;
};

/** An address of mail in an input. */
export type ContactEmailInput = {
  /** The address, with an `@` inside. */
  email: string;
  /** The part's id, if the client has made one. */
  id?: string | null;
  /** A word for it; `home` unless given. */
  type?: string | null;
};

/** A number in an input: area code and number, or the whole number with its country. */
export type ContactPhoneInput = {
  /** Three digits, beside `number`. */
  area?: string | null;
  /** The whole number in place of both: `+` and 2 to 15 digits (ITU-T E.164). */
  e164?: string | null;
  /** The part's id, if the client has made one. */
  id?: string | null;
  /** Seven digits, beside `area`. */
  number?: string | null;
  /** A word for it; `cell` unless given. */
  type?: string | null;
};

export type CreateCalendarInput = {
  /** The user's name for it; `SubTrackIt` unless given. */
  name?: string | null;
};

/** A calendar and its address. */
export type CreateCalendarOutput = {
  /** The calendar. */
  calendar: CalendarFeed;
  /** The address below that of the service or of the tenant: `/calendar/sub_….ics`. It is shown this once. It is the whole right to read the calendar. */
  path: string;
};

export type CreateContactInput = {
  /** The postal addresses, at most 50. */
  addresses?: ContactAddressInput[] | null;
  /** The days that matter, at most 50. */
  dates?: ContactDateInput[] | null;
  /** The addresses of mail, at most 50. */
  emails?: ContactEmailInput[] | null;
  /** The first name. It can never be changed. */
  firstName: string;
  /** The contact's id, if the client has made one. */
  id?: string | null;
  /** The last name. It can never be changed. */
  lastName: string;
  /** The middle name. It can never be changed. */
  middleName?: string | null;
  /** A note, at most 2,000 characters. */
  note?: string | null;
  /** The numbers, at most 50. */
  phones?: ContactPhoneInput[] | null;
};

export type CreateSessionInput = {
  /** Whether the account is made when there is none of this address; false unless given. */
  createIfMissing?: boolean | null;
  /** The device; with a token, the token's device unless told. */
  device?: CreateSessionNewDeviceInput | null;
  /** The account's e-mail address, in any case. */
  email: string;
  /** Its password. */
  password: string;
  /** The user's name, where there is none yet and the account is made; 1…100 characters. */
  userName?: string | null;
};

/** The fate of the data that the device had without account. */
export type CreateSessionMerged = {
  /** How many subscriptions were moved to the account's user. */
  moved: number;
  /** Those that the account's user had already. */
  same: CreateSessionMergedSame[];
};

/** A subscription that both had: the device's row is gone, the account's stands for it. */
export type CreateSessionMergedSame = {
  /** The id on the device. */
  from: string;
  /** The id of the account's. */
  to: string;
};

/** The device that signs in. */
export type CreateSessionNewDeviceInput = {
  /** ISO 3166-1 alpha-2, for a user that is made; the tenant's own unless given. */
  country?: string | null;
  /** The device's id, if the client has made one. With a token it is the token's device and may be left out. */
  id?: string | null;
  /** The user's name for it, 1…100 characters; a new device is called `Device` unless told. */
  name?: string | null;
  /** IANA time zone, for a user that is made; `UTC` unless given. */
  timeZone?: string | null;
};

/** The user, the device and its new token. */
export type CreateSessionOutput = {
  /** Whether the account was made. */
  created: boolean;
  /** The device. */
  device: Device;
  /** The fate of the data that the device had without account. */
  merged: CreateSessionMerged;
  /** The bearer token; it is shown this once, and left out where it comes as a cookie. The device's former one has ended. */
  token?: string;
  /** The account's user. */
  user: User;
};

export type CreateSubscriptionInput = {
  /** Whether the provider renews it without being asked; false unless given. */
  autoRenew?: boolean | null;
  /** The user's payment for a period, where that is not the plan's fee, in the plan's currency. */
  fee?: string | null;
  /** Whether the current period is a free trial; false unless given. */
  freeTrial?: boolean | null;
  /** The subscription's id, if the client has made one. */
  id?: string | null;
  /** The user's own name for it, 1…100 characters. */
  label?: string | null;
  /** Whether it is muted: reminders tell only that it is overdue. False unless given. */
  muted?: boolean | null;
  /** Day of the next renewal, in place of `startDate`. */
  nextRenewal?: string | null;
  /** A note, at most 1,000 characters. */
  note?: string | null;
  /** A new plan of the user's own; or else `planId`. */
  plan?: PrivatePlanInput | null;
  /** The plan; or else `plan`. */
  planId?: number | null;
  /** How many days before the end the user wants to be reminded, 0…365. */
  reminderDays?: number | null;
  /** First day of the current period, 1970-01-02…2999-12-31; the user's today unless given. */
  startDate?: string | null;
};

export type DeleteAccountInput = {
  /** Its password, or that of an account which comes before it: confirmed ones come first, then older ones. */
  currentPassword: string;
  /** The address that is to lead to the user no more. */
  email: string;
};

export type DeleteMeInput = {
  /** The password of an account of the user's; needed where there is one. */
  currentPassword?: string | null;
};

export type DeleteSubscriptionInput = {
  /** The day on which it was deleted, where that was before today; today unless given, and at the latest. Automatic renewals after that day are taken back first. */
  madeOn?: string | null;
};

export type DescribeLinkInput = {
  /** Its use. */
  purpose: "verify" | "reset";
  /** The token from the mail. */
  token: string;
};

/** A link, described. */
export type DescribeLinkOutput = {
  /** The effect of the token. */
  effect: "confirms" | "keepsUser" | "leavesUser";
  /** The address that the mail was sent to. */
  email: string;
  /** The user's other addresses, masked: `a•••@e•••.org`. */
  otherAccounts: string[];
};

/** An installation of a client. */
export type Device = {
  /** The device's id, made by the client or the service. */
  id: string;
  /** The user's name for it: `Ada's phone`. */
  name: string;
};

/** A subscription with the periods that have ended. */
export type ExportMeEntry = {
  /** Its ended periods, by number. */
  periods: Period[];
  /** The subscription. */
  subscription: Subscription;
};

/** Everything, as it was at one moment. */
export type ExportMeOutput = {
  /** The contacts; left out where the tenant has none. */
  contacts?: Contact[] | null;
  /** Those that were deleted and can still be restored, the last deleted first. */
  deleted: ExportMeEntry[];
  /** That moment. */
  exportedAt: string;
  /** The user's own plans with their prices. */
  plans: GetPlanOutput[];
  /** The days ahead of reminders; left out where the tenant has no reminders. */
  reminderLeads?: ReminderLead[] | null;
  /** The settings of reminders, one row at most; left out where the tenant has no reminders. */
  reminderSettings?: ReminderSetting[] | null;
  /** The reminders that were said; left out where the tenant has none. */
  reminders?: Reminder[] | null;
  /** Where the user is signed in. */
  sessions: ListSessionsSession[];
  /** The subscriptions, by end date. */
  subscriptions: ExportMeEntry[];
  /** The user with all accounts. */
  user: User;
};

/** The fault of one field of the input. */
export type FieldProblem = {
  /** The kind of fault. */
  code: "required" | "unknown" | "malformed" | "range" | "conflict" | "missing" | "json";
  /** The path of the field, with dots: `plan.duration.value`; empty for the input as a whole. */
  field: string;
  /** The fault and its remedy, for a person. */
  message: string;
};

export type ForgotPasswordInput = {
  /** The account's e-mail address. */
  email: string;
};

/** A dashboard. */
export type GetDashboardOutput = {
  /** Changes for active subscriptions, by day: prices, terms, plans that are withdrawn. */
  notices: Notice[];
  /** Active subscriptions past their end, the longest first. */
  overdue: Subscription[];
  /** Savings by currency. */
  saved: GetDashboardSaving[];
  /** Spending by currency. */
  spend: GetDashboardSpend[];
  /** The user's today. */
  today: string;
  /** Spending in the requested currency; null when none was given. */
  total: GetDashboardTotal | null;
  /** Renewals within the days asked for, or within each subscription's reminder days, by days remaining. */
  upcoming: Subscription[];
};

/** Savings by cancelling in time, in one currency. */
export type GetDashboardSaving = {
  /** The cost that the periods would have had. */
  amount: string;
  /** ISO 4217. */
  currency: string;
};

/** The cost of active subscriptions in one currency. */
export type GetDashboardSpend = {
  /** ISO 4217. */
  currency: string;
  /** In a month: a twelfth of a year. */
  month: string;
  /** In a year. */
  year: string;
};

/** Spending in one currency. It is made of `spend`, each converted by the newest rate not after today. */
export type GetDashboardTotal = {
  /** ISO 4217. */
  currency: string;
  /** The currencies for which there is no rate. */
  missing: string[];
  /** In a month; null when a rate is missing: a part would look like the whole. */
  month: string | null;
  /** The rates that were used, by currency. The euro has none. */
  rates: GetDashboardTotalRate[];
  /** In a year; null likewise. */
  year: string | null;
};

/** A rate that was used. */
export type GetDashboardTotalRate = {
  /** ISO 4217. */
  currency: string;
  /** The day of the rate. */
  on: string;
  /** Units of it for one euro. */
  perEuro: string;
};

/** A plan and its prices, side by side in one JSON object. */
export type GetPlanOutput = {
  /** The provider's category: `Video`. */
  category: string;
  /** ISO 3166-1 alpha-2. */
  country: string;
  /** ISO 4217. */
  currency: string;
  /** How long a period lasts. */
  duration: PlanDuration;
  /** The cost of a period that begins today. */
  fee: string;
  /** The plan's number. */
  id: number;
  /** Its name: `Premium`. */
  name: string;
  /** Days before the end by which it must be cancelled. */
  noticeDays: number;
  /** Its prices, by day. */
  prices: GetPlanPrice[];
  /** Whether it is a user's own plan, which only that user sees. */
  private: boolean;
  /** The provider. */
  provider: string;
  /** Days of a free trial; null when there is none. */
  trialDays: number | null;
  /** Its kind: `Standard`, `Student`, `Family` … */
  type: string;
  /** Whether it is no longer sold. */
  withdrawn: boolean;
};

/** A price and the day from which it holds. */
export type GetPlanPrice = {
  /** ISO 4217. */
  currency: string;
  /** The first day on which it holds. */
  effectiveOn: string;
  /** The fee of a period that begins on that day or later. */
  fee: string;
};

/** The server's description of itself. */
export type GetServerInfoOutput = {
  /** The areas that are on for this tenant, by name: `subscriptions`. A client shows those of them that it knows. */
  areas: string[];
  /** `SubTrackIt`. */
  name: string;
  /** The server's time. */
  now: string;
  /** Whether the service sends mails. Without them nobody can replace a forgotten password. */
  sendsMails: boolean;
  /** Whether the caller's token or cookie stands for a user. A page cannot see its cookie. */
  signedIn: boolean;
  /** The tenant that was asked. */
  tenant: string;
  /** The service's version. */
  version: string;
};

export type GiveAnswerInput = {
  /** The answer. */
  answer: "keep" | "cancel" | "renew" | "snooze" | "done";
  /** The reminder's id, one of the mail. */
  reminder: string;
  /** The token from the mail. */
  token: string;
  /** With `snooze`, the day on which it is said again: tomorrow at the earliest, the last day of its use at the latest. */
  until?: string | null;
};

/** The reminder after the answer. */
export type GiveAnswerOutput = {
  /** The reminder. Its answer is `done` where its matter had changed before. */
  reminder: AnswerableReminder;
};

/** A value of a card that has gone to another place, or has got another form. */
export type ImportContactsAdjusted = {
  /** The card's place in the text, from 0. */
  index: number;
  /** The value, and where it went. */
  what: string;
};

export type ImportContactsInput = {
  /** The text of the cards, one behind the other, at most 1 MiB. */
  cards: string;
  /** Whether the outcome is told and nothing is written; false unless given. */
  dryRun?: boolean | null;
  /** Whether `?` stands for a first or last name that a card lacks; false unless given. */
  fillNames?: boolean | null;
};

/** The outcome of an import. */
export type ImportContactsOutput = {
  /** The values that were adjusted. */
  adjusted: ImportContactsAdjusted[];
  /** How many contacts are new. */
  created: number;
  /** The cards that are not imported. */
  refused: ImportContactsRefused[];
  /** How many cards say nothing new. */
  unchanged: number;
  /** How many contacts were changed. */
  updated: number;
};

/** A card that is not imported. */
export type ImportContactsRefused = {
  /** The card's place in the text, from 0. */
  index: number;
  /** The name on it, as far as it can be read. */
  name: string | null;
  /** Why it is not imported. */
  reason: string;
};

/** The calendars. */
export type ListCalendarsOutput = {
  /** The calendars, at most 10. */
  calendars: CalendarFeed[];
};

/** The pairs. */
export type ListContactDuplicatesOutput = {
  /** The contacts of the pairs, by name. */
  contacts: Contact[];
  /** Whether there are more than these. They are shown once some of these are merged. */
  more: boolean;
  /** The pairs, at most 500, by the first contact's id. */
  pairs: ListContactDuplicatesPair[];
};

/** Two contacts that may be one person. */
export type ListContactDuplicatesPair = {
  /** The one that was added first. */
  first: string;
  /** The reasons, at least one. */
  reasons: ListContactDuplicatesReason[];
  /** The other one. */
  second: string;
};

/** Why two contacts may be one person. */
export type ListContactDuplicatesReason = {
  /** Which field both have in common. */
  kind: "phone" | "email" | "date" | "address";
  /** Its value as the first contact has it. */
  value: string;
};

/** A page of contacts. */
export type ListContactsOutput = {
  /** The contacts of this page. */
  contacts: Contact[];
  /** The `cursor` for the next page; null on the last. */
  nextCursor: string | null;
};

/** A country. */
export type ListCountriesCountry = {
  /** ISO 4217 code of its currency. */
  currency: string;
  /** ISO 3166-1 alpha-2. */
  id: string;
  /** Its English short name. */
  name: string;
};

/** A page of countries. */
export type ListCountriesOutput = {
  /** The countries of this page. */
  countries: ListCountriesCountry[];
  /** The `cursor` for the next page; null on the last. */
  nextCursor: string | null;
};

/** A page of periods. */
export type ListPeriodsOutput = {
  /** The `cursor` for the next page; null on the last. */
  nextCursor: string | null;
  /** The periods of this page. */
  periods: Period[];
};

/** A page of plans. */
export type ListPlansOutput = {
  /** The `cursor` for the next page; null on the last. */
  nextCursor: string | null;
  /** The plans of this page. */
  plans: Plan[];
};

/** A page of providers. */
export type ListProvidersOutput = {
  /** The `cursor` for the next page; null on the last. */
  nextCursor: string | null;
  /** The providers of this page. */
  providers: ListProvidersProvider[];
};

/** A provider. */
export type ListProvidersProvider = {
  /** Where to cancel. */
  cancelUrl: string | null;
  /** Its category. */
  category: string;
  /** Its name. */
  name: string;
  /** How many plans it sells, in the country asked for. */
  planCount: number;
  /** Its site. */
  website: string | null;
};

/** A page of sessions. */
export type ListSessionsOutput = {
  /** The `cursor` for the next page; null on the last. */
  nextCursor: string | null;
  /** The sessions of this page. */
  sessions: ListSessionsSession[];
};

/** A device that is signed in. */
export type ListSessionsSession = {
  /** When it signed in. */
  createdAt: string;
  /** Whether it is the caller's own. */
  current: boolean;
  /** The device. */
  device: Device;
  /** The session's id. */
  id: string;
  /** When its token was last used, to the hour. */
  lastUsedAt: string;
};

/** A page of subscriptions. */
export type ListSubscriptionsOutput = {
  /** The `cursor` for the next page; null on the last. */
  nextCursor: string | null;
  /** The subscriptions of this page, by days remaining. */
  subscriptions: Subscription[];
};

/** A field that somebody else changed first: theirs is kept. */
export type LostField = {
  /** The field. */
  field: string;
  /** The stored value. */
  kept: unknown;
  /** The sent value, which is not stored. */
  yours: unknown;
};

export type MergeContactsInput = {
  /** The contacts that go, 1…20. */
  from: MergeContactsSourceInput[];
};

/** The contact that stays. */
export type MergeContactsOutput = {
  /** The contact with the parts of all. */
  contact: Contact;
  /** The contacts that went. One that is restored has its parts again, which are then here as well. */
  merged: string[];
};

/** A contact that goes. */
export type MergeContactsSourceInput = {
  /** The contact. */
  id: string;
  /** The version that was seen; if it has changed since, nothing is merged. */
  version?: number | null;
};

/** News of a plan that its subscribers should know before they pay again. */
export type Notice = {
  /** The last day to cancel in time: before that renewal, or the next one. */
  cancelBy: string;
  /** The price so far; null where the notice is not about prices. */
  from: NoticeFee | null;
  /** The terms so far; null where the notice is not about terms. */
  fromTerms: NoticeTerms | null;
  /** Its subject. */
  kind: "price" | "terms" | "withdrawn";
  /** The same in English words. */
  message: string;
  /** The renewal with which it holds; of a plan that is withdrawn the day from which it is not sold. */
  on: string;
  /** The subscription that it concerns. */
  subscriptionId: string;
  /** The price to come; null likewise. */
  to: NoticeFee | null;
  /** The terms as they are now; null likewise. */
  toTerms: NoticeTerms | null;
};

/** A price before or after a change. */
export type NoticeFee = {
  /** ISO 4217. */
  currency: string;
  /** The cost of a period. */
  fee: string;
};

/** Terms before or after a change. */
export type NoticeTerms = {
  /** How long a period lasts. */
  duration: PlanDuration;
  /** Days before the end by which it must be cancelled. */
  noticeDays: number;
};

/** One period of a subscription, past or current. */
export type Period = {
  /** ISO 4217. */
  currency: string;
  /** The day after its last. */
  endDate: string;
  /** Its cost. */
  fee: string;
  /** Whether it was a free trial. */
  freeTrial: boolean;
  /** Its number. */
  number: number;
  /** Its first day. */
  startDate: string;
};

/** A product of a provider in one country, or a user's own plan. */
export type Plan = {
  /** The provider's category: `Video`. */
  category: string;
  /** ISO 3166-1 alpha-2. */
  country: string;
  /** ISO 4217. */
  currency: string;
  /** How long a period lasts. */
  duration: PlanDuration;
  /** The cost of a period that begins today. */
  fee: string;
  /** The plan's number. */
  id: number;
  /** Its name: `Premium`. */
  name: string;
  /** Days before the end by which it must be cancelled. */
  noticeDays: number;
  /** Whether it is a user's own plan, which only that user sees. */
  private: boolean;
  /** The provider. */
  provider: string;
  /** Days of a free trial; null when there is none. */
  trialDays: number | null;
  /** Its kind: `Standard`, `Student`, `Family` … */
  type: string;
  /** Whether it is no longer sold. */
  withdrawn: boolean;
};

/** The span of one period of a plan. */
export type PlanDuration = {
  /** The unit. */
  unit: "day" | "week" | "month" | "year";
  /** How many units, 1…1200. */
  value: number;
};

/** The span of one period of a plan. */
export type PlanDurationInput = {
  /** The unit. */
  unit: "day" | "week" | "month" | "year";
  /** How many units, 1…1200. */
  value: number;
};

export type PreviewAnswersInput = {
  /** The token from the mail. */
  token: string;
};

/** The reminders of a mail. */
export type PreviewAnswersOutput = {
  /** The language in which the user is written to: `en`, `de` or `zh`. */
  language: string;
  /** The reminders, those of the earliest days first. */
  reminders: AnswerableReminder[];
  /** The user's day. */
  today: string;
};

/** A plan of the user's own, which only that user sees. */
export type PrivatePlanInput = {
  /** The user's category for the provider; `Other` unless given. */
  category?: string | null;
  /** ISO 4217. */
  currency: string;
  /** How long a period lasts. */
  duration: PlanDurationInput;
  /** The cost of a period. */
  fee: string;
  /** Its name, 1…100 characters. */
  name: string;
  /** Days before the end by which it must be cancelled, 0…1200. */
  noticeDays?: number | null;
  /** The provider, 1…100 characters. */
  provider: string;
  /** Days of a free trial, 1…1200. */
  trialDays?: number | null;
  /** Its kind; `Standard` unless given. */
  type?: string | null;
};

/** A change of a plan of the user's own (merge patch). */
export type PrivatePlanPatchInput = {
  /** The user's category for the provider. */
  category?: string;
  /** ISO 4217. */
  currency?: string;
  /** How long the next period lasts. */
  duration?: PlanDurationInput;
  /** The cost of a period that begins today or later. */
  fee?: string;
  /** Its name. */
  name?: string;
  /** Days before the end by which it must be cancelled. */
  noticeDays?: number;
  /** The provider. */
  provider?: string;
  /** Days of a free trial; null: none. */
  trialDays?: number | null;
  /** Its kind. */
  type?: string;
};

/** An error, as `application/problem+json` (RFC 9457) and as `error.data` on sockets. */
export type Problem = {
  /** A stable code that a program may decide by. */
  code: "input_invalid" | "token_missing" | "token_invalid" | "token_ended" | "user_deleted" | "credentials_invalid" | "tenant_suspended" | "origin_refused" | "not_found" | "tenant_unknown" | "area_off" | "method_not_allowed" | "email_taken" | "id_taken" | "device_known" | "status_conflict" | "key_in_use" | "resync" | "stale" | "too_large" | "too_many" | "key_reused" | "upgrade_required" | "rate_limited" | "internal" | "unavailable" | "outcome_unknown" | "tenant_migrating";
  /** The row as it is now, where the caller's version was `stale`. */
  current?: Contact | MergeContactsOutput | Subscription | User;
  /** The fault of this request and its remedy, for a person. */
  detail: string;
  /** The fault of each faulty field of the input. */
  errors?: FieldProblem[];
  /** Why a client has to start over, where the code is `resync`. */
  reason?: "epoch" | "floor" | "user";
  /** The request's id, as in `X-Request-ID`; give it to the operator. */
  requestId?: string;
  /** After how many seconds to try again, as in `Retry-After`; nil where nobody knows. */
  retryAfter?: number;
  /** The HTTP status, on sockets too. */
  status: number;
  /** The same for every problem of this code. */
  title: string;
  /** A URI reference that names the kind of problem: `/problems/<code>`. */
  type: string;
};

/** A page of changes. */
export type PullChangesOutput = {
  /** Changes, in the order in which to apply them: of each scope by version, periods behind their subscription. */
  changes: Change[];
  /** The `cursor` for the next call. */
  cursor: string;
  /** The sets of rows that this user no longer sees: drop all rows of these before applying the changes. */
  dropped: string[];
  /** Whether there is more: pull again at once. */
  more: boolean;
  /** About how many changes are left after these; 0 when there are none. */
  total: number;
};

export type PushChangesInput = {
  /** The client's cursor: where it leads nowhere any more, nothing is applied and the answer is 410 `resync`. */
  cursor?: string | null;
  /** The changes, at most 100. */
  mutations: PushChangesMutationInput[];
};

/** One change that was made offline. */
export type PushChangesMutationInput = {
  /** The key of the change of the same row on top of which this one was made, before that one was answered. Its writes do not count as somebody else's. */
  after?: string | null;
  /** The version of the row that the change was based on; without it later changes are overwritten. */
  baseVersion?: number | null;
  /** The kind of row: `me`, `subscription`, or `plan` for one of the user's own. */
  entity: string;
  /** The changed fields alone, by the names of the direct operation; a renewal names its `period`. At most 32 names, and 2,000 values with those inside of others. */
  fields?: Record<string, unknown> | null;
  /** The row's id; of a new row the one that it is to have. */
  id: string;
  /** A UUID that stands for this change alone: sent again, it is answered again and not done twice. */
  key: string;
  /** The user's day on which the change was made; today unless given, and at the latest. Automatic renewals after that day, and after `baseVersion`, are as if the change had been here before. */
  madeOn?: string | null;
  /** The action: `create`, `update`, `delete`, `restore`, `renew`, `cancel`, `resume`. */
  op: string;
  /** Where `fields` has `plan`, the version of the plan that was known; `baseVersion` stands for it else. */
  planVersion?: number | null;
};

/** The answers, in the order of the changes. */
export type PushChangesOutput = {
  /** The answers. */
  results: PushChangesResult[];
};

/** The answer to one change. */
export type PushChangesResult = {
  /** Why it is refused or unknown. */
  error: Problem | null;
  /** The change's key. */
  key: string;
  /** The fields of which somebody else's value was kept. */
  lost: LostField[];
  /** Its outcome. */
  outcome: "applied" | "merged" | "refused" | "unknown";
  /** Where `fields` had `plan`, the plan as it is now: its version is the next change's `planVersion`. */
  plan: Change | null;
  /** Whether this was answered before. */
  replayed: boolean;
  /** The row as it is now. */
  row: Change | null;
};

export type PutContactInput = {
  /** The postal addresses, at most 50. */
  addresses?: ContactAddressInput[] | null;
  /** The days that matter, at most 50. */
  dates?: ContactDateInput[] | null;
  /** The addresses of mail, at most 50. */
  emails?: ContactEmailInput[] | null;
  /** The first name: of a contact that is there, the same. */
  firstName: string;
  /** The last name: of a contact that is there, the same. */
  lastName: string;
  /** The middle name: of a contact that is there, the same. */
  middleName?: string | null;
  /** A note, at most 2,000 characters. */
  note?: string | null;
  /** The numbers, at most 50. */
  phones?: ContactPhoneInput[] | null;
};

export type RegisterAccountInput = {
  /** The password of an account that the user has; needed where there is one. */
  currentPassword?: string | null;
  /** The e-mail address, at most 254 characters. */
  email: string;
  /** The password: 8 to 1,024 bytes, any character, none of the common ones. */
  password: string;
  /** The user's name, 1…100 characters. */
  userName?: string | null;
};

/** The user and the new account. */
export type RegisterAccountOutput = {
  /** The new account. */
  account: UserAccount;
  /** The user with all accounts. */
  user: User;
};

export type RegisterDeviceInput = {
  /** ISO 3166-1 alpha-2; the tenant's own unless given. */
  country?: string | null;
  /** The device's id, if the client has made one. */
  id?: string | null;
  /** The user's name for it, 1…100 characters. */
  name: string;
  /** IANA time zone; `UTC` unless given. */
  timeZone?: string | null;
};

/** A device, its user, and the token that it is known by. */
export type RegisterDeviceOutput = {
  /** The device. */
  device: Device;
  /** The bearer token; it is shown this once, and left out where it comes as a cookie. */
  token?: string;
  /** The new user. */
  user: User;
};

/** A reminder that was said. */
export type Reminder = {
  /** The answer; null: nobody has answered. */
  answer: "keep" | "cancel" | "renew" | "snooze" | "done" | null;
  /** The row's id. */
  id: string;
  /** The kind. */
  kind: "renewal" | "cancelBy" | "trial" | "price" | "ended" | "overdue" | "date" | "digest";
  /** How many days before that day it was due, -60…365; negative: after it. */
  leadDays: number;
  /** The day that it is about. */
  occursOn: string;
  /** The day on which a snoozed one is due again. */
  snoozedUntil: string | null;
  /** The subscription, the date of a contact, or the user. */
  subjectId: string;
  /** The row's version. */
  version: number;
};

/** A number of days ahead at which a kind of reminder is said. */
export type ReminderLead = {
  /** How many days ahead, 0…365; null adds no day. */
  days: number | null;
  /** The row's id. */
  id: string;
  /** The kind. */
  kind: "renewal" | "cancelBy" | "trial" | "price" | "ended" | "overdue" | "date" | "digest";
  /** The row's version. */
  version: number;
};

/** How a user wants to be reminded. */
export type ReminderSetting = {
  /** Whether reminders are sent by mail. */
  byMail: boolean;
  /** The row's id. */
  id: string;
  /** The language of mails: `en`, `de` or `zh`; null: that of the user's country. */
  language: string | null;
  /** The address that a mail server has refused for good; null: none. No reminder goes there until it is null. */
  mailRefused: string | null;
  /** The time on the user's clock, `00:00` to `23:59`. */
  remindAt: string;
  /** After how many days an unanswered reminder is said again, 1…30; null: it is not. */
  repeatDays: number | null;
  /** The row's version. */
  version: number;
  /** The day of the week's digest, 1 Monday … 7 Sunday; null: there is none. */
  weeklyOn: number | null;
};

export type RenewSubscriptionInput = {
  /** The day on which it was renewed, where that was before today; today unless given, and at the latest. */
  madeOn?: string | null;
  /** The number of the period that is to end; if it has ended already, nothing changes. */
  period?: number | null;
};

export type ResetPasswordInput = {
  /** The new password. */
  newPassword: string;
  /** The token from the mail; it serves once. */
  token: string;
};

/** The effect of the reset. */
export type ResetPasswordOutput = {
  /** The account's address. */
  email: string;
  /** How many sessions of the former user were ended. */
  endedSessions: number;
  /** Whether the address leads to the same user as before. False: it leads to a new user without data. Nobody had confirmed it, or another address of the user was confirmed and is older. */
  keptUser: boolean;
  /** Addresses that lead to the former user still, where the user was not kept; masked: `a•••@e•••.org`. */
  otherAccounts: string[];
  /** Addresses that do not lead to the user any more; their accounts were removed. */
  removedAccounts: string[];
};

export type RestoreSubscriptionInput = {
  /** The day on which it was restored, where that was before today; today unless given, and at the latest. */
  madeOn?: string | null;
};

export type ResumeSubscriptionInput = {
  /** The day on which it was resumed, where that was before today; today unless given, and at the latest. */
  madeOn?: string | null;
};

/** A contact as clients hold it: a person with numbers, addresses and days that matter. */
export type StoredContact = {
  /** The postal addresses, in the order of their ids. */
  addresses: StoredContactAddress[];
  /** The days that matter, in the order of their ids. */
  dates: StoredContactOccasion[];
  /** The addresses of mail, in the order of their ids. */
  emails: StoredContactEmail[];
  /** The first name, 1…100 characters. It never changes. */
  firstName: string;
  /** The last name, 1…100 characters. It never changes. */
  lastName: string;
  /** The middle name. It never changes. */
  middleName: string | null;
  /** A note, at most 2,000 characters. */
  note: string | null;
  /** The numbers, in the order of their ids. */
  phones: StoredContactPhone[];
};

/** A postal address with a street, apartment, city, state or zip at least. */
export type StoredContactAddress = {
  /** The apartment, the floor or the like. */
  apt: string | null;
  /** The city. */
  city: string | null;
  /** The country in the user's words. */
  country: string | null;
  /** The part's id. */
  id: string;
  /** The state or province. */
  state: string | null;
  /** The street with its number, at most 40 characters. */
  street: string | null;
  /** A word for it: `home`, `work`. */
  type: string;
  /** The postal code, at most 10 characters. */
  zip: string | null;
};

/** An address of mail. */
export type StoredContactEmail = {
  /** The address, with an `@` inside. */
  email: string;
  /** The part's id. */
  id: string;
  /** A word for it: `home`, `work`. */
  type: string;
};

/** A day that matters. */
export type StoredContactOccasion = {
  /** The day, `1995-06-25` of the years 1000 to 2999, or `--06-25` where the year is not known. */
  date: string;
  /** The part's id. */
  id: string;
  /** How many days before it the user wants to be reminded, 0…365; null: as the settings say. */
  reminderDays: number | null;
  /** A word for it: `birthday`, `anniversary`. */
  type: string;
  /** Whether it comes each year. A day without a year always does. */
  yearly: boolean;
};

/** A number: area code and number as dialled at home, or the whole number with its country. */
export type StoredContactPhone = {
  /** Three digits, beside `number`. */
  area: string | null;
  /** The whole number in place of both: `+` and 2 to 15 digits (ITU-T E.164). */
  e164: string | null;
  /** The part's id. */
  id: string;
  /** Seven digits, beside `area`. */
  number: string | null;
  /** A word for it: `cell`, `home`, `work`. */
  type: string;
};

/** A stored country. The id of the change is its ISO 3166-1 code. */
export type StoredCountry = {
  /** ISO 4217. */
  currency: string;
  /** Its name in English. */
  name: string;
};

/** A stored currency. The id of the change is its ISO 4217 code. */
export type StoredCurrency = {
  /** Digits after the decimal point. */
  minorDigits: number;
  /** Its name in English. */
  name: string;
};

/** A stored period that has ended. The id of the change is the subscription's, a space and the number. */
export type StoredPeriod = {
  /** ISO 4217. */
  currency: string;
  /** The day after its last. */
  endDate: string;
  /** Its cost. */
  fee: string;
  /** Whether it was a free trial. */
  freeTrial: boolean;
  /** The period's number. */
  number: number;
  /** The plan that was used. */
  planId: number;
  /** Its first day. */
  startDate: string;
  /** The subscription. */
  subscriptionId: string;
};

/** A stored plan, of the catalogue or of the user's own. The id of the change is the plan's number. */
export type StoredPlan = {
  /** The user's category for the provider of a plan of the user's own; null: the provider's. */
  category: string | null;
  /** ISO 3166-1 alpha-2. */
  country: string;
  /** ISO 4217. */
  currency: string;
  /** How long a period lasts. */
  duration: PlanDuration;
  /** The cost of a period that begins on `feeSince` or later, until the day of a price after it. */
  fee: string;
  /** The day from which `fee` holds. */
  feeSince: string;
  /** The terms before their last change; null: they never changed. */
  formerTerms: StoredTerms | null;
  /** Its name. */
  name: string;
  /** Days before the end by which it must be cancelled. */
  noticeDays: number;
  /** Whether it is the user's own. */
  private: boolean;
  /** The provider. */
  provider: string;
  /** Days of a free trial; null when there is none. */
  trialDays: number | null;
  /** Its kind. */
  type: string;
  /** The day from which it is no longer sold; null: it is sold. */
  withdrawnOn: string | null;
};

/** Another price of a plan, past or announced. The id of the change is the plan's number, a space and the day. */
export type StoredPrice = {
  /** ISO 4217. */
  currency: string;
  /** The day from which it holds. */
  effectiveOn: string;
  /** The cost of a period. */
  fee: string;
  /** The plan. */
  planId: number;
};

/** A stored provider of the catalogue. The id of the change is its name. */
export type StoredProvider = {
  /** Where one cancels. */
  cancelUrl: string | null;
  /** Its category: `Video`. */
  category: string;
  /** Its site. */
  website: string | null;
};

/** A reminder that was said, as clients hold it. Its id is that of its key, `id`. */
export type StoredReminder = {
  /** The answer; null: nobody has answered. */
  answer: "keep" | "cancel" | "renew" | "snooze" | "done" | null;
  /** The kind. */
  kind: "renewal" | "cancelBy" | "trial" | "price" | "ended" | "overdue" | "date" | "digest";
  /** How many days before that day it was due, -60…365; negative: after it. */
  leadDays: number;
  /** The day that it is about. */
  occursOn: string;
  /** The day on which a snoozed one is due again; null: on the next one of its days ahead. */
  snoozedUntil: string | null;
  /** The subscription, the date of a contact, or the user. */
  subjectId: string;
};

/** A number of days ahead at which a kind of reminder is said, as clients hold it. The rows of a kind take the place of all its usual days. */
export type StoredReminderLead = {
  /** How many days ahead, 0…365. Of `overdue`: how many days after. Null adds no day: a kind that has this row alone is never said. */
  days: number | null;
  /** The kind. */
  kind: "renewal" | "cancelBy" | "trial" | "price" | "ended" | "overdue" | "date" | "digest";
};

/** How a user wants to be reminded, as clients hold it. A user has one row at most. Without one the usual settings hold. */
export type StoredReminderSetting = {
  /** Whether reminders are sent by mail. */
  byMail: boolean;
  /** The language of mails: `en`, `de` or `zh`; null: that of the user's country. */
  language: string | null;
  /** The address that a mail server has refused for good, as the service notes it; null: none. No reminder goes there until a client sets it to null. */
  mailRefused: string | null;
  /** The time on the user's clock, `00:00` to `23:59`. */
  remindAt: string;
  /** After how many days an unanswered reminder is said again, 1…30; null: it is not. */
  repeatDays: number | null;
  /** The day of the week's digest, 1 Monday … 7 Sunday; null: there is none. */
  weeklyOn: number | null;
};

/** A stored subscription. The id of the change is the subscription's. */
export type StoredSubscription = {
  /** How many durations lie between anchor and end; 0: a trial, whose end is no multiple. */
  anchorCount: number;
  /** The day from which periods are counted: `endDate` is `anchorCount` durations after it. */
  anchorDate: string;
  /** Whether the provider renews it without being asked. */
  autoRenew: boolean;
  /** The day on which it was cancelled; null: it goes on. */
  cancelledOn: string | null;
  /** ISO 4217. */
  currency: string;
  /** Day of the next renewal: the day after the current period's last. */
  endDate: string;
  /** The cost of the current period. */
  fee: string;
  /** Whether the current period is a free trial. */
  freeTrial: boolean;
  /** The user's own name for it. */
  label: string | null;
  /** Whether it is muted: reminders tell only that it is overdue. */
  muted: boolean;
  /** The user's note. */
  note: string | null;
  /** The user's payment for a period, where that is not the plan's fee. */
  ownFee: string | null;
  /** Number of the current period; it only grows. */
  period: number;
  /** The plan that is used. */
  planId: number;
  /** How many days before `endDate` the user wants to be reminded; null: as usual. */
  reminderDays: number | null;
  /** First day of the current period. */
  startDate: string;
};

/** A plan's terms before their last change. */
export type StoredTerms = {
  /** How long a period lasted. */
  duration: PlanDuration;
  /** Days before the end by which it had to be cancelled. */
  noticeDays: number;
  /** The day of the change: periods that began before have these terms until they end. */
  until: string;
};

/** The stored user. The id of the change is the user's. */
export type StoredUser = {
  /** The accounts that lead to the user. */
  accounts: UserAccount[];
  /** ISO 3166-1 alpha-2. */
  country: string;
  /** IANA name of the time zone in which days are counted. */
  timeZone: string;
  /** The user's name; null until given. */
  userName: string | null;
};

/** A user's use of a plan, in its current period. */
export type Subscription = {
  /** Whether the provider renews it without being asked. */
  autoRenew: boolean;
  /** The last day to cancel it in time: `endDate` less the notice days that held when the period began. */
  cancelBy: string;
  /** ISO 4217. */
  currency: string;
  /** Day of the next renewal: the day after the current period's last. */
  endDate: string;
  /** The cost of the current period. */
  fee: string;
  /** Whether the current period is a free trial. */
  freeTrial: boolean;
  /** The subscription's id, made by the client or the service. */
  id: string;
  /** The user's own name for it. */
  label: string | null;
  /** Whether it is muted: reminders tell only that it is overdue. */
  muted: boolean;
  /** The cost of the next period; null when the subscription was cancelled. */
  next: SubscriptionNext | null;
  /** The user's note. */
  note: string | null;
  /** Number of the current period; it only grows. */
  period: number;
  /** The plan that is used. */
  plan: Plan;
  /** Days from the user's today to `endDate`; negative once past it. */
  remaining: number;
  /** How many days before `endDate` the user wants to be reminded; null: as usual. */
  reminderDays: number | null;
  /** First day of the current period. */
  startDate: string;
  /** How it stands. */
  status: "active" | "cancelled" | "ended";
  /** Version of the row, for `If-Match`. */
  version: number;
};

/** The cost of the next period. */
export type SubscriptionNext = {
  /** ISO 4217. */
  currency: string;
  /** The fee. */
  fee: string;
  /** The day on which that period begins. */
  on: string;
};

export type UpdateContactInput = {
  /** Postal addresses by their ids, in the same way. */
  addresses?: Record<string, unknown> | null;
  /** Days that matter by their ids, in the same way. */
  dates?: Record<string, unknown> | null;
  /** Addresses of mail by their ids, in the same way. */
  emails?: Record<string, unknown> | null;
  /** A note; null: none. */
  note?: string | null;
  /** Numbers by their ids, each with its changed members. One of a new id is added, one that is null goes. */
  phones?: Record<string, unknown> | null;
};

export type UpdateMeInput = {
  /** ISO 3166-1 alpha-2. */
  country?: string;
  /** IANA time zone. */
  timeZone?: string;
  /** The user's name, 1…100 characters; null: no name. */
  userName?: string | null;
};

export type UpdateSubscriptionInput = {
  /** Whether the provider renews it without being asked. */
  autoRenew?: boolean;
  /** The user's payment for a period; null: the plan's price. */
  fee?: string | null;
  /** Whether the current period is a free trial. */
  freeTrial?: boolean;
  /** The user's own name for it; null: none. */
  label?: string | null;
  /** The day on which it was changed, where that was before today; today unless given, and at the latest. Periods that renewed by themselves after that day renew again, by the changed fields. */
  madeOn?: string | null;
  /** Whether it is muted: reminders tell only that it is overdue. */
  muted?: boolean;
  /** The day on which the current period really ends. */
  nextRenewal?: string;
  /** A note; null: none. */
  note?: string | null;
  /** A change of the plan, which must be the user's own. */
  plan?: PrivatePlanPatchInput;
  /** Another plan. */
  planId?: number;
  /** How many days before the end to remind; null: as usual. */
  reminderDays?: number | null;
  /** The day on which the current period really began. */
  startDate?: string;
};

/** A person inside a tenant. */
export type User = {
  /** The accounts that lead to the user. */
  accounts: UserAccount[];
  /** ISO 3166-1 alpha-2. */
  country: string;
  /** The user's id. */
  id: string;
  /** IANA name of the time zone in which days are counted: `Europe/Berlin`. */
  timeZone: string;
  /** The user's name; null until given. */
  userName: string | null;
  /** Version of the row, for `If-Match`. */
  version: number;
};

/** An account that leads to the user. */
export type UserAccount = {
  /** The e-mail address. */
  email: string;
  /** Whether its owner has shown to receive mail there. */
  verified: boolean;
};

export type VerifyEmailInput = {
  /** The token from the mail. */
  token: string;
};

/** Each operation: its method and path, what it takes and what it gives. */
export interface Operations {
  "accounts.delete": {
    method: "DELETE";
    path: "/v1/accounts";
    input: DeleteAccountInput;
    output: null;
  };
  "accounts.register": {
    method: "POST";
    path: "/v1/accounts";
    input: RegisterAccountInput;
    output: RegisterAccountOutput;
  };
  "answers.give": {
    method: "POST";
    path: "/v1/answers";
    input: GiveAnswerInput;
    output: GiveAnswerOutput;
  };
  "answers.preview": {
    method: "POST";
    path: "/v1/answers/preview";
    input: PreviewAnswersInput;
    output: PreviewAnswersOutput;
  };
  "calendars.create": {
    method: "POST";
    path: "/v1/calendars";
    input: CreateCalendarInput;
    output: CreateCalendarOutput;
  };
  "calendars.delete": {
    method: "DELETE";
    path: "/v1/calendars/{id}";
    input: { id: string };
    output: null;
  };
  "calendars.list": {
    method: "GET";
    path: "/v1/calendars";
    input: Record<string, never>;
    output: ListCalendarsOutput;
  };
  "changes.pull": {
    method: "GET";
    path: "/v1/changes";
    input: { cursor?: string; limit?: number; scopes?: "all" | "user" };
    output: PullChangesOutput;
  };
  "changes.push": {
    method: "POST";
    path: "/v1/changes";
    input: PushChangesInput;
    output: PushChangesOutput;
  };
  "contacts.create": {
    method: "POST";
    path: "/v1/contacts";
    input: CreateContactInput;
    output: Contact;
  };
  "contacts.delete": {
    method: "DELETE";
    path: "/v1/contacts/{id}";
    input: { id: string };
    output: null;
  };
  "contacts.duplicates": {
    method: "GET";
    path: "/v1/contacts/duplicates";
    input: Record<string, never>;
    output: ListContactDuplicatesOutput;
  };
  "contacts.export": {
    method: "GET";
    path: "/v1/contacts.vcf";
    input: { version?: string };
    output: null;
  };
  "contacts.get": {
    method: "GET";
    path: "/v1/contacts/{id}";
    input: { id: string };
    output: Contact;
  };
  "contacts.import": {
    method: "POST";
    path: "/v1/contacts/import";
    input: ImportContactsInput;
    output: ImportContactsOutput;
  };
  "contacts.list": {
    method: "GET";
    path: "/v1/contacts";
    input: { search?: string; limit?: number; cursor?: string };
    output: ListContactsOutput;
  };
  "contacts.merge": {
    method: "POST";
    path: "/v1/contacts/{id}/merge";
    input: { id: string } & MergeContactsInput;
    output: MergeContactsOutput;
  };
  "contacts.put": {
    method: "PUT";
    path: "/v1/contacts/{id}";
    input: { id: string } & PutContactInput;
    output: Contact;
  };
  "contacts.restore": {
    method: "POST";
    path: "/v1/contacts/{id}/restore";
    input: { id: string };
    output: Contact;
  };
  "contacts.update": {
    method: "PATCH";
    path: "/v1/contacts/{id}";
    input: { id: string } & UpdateContactInput;
    output: Contact;
  };
  "countries.list": {
    method: "GET";
    path: "/v1/countries";
    input: { limit?: number; cursor?: string };
    output: ListCountriesOutput;
  };
  "dashboard.get": {
    method: "GET";
    path: "/v1/dashboard";
    input: { within?: number; currency?: string };
    output: GetDashboardOutput;
  };
  "devices.register": {
    method: "POST";
    path: "/v1/devices";
    input: RegisterDeviceInput;
    output: RegisterDeviceOutput;
  };
  "emails.verify": {
    method: "POST";
    path: "/v1/email-verifications";
    input: VerifyEmailInput;
    output: null;
  };
  "links.describe": {
    method: "POST";
    path: "/v1/account-links";
    input: DescribeLinkInput;
    output: DescribeLinkOutput;
  };
  "me.changeEmail": {
    method: "PUT";
    path: "/v1/me/email";
    input: ChangeEmailInput;
    output: null;
  };
  "me.changePassword": {
    method: "PUT";
    path: "/v1/me/password";
    input: ChangePasswordInput;
    output: null;
  };
  "me.delete": {
    method: "DELETE";
    path: "/v1/me";
    input: DeleteMeInput;
    output: null;
  };
  "me.export": {
    method: "GET";
    path: "/v1/me/export";
    input: Record<string, never>;
    output: ExportMeOutput;
  };
  "me.get": {
    method: "GET";
    path: "/v1/me";
    input: Record<string, never>;
    output: User;
  };
  "me.update": {
    method: "PATCH";
    path: "/v1/me";
    input: UpdateMeInput;
    output: User;
  };
  "passwords.forgot": {
    method: "POST";
    path: "/v1/password-resets";
    input: ForgotPasswordInput;
    output: null;
  };
  "passwords.reset": {
    method: "PUT";
    path: "/v1/password-resets";
    input: ResetPasswordInput;
    output: ResetPasswordOutput;
  };
  "plans.get": {
    method: "GET";
    path: "/v1/plans/{id}";
    input: { id: number };
    output: GetPlanOutput;
  };
  "plans.list": {
    method: "GET";
    path: "/v1/plans";
    input: { country?: string; provider?: string; search?: string; limit?: number; cursor?: string };
    output: ListPlansOutput;
  };
  "providers.list": {
    method: "GET";
    path: "/v1/providers";
    input: { country?: string; category?: string; search?: string; limit?: number; cursor?: string };
    output: ListProvidersOutput;
  };
  "server.info": {
    method: "GET";
    path: "/v1";
    input: Record<string, never>;
    output: GetServerInfoOutput;
  };
  "sessions.create": {
    method: "POST";
    path: "/v1/sessions";
    input: CreateSessionInput;
    output: CreateSessionOutput;
  };
  "sessions.delete": {
    method: "DELETE";
    path: "/v1/sessions/{id}";
    input: { id: string };
    output: null;
  };
  "sessions.end": {
    method: "DELETE";
    path: "/v1/sessions/current";
    input: Record<string, never>;
    output: RegisterDeviceOutput;
  };
  "sessions.list": {
    method: "GET";
    path: "/v1/sessions";
    input: { limit?: number; cursor?: string };
    output: ListSessionsOutput;
  };
  "subscriptions.cancel": {
    method: "POST";
    path: "/v1/subscriptions/{id}/cancel";
    input: { id: string } & CancelSubscriptionInput;
    output: Subscription;
  };
  "subscriptions.create": {
    method: "POST";
    path: "/v1/subscriptions";
    input: CreateSubscriptionInput;
    output: Subscription;
  };
  "subscriptions.delete": {
    method: "DELETE";
    path: "/v1/subscriptions/{id}";
    input: { id: string } & DeleteSubscriptionInput;
    output: null;
  };
  "subscriptions.get": {
    method: "GET";
    path: "/v1/subscriptions/{id}";
    input: { id: string };
    output: Subscription;
  };
  "subscriptions.list": {
    method: "GET";
    path: "/v1/subscriptions";
    input: { dueWithin?: number; status?: "active" | "cancelled" | "ended"; limit?: number; cursor?: string };
    output: ListSubscriptionsOutput;
  };
  "subscriptions.periods": {
    method: "GET";
    path: "/v1/subscriptions/{id}/periods";
    input: { id: string; limit?: number; cursor?: string };
    output: ListPeriodsOutput;
  };
  "subscriptions.renew": {
    method: "POST";
    path: "/v1/subscriptions/{id}/renew";
    input: { id: string } & RenewSubscriptionInput;
    output: Subscription;
  };
  "subscriptions.restore": {
    method: "POST";
    path: "/v1/subscriptions/{id}/restore";
    input: { id: string } & RestoreSubscriptionInput;
    output: Subscription;
  };
  "subscriptions.resume": {
    method: "POST";
    path: "/v1/subscriptions/{id}/resume";
    input: { id: string } & ResumeSubscriptionInput;
    output: Subscription;
  };
  "subscriptions.update": {
    method: "PATCH";
    path: "/v1/subscriptions/{id}";
    input: { id: string } & UpdateSubscriptionInput;
    output: Subscription;
  };
}
