import MariaDB
import SubTrackAPI
import SubTrackCore

/// Plans of a user's own: added and changed with the subscription that uses them.
enum PrivatePlans {
    /// Adds a plan of a user's own.
    /// - Parameter since: the day from which its fee is known to hold.
    /// - Returns: its number.
    static func insert(
        _ plan: CheckedPrivatePlan, owner: UserID, country: String, since: CalendarDate, _ call: Call,
        on connection: Connection
    ) async throws -> Int64 {
        let fee = try await fee(plan.fee, currency: plan.currency, tenant: call.tenant, on: connection)
        try await call.tenant.limits.checkPrivatePlans(of: owner, on: connection)
        try await setCategory(plan.category, provider: plan.provider, owner: owner, call, on: connection)
        let inserted = try await connection.execute(
            """
            INSERT INTO Plan (Provider, Plan_name, Subscription_type, Fee, Currency_code, Fee_since, Duration_value,
                              Duration_unit, Country_ID, Trial_days, Notice_days, Owner_ID)
            VALUES (\(plan.provider), \(plan.name), \(plan.type), \(fee), \(plan.currency), \(since),
                    \(plan.duration.value), \(plan.duration.unit), \(country), \(plan.trialDays),
                    \(plan.noticeDays), \(owner.uuid))
            """)
        return Int64(clamping: inserted.lastInsertID)
    }

    /// Changes a plan of the user's own.
    /// - Parameter today: the user's; a new fee holds from then on.
    static func update(
        _ plan: PlanRow, _ patch: PrivatePlanPatch, owner: UserID, today: CalendarDate, _ call: Call,
        on connection: Connection
    ) async throws {
        var faults = InputFaults()
        refuseRemoval(patch, faults: &faults)
        let newProvider = try faults.check(or: nil) {
            try patch.provider.value.map { try InputText.required($0, field: "plan.provider", maximum: 100) }
        }
        let category = try faults.check(or: nil) {
            try InputText.optional(patch.category.value, field: "plan.category", maximum: 50)
        }
        let name = try faults.check(or: nil) {
            try patch.name.value.map { try InputText.required($0, field: "plan.name", maximum: 100) }
        }
        let type = try faults.check(or: nil) {
            try patch.type.value.map { try InputText.required($0, field: "plan.type", maximum: 30) }
        }
        let duration = try faults.check(or: nil) { try patch.duration.value.map(SubscriptionInput.duration) }
        let trialDays = try faults.check(or: nil) {
            try SubscriptionInput.planDays(patch.trialDays.value, field: "plan.trialDays", from: 1)
        }
        let noticeDays = try faults.check(or: nil) {
            try SubscriptionInput.planDays(patch.noticeDays.value, field: "plan.noticeDays", from: 0)
        }
        try faults.finish()

        var assignments: [SQL] = []
        let provider = newProvider ?? plan.provider
        if let newProvider { assignments.append("Provider = \(newProvider)") }
        if category != nil || provider != plan.provider {
            try await setCategory(category, provider: provider, owner: owner, call, on: connection)
        }
        if let name { assignments.append("Plan_name = \(name)") }
        if let type { assignments.append("Subscription_type = \(type)") }
        if patch.fee.isNamed || patch.currency.isNamed {
            try await call.tenant.limits.checkPrices(of: owner, plan: plan.id, on: connection)
            let currency = patch.currency.value ?? plan.today.currency
            let fee = try await fee(
                patch.fee.value ?? plan.today.fee, currency: currency, tenant: call.tenant, on: connection)
            assignments.append("Fee = \(fee)")
            assignments.append("Currency_code = \(currency)")
            // The user's day, not the database's. The price of a plan that begins later is replaced where it stands.
            assignments.append("Fee_since = GREATEST(Fee_since, \(today))")
        }
        if let duration {
            assignments.append("Duration_value = \(duration.value)")
            assignments.append("Duration_unit = \(duration.unit)")
        }
        if patch.trialDays.isNamed { assignments.append("Trial_days = \(trialDays)") }
        if let noticeDays { assignments.append("Notice_days = \(noticeDays)") }
        guard !assignments.isEmpty else { return }
        _ = try await connection.execute(
            "UPDATE Plan SET \(SQL.joined(assignments)) WHERE Plan_ID = \(plan.id) AND Owner_ID = \(owner.uuid)")
    }

    /// Deletes a plan of the user's own with its prices.
    /// - Throws: `status_conflict` while a subscription has or had it, deleted ones that can be restored included.
    static func delete(_ id: Int64, owner: UserID, limits: UserLimits, on connection: Connection) async throws {
        do {
            _ = try await connection.execute(
                "DELETE FROM Plan WHERE Plan_ID = \(id) AND Owner_ID = \(owner.uuid)")
        } catch let error as MariaDBError where error.isSignal {
            throw Problem(.statusConflict, "A subscription has or had this plan; delete it first.")
        }
        try await limits.boundTombstones(of: owner, on: connection)
    }

    private static func refuseRemoval(_ patch: PrivatePlanPatch, faults: inout InputFaults) {
        func refuse<Value>(_ field: String, _ patch: Patch<Value>) {
            if case .remove = patch { faults.add("plan.\(field)", .required, "cannot be removed") }
        }
        refuse("provider", patch.provider)
        refuse("name", patch.name)
        refuse("type", patch.type)
        refuse("category", patch.category)
        refuse("fee", patch.fee)
        refuse("currency", patch.currency)
        refuse("duration", patch.duration)
        refuse("noticeDays", patch.noticeDays)
    }

    /// Sets the category of a provider of the user's own. Each of its plans gets a new version where another one was there,
    /// which is counted.
    private static func setCategory(
        _ category: String?, provider: String, owner: UserID, _ call: Call, on connection: Connection
    ) async throws {
        let set = try await connection.execute(
            """
            INSERT INTO Private_provider (Owner_ID, Provider, Category)
            VALUES (\(owner.uuid), \(provider), COALESCE(\(category), 'Other'))
            ON DUPLICATE KEY UPDATE Category = COALESCE(\(category), Category)
            """)
        // Two: a row that was there is another one now.
        guard set.affectedRows > 1 else { return }
        let plans = try await connection.query(
            """
            SELECT COUNT(*) FROM Plan FORCE INDEX (Plan_own_provider)
            WHERE Owner_ID = \(owner.uuid) AND Own_provider = \(provider)
            """
        ).decode(Int.self)
        try call.tenant.writes.charge(call, rows: plans.first ?? 0)
    }

    private static func fee(
        _ fee: Amount, currency: String, tenant: Tenant, on connection: Connection
    ) async throws -> Amount {
        guard let digits = try await tenant.currencies.digits(of: currency, on: connection) else {
            throw Problem.input(
                "plan.currency", .missing, "there is no currency \"\(currency.excerpt(10))\"; use an ISO 4217 code")
        }
        return try SubscriptionInput.fee(fee, currency: currency, digits: digits, field: "plan.fee")
    }
}
