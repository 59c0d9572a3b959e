import MariaDB
import SubTrackAPI
import SubTrackCore

/// Plans of a user's own: added and changed with the subscription that uses them.
enum PrivatePlans {
    /// Adds a plan of a user's own.
    /// - Parameter since: the day from which its fee is known to hold.
    /// - Returns: its number.
    static func insert(
        _ plan: PrivatePlan, owner: UserID, country: String, since: CalendarDate, tenant: Tenant,
        on connection: Connection
    ) async throws -> Int64 {
        let provider = try InputText.required(plan.provider, field: "plan.provider", maximum: 100)
        let name = try InputText.required(plan.name, field: "plan.name", maximum: 100)
        let type = try InputText.optional(plan.type, field: "plan.type", maximum: 30) ?? "Standard"
        let category = try InputText.optional(plan.category, field: "plan.category", maximum: 50)
        let fee = try await fee(plan.fee, currency: plan.currency, tenant: tenant, on: connection)
        let duration = try SubscriptionInput.duration(plan.duration)
        let trial = try SubscriptionInput.planDays(plan.trialDays, field: "plan.trialDays", from: 1)
        let notice = try SubscriptionInput.planDays(plan.noticeDays, field: "plan.noticeDays", from: 0)
        try await tenant.limits.checkPrivatePlans(of: owner, on: connection)
        try await setCategory(category, provider: provider, owner: owner, on: connection)
        let inserted = try await connection.execute(
            """
            INSERT INTO Plan (Provider, Plan_name, Subscription_type, Fee, Currency_code, Fee_since, Duration_value,
                              Duration_unit, Country_ID, Trial_days, Notice_days, Owner_ID)
            VALUES (\(provider), \(name), \(type), \(fee), \(plan.currency), \(since),
                    \(duration.value), \(duration.unit), \(country), \(trial), \(notice ?? 0), \(owner.uuid))
            """)
        return Int64(clamping: inserted.lastInsertID)
    }

    /// Changes a plan of the user's own.
    /// - Parameter today: the user's; a new fee holds from then on.
    static func update(
        _ plan: PlanRow, _ patch: PrivatePlanPatch, owner: UserID, today: CalendarDate, tenant: Tenant,
        on connection: Connection
    ) async throws {
        try refuseRemoval(patch)
        var assignments: [SQL] = []
        var provider = plan.provider
        if let text = patch.provider.value {
            provider = try InputText.required(text, field: "plan.provider", maximum: 100)
            assignments.append("Provider = \(provider)")
        }
        let category = try InputText.optional(patch.category.value, field: "plan.category", maximum: 50)
        if category != nil || provider != plan.provider {
            try await setCategory(category, provider: provider, owner: owner, on: connection)
        }
        if let text = patch.name.value {
            assignments.append("Plan_name = \(try InputText.required(text, field: "plan.name", maximum: 100))")
        }
        if let text = patch.type.value {
            assignments.append("Subscription_type = \(try InputText.required(text, field: "plan.type", maximum: 30))")
        }
        if patch.fee.isNamed || patch.currency.isNamed {
            let currency = patch.currency.value ?? plan.today.currency
            let fee = try await fee(
                patch.fee.value ?? plan.today.fee, currency: currency, tenant: tenant, on: connection)
            assignments.append("Fee = \(fee)")
            assignments.append("Currency_code = \(currency)")
            // The user's day, not the database's. The price of a plan that begins later is replaced where it stands.
            assignments.append("Fee_since = GREATEST(Fee_since, \(today))")
        }
        if let duration = try patch.duration.value.map(SubscriptionInput.duration) {
            assignments.append("Duration_value = \(duration.value)")
            assignments.append("Duration_unit = \(duration.unit)")
        }
        if patch.trialDays.isNamed {
            let days = try SubscriptionInput.planDays(patch.trialDays.value, field: "plan.trialDays", from: 1)
            assignments.append("Trial_days = \(days)")
        }
        if let days = try SubscriptionInput.planDays(patch.noticeDays.value, field: "plan.noticeDays", from: 0) {
            assignments.append("Notice_days = \(days)")
        }
        guard !assignments.isEmpty else { return }
        _ = try await connection.execute(
            "UPDATE Plan SET \(SQL.joined(assignments)) WHERE Plan_ID = \(plan.id) AND Owner_ID = \(owner.uuid)")
    }

    private static func refuseRemoval(_ patch: PrivatePlanPatch) throws {
        func refuse<Value>(_ field: String, _ patch: Patch<Value>) throws {
            if case .remove = patch { throw Problem.input("plan.\(field)", .required, "cannot be removed") }
        }
        try refuse("provider", patch.provider)
        try refuse("name", patch.name)
        try refuse("type", patch.type)
        try refuse("category", patch.category)
        try refuse("fee", patch.fee)
        try refuse("currency", patch.currency)
        try refuse("duration", patch.duration)
        try refuse("noticeDays", patch.noticeDays)
    }

    private static func setCategory(
        _ category: String?, provider: String, owner: UserID, on connection: Connection
    ) async throws {
        _ = try await connection.execute(
            """
            INSERT INTO Private_provider (Owner_ID, Provider, Category)
            VALUES (\(owner.uuid), \(provider), COALESCE(\(category), 'Other'))
            ON DUPLICATE KEY UPDATE Category = COALESCE(\(category), Category)
            """)
    }

    private static func fee(
        _ fee: Amount, currency: String, tenant: Tenant, on connection: Connection
    ) async throws -> Amount {
        guard let digits = try await tenant.currencies.digits(of: currency, on: connection) else {
            throw Problem.input(
                "plan.currency", .missing, "there is no currency \"\(currency.prefix(10))\"; use an ISO 4217 code")
        }
        return try SubscriptionInput.fee(fee, currency: currency, digits: digits, field: "plan.fee")
    }
}
