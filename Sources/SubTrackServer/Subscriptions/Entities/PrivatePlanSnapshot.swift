import MariaDB
import SubTrackAPI
import SubTrackCore

/// A plan of a user's own as its user's change meets it: one statement.
struct PrivatePlanSnapshot: Sendable {
    /// The plan with its price on a day.
    let row: PlanRow
    /// The user's category of the provider.
    let category: String?
    /// The terms before their last change.
    let formerTerms: StoredTerms?

    /// How many columns stand behind those of ``PlanRow``.
    private static let columns = 5

    /// Reads a plan; nil when there is none of this number, or it is not this user's.
    static func read(
        _ id: Int64, of user: UserID, today: CalendarDate, on connection: Connection
    ) async throws -> PrivatePlanSnapshot? {
        let rows = try await connection.query(
            """
            SELECT STRAIGHT_JOIN \(PlanRow.columns), o.Category, p.Terms_since, p.Former_duration_value,
                p.Former_duration_unit, p.Former_notice_days
            FROM Plan p \(PlanRow.joins) WHERE p.Plan_ID = \(id) AND p.Owner_ID = \(user.uuid)
            """)
        guard let first = rows.first, let row = try PricedRows.decode(rows, as: PlanRow.self, today: today).first
        else { return nil }
        let column = first.count - columns
        let until = try first.decode(CalendarDate?.self, at: column + 1)
        return PrivatePlanSnapshot(
            row: row, category: try first.decode(String?.self, at: column),
            formerTerms: try until.map { until in
                StoredTerms(
                    until: until,
                    duration: PlanDuration(
                        value: try first.decode(Int.self, at: column + 2),
                        unit: try first.decode(PlanDuration.Unit.self, at: column + 3)),
                    noticeDays: try first.decode(Int.self, at: column + 4))
            })
    }

    /// The plan as clients hold it.
    func stored(digits: [String: Int]) -> StoredPlan {
        StoredPlan(
            provider: row.provider, name: row.name, type: row.type, category: category, country: row.country,
            fee: row.stored.fee.written(in: row.stored.currency, digits: digits), currency: row.stored.currency,
            feeSince: row.storedSince, duration: row.duration, trialDays: row.trialDays, noticeDays: row.noticeDays,
            formerTerms: formerTerms, withdrawnOn: row.withdrawnOn, private: true)
    }

    /// The plan as the engine sees it.
    func snapshot(digits: [String: Int]) throws -> RowSnapshot {
        let stored = stored(digits: digits)
        return RowSnapshot(
            id: String(row.id), version: row.version, groups: [.plan: row.version],
            row: try OutputEncoder.encode(stored), values: stored.values)
    }
}

extension StoredPlan {
    /// The fields of a plan of the user's own that can be changed.
    static let changeable: Set<String> = [
        "provider", "name", "type", "category", "fee", "currency", "duration", "trialDays", "noticeDays",
    ]

    /// All of them with their values.
    var values: [String: AnyJSON] {
        Dictionary(uniqueKeysWithValues: Self.changeable.map { ($0, value(of: $0)) })
    }

    /// The value of a field.
    func value(of field: String) -> AnyJSON {
        switch field {
        case "provider": .string(provider)
        case "name": .string(name)
        case "type": .string(type)
        case "category": category.map { .string($0) } ?? .null
        case "fee": .string(fee.description)
        case "currency": .string(currency)
        case "duration":
            .object(["value": .integer(Int64(duration.value)), "unit": .string(duration.unit.rawValue)])
        case "trialDays": trialDays.map { .integer(Int64($0)) } ?? .null
        case "noticeDays": .integer(Int64(noticeDays))
        default: .null
        }
    }
}
