import ArgumentParser
import SubTrackAPI
import SubTrackKit

struct Password: SessionCommand {
    static let configuration = CommandConfiguration(
        commandName: "password",
        abstract: "Changes the password of your account, or replaces one that is forgotten.",
        discussion: """
            Both passwords are asked for, or are lines of the standard input: the one so far first. Your other devices are \
            signed out.

            With --forgot the service sends a mail. Its link sets a new password, and signs out all devices:

            subtrack password --forgot ada@example.org
            """)
    @OptionGroup var home: Home
    @Argument(help: "The e-mail address of the account; not needed on a device that has one account.") var email:
        String?
    @Flag(help: "Ask for a mail by which a new password is set.") var forgot = false
    var account: String? { email }

    func run(_ session: Session) async throws {
        try session.needService()
        let known = try session.kit.user().accounts.map(\.email)
        if forgot { try await askForMail(session, known) } else { try await change(session, known) }
    }

    /// Asks for the mail. The service gives one answer for all addresses, so that nobody learns which of them has an account.
    private func askForMail(_ session: Session, _ known: [String]) async throws {
        guard let email = email ?? (known.count == 1 ? known.first : nil) else { throw unnamed(known) }
        let client = session.kit.client
        guard try await client.call(GetServerInfo(), token: .some(nil)).sendsMails else {
            throw Failure(
                "the service at \(Terminal.clean(client.server)) sends no mails, so that nobody can replace a forgotten password",
                hint: "ask its operator to set a mail server (subtrackd serve --smtp-url)\n"
                    + "a device that is signed in keeps the data: subtrack export writes them to a file")
        }
        try await client.call(ForgotPassword(email: email))
        home.rememberServer()
        guard !home.json else { return try Output.json(["mailRequested": true]) }
        let address = Terminal.clean(email)
        try Output.line(
            home.terminal.fitted(
                """
                A mail was asked for. It comes if \(address) has an account there, and if the service sends mails.
                Its link is good for an hour.
                After that sign in: subtrack login \(address)
                If no mail comes, look at the spelling.
                """))
    }

    private func change(_ session: Session, _ known: [String]) async throws {
        guard let first = known.first else {
            throw Failure(
                "this device has no account, and so no password",
                hint: "subtrack register EMAIL\nsubtrack password --forgot EMAIL")
        }
        guard let account = email ?? (known.count == 1 ? first : nil) else { throw unnamed(known) }
        guard let current = Prompt.password("Password of \(Terminal.clean(account)) so far: "),
            let password = Prompt.password("New password (8 characters or more): ")
        else { throw Failure.noPassword }
        if Prompt.isInteractive, Prompt.password("Once more: ") != password {
            throw Failure("the passwords differ; nothing was done", code: Exit.usage)
        }
        try await session.kit.client.call(
            ChangePassword(email: email, currentPassword: current, newPassword: password))
        guard !home.json else { return try Output.json(["passwordChanged": true]) }
        try Output.line(home.terminal.fitted("The password is changed, and your other devices are signed out."))
    }

    /// The address is needed, and was not typed.
    private func unnamed(_ known: [String]) -> Failure {
        Failure(
            known.isEmpty ? "say which address the account has" : "you have several accounts: say which",
            hint: TypedCommand().line(adding: [known.first ?? "EMAIL"]), code: Exit.usage)
    }
}
