import SubTrackAPI

/// Contacts: people with numbers, addresses and days that matter.
struct ContactsArea: Area {
    let name = "contacts"
    let presence = AreaPresence.on
    let entities: [any SyncedEntity] = [Self.entity]
    let changeable: [any ChangeableEntity] = [Self.entity]
    let userData: (any UserData)? = ContactData()
    let jobs = [Self.entity.upkeep]

    /// The kind of row.
    static let entity = DeclaredEntity(
        StoredContact.self,
        beside: .init(columns: ["Card_UID", "Card_rest"], tables: [("Former_card", ["Card_UID"])]))

    func register(in operations: inout OperationRegistry) {
        let entity = Self.entity
        operations.register(ListContacts.self, handler: ContactList.list)
        operations.register(GetContact.self) { try await entity.get($0.id, $1) }
        operations.register(CreateContact.self) { try await entity.change(.create, $0.id, $0, $1) }
        operations.register(PutContact.self) { try await entity.put($0.id, $0, $1) }
        operations.register(UpdateContact.self) { try await entity.change(.update, $0.id, $0, $1) }
        operations.register(DeleteContact.self) { try await entity.delete($0.id, $0, $1) }
        operations.register(RestoreContact.self) { try await entity.change(.restore, $0.id, $0, $1) }
        operations.register(ListContactDuplicates.self, handler: ContactMerging.duplicates)
        operations.register(MergeContacts.self, handler: ContactMerging.merge)
        operations.register(ImportContacts.self, handler: ContactImport.handle)
        ContactExport.register(in: &operations)
    }
}
