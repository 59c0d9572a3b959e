import Foundation
import GRDB
import SubTrackAPI
import SubTrackCore

/// Makes a device known to the service, and gives it a user without account.
struct DeviceRegistration {
    let session: DeviceSession

    private var store: Store { session.store }

    /// Registers the device unless it is, or was.
    func registerIfNeeded() async throws {
        guard try isNeeded() else { return }
        try await session.lock.held(for: .change) {
            // Another program may have done it meanwhile.
            if try isNeeded() { try await register() }
        }
    }

    private func isNeeded() throws -> Bool {
        guard try store.state(.user) == nil else { return false }
        guard try session.tokens.token() != nil else { return true }
        // A process ended between its token and its rows, or the store was moved away.
        if let user = try session.tokens.user { try store.set(.user, user) }
        return false
    }

    /// Registers a device again whose user is no more, where nothing is lost by that. What waits is the new user's.
    /// - Parameter token: the one that the service did not take.
    /// - Returns: whether the device is registered again.
    func registerAgain(refused token: String?) async throws -> Bool {
        guard try store.read({ try Store.mayBeginAgain(in: $0) }) else { return false }
        return try await session.lock.held(for: .change) {
            // Another program may have done it meanwhile, or somebody may have signed in.
            guard try session.tokens.token() == token else { return true }
            guard try store.read({ try Store.mayBeginAgain(in: $0) }) else { return false }
            let former = try store.read { try LocalReading.user(in: $0) }
            let made = try await makeUser(
                country: former.country.isEmpty ? session.settings.country : former.country, timeZone: former.timeZone)
            let now = session.settings.clock()
            try store.write { database in
                let waiting = try Store.outbox(in: database)
                for entry in waiting { try Store.handOver(entry, to: made, same: [:], in: database) }
                let isNamed = waiting.contains {
                    $0.mutation.entity == SyncEntity.me.rawValue && $0.mutation.fields?["userName"] != nil
                }
                try Store.dropRows(in: database)
                try database.execute(sql: "DELETE FROM acknowledged")
                try database.execute(sql: "DELETE FROM deleted")
                try DeclaredRows.dropDeleted(in: database)
                try Store.startOver(nil, in: database)
                if let name = former.userName, !isNamed {
                    try Store.enqueue(
                        .me, id: made.id.lowercased, op: .update, fields: ["userName": .string(name)],
                        today: LocalDay.today(at: now, timeZone: former.timeZone) ?? now.date(secondsFromUTC: 0),
                        in: database)
                }
                try begin(made, in: database)
            }
            return true
        }
    }

    private func register() async throws {
        let (country, timeZone) = try session.placeOfNewUser()
        let made = try await makeUser(country: country, timeZone: timeZone)
        try store.write { try begin(made, in: $0) }
    }

    private func begin(_ user: User, in database: Database) throws {
        try Store.set(.user, user.id.lowercased, in: database)
        try Store.set(.country, user.country, in: database)
        try Store.set(.timeZone, user.timeZone, in: database)
        try Store.set(.accountless, "1", in: database)
        try Store.set(.signedOut, nil, in: database)
    }

    /// Has the service make a user, and keeps the token.
    private func makeUser(country: String?, timeZone: String) async throws -> User {
        try session.bind()
        for _ in 0..<3 {
            let id = try deviceID()
            let made: RegisterDevice.Output
            do {
                made = try await session.client.call(
                    RegisterDevice(
                        id: id, name: session.settings.deviceName, country: country, timeZone: timeZone),
                    token: .some(nil))
            } catch KitError.refused(let problem) where problem.code == .deviceKnown {
                // An answer was lost, and its token with it: the device is made anew, for nobody has used that user.
                _ = try renewDeviceID()
                continue
            }
            // The token first: without it the user could not be reached any more.
            try session.tokens.set(made.token, user: made.user.id.lowercased)
            return made.user
        }
        throw KitError.nonsense("every device is known to it")
    }

    /// Gives the device another id: somebody has this one by an answer that was lost.
    /// - Returns: the id, which is kept, so that a repetition is known.
    func renewDeviceID() throws -> UUID {
        let id = UUID()
        try store.set(.device, id.lowercased)
        return id
    }

    /// The device's id, made once.
    func deviceID() throws -> UUID {
        try store.write { database in
            if let id = try Store.state(.device, in: database).flatMap({ UUID(uuidString: $0) }) { return id }
            let id = UUID()
            try Store.set(.device, id.lowercased, in: database)
            return id
        }
    }
}
