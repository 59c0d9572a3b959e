import Foundation
import GRDB
import SubTrackAPI

/// Who is signed in on the device. Before the user changes, what waits is sent; then rows and cursor are dropped and pulled anew.
extension Kit {
    /// Whether this device's session has ended: what is here stays, and its owner has to sign in again.
    public func isSignedOut() throws -> Bool { try store.state(.signedOut) != nil }

    /// Whether the device is known to the service.
    public func isRegistered() throws -> Bool {
        try client.tokens.token() != nil || store.state(.user) != nil
    }

    /// Gives the device's user an account, which leads to the user from any device.
    /// - Throws: ``KitError``; the address is taken, the password too common.
    @discardableResult
    public func register(
        email: String, password: String, userName: String? = nil, currentPassword: String? = nil
    ) async throws -> User {
        // The user must be there, and nothing that waits depends on it.
        try await sync()
        let made = try await client.call(
            RegisterAccount(email: email, password: password, userName: userName, currentPassword: currentPassword))
        // Whatever becomes of the pull: from now on somebody can sign in as this user.
        try store.set(.accountless, "0")
        try await syncIfReachable()
        return made.user
    }

    /// Signs in with e-mail and password. What the device has kept without account is merged into the account's user. What is
    /// changed while the sign-in is under way is sent when it is done.
    /// - Parameter createIfMissing: whether the account is made where there is none of this address.
    /// - Returns: who is signed in, and what became of what the device had.
    /// - Throws: ``KitError``. Offline nothing changes.
    @discardableResult
    public func signIn(
        email: String, password: String, createIfMissing: Bool = false
    ) async throws -> CreateSession.Output {
        let before = try store.read { try Store.lastNumber(in: $0) }
        let isAsked = try !hasEnded() || store.read { try Store.mayBeginAgain(in: $0) }
        if isAsked, try pendingCount() > 0 {
            do {
                try await sync()
            } catch KitError.signedOut {
                // It had ended without anybody noticing; what waits is the same user's, or told.
            }
        } else if isAsked {
            try await noticeEnd()
        }
        let made = try await session.lock.held(for: .change) {
            try session.bind()
            // An ended token must not be sent along; the device is known by its id.
            let ended = try hasEnded()
            let token = try ended ? nil : client.tokens.token()
            let registration = DeviceRegistration(session: session)
            let device = try registration.deviceID()
            let (country, timeZone) = try session.placeOfNewUser()
            func create(_ device: UUID?) async throws -> CreateSession.Output {
                try await client.call(
                    CreateSession(
                        email: email, password: password, createIfMissing: createIfMissing,
                        device: .init(id: device, name: settings.deviceName, country: country, timeZone: timeZone)),
                    token: .some(token))
            }
            let made: CreateSession.Output
            do {
                made = try await create(token == nil ? device : nil)
            } catch KitError.refused(let problem) where problem.code == .deviceKnown {
                // The answer to another user's sign-in on this device was lost, and its token with it.
                made = try await create(try registration.renewDeviceID())
            }
            // The service knows the user no more, for a backup was restored that is older. What is here is nowhere else.
            let isTheirs = try ended ? store.read { try Store.isUser(of: email, in: $0) } : false
            let same = Dictionary(made.merged.same.map { ($0.from, $0.to) }, uniquingKeysWith: { $1 })
            try replaceUser(made.user, device: made.device, madeThrough: before, same: same, isTheirs: isTheirs)
            try session.tokens.set(made.token, user: made.user.id.lowercased)
            // A socket of the former token may have said that it ended, while that was still the kept one.
            try store.set(.signedOut, nil)
            return made
        }
        try await syncIfReachable()
        return made
    }

    /// Signs out: what waits is sent, and the device gets a fresh user without account. In a session that has ended already,
    /// the device forgets its user.
    /// - Parameter discardingUnsent: whether data are forgotten that nobody else has: changes that cannot be sent any more, for the
    ///   session has ended, and all data of a user without account.
    /// - Throws: ``KitError``; ``KitError/unsent(_:)`` and ``KitError/onlyCopy`` where there are such data. Offline nothing changes.
    public func signOut(discardingUnsent: Bool = false) async throws {
        let (before, told) = try store.read { database in
            (
                try Store.lastNumber(in: database),
                try Int64.fetchOne(database, sql: "SELECT MAX(number) FROM report") ?? 0
            )
        }
        do {
            try await sync()
            try await session.lock.held(for: .change) {
                let made = try await client.call(EndSession())
                // What came of the last push nobody has seen yet.
                try store.write { try $0.execute(sql: "DELETE FROM report WHERE number <= ?", arguments: [told]) }
                try replaceUser(made.user, device: made.device, madeThrough: before)
                try session.tokens.set(made.token, user: made.user.id.lowercased)
                try store.set(.signedOut, nil)
            }
        } catch KitError.signedOut {
            try await session.lock.held(for: .change) {
                guard try hasEnded() else { throw KitError.store("another session has begun; nothing was done") }
                let count = try pendingCount()
                guard count == 0 || discardingUnsent else { throw KitError.unsent(count) }
                let isOnlyCopy = try store.read {
                    try Store.isAccountless(in: $0) && Store.hasOwnRows(in: $0)
                        || Store.state(.formerRows, in: $0) != nil
                }
                guard !isOnlyCopy || discardingUnsent else { throw KitError.onlyCopy }
                try session.forget()
            }
            return
        }
        try await syncIfReachable()
    }

