import Foundation
import MariaDB
import Passwords
import SubTrackAPI
import SubTrackCore

/// Signing in with e-mail and password, from a device that is new, in use without account, or another account's.
struct SignIn {
    /// Registers the handler.
    static func register(
        in registry: inout OperationRegistry, services: AccountServices, users: UserDataRegistry
    ) {
        registry.register(CreateSession.self) { input, call in
            do {
                return try await SignIn(input, call, services, users).run()
            } catch let ended as OwnSessionEnded {
                // Its token was looked up before it ended. One that has ended counts as none.
                call.tenant.sessions.forget(ended.session.user)
                var call = call
                call.session = nil
                return try await SignIn(input, call, services, users).run()
            }
        }
    }

    private let call: Call
    private let services: AccountServices
    private let users: UserDataRegistry
    private let email: EmailAddress
    private let password: Password
    private let typedPassword: String
    private let userName: String?
    private let mayCreate: Bool
    private let device: DeviceChoice
    private let session: UUID
    private let token: Token

    private init(
        _ input: CreateSession, _ call: Call, _ services: AccountServices, _ users: UserDataRegistry
    ) throws {
        self.call = call
        self.services = services
        self.users = users
        email = try EmailAddress(input.email)
        password = try InputPassword.presented(input.password, field: "password")
        typedPassword = input.password
        userName = try InputText.optional(input.userName, field: "userName", maximum: 100)
        mayCreate = input.createIfMissing ?? false
        device = try DeviceChoice(input.device, call)
        session = try UUIDv7.make(now: call.now)
        token = try Token.generate()
    }

    /// How often it begins anew because the account was changed while its password was compared.
    private static let attempts = 3

    /// An account that has changed since its password was compared.
    private struct Changed: Error {}

    /// The session whose token was sent along has ended since that was looked up.
    private struct OwnSessionEnded: Error {
        let session: Session
    }

    private func run() async throws -> Reply<CreateSession.Output> {
        try services.limits.countKnown(call)
        for attempt in 1...Self.attempts {
            let (account, isKnown) = try await look()
            if attempt == 1, !isKnown { try await services.limits.countStranger(call) }
            guard let right = try await compare(account, isKnown: isKnown) else {
                guard mayCreate else { throw AccountServices.wrong }
                // From here on the answer reveals whether there is such an account.
                try services.limits.countRegistration(call)
                guard account == nil else { throw AccountServices.wrong }
                return Reply(try await create())
            }
            do {
                return Reply(try await signIn(try await rehashed(right)))
            } catch is Changed {}
        }
        throw Problem(.unavailable, "The account is being changed; try again in a moment.")
    }

    /// The account, and whether it knows the device.
    private func look() async throws -> (account: AccountQueries.Row?, isKnown: Bool) {
        try await call.tenant.read { connection in
            let account = try await AccountQueries.account(email, on: connection)
            // Without an account the question is asked all the same: the answer shall take as long.
            let user = account?.user ?? UserID(uuid: session)
            return (account, try await SessionQueries.knows(device.id, user: user, on: connection))
        }
    }

    /// Compares the password. A device that was signed in before is not kept out by somebody who guesses elsewhere.
    private func compare(_ account: AccountQueries.Row?, isKnown: Bool) async throws -> AccountQueries.Row? {
        // The stored address: spellings that the database takes for the same wait as the same.
        let address = (account?.email ?? email).limitKey
        return try await services.check(
            password, against: account.map { [$0] } ?? [],
            key: isKnown ? "device \(device.id) \(address)" : "account \(address)", device: isKnown ? device.id : nil,
            call)
    }

    /// Stores a stronger hash of the same password where today's parameters are higher.
    /// - Returns: the account with the hash that it has now.
    private func rehashed(_ account: AccountQueries.Row) async throws -> AccountQueries.Row {
        guard account.hash?.needsRehash(to: services.hasher.rounds) == true,
            let hash = try? await services.hash(password, call)
        else { return account }
        var stronger = account
        let isStored = try await call.tenant.read { connection in
            try await AccountQueries.setPassword(of: account.email, to: hash, from: account.password, on: connection)
        }
        guard isStored else { throw Changed() }
        stronger.password = hash.encoded
        return stronger
    }

    // MARK: An account that is there

