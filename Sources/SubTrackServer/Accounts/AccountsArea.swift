/// Users, their devices, accounts and mails.
struct AccountsArea: Area {
    let name = "accounts"
    let presence = AreaPresence.always
    let entities: [any SyncedEntity] = [UserEntity()]
    let changeable: [any ChangeableEntity] = [UserEntity()]
    let userData: (any UserData)?
    let services: AccountServices
    /// All areas' rows of users.
    private let users: UserDataRegistry

    /// Accounts beside other areas, whose rows of users they merge, export and delete.
    init(services: AccountServices, others: [any Area]) {
        let own = AccountData()
        self.services = services
        userData = own
        users = UserDataRegistry(own, of: "accounts", others: others)
    }

    var jobs: [Job] { [AccountUpkeep(users: users).job, UserErasure(users: users).job] }

    func register(in operations: inout OperationRegistry) {
        DeviceHandlers.register(in: &operations, services: services)
        UserHandlers.register(in: &operations)
        AccountHandlers.register(in: &operations, services: services)
        AccountRemoval.register(in: &operations, services: services)
        PasswordHandlers.register(in: &operations, services: services)
        PasswordReset.register(in: &operations, services: services)
        MailLinkHandlers.register(in: &operations, services: services)
        SignIn.register(in: &operations, services: services, users: users)
        SessionHandlers.register(in: &operations, services: services, users: users)
        OwnDataHandlers.register(in: &operations, services: services, users: users)
    }
}
