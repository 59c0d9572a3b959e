/// Countries, currencies, providers, plans and their prices.
struct CatalogueArea: Area {
    let name = "catalog"
    let presence = AreaPresence.always
    let entities: [any SyncedEntity] = [
        PlanEntity(), PriceEntity(), ReferenceEntity.provider, ReferenceEntity.country, ReferenceEntity.currency,
    ]
    let scopes: [any ScopeSource] = [ReferenceScopes(), CatalogueScopes()]
    /// A user's own plans are kept by the area of subscriptions.
    let userData: (any UserData)? = nil

    func register(in operations: inout OperationRegistry) { CatalogueHandlers.register(in: &operations) }
}
