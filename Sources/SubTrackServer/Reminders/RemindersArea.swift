import MariaDB
import SubTrackAPI
import SubTrackCore

/// Reminders of renewals and other days. Each is decided once, and goes out by mail.
struct RemindersArea: Area {
    let name = "reminders"
    let presence = AreaPresence.on
    let entities: [any SyncedEntity] = Self.kinds
    let changeable: [any ChangeableEntity] = Self.kinds
    let userData: (any UserData)? = ReminderData()
    /// A look of today was made perhaps: the next one speaks tomorrow. A copy would write to the same people a second time.
    let restored = RestoredRows(
        ofOneTenant: ["Answer_secret", "Calendar_feed"],
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

    func look(on connection: Connection) async throws -> [AreaRemark] {
        var status = NotificationStatus(tenant: "", isOn: true)
        try await NotificationQueries.read(&status, on: connection)
        var remarks: [AreaRemark] = []
        if status.lag > Self.latest {
            remarks.append(
                AreaRemark(
                    text:
                        "looks for reminders are \(status.lag / 60) minutes late: no service runs, or it cannot keep up",
                    remedy: "subtrackd notifications status"))
        }
        return try await remarks + unknownZones(on: connection)
    }

    /// A remark on users whose time zone this machine does not know. SQL may have written it, or a later version of the zones left it out.
    private func unknownZones(on connection: Connection) async throws -> [AreaRemark] {
        let zones = try await connection.query("SELECT Time_zone, COUNT(*) FROM `User` GROUP BY Time_zone ORDER BY 1")
            .decode((String, Int).self).filter {
                LocalDay.today(at: Instant(secondsSince1970: 0), timeZone: $0.0) == nil
            }
        guard let (zone, _) = zones.first else { return [] }
        let users = zones.reduce(0) { $0 + $1.1 }
        return [
            AreaRemark(
                text:
                    "\(users) \(users == 1 ? "user has a" : "users have") time zone that this machine does not know, such as "
                    + "\(zone.debugDescription): they are reminded by UTC",
                remedy: "UPDATE `User` SET Time_zone = 'Europe/Berlin' WHERE Time_zone = …, or install tzdata")
        ]
    }

    func register(in operations: inout OperationRegistry) {
        AnswerHandlers().register(in: &operations)
        CalendarHandlers.register(in: &operations)
    }
}
