/// How a user wants to be reminded, as clients hold it. A user has one row at most. Without one the usual settings hold.
///
/// Clients give it the user's id, so that two devices of a user make the same row.
public struct StoredReminderSetting: DeclaredRow {
    public static let declaration = EntityDeclaration(
        "reminderSetting", number: 9, table: "Reminder_setting", limit: 1, restorableDays: 30, twin: .kept,
        fields: [
            .text("remindAt", 5...5).unlessGiven("09:00"), .text("language", 2...2).optional,
            .integer("repeatDays", 1...30).optional, .integer("weeklyOn", 1...7).optional.unlessGiven(.integer(1)),
            .flag("byMail").unlessGiven(true), .text("mailRefused", 3...254).optional,
        ])

    /// The time on the user's clock, `00:00` to `23:59`.
    public var remindAt: String
    /// The language of mails: `en`, `de` or `zh`; null: that of the user's country.
    public var language: String?
    /// After how many days an unanswered reminder is said again, 1…30; null: it is not.
    public var repeatDays: Int?
    /// The day of the week's digest, 1 Monday … 7 Sunday; null: there is none.
    public var weeklyOn: Int?
    /// Whether reminders are sent by mail.
    public var byMail: Bool
    /// The address that a mail server has refused for good, as the service notes it; null: none. No reminder goes there until a client
    /// sets it to null.
    public var mailRefused: String?

    /// Settings; the usual ones unless told.
    public init(
        remindAt: String = "09:00", language: String? = nil, repeatDays: Int? = nil, weeklyOn: Int? = 1,
        byMail: Bool = true, mailRefused: String? = nil
    ) {
        self.remindAt = remindAt
        self.language = language
        self.repeatDays = repeatDays
        self.weeklyOn = weeklyOn
        self.byMail = byMail
        self.mailRefused = mailRefused
    }
}
