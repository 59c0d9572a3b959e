import SubTrackAPI

/// Reminders of renewals and other days. Each is decided once, and goes out by mail.
struct RemindersArea: Area {
    let name = "reminders"
    let presence = AreaPresence.off
    let userData: (any UserData)? = ReminderData()
    let mailer: Mailer

    /// How long the looks wait between two passes.
    static let lookInterval = Duration.seconds(15)

    var rounds: [Round] {
        let mail = ReminderMail(mailer: mailer)
        return [
            Round(name: "reminder-looks", interval: Self.lookInterval, run: ReminderLook.step),
            Round(name: "reminder-mails", interval: Self.lookInterval, run: mail.step),
        ]
    }
    let jobs = [ReminderUpkeep.job]

    func register(in operations: inout OperationRegistry) {}
}
