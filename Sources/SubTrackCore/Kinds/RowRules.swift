import SubTrackAPI

/// The rules of declared rows that no single field shows, by kind. An area adds a line for each of its kinds that has some. The
/// service and the kit check rows by this table, the web app by that of `web/js/data/kinds.js`.
public enum RowRules {
    private typealias Rule = @Sendable (_ row: [String: AnyJSON]) -> [FieldProblem]

    private static let all: [SyncEntity: Rule] = [
        StoredContact.declaration.name: { ContactRules.faults($0) },
        StoredReminderSetting.declaration.name: ReminderRowRules.setting,
        StoredReminderLead.declaration.name: ReminderRowRules.lead,
        StoredReminder.declaration.name: ReminderRowRules.reminder,
    ]

    /// The faults of a row as it is to be stored, each with its path; none for a kind without such rules.
    public static func faults(_ kind: SyncEntity, _ row: [String: AnyJSON]) -> [FieldProblem] {
        all[kind]?(row) ?? []
    }
}
