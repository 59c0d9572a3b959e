import SubTrackAPI

/// Reminders of renewals and other days. Each is decided once, and goes out by mail.
struct RemindersArea: Area {
    static let identifier = "reminders"

    let name = Self.identifier
    let presence = AreaPresence.on
    let userData: (any UserData)? = ReminderData()
    let mailer: Mailer
    /// The use of tokens of notifications, for all tenants.
    var answers = AnswerGuard()
    var channels = ChannelServices.off

    var entities: [any SyncedEntity] {
        [ReminderSettingEntity(), ChannelEntity(services: channels), ReminderEntity()]
    }
    var changeable: [any ChangeableEntity] {
        [ReminderSettingEntity(), ChannelEntity(services: channels), ReminderEntity()]
    }

    var rounds: [Round] {
        let mail = ReminderMail(mailer: mailer)
        return [
            Round(name: "reminder-looks", run: ReminderLook.step),
            Round(name: "reminder-mails", run: mail.step),
            Round(name: "reminder-channels", run: ChannelDeliveries(services: channels, mailer: mailer).step),
        ]
    }
    let jobs = [ReminderUpkeep.job]

    func register(in operations: inout OperationRegistry) {
        ReminderHandlers.register(in: &operations)
        ReminderSettingHandlers.register(in: &operations)
        AnswerHandlers(limits: answers).register(in: &operations)
        CalendarHandlers(mailer: mailer).register(in: &operations)
        ChannelHandlers(services: channels).register(in: &operations)
    }
}
