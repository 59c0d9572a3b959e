import Foundation
import GRDB
import SubTrackAPI

/// Makes a device known to the service, and gives it a user without account.
struct DeviceRegistration {
    let store: Store
    let client: Client
    let settings: Kit.Settings

    /// Registers the device unless it is, or was.
    func registerIfNeeded() async throws {
        guard try client.tokens.token() == nil, try store.state(.user) == nil else { return }
        for _ in 0..<3 {
            let id = try deviceID()
            let made: RegisterDevice.Output
            do {
                made = try await client.call(
                    RegisterDevice(
                        id: id, name: settings.deviceName, country: settings.country, timeZone: settings.timeZone),
                    token: .some(nil))
            } catch KitError.refused(let problem) where problem.code == .deviceKnown {
                // An answer was lost, and its token with it: the device is made anew, for nobody has used that user.
                try store.set(.device, UUID().lowercased)
                continue
            }
            try client.tokens.set(made.token)
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
