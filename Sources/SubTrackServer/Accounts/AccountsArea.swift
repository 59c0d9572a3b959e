/// Users, their devices, accounts and mails.
struct AccountsArea: Area {
    let name = "accounts"
    let entities: [any SyncedEntity] = [UserEntity()]
    let changeable: [any ChangeableEntity] = [UserEntity()]
    let services: AccountServices

    var jobs: [Job] { [AccountUpkeep().job, UserErasure.job] }

    func register(in operations: inout OperationRegistry) {
        DeviceHandlers.register(in: &operations, services: services)
        UserHandlers.register(in: &operations)
        AccountHandlers.register(in: &operations, services: services)
        AccountRemoval.register(in: &operations, services: services)
        PasswordHandlers.register(in: &operations, services: services)
        PasswordReset.register(in: &operations, services: services)
        MailLinkHandlers.register(in: &operations, services: services)
        SignIn.register(in: &operations, services: services)
        SessionHandlers.register(in: &operations, services: services)
        OwnDataHandlers.register(in: &operations, services: services)
    }
}
