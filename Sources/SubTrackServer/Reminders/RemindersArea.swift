import SubTrackAPI

/// Reminders of renewals and other days. Each is decided once, and goes out by mail.
struct RemindersArea: Area {
    let name = "reminders"
    let presence = AreaPresence.on
    let userData: (any UserData)? = ReminderData()
    let mailer: Mailer

    var rounds: [Round] {
        let mail = ReminderMail(mailer: mailer)
        return [
            Round(name: "reminder-looks", run: ReminderLook.step),
            Round(name: "reminder-mails", run: mail.step),
        ]
    }
    let jobs = [ReminderUpkeep.job]

    func register(in operations: inout OperationRegistry) {
        CalendarHandlers(mailer: mailer).register(in: &operations)
    }
}
