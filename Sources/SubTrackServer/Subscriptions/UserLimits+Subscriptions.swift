import MariaDB

extension UserLimit {
    /// Subscriptions that are not deleted.
    static let subscriptions = UserLimit(
        name: "subscriptions", standard: 10_000,
        count: { "SELECT COUNT(*) FROM Subscription WHERE User_ID = \($0.uuid) AND Deleted_at IS NULL" },
        refusal: { "A user may have \($0) subscriptions; delete some that have ended." },
        mergeRefusal: {
            "Together with the account's these would be more than \($0) subscriptions; delete some on this device first."
        })

    /// Subscriptions with those that were deleted and can still be restored.
    static let keptSubscriptions = UserLimit(
        name: "keptSubscriptions", standard: 20_000,
        count: { "SELECT COUNT(*) FROM Subscription WHERE User_ID = \($0.uuid)" },
        refusal: {
            "A user may have \($0) subscriptions with the deleted ones, which count for \(SubscriptionQueries.restorableDays) days; try again later."
        },
        mergeRefusal: {
            "Together with the account's these would be more than \($0) subscriptions with the deleted ones, which count for \(SubscriptionQueries.restorableDays) days."
        })

    /// Ended periods of all subscriptions, deleted ones included. The number of a period is how many came before it.
    static let periods = UserLimit(
        name: "periods", standard: 50_000,
        count: { "SELECT CAST(COALESCE(SUM(Period), 0) AS UNSIGNED) FROM Subscription WHERE User_ID = \($0.uuid)" },
        refusal: {
            "A user may have \($0) ended periods; those of deleted subscriptions count for \(SubscriptionQueries.restorableDays) days. Give a later start, or delete subscriptions with a long history."
        },
        mergeRefusal: {
            "Together with the account's these would be more than \($0) ended periods; delete subscriptions with a long history first, which count for \(SubscriptionQueries.restorableDays) days."
        })

    /// Plans of the user's own.
    static let privatePlans = UserLimit(
        name: "privatePlans", standard: 10_000,
        count: { "SELECT COUNT(*) FROM Plan WHERE Owner_ID = \($0.uuid)" },
        refusal: { "A user may have \($0) plans of their own; use one that is there (planId) or change it." },
        mergeRefusal: {
            "Together with the account's these would be more than \($0) plans of your own; delete some on this device first."
        })

    /// Former and announced prices of the user's own plans.
    static let prices = UserLimit(
        name: "prices", standard: 50_000,
        count: {
            "SELECT COUNT(*) FROM Plan p JOIN Plan_price x ON x.Plan_ID = p.Plan_ID WHERE p.Owner_ID = \($0.uuid)"
        },
        refusal: { "The plans of a user may have \($0) former prices together; delete a plan that is not used." },
        mergeRefusal: {
            "Together with the account's these would be more than \($0) former prices of plans of your own; delete plans that are not used."
        })
}

/// The numbers of this area.
extension UserLimits {
    /// ``UserLimit/subscriptions``
    public var subscriptions: Int {
        get { self[.subscriptions] }
        set { self[.subscriptions] = newValue }
    }
    /// ``UserLimit/keptSubscriptions``
    public var keptSubscriptions: Int {
        get { self[.keptSubscriptions] }
        set { self[.keptSubscriptions] = newValue }
    }
    /// ``UserLimit/periods``
    public var periods: Int {
        get { self[.periods] }
        set { self[.periods] = newValue }
    }
    /// ``UserLimit/privatePlans``
    public var privatePlans: Int {
        get { self[.privatePlans] }
        set { self[.privatePlans] = newValue }
    }
    /// ``UserLimit/prices``
    public var prices: Int {
        get { self[.prices] }
        set { self[.prices] = newValue }
    }
    /// Prices of one of the user's own plans: each look at a subscription reads them.
    public var pricesOfPlan: Int {
        get { self["pricesOfPlan", 1_000] }
        set { self["pricesOfPlan", 1_000] = newValue }
    }
    /// Periods of the subscriptions of a changed plan that the change may take back or record.
    public var periodsOfPlanChange: Int {
        get { self["periodsOfPlanChange", 5_000] }
        set { self["periodsOfPlanChange", 5_000] = newValue }
    }
    /// Subscriptions whose periods a change of a plan may alter: 5 s of work.
    public var subscriptionsOfPlanChange: Int {
        get { self["subscriptionsOfPlanChange", 1_000] }
        set { self["subscriptionsOfPlanChange", 1_000] = newValue }
    }
}
