import Foundation
import GRDB
import SubTrackAPI

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

    private func register() async throws {
        try session.bind()
        for _ in 0..<3 {
            let id = try deviceID()
            let made: RegisterDevice.Output
            do {
                made = try await session.client.call(
                    RegisterDevice(
                        id: id, name: session.settings.deviceName, country: session.settings.country,
                        timeZone: session.settings.timeZone),
                    token: .some(nil))
            } catch KitError.refused(let problem) where problem.code == .deviceKnown {
                // An answer was lost, and its token with it: the device is made anew, for nobody has used that user.
                try store.set(.device, UUID().lowercased)
                continue
            }
            // The token first: without it the user could not be reached any more.
            try session.tokens.set(made.token, user: made.user.id.lowercased)
            try store.write { database in
                try Store.set(.user, made.user.id.lowercased, in: database)
                try Store.set(.country, made.user.country, in: database)
                try Store.set(.timeZone, made.user.timeZone, in: database)
            }
            return
        }
        throw KitError.nonsense("every device is known to it")
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
