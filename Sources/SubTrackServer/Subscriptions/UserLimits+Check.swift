import MariaDB
import SubTrackAPI

/// The numbers of a user's limited rows.
struct SubscriptionCount: Sendable, Equatable {
    /// Subscriptions that are not deleted.
    var active: Int
    /// Subscriptions with the deleted ones.
    var kept: Int
}

extension UserLimits {
    /// Refuses more subscriptions than a user may have, in a transaction that has the user's scope locked.
    /// - Parameter adding: how many come to those that are there.
    /// - Throws: `too_many`.
    func checkSubscriptions(of user: UserID, adding: Int = 1, on connection: Connection) async throws {
        let rows = try await connection.query(
            """
            SELECT CAST(COALESCE(SUM(Deleted_at IS NULL), 0) AS UNSIGNED), COUNT(*) FROM Subscription WHERE User_ID = \(user.uuid)
            """)
        let (active, kept) = try rows.decode((Int, Int).self).first ?? (0, 0)
        try check(SubscriptionCount(active: active + adding, kept: kept + adding))
    }

    /// Refuses more subscriptions than a user may have.
    /// - Parameter count: how many there are with those that come.
    /// - Throws: `too_many`.
    func check(_ count: SubscriptionCount) throws {
        guard count.active <= subscriptions else {
            throw Problem(.tooMany, UserLimit.subscriptions.refusal(subscriptions))
        }
        guard count.kept <= keptSubscriptions else {
            throw Problem(.tooMany, UserLimit.keptSubscriptions.refusal(keptSubscriptions))
        }
    }

    /// Refuses more ended periods than a user may have, in a transaction that has the user's scope locked.
    /// - Parameter adding: how many come to those that are there.
    /// - Throws: `too_many`.
    func checkPeriods(of user: UserID, adding: Int, on connection: Connection) async throws {
        guard try await roomForPeriods(of: user, on: connection) >= adding else { throw tooManyPeriods }
    }

    /// How many more ended periods a user may have; below 0 where SQL made more.
    func roomForPeriods(of user: UserID, on connection: Connection) async throws -> Int {
        periods - (try await UserLimit.periods.used(by: user, on: connection))
    }

    /// Refuses a change of a plan that would bring too many subscriptions to its day, one after the other in one transaction.
    /// - Parameters:
    ///   - count: how many there are.
    ///   - periods: how many periods lie between.
    /// - Throws: `too_many`.
    func checkPlanChange(of count: Int, periods: Int) throws {
        guard count > subscriptionsOfPlanChange || periods > periodsOfPlanChange else { return }
        throw Problem(
            .tooMany,
            "This change alters \(periods) periods of \(count) subscriptions, and may \(periodsOfPlanChange) of \(subscriptionsOfPlanChange). List your subscriptions, then change the plan from today on."
        )
    }

    /// The problem of more ended periods than a user may have.
    var tooManyPeriods: Problem { Problem(.tooMany, UserLimit.periods.refusal(periods)) }

    /// Refuses one private plan more than a user may have, in a transaction that has the user's scope locked.
    /// - Throws: `too_many`.
    func checkPrivatePlans(of user: UserID, on connection: Connection) async throws {
        try await UserLimit.privatePlans.check(self, of: user, on: connection)
    }

    /// Refuses one price more of a user's own plans than there may be, in a transaction that has the user's scope locked.
    /// - Parameter plan: the plan that gets it.
    /// - Throws: `too_many`.
    func checkPrices(of user: UserID, plan: Int64, on connection: Connection) async throws {
        let rows = try await connection.query(
            """
            SELECT COUNT(*), CAST(COALESCE(SUM(x.Plan_ID = \(plan)), 0) AS UNSIGNED)
            FROM Plan p JOIN Plan_price x ON x.Plan_ID = p.Plan_ID WHERE p.Owner_ID = \(user.uuid)
            """)
        let (all, ofPlan) = try rows.decode((Int, Int).self).first ?? (0, 0)
        guard ofPlan < pricesOfPlan else {
            throw Problem(
                .tooMany, "A plan may have \(pricesOfPlan) former prices; go on with another plan of your own.")
        }
        guard all < prices else {
            throw Problem(.tooMany, UserLimit.prices.refusal(prices))
        }
    }

    /// Removes the oldest tombstones of a user where there are too many, in a transaction that has the user's scope
    /// locked. A device that has not pulled since they were written starts over.
    func boundTombstones(of user: UserID, on connection: Connection) async throws {
        // Periods that are taken back may leave thousands at once.
        while try await SyncUpkeepQueries.hasTombstones(of: user, beyond: tombstones, on: connection) {
            // Some at once, so that not every deletion from now on pays for one.
            try await SyncUpkeepQueries.removeOldestTombstones(of: user, max(1, tombstones / 10), on: connection)
        }
    }
}
