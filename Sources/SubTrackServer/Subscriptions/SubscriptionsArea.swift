/// Subscriptions, their periods, and plans of users' own.
struct SubscriptionsArea: Area {
    let name = "subscriptions"
    let entities: [any SyncedEntity] = [SubscriptionEntity(), PeriodEntity()]
    let changeable: [any ChangeableEntity] = [SubscriptionEntity(), PrivatePlanEntity()]
    let preparations: [any UserPreparation] = [RenewalPreparation()]
    let jobs = [SubscriptionUpkeep.job]

    func register(in operations: inout OperationRegistry) {
        DashboardHandler.register(in: &operations)
        SubscriptionReading.register(in: &operations)
        SubscriptionCreation.register(in: &operations)
        SubscriptionChanges.register(in: &operations)
    }
}
