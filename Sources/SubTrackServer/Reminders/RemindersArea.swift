import MariaDB
import SubTrackAPI

/// Reminders of renewals and other days. Each is decided once, and goes out by mail.
struct RemindersArea: Area {
    let name = "reminders"
    let presence = AreaPresence.off
    let entities: [any SyncedEntity] = Self.kinds
    let changeable: [any ChangeableEntity] = Self.kinds
    let userData: (any UserData)? = ReminderData()
    /// A look of today was made perhaps: the next one speaks tomorrow. A copy would write to the same people a second time.
    let restored = RestoredRows(
        ofOneTenant: ["Answer_secret"],
        statements: [
            "UPDATE Agenda SET Looked_at = UTC_TIMESTAMP(), Next_at = '9999-01-01'", "UPDATE Scope SET Planned_ver = 0",
        ], isOffInCopies: true)
    let letters: [String: any MailLetters] = [NotificationReference.kind: ReminderLetters()]
    /// Is woken by new mails.
    let mailer: Mailer

    var jobs: [Job] {
        [
            ReminderLook(mailer: mailer).job, ReminderUpkeep.job, AnswerToken.upkeep, Self.setting.upkeep,
            Self.lead.upkeep,
        ]
    }

    /// The settings of a user.
    static let setting = DeclaredEntity(StoredReminderSetting.self)
    /// The days ahead of a kind.
    static let lead = DeclaredEntity(StoredReminderLead.self)
    /// The reminders that were said.
    static let reminder = DeclaredEntity(StoredReminder.self)
    /// The kinds of rows.
    static let kinds = [setting, lead, reminder]

    /// For how many seconds a look may be late before the doctor says so.
    private static let latest: Int64 = 300

    func look(on connection: Connection, sendsMails: Bool) async throws -> [AreaRemark] {
        var status = NotificationStatus(tenant: "", isOn: true)
        try await NotificationQueries.read(&status, on: connection)
        var remarks: [AreaRemark] = []
        if !sendsMails {
            remarks.append(
                AreaRemark(
                    text: "its reminders reach nobody by mail, for nothing takes mails",
                    remedy: "--smtp-url smtps://user@smtp.example.org, or --sendmail /usr/sbin/sendmail"))
        }
        if status.lag > Self.latest {
            remarks.append(
                AreaRemark(
                    text:
                        "looks for reminders are \(status.lag / 60) minutes late: no service runs, or it cannot keep up",
                    remedy: "subtrackd notifications status"))
        }
        return remarks
    }

    func register(in operations: inout OperationRegistry) { AnswerHandlers().register(in: &operations) }
}
