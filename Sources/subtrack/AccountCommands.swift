import ArgumentParser
import Foundation
import SubTrackAPI
import SubTrackKit

struct Register: SessionCommand {
    static let configuration = CommandConfiguration(
        commandName: "register",
        abstract: "Gives you an account: an e-mail and a password that lead to your data from any device.",
        discussion: """
            The password is asked for, or is a line of the standard input. For a second address of yours the password of the \
            first one is asked for as well, or is the next line.
            """)
    @OptionGroup var home: Home
    @Argument(help: "Your e-mail address.") var email: String
    @Option(help: "What you are called.") var name: String?

    func run(_ session: Session) async throws {
        try checkFormer(session.kit)
        try session.needService()
        guard let password = Prompt.password("Password (8 characters or more): ") else { throw Failure.noPassword }
        if Prompt.isInteractive, Prompt.password("Once more: ") != password {
            throw Failure("the passwords differ; nothing was done", code: Exit.usage)
        }
        var current: String?
        if let account = try session.kit.user().accounts.first?.email {
            current = Prompt.password("Password of \(Terminal.clean(account)) so far: ")
            guard current != nil else { throw Failure.noPassword }
        }
        let user: User
        do {
            user = try await session.notingPlace {
                try await session.kit.register(
                    email: email, password: password, userName: name, currentPassword: current)
            }
        } catch KitError.refused(let problem) where problem.code == .emailTaken {
            let address = TypedCommand.quoted(email)
            throw Failure(
                FieldNames.of(Self.configuration.commandName).text(problem),
                hint: "subtrack login \(address)\nsubtrack password --forgot \(address)")
        }
        home.rememberServer()
        try session.tellReports()
        guard !home.json else { return try Output.json(user) }
        try Output.line(
            home.terminal.fitted("Registered. Sign in on other devices: subtrack login \(Terminal.clean(email))"))
    }

    /// Says which account the device has already, before a password is asked for.
    /// - Throws: ``Failure`` where it is the same one.
    private func checkFormer(_ kit: Kit) throws {
        let known = try kit.user().accounts.map(\.email)
        if let same = known.first(where: { $0.lowercased() == email.lowercased() }) {
            throw Failure(
                "this device is registered as \(Terminal.clean(same)) already",
                hint: "on another device: subtrack login \(TypedCommand.quoted(same))\n"
                    + "for another user sign out here first: subtrack logout")
        }
        guard let first = known.first else { return }
        Output.say(
            "This device is registered as \(Terminal.clean(first)) already. \(Terminal.clean(email)) will lead to the same user. "
                + "For another user sign out first: subtrack logout")
    }
}

struct Login: SessionCommand {
    static let configuration = CommandConfiguration(
        commandName: "login",
        abstract: "Signs in with e-mail and password. What was kept on this device is merged.")
    @OptionGroup var home: Home
    @Argument(help: "Your e-mail address.") var email: String
    @Flag(help: "Make the account where there is none.") var create = false
    var account: String? { email }

    func run(_ session: Session) async throws {
        try session.needService()
        guard let password = Prompt.password("Password: ") else { throw Failure.noPassword }
        let made = try await session.notingPlace {
            try await session.kit.signIn(email: email, password: password, createIfMissing: create)
        }
        home.rememberServer()
        try session.tellReports()
        guard !home.json else { return try Output.json(made.user) }
        try Output.line("Signed in as \(Terminal.clean(made.user.userName ?? email)).")
        switch made.merged.moved {
        case ...0: break
        case 1: try Output.line("1 subscription of this device was moved along.")
        case let count: try Output.line("\(count) subscriptions of this device were moved along.")
        }
    }
}

struct Logout: SessionCommand {
    static let configuration = CommandConfiguration(
        commandName: "logout",
        abstract: "Signs out: what waits is sent, and nothing of yours stays on this device.",
        discussion: """
            Without an account nobody could come back to the data. Then it refuses, unless --discard says that they may go.
            """)
    @OptionGroup var home: Home
    @Flag(
        help: """
            Give up data that would be lost: all of them without an account; changes that were never sent where the session \
            has ended elsewhere.
            """) var discard = false

    func run(_ session: Session) async throws {
        try session.needService()
        if try await isAlone(session) {
            try await forget(session)
        } else {
            try await session.kit.signOut(discardingUnsent: discard)
        }
        try session.tellReports()
        try session.kit.forgetDismissedReports()
        guard !home.json else { return try Output.json(["signedOut": true]) }
        try Output.line("Signed out. This device starts afresh.")
    }

    /// Whether no account leads to the data, also after changes of other devices.
    private func isAlone(_ session: Session) async throws -> Bool {
        let kit = session.kit
        guard try !kit.isSignedOut() && kit.user().accounts.isEmpty else { return false }
        guard try kit.isRegistered() else { return true }
        do {
            try await session.sync()
        } catch KitError.signedOut {
            return false
        }
        return try kit.user().accounts.isEmpty
    }

    /// Signs out of a user without account, where there is nothing or it may go.
    private func forget(_ session: Session) async throws {
        let kit = session.kit
        let count = try kit.subscriptions().count
        guard try discard || count == 0 && kit.pendingCount() == 0 else { throw refusal(count) }
        guard try !discard && kit.isRegistered() else { return try await kit.deleteUser() }
        do {
            try await kit.signOut()
        } catch KitError.refused(let problem) where problem.code == .statusConflict {
            // Deleted subscriptions can be restored, and a plan may have no subscription.
            throw refusal(count)
        }
    }

    private func refusal(_ count: Int) -> Failure {
        let what = count == 0 ? "its data" : count == 1 ? "its subscription" : "its \(count) subscriptions"
        return Failure(
            "this device has no account, so that nobody could come back to \(what) after signing out: register one, export them, or "
                + "give them up by --discard",
            hint: "subtrack register EMAIL\nsubtrack export > subscriptions.json\nsubtrack logout --discard")
    }
}

extension Failure {
    /// A command that needs a password got none.
    static let noPassword = Failure(
        "no password was given", hint: "Type it, or put it on the standard input", code: Exit.usage)
}

struct Move: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "move",
        abstract: "Says that the service has another address now. Data and token of this device are given to that one.")
    @OptionGroup var home: Home
    @Argument(help: "Where the service is now.") var address: String

    func run() async throws {
        try await perform {
            try Home.check(address, of: "the new address")
            // Data and token go to no address that is mistyped.
            if !home.offline { try await checkService() }
            let kit = try home.open(movedTo: address)
            home.rememberServer(address)
            let pending = try kit.pendingCount()
            guard !home.json else { return try Output.json(["server": kit.client.server]) }
            try Output.line(home.terminal.fitted("This device belongs to \(Terminal.clean(kit.client.server)) now."))
            if pending > 0 { try Output.line("\(Session.changes(pending)) to be sent yet: subtrack sync") }
        }
    }

    /// Makes sure that a service answers at the new address.
    private func checkService() async throws {
        let tokens = FileTokenStore(path: home.folder.appendingPathComponent("token").path)
        do {
            let transport = home.transport(to: address, hasMoved: true)
            try await Client(server: address, tokens: tokens, transport: transport).checkService()
        } catch let error as KitError {
            if case .insecure = error { throw error }
            throw Failure(
                "no SubTrackIt service answers at \(Terminal.clean(Client.normalized(address))): \(error)",
                hint: "give the address of the service; nothing was changed", code: Failure(error).code)
        }
    }
}
