/// Subscriptions, their periods, and plans of users' own.
struct SubscriptionsArea: Area {
    let name = "subscriptions"
    let presence = AreaPresence.always
    let entities: [any SyncedEntity] = [SubscriptionEntity(), PeriodEntity()]
    let changeable: [any ChangeableEntity] = [SubscriptionEntity(), PrivatePlanEntity()]
    let jobs = [SubscriptionUpkeep.job]
    let userData: (any UserData)? = SubscriptionData()
    let fields: [String: [String: String]] = Self.fields(startingBy: "startDate")
    /// The cache of lists, one for all tenants.
    let lists: RememberedLists

    /// The input fields of columns.
    /// - Parameter start: the field by which the caller gave the first day of a period.
    static func fields(startingBy start: String) -> [String: [String: String]] {
        let price = ["Plan_ID": "planId", "Fee": "plan.fee", "Currency_code": "plan.currency"]
        let plan = [
            "Provider": "plan.provider", "Plan_name": "plan.name", "Subscription_type": "plan.type",
            "Duration_value": "plan.duration.value",
        ]
        return [
            "Subscription": [
                "Subscription_ID": "id", "Plan_ID": "planId", "Start_date": start, "End_date": start, "Own_fee": "fee",
            ],
            "Subscription_period": price,
            "Plan": plan.merging(price) { first, _ in first },
            "Plan_price": price,
            "Private_provider": ["Provider": "plan.provider"],
        ]
    }

    func register(in operations: inout OperationRegistry) {
        DashboardHandler.register(in: &operations)
        SubscriptionList(lists: lists).register(in: &operations)
        SubscriptionReading.register(in: &operations)
        SubscriptionCreation.register(in: &operations)
        SubscriptionChanges.register(in: &operations)
    }
}
