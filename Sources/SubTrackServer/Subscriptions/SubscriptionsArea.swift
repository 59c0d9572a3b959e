/// Subscriptions, their periods, and plans of users' own.
struct SubscriptionsArea: Area {
    let name = "subscriptions"
    let entities: [any SyncedEntity] = [SubscriptionEntity(), PeriodEntity()]
    let changeable: [any ChangeableEntity] = [SubscriptionEntity(), PrivatePlanEntity()]
    let preparations: [any UserPreparation] = [RenewalPreparation()]
    let jobs = [SubscriptionUpkeep.job]
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
