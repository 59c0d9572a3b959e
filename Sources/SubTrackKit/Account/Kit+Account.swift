import Foundation
import GRDB
import SubTrackAPI

/// Who is signed in on the device. Before the user changes, what waits is sent; then rows and cursor are dropped and pulled anew.
extension Kit {
    /// Whether this device's session has ended: what is here stays, and its owner has to sign in again.
    public func isSignedOut() throws -> Bool { try store.state(.signedOut) != nil }

    /// Whether the device is known to the service.
    public func isRegistered() throws -> Bool {
        guard try client.tokens.token() != nil else { return try store.state(.user) != nil }
        return true
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
        try await sync()
        return made.user
    }

    /// Signs in with e-mail and password. What the device has kept without account is merged into the account's user.
    /// - Parameter createIfMissing: whether the account is made where there is none of this address.
    /// - Returns: who is signed in, and what became of what the device had.
    /// - Throws: ``KitError``. Offline nothing changes.
    @discardableResult
    public func signIn(
        email: String, password: String, createIfMissing: Bool = false
    ) async throws -> CreateSession.Output {
        var token = try client.tokens.token()
        let hasEnded = try isSignedOut() || token == nil
        if hasEnded {
            // An ended token must not be sent along; the device is known by its id.
            token = nil
        } else if try pendingCount() > 0 {
            try await sync()
        }
        let device = try DeviceRegistration(store: store, client: client, settings: settings).deviceID()
        let made = try await client.call(
            CreateSession(
                email: email, password: password, createIfMissing: createIfMissing,
                device: .init(
                    id: token == nil ? device : nil, name: settings.deviceName, country: settings.country,
                    timeZone: settings.timeZone)), token: .some(token))
        try replaceUser(made.user, device: made.device, keepOutbox: hasEnded)
        try client.tokens.set(made.token)
        // A socket of the former token may have said that it ended, while that was still the kept one.
        try store.set(.signedOut, nil)
        try await sync()
        return made
    }

    /// Signs out: what waits is sent, and the device gets a fresh user without account.
    /// - Throws: ``KitError``. Offline nothing changes.
    public func signOut() async throws {
        try await sync()
        let made = try await client.call(EndSession())
        try replaceUser(made.user, device: made.device, keepOutbox: false)
        try client.tokens.set(made.token)
        try store.set(.signedOut, nil)
        try await sync()
    }

    /// Ends the user with everything, here and on the service.
    /// - Parameter currentPassword: the account's, where there is one.
    public func deleteUser(currentPassword: String? = nil) async throws {
        try await client.call(DeleteMe(currentPassword: currentPassword))
        try client.tokens.set(nil)
        try store.write { try Store.dropAll(in: $0) }
    }

    /// Takes note of who is signed in now. The rows of the former user go; were the process to end here, the device would have
    /// an ended token and no rows, and sign in again.
    /// - Parameter keepOutbox: whether what waits may be the same user's: a session had ended in the middle of work.
    private func replaceUser(_ user: User, device: Device, keepOutbox: Bool) throws {
        let now = settings.clock().secondsSince1970
        try store.write { database in
            let former = try Store.state(.user, in: database)
            let isSame = former == user.id.lowercased
            // What was changed before there was any user is the first one's.
            if former != nil, !isSame || !keepOutbox {
                // Somebody else's changes are not sent in this user's name; they are told, not lost silently.
                for entry in try Store.outbox(in: database) {
                    try Store.report(
                        entry.mutation, lost: [],
                        problem: Problem(.statusConflict, "It was not sent before another user signed in."), at: now,
                        in: database)
                }
                try database.execute(sql: "DELETE FROM outbox")
            }
            if !isSame {
                try database.execute(sql: "DELETE FROM acknowledged")
                try database.execute(sql: "DELETE FROM deleted")
            }
            try Store.dropRows(in: database)
            try Store.startOver(nil, in: database)
            try Store.set(.user, user.id.lowercased, in: database)
            try Store.set(.device, device.id.lowercased, in: database)
            try Store.set(.country, user.country, in: database)
            try Store.set(.timeZone, user.timeZone, in: database)
            try Store.set(.signedOut, nil, in: database)
        }
    }
}
