import Foundation
import MariaDB
import Passwords
import SubTrackAPI
import SubTrackCore

/// The operations on devices.
enum DeviceHandlers {
    /// Registers the handlers.
    static func register(in registry: inout OperationRegistry, services: AccountServices) {
        registry.register(RegisterDevice.self) { try await registerDevice($0, $1, services.limits) }
    }

    private static func registerDevice(
        _ input: RegisterDevice, _ call: Call, _ limits: AccountGuard
    ) async throws -> Reply<RegisterDevice.Output> {
        var faults = InputFaults()
        let name = try faults.check(or: "") { try InputText.required(input.name, field: "name", maximum: 100) }
        let zone = input.timeZone ?? "UTC"
        try faults.check(or: ()) {
            guard LocalDay.isTimeZone(zone) else { throw UserHandlers.unknownZone(zone) }
        }
        let fresh = try UUIDv7.make(now: call.now)
        let device = try faults.check(or: fresh) { try input.id.map { try InputID.checked($0) } ?? fresh }
        try faults.finish()
        try limits.countDevice(call)
        let user = UserID(uuid: try UUIDv7.make(now: call.now))
        let session = try UUIDv7.make(now: call.now)
        let token = try Token.generate()
        let hash = try token.hash
        let row = try await call.tenant.client.withTransaction(call.tenant.database, isolation: .readCommitted) {
            connection in
            let country = try await UserQueries.country(input.country, on: connection)
            guard let country else { throw UserHandlers.unknownCountry(input.country ?? "") }
            try await UserQueries.insert(user, country: country, timeZone: zone, on: connection)
            do {
                try await SessionQueries.insert(device: device, name: name, user: user, on: connection)
                try await SessionQueries.replace(
                    session: session, device: device, tokenHash: hash.bytes, on: connection)
            } catch let error as MariaDBError where error.isDuplicate {
                throw Problem(.deviceKnown, "A device of this id is registered already; sign in with it.")
            }
            return try await UserQueries.user(user, on: connection)
        }
        guard let row else { throw Problem(.internalError, "The new user cannot be read.") }
        return Reply(.init(user: row, device: Device(id: device, name: name), token: token.text))
    }
}