    private func signIn(_ account: AccountQueries.Row) async throws -> CreateSession.Output {
        guard let former = call.session?.user, former != account.user else {
            return try await finish(account, merging: nil)
        }
        // Due renewals come first, on both sides, so that the same subscription looks the same.
        let theirs = LocalDay.today(at: call.now, timeZone: account.timeZone) ?? call.now.date(secondsFromUTC: 0)
        let ours = call.session?.today(at: call.now) ?? theirs
        try await users.prepare(former, in: call.tenant, today: ours)
        try await users.prepare(account.user, in: call.tenant, today: theirs)
        return try await finish(account, merging: former)
    }

    /// - Parameter former: the user whom the device was before; merged when without account.
    private func finish(_ account: AccountQueries.Row, merging former: UserID?) async throws -> CreateSession.Output {
        let hash = try token.hash
        let output = try await call.tenant.write(in: WriteScopes(account.user, becoming: former)) { connection in
            // The password was compared without a lock.
            guard let now = try await AccountQueries.account(account.email, on: connection), now.isStill(account)
            else { throw Changed() }
            try await checkOwnSession(on: connection)
            let isKnown = try await SessionQueries.knows(device.id, user: account.user, on: connection)
            let name = try await device.take(for: account.user, on: connection)
            var merged = CreateSession.Merged()
            if let former, try await AccountQueries.accounts(of: former, on: connection).isEmpty {
                let merge = UserMerge(
                    former: former, user: account.user, device: device.id, limits: call.tenant.limits)
                merged = try await merge.run(users, in: call.tenant, on: connection)
            }
            try await SessionQueries.replace(
                session: session, device: device.id, tokenHash: hash.bytes, on: connection)
            try await SessionQueries.removeLongestUnused(of: account.user, but: device.id, on: connection)
            if !isKnown {
                try await SessionQueries.know(device.id, user: account.user, on: connection)
                // A stranger's address, registered by somebody else, must not be told a text of that other person's.
                try await AccountNotices(call, services, country: account.country)
                    .send(.newDevice, to: account.email, now.isVerified ? name : nil, on: connection)
            }
            guard let user = try await UserQueries.user(account.user, on: connection) else { throw Changed() }
            return CreateSession.Output(
                user: user, device: Device(id: device.id, name: name), token: token.text, created: false,
                merged: merged)
        }
        services.mailer.wake(call.tenant)
        call.tenant.sessions.forget(account.user)
        if let former { call.tenant.sessions.forget(former) }
        return output
    }

    /// Sees that the token that was sent along is still the device's: it was looked up before, and may be remembered.
    /// - Throws: ``OwnSessionEnded``.
    private func checkOwnSession(on connection: Connection) async throws {
        guard let own = call.session else { return }
        guard try await SessionQueries.isOpen(own, on: connection) else { throw OwnSessionEnded(session: own) }
    }

    // MARK: An account that is made

    private func create() async throws -> CreateSession.Output {
        _ = try InputPassword.chosen(typedPassword, email: email, userName: userName, field: "password")
        let passwordHash = try await services.hash(password, call)
        let tokenHash = try token.hash
        let fresh = UserID(uuid: try UUIDv7.make(now: call.now))
        let former = call.session?.user
        let output = try await call.tenant.write(scope: former ?? fresh) { connection in
            try await checkOwnSession(on: connection)
            // The device's user, unless an account leads there already: then this one is somebody else.
            var user = fresh
            if let former, try await AccountQueries.accounts(of: former, on: connection).isEmpty {
                user = former
            } else {
                try await device.makeUser(fresh, on: connection)
            }
            let name = try await device.take(for: user, on: connection)
            try await AccountQueries.insert(email, hash: passwordHash, user: user, on: connection)
            try await AccountQueries.nameUser(user, userName, on: connection)
            try await SessionQueries.replace(
                session: session, device: device.id, tokenHash: tokenHash.bytes, on: connection)
            try await AccountQueries.knowDevices(of: user, on: connection)
            guard let row = try await UserQueries.user(user, on: connection) else { throw AccountHandlers.userGone }
            try await AccountNotices(call, services, country: row.country).send(.verify, to: email, on: connection)
            return CreateSession.Output(
                user: row, device: Device(id: device.id, name: name), token: token.text, created: true,
                merged: .init())
        }
        services.mailer.wake(call.tenant)
        if let former { call.tenant.sessions.forget(former) }
        return output
    }
}
