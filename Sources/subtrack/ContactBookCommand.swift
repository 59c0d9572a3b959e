import ArgumentParser
import Foundation
import SubTrackAPI
import SubTrackKit

struct ContactBook: ContactCommand {
    static let configuration = CommandConfiguration(
        commandName: "carddav",
        abstract:
            "Makes a password with which the address book of a phone or a mail program has your contacts (CardDAV).",
        discussion: """
            The program signs in with your e-mail address and that password, and is a device of its own. It never needs the password of \
            your account, which is asked for here, or is a line of the standard input.

            subtrack contacts carddav Thunderbird
            subtrack contacts carddav --devices
            subtrack contacts carddav --sign-out Thunderbird
            """)
    @OptionGroup var home: Home
    @Argument(help: "A name for the program, by which you know it among your devices.") var name = "Address book"
    @Option(help: ArgumentHelp("The account, where you have several.", valueName: "address")) var email: String?
    @Flag(help: "Show the devices that are signed in, programs included.") var devices = false
    @Option(
        help: ArgumentHelp(
            "Sign a device out: a password that was made for it ends. Part of its name is enough.", valueName: "name"))
    var signOut: String?
    var account: String? { email }

    func validate() throws {
        guard !devices || signOut == nil else { throw ValidationError("--devices and --sign-out go one at a time") }
    }

    func work(_ session: Session) async throws {
        try session.needService()
        if devices { return try await list(session.kit) }
        if let signOut { return try await end(signOut, session.kit) }
        try await add(session.kit)
    }

    private func add(_ kit: Kit) async throws {
        let known = try kit.user().accounts.map(\.email)
        guard let first = known.first else {
            throw Failure(
                "this device has no account, and a program signs in to one", hint: "subtrack register EMAIL")
        }
        let wanted = email?.lowercased()
        guard let address = wanted == nil ? first : known.first(where: { $0.lowercased() == wanted }) else {
            let own = known.map(Terminal.clean).joined(separator: ", ")
            throw Failure("this is no account of yours; there is \(own)", code: Exit.usage)
        }
        guard let password = Prompt.password("Password of \(Terminal.clean(address)): ") else {
            throw Failure.noPassword
        }
        let made = try await kit.addAddressBook(email: address, password: password, name: name)
        guard !home.json else { return try Output.json(made) }
        try Output.line("Address    \(Terminal.clean(made.address))")
        try Output.line("User name  \(Terminal.clean(made.userName))")
        try Output.line("Password   \(Terminal.clean(made.password))")
        try Output.line(
            home.terminal.fitted(
                """
                Type them into the program now: the password is shown this once.
                It ends when you sign the program out: subtrack contacts carddav --sign-out \(TypedCommand.quoted(name))
                """))
    }

    private func list(_ kit: Kit) async throws {
        let sessions = try await kit.devices()
        guard !home.json else { return try Output.json(sessions) }
        for session in sessions {
            try Output.line(home.terminal.fitted(Self.line(session)))
        }
    }

    private static func line(_ session: ListSessions.Session) -> String {
        let day = String(session.lastUsedAt.description.prefix(10))
        return "\(Terminal.clean(session.device.name)), last used on \(day)\(session.current ? " (this device)" : "")"
    }

    private func end(_ text: String, _ kit: Kit) async throws {
        let others = try await kit.devices().filter { !$0.current }
        let exact = others.filter { $0.device.name == text }
        let found = exact.isEmpty ? others.filter { $0.device.name.localizedCaseInsensitiveContains(text) } : exact
        guard let one = found.first else {
            throw Failure(
                "no other device is called \"\(Terminal.clean(text))\"", hint: "subtrack contacts carddav --devices")
        }
        guard found.count == 1 else {
            let lines = found.map(Self.line).joined(separator: "\n")
            throw Failure("it could be \(found.count) devices; sign them out in the web app:\n\(lines)")
        }
        try await kit.signOut(session: one.id)
        guard !home.json else { return try Output.json(one) }
        try Output.line(home.terminal.fitted("Signed out \(Terminal.clean(one.device.name))."))
    }
}
