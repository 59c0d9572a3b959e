import MariaDB
import SubTrackAPI
import SubTrackCore

/// The operations on the settings of reminders.
enum ReminderSettingHandlers {
    /// Registers the handlers.
    static func register(in registry: inout OperationRegistry) {
        registry.register(GetReminderSettings.self, handler: get)
        registry.register(UpdateReminderSettings.self, handler: update)
    }

    @Sendable private static func get(
        _ input: GetReminderSettings, _ call: Call
    ) async throws -> Reply<ReminderPreferences> {
        let user = try call.requireSession().user
        let row = try await call.tenant.read { try await ReminderSettingQueries.settings(of: [user], on: $0)[user] }
        return .row(ReminderPreferences(row))
    }

    @Sendable private static func update(
        _ input: UpdateReminderSettings, _ call: Call
    ) async throws -> Reply<ReminderPreferences> {
        let user = try call.requireSession().user
        return try await call.write(input) { connection in
            let before = try await ReminderSettingQueries.settings(of: [user], on: connection)[user]
            guard call.ifMatch.allows(before?.version ?? 0) else { throw Problem.stale(ReminderPreferences(before)) }
            return .row(ReminderPreferences(try await write(input, over: before, of: user, on: connection)))
        }
    }

    /// Changes the fields that are named, in a transaction that has the user's scope locked.
    /// - Parameter before: the settings as they are; nil: the usual ones.
    /// - Returns: the settings afterwards.
    static func write(
        _ input: UpdateReminderSettings, over before: ReminderSettingRow?, of user: UserID, on connection: Connection
    ) async throws -> ReminderSettingRow? {
        try check(input)
        let former = before?.stored ?? .usual
        let settings = former.changed(by: input)
        if before == nil || settings != former {
            try await ReminderSettingQueries.write(settings, over: before?.stored, of: user, on: connection)
        }
        return try await ReminderSettingQueries.settings(of: [user], on: connection)[user]
    }

    private static func check(_ input: UpdateReminderSettings) throws {
        var faults = InputFaults()
        if let language = input.language.value, MailLanguage(rawValue: language) == nil {
            let known = MailLanguage.allCases.map(\.rawValue).joined(separator: ", ")
            faults.add(
                "language", .missing, "mails are not written in \"\(language.excerpt(10))\"; use one of \(known)")
        }
        let range = ReminderLeadsPatch.range
        for (kind, days) in input.leads.value?.changes ?? [] {
            let field = "leads.\(kind.rawValue)"
            let list = days.value ?? []
            guard list.count <= ReminderLeadsPatch.maximumCount else {
                throw Problem(
                    .tooMany, "\(field) may have \(ReminderLeadsPatch.maximumCount) numbers, has \(list.count).")
            }
            if let day = list.first(where: { !range.contains($0) }) {
                faults.add(field, .range, "must be from \(range.lowerBound) to \(range.upperBound), is \(day)")
            }
        }
        try faults.finish()
    }
}

extension ReminderPreferences {
    /// The settings of a user.
    /// - Parameter row: nil: the usual ones.
    init(_ row: ReminderSettingRow?) { self.init(row?.stored ?? .usual, version: row?.version ?? 0) }
}
