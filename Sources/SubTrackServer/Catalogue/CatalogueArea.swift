/// Countries, currencies, providers, plans and their prices.
struct CatalogueArea: Area {
    let name = "catalogue"
    let entities: [any SyncedEntity] = [
        PlanEntity(), PriceEntity(), ReferenceEntity.provider, ReferenceEntity.country, ReferenceEntity.currency,
    ]
    let scopes: [any ScopeSource] = [ReferenceScopes(), CatalogueScopes()]

    func register(in operations: inout OperationRegistry) { CatalogueHandlers.register(in: &operations) }
}