    /// Ends the user with everything, here and on the service. A device that the service does not know forgets all by itself.
    /// - Parameter currentPassword: the account's, where there is one.
    public func deleteUser(currentPassword: String? = nil) async throws {
        try await session.lock.held(for: .change) {
            guard try isRegistered() else { return try session.forget() }
            do {
                try await client.call(DeleteMe(currentPassword: currentPassword))
            } catch KitError.userDeleted {
                // An answer was lost: it is done.
            }
            try session.forget()
        }
    }

    /// Asks whether the session has ended without anybody noticing. The rows would be taken for another user's then, and dropped.
    private func noticeEnd() async throws {
        guard let token = try client.tokens.token() else { return }
        do {
            _ = try await client.call(GetMe())
        } catch KitError.signedOut {
            // Somebody may have signed in meanwhile.
            let isOver = try client.tokens.token() == token && !store.read { try Store.mayBeginAgain(in: $0) }
            if isOver { try store.set(.signedOut, "1") }
        } catch is KitError {
            // The sign-in meets the same fault, and tells it.
        }
    }

    /// Whether the kept token is of no use any more, or there is none.
    private func hasEnded() throws -> Bool { try isSignedOut() || client.tokens.token() == nil }

    /// What was done is done, whether the network stays there for what follows or not.
    func syncIfReachable() async throws {
        do {
            try await sync()
        } catch KitError.offline {
        }
    }

    /// Takes note of who is signed in now. The rows of the former user go; were the process to end here, the device would have
    /// an ended token and no rows, and sign in again.
    /// - Parameters:
    ///   - last: the last change that was made before this was begun. What is behind it was made in the meantime, and is the
    ///     new user's; what waits from before is somebody else's where the user is another one.
    ///   - same: ids of subscriptions that both users had, and those that stand for them now.
    ///   - isTheirs: whether what the device had of the former user is this user's. Then it is sent again, also what was
    ///     acknowledged.
    private func replaceUser(
        _ user: User, device: Device, madeThrough last: Int64, same: [UUID: UUID] = [:], isTheirs: Bool = false
    ) throws {
        let now = settings.clock().secondsSince1970
        try store.write { database in
            let former = try Store.state(.user, in: database)
            if let former, former != user.id.lowercased, isTheirs {
                // Before what was acknowledged is offered again: the rows have it in them.
                try Store.noteFormer(today: try today(in: database), in: database)
                try Store.startOver(.epoch, in: database)
                for entry in try Store.outbox(in: database) {
                    try Store.handOver(entry, to: user, same: same, in: database)
                }
                try database.execute(sql: "DELETE FROM deleted")
            } else if let former, former != user.id.lowercased {
                let unsent = Problem(.statusConflict, "It was not sent before another user signed in.")
                for entry in try Store.outbox(in: database) {
                    guard entry.number <= last else {
                        try Store.handOver(entry, to: user, same: same, in: database)
                        continue
                    }
                    // Somebody else's changes are not sent in this user's name; they are told, not lost silently.
                    try Store.report(entry.mutation, lost: [], problem: unsent, at: now, in: database)
                    try database.execute(sql: "DELETE FROM outbox WHERE number = ?", arguments: [entry.number])
                }
                try Store.reportFormer(unsent, at: now, in: database)
                try database.execute(sql: "DELETE FROM acknowledged")
                try database.execute(sql: "DELETE FROM deleted")
            }
            // What the former user deleted is not this one's to restore.
            if former != user.id.lowercased { try DeclaredRows.dropDeleted(in: database) }
            try Store.dropRows(in: database)
            try Store.startOver(nil, in: database)
            try Store.set(.user, user.id.lowercased, in: database)
            try Store.set(.device, device.id.lowercased, in: database)
            try Store.set(.country, user.country, in: database)
            try Store.set(.timeZone, user.timeZone, in: database)
            try Store.set(.signedOut, nil, in: database)
            try Store.set(.accountless, user.accounts.isEmpty ? "1" : "0", in: database)
        }
    }
}
