import ArgumentParser
import Foundation
import SubTrackAPI
import SubTrackKit

struct Register: SessionCommand {
    static let configuration = CommandConfiguration(
        commandName: "register",
        abstract: "Gives you an account: an e-mail and a password that lead to your data from any device.")
    @OptionGroup var home: Home
    @Argument(help: "Your e-mail address.") var email: String
    @Option(help: "What you are called.") var name: String?

    func run(_ session: Session) async throws {
        try session.needService()
        guard let password = Prompt.password("Password (8 characters or more): ") else {
            throw Failure("no password was given", hint: "type it, or put it on the standard input")
        }
        if Prompt.isInteractive, Prompt.password("Once more: ") != password {
            throw Failure("the passwords differ; nothing was done")
        }
        let user = try await session.kit.register(email: email, password: password, userName: name)
        home.rememberServer()
        guard !home.json else { return try Output.json(user) }
        try Output.line(
            home.terminal.fitted("Registered. Sign in on other devices: subtrack login \(Terminal.clean(email))"))
    }
}

struct Login: SessionCommand {
    static let configuration = CommandConfiguration(
        commandName: "login",
        abstract: "Signs in with e-mail and password. What was kept on this device is merged.")
    @OptionGroup var home: Home
    @Argument(help: "Your e-mail address.") var email: String
    @Flag(help: "Make the account where there is none.") var create = false

    func run(_ session: Session) async throws {
        try session.needService()
        guard let password = Prompt.password("Password: ") else {
            throw Failure("no password was given", hint: "type it, or put it on the standard input")
        }
        let made = try await session.kit.signIn(email: email, password: password, createIfMissing: create)
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
        abstract: "Signs out: what waits is sent, and nothing of yours stays on this device.")
    @OptionGroup var home: Home
    @Flag(help: "Where the session has ended elsewhere: forget what could not be sent.") var discard = false

    func run(_ session: Session) async throws {
        try session.needService()
        try await session.kit.signOut(discardingUnsent: discard)
        guard !home.json else { return try Output.json(["signedOut": true]) }
        try Output.line("Signed out. This device starts afresh.")
    }
}

struct Move: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "move",
        abstract: "Says that the service has another address now. Data and token of this device are given to that one.")
    @OptionGroup var home: Home
    @Argument(help: "Where the service is now.") var address: String

    func run() async throws {
        try await perform {
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
