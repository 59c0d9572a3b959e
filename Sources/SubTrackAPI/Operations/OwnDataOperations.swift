/// Ends the user with everything.
public struct DeleteMe: Operation {
    public typealias Output = Empty

    public static let name = "me.delete"
    public static let endpoint = Endpoint.delete("/v1/me")
    public static let access = Access.device
    public static let errors: [ErrorCode] = [.credentialsInvalid, .statusConflict, .rateLimited]
    public static let handlesSecrets = true
    public static let summary = "Deletes the user with all accounts, devices, subscriptions and plans. Nothing is kept."

    /// The password of an account of the user's; needed where there is one.
    public var currentPassword: String?

    /// A deletion, with a password where there is an account.
    public init(currentPassword: String? = nil) { self.currentPassword = currentPassword }
}

/// All that the service keeps of the user.
public struct ExportMe: Operation {
    public static let name = "me.export"
    public static let endpoint = Endpoint.get("/v1/me/export")
    public static let access = Access.device
    public static let errors = [ErrorCode.rateLimited]
    public static let summary = "Gives all that is the user's, in one document."

    /// A subscription with the periods that have ended.
    public struct Entry: Codable, Sendable, Hashable {
        /// The subscription.
        public var subscription: Subscription
        /// Its ended periods, by number.
        public var periods: [Period]

        /// A subscription with its ended periods.
        public init(subscription: Subscription, periods: [Period]) {
            self.subscription = subscription
            self.periods = periods
        }
    }

    /// Everything, as it was at one moment.
    public struct Output: Codable, Sendable, Hashable {
        /// That moment.
        public var exportedAt: Instant
        /// The user with all accounts.
        public var user: User
        /// Where the user is signed in.
        public var sessions: [ListSessions.Session]
        /// The subscriptions, by end date.
        public var subscriptions: [Entry]
        /// Those that were deleted and can still be restored, the last deleted first.
        public var deleted: [Entry]
        /// The user's own plans with their prices.
        public var plans: [GetPlan.Output]
        /// The contacts; left out where the tenant has none.
        public var contacts: [Contact]?
        /// The settings of reminders, one row at most; left out where the tenant has no reminders.
        public var reminderSettings: [ReminderSetting]?
        /// The days ahead of reminders; left out where the tenant has no reminders.
        public var reminderLeads: [ReminderLead]?
        /// The reminders that were said; left out where the tenant has none.
        public var reminders: [Reminder]?

        /// An export with all its parts.
        public init(
            exportedAt: Instant, user: User, sessions: [ListSessions.Session], subscriptions: [Entry], deleted: [Entry],
            plans: [GetPlan.Output], contacts: [Contact]? = nil, reminderSettings: [ReminderSetting]? = nil,
            reminderLeads: [ReminderLead]? = nil, reminders: [Reminder]? = nil
        ) {
            self.exportedAt = exportedAt
            self.user = user
            self.sessions = sessions
            self.subscriptions = subscriptions
            self.deleted = deleted
            self.plans = plans
            self.contacts = contacts
            self.reminderSettings = reminderSettings
            self.reminderLeads = reminderLeads
            self.reminders = reminders
        }
    }

    /// No input.
    public init() {}
}

extension ExportMe.Output: FieldRules {
    public static let fieldRules: [String: FieldRule] = [
        "contacts": .leftOut, "reminderSettings": .leftOut, "reminderLeads": .leftOut, "reminders": .leftOut,
    ]
}
