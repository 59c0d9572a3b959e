/// How a user wants to be reminded, as operations answer it: the row that clients hold, with its version.
public struct ReminderPreferences: Codable, Sendable, Hashable, Versioned {
    /// The time on the user's clock: `09:00`.
    public var remindAt: String
    /// The language of mails: `en`, `de` or `zh`; null: the country's.
    public var language: String?
    /// After how many days an unanswered reminder is said again; null: it is not.
    public var repeatDays: Int?
    /// The day of the week's digest, 1 Monday … 7 Sunday; null: there is none.
    public var weeklyOn: Int?
    /// Whether reminders are sent by mail.
    public var byMail: Bool
    /// How many days ahead each kind is said.
    public var leads: ReminderLeads
    /// The version in the user's scope; 0: the usual settings, of which none was changed.
    public var version: Int64

    /// A row with its version.
    public init(_ row: StoredReminderSettings, version: Int64) {
        remindAt = row.remindAt
        language = row.language
        repeatDays = row.repeatDays
        weeklyOn = row.weeklyOn
        byMail = row.byMail
        leads = row.leads
        self.version = version
    }

    /// The row that clients hold.
    public var row: StoredReminderSettings {
        StoredReminderSettings(
            remindAt: remindAt, language: language, repeatDays: repeatDays, weeklyOn: weeklyOn, byMail: byMail,
            leads: leads)
    }
}

/// The settings of the user's reminders.
public struct GetReminderSettings: Operation {
    public typealias Output = ReminderPreferences

    public static let name = "reminderSettings.get"
    public static let endpoint = Endpoint.get("/v1/me/reminders")
    public static let access = Access.device
    public static let summary = "Gives the settings of the user's reminders."

    /// No input.
    public init() {}
}

/// Changes the settings of the user's reminders.
public struct UpdateReminderSettings: Operation {
    public typealias Output = ReminderPreferences

    public static let name = "reminderSettings.update"
    public static let endpoint = Endpoint.patch("/v1/me/reminders")
    public static let access = Access.device
    public static let errors = [ErrorCode.tooMany]
    public static let summary = "Changes the settings of the user's reminders (merge patch)."

    /// The time on the user's clock.
    public var remindAt: Patch<String>
    /// The language of mails: `en`, `de` or `zh`; null: the country's.
    public var language: Patch<String>
    /// After how many days an unanswered reminder is said again; null: it is not.
    public var repeatDays: Patch<Int>
    /// The day of the week's digest, 1 Monday … 7 Sunday; null: there is none.
    public var weeklyOn: Patch<Int>
    /// Whether reminders are sent by mail.
    public var byMail: Patch<Bool>
    /// How many days ahead kinds are said, each kind as a whole; null: all as usual.
    public var leads: Patch<ReminderLeadsPatch>

    /// A change of the named fields.
    public init(
        remindAt: Patch<String> = .keep, language: Patch<String> = .keep, repeatDays: Patch<Int> = .keep,
        weeklyOn: Patch<Int> = .keep, byMail: Patch<Bool> = .keep, leads: Patch<ReminderLeadsPatch> = .keep
    ) {
        self.remindAt = remindAt
        self.language = language
        self.repeatDays = repeatDays
        self.weeklyOn = weeklyOn
        self.byMail = byMail
        self.leads = leads
    }
}

/// A change of the days ahead. A list takes the place of the kind's list: at most 8 numbers of 0…365. Null: as usual. An
/// empty list: the kind is not said.
public struct ReminderLeadsPatch: Codable, Sendable, Equatable {
    /// How many days a kind may have.
    public static let maximumCount = 8
    /// How many days ahead a kind may be said.
    public static let range = 0...365

    /// Days before a renewal.
    public var renewal: Patch<[Int]>
    /// Days before the last day to cancel.
    public var cancelBy: Patch<[Int]>
    /// Days before a free trial ends.
    public var trial: Patch<[Int]>
    /// Days before the last day to cancel ahead of another price or other terms.
    public var price: Patch<[Int]>
    /// Days before a cancelled subscription ends.
    public var ended: Patch<[Int]>
    /// Days after the end of a subscription that does not renew by itself.
    public var overdue: Patch<[Int]>
    /// Days before a date of a contact.
    public var date: Patch<[Int]>

    /// A change of the named kinds.
    public init(
        renewal: Patch<[Int]> = .keep, cancelBy: Patch<[Int]> = .keep, trial: Patch<[Int]> = .keep,
        price: Patch<[Int]> = .keep, ended: Patch<[Int]> = .keep, overdue: Patch<[Int]> = .keep,
        date: Patch<[Int]> = .keep
    ) {
        self.renewal = renewal
        self.cancelBy = cancelBy
        self.trial = trial
        self.price = price
        self.ended = ended
        self.overdue = overdue
        self.date = date
    }

    /// The named kinds, each with its change.
    public var changes: [(kind: ReminderKind, days: Patch<[Int]>)] {
        [
            (.renewal, renewal), (.cancelBy, cancelBy), (.trial, trial), (.price, price), (.ended, ended),
            (.overdue, overdue), (.date, date),
        ].filter { $0.1.isNamed }
    }

    /// Some days ahead after the change: a list has each number once, the farthest first.
    public func applied(to leads: ReminderLeads) -> ReminderLeads {
        changes.reduce(into: leads) { leads, change in
            leads[change.kind] = change.days.value.map { Set($0).sorted(by: >) } ?? ReminderLeads.usual[change.kind]
        }
    }
}

extension StoredReminderSettings {
    /// The settings after a change whose values hold their bounds.
    public func changed(by patch: UpdateReminderSettings) -> StoredReminderSettings {
        var row = self
        if let time = patch.remindAt.value { row.remindAt = time }
        if patch.language.isNamed { row.language = patch.language.value }
        if patch.repeatDays.isNamed { row.repeatDays = patch.repeatDays.value }
        if patch.weeklyOn.isNamed { row.weeklyOn = patch.weeklyOn.value }
        if let byMail = patch.byMail.value { row.byMail = byMail }
        if patch.leads.isNamed { row.leads = patch.leads.value?.applied(to: row.leads) ?? .usual }
        return row
    }
}

extension UpdateReminderSettings: FieldRules {
    public static let fieldRules: [String: FieldRule] = [
        "remindAt": .clockTime.notNull, "language": .text(2...2).example("en"),
        "repeatDays": .number(1...30).example("2"), "weeklyOn": .number(1...7).example("1"), "byMail": .notNull,
    ]
}

extension ReminderLeadsPatch: FieldRules {
    private static let days = FieldRule.list(upTo: maximumCount)

    public static let fieldRules: [String: FieldRule] = [
        "renewal": days, "cancelBy": days, "trial": days, "price": days, "ended": days, "overdue": days, "date": days,
    ]
}
