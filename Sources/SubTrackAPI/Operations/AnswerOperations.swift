import Foundation

/// A reminder as the holder of a mail's token sees it.
public struct AnswerableReminder: Codable, Sendable, Hashable {
    /// The reminder's id.
    public var id: UUID
    /// Its kind.
    public var kind: ReminderKind
    /// The name of the subscription or of the contact; null for the week's digest, and for a thing that was deleted.
    public var title: String?
    /// The day that it is about.
    public var occursOn: CalendarDate
    /// The cost of the next period; null where there is none.
    public var fee: Amount?
    /// ISO 4217; null where there is no ``fee``.
    public var currency: String?
    /// The last day to cancel; null where nothing is to be cancelled.
    public var cancelBy: CalendarDate?
    /// The page on which one cancels at the provider; null: none is known.
    public var cancelUrl: String?
    /// The answers that it takes; none where its matter has changed or is over.
    public var answers: [ReminderAnswer]
    /// The answer; null: nobody has answered.
    public var answer: ReminderAnswer?
    /// The day on which a snoozed one is said again.
    public var snoozedUntil: CalendarDate?

    /// A reminder with all that its holder sees.
    public init(
        id: UUID, kind: ReminderKind, title: String? = nil, occursOn: CalendarDate, fee: Amount? = nil,
        currency: String? = nil, cancelBy: CalendarDate? = nil, cancelUrl: String? = nil, answers: [ReminderAnswer],
        answer: ReminderAnswer? = nil, snoozedUntil: CalendarDate? = nil
    ) {
        self.id = id
        self.kind = kind
        self.title = title
        self.occursOn = occursOn
        self.fee = fee
        self.currency = currency
        self.cancelBy = cancelBy
        self.cancelUrl = cancelUrl
        self.answers = answers
        self.answer = answer
        self.snoozedUntil = snoozedUntil
    }
}

/// Shows the holder of a mail's token which reminders it can answer.
public struct PreviewAnswers: Operation {
    public static let name = "answers.preview"
    public static let endpoint = Endpoint.post("/v1/answers/preview")
    public static let access = Access.public
    public static let errors: [ErrorCode] = [.rateLimited]
    public static let handlesSecrets = true
    public static let takesEndedTokens = true
    public static let summary =
        "Tells which reminders the token of a mail can answer. Nothing changes, and the token stays good."

    /// The reminders of a mail.
    public struct Output: Codable, Sendable, Hashable {
        /// The user's day.
        public var today: CalendarDate
        /// The language in which the user is written to: `en`, `de` or `zh`.
        public var language: String
        /// The reminders, those of the earliest days first.
        public var reminders: [AnswerableReminder]

        /// The reminders of a mail.
        public init(today: CalendarDate, language: String, reminders: [AnswerableReminder]) {
            self.today = today
            self.language = language
            self.reminders = reminders
        }
    }

    /// The token from the mail.
    public var token: String

    /// The token of a mail.
    public init(token: String) { self.token = token }
}

/// Answers a reminder by the token of its mail.
public struct GiveAnswer: Operation {
    public static let name = "answers.give"
    public static let endpoint = Endpoint.post("/v1/answers")
    public static let access = Access.public
    public static let errors: [ErrorCode] = [.statusConflict, .tooMany, .rateLimited]
    public static let handlesSecrets = true
    public static let takesEndedTokens = true
    public static let summary =
        "Answers a reminder by the token of its mail. \"renew\" and \"cancel\" change the subscription too; the token stays good."

    /// The reminder after the answer.
    public struct Output: Codable, Sendable, Hashable {
        /// The reminder. Its answer is `done` where its matter had changed before.
        public var reminder: AnswerableReminder

        /// The reminder after the answer.
        public init(reminder: AnswerableReminder) { self.reminder = reminder }
    }

    /// The token from the mail.
    public var token: String
    /// The reminder's id, one of the mail.
    public var reminder: UUID
    /// The answer.
    public var answer: ReminderAnswer
    /// With `snooze`, the day on which it is said again: tomorrow at the earliest, the last day of its use at the latest.
    public var until: CalendarDate?

    /// An answer by a token.
    public init(token: String, reminder: UUID, answer: ReminderAnswer, until: CalendarDate? = nil) {
        self.token = token
        self.reminder = reminder
        self.answer = answer
        self.until = until
    }
}
