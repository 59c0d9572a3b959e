/// Subscriptions, their periods, and plans of users' own.
struct SubscriptionsArea: Area {
    let name = "subscriptions"
    let entities: [any SyncedEntity] = [SubscriptionEntity(), PeriodEntity()]
    let changeable: [any ChangeableEntity] = [SubscriptionEntity(), PrivatePlanEntity()]
    let jobs = [SubscriptionUpkeep.job]
    let userData: (any UserData)? = SubscriptionData()
    /// The cache of lists, one for all tenants.
    let lists: RememberedLists

    func register(in operations: inout OperationRegistry) {
        DashboardHandler.register(in: &operations)
        SubscriptionList(lists: lists).register(in: &operations)
        SubscriptionReading.register(in: &operations)
        SubscriptionCreation.register(in: &operations)
        SubscriptionChanges.register(in: &operations)
    }
}
