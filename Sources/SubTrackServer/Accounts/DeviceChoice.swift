import Foundation
import MariaDB
import SubTrackAPI
import SubTrackCore

/// The device on which somebody signs in: the token's, one that the client names, or a new one.
struct DeviceChoice: Sendable {
    /// Its id.
    let id: UUID
    private let name: String?
    private let country: String?
    private let timeZone: String
    /// Whether the caller has shown to be this device, by its token.
    private let isProven: Bool

    /// Checks a client's statements about its device.
    init(_ input: CreateSession.NewDevice?, _ call: Call) throws {
        name = try InputText.optional(input?.name, field: "device.name", maximum: 100)
        country = input?.country
        timeZone = input?.timeZone ?? "UTC"
        guard LocalDay.isTimeZone(timeZone) else { throw UserHandlers.unknownZone(timeZone, field: "device.timeZone") }
        let given = try input?.id.map { try InputID.checked($0, field: "device.id") }
        if let own = call.session?.device {
            guard given == nil || given == own else {
                throw Problem.input("device.id", .conflict, "is not the device of the token; leave one of them out")
            }
            (id, isProven) = (own, true)
        } else {
            (id, isProven) = (try given ?? UUIDv7.make(now: call.now), false)
        }
    }

    /// Makes it a user's device.
    /// - Returns: its name.
    /// - Throws: `device_known` when somebody else is signed in on it, and the caller is not known to hold it.
    func take(for user: UserID, on connection: Connection) async throws -> String {
        guard let known = try await SessionQueries.device(id, on: connection) else {
            let name = name ?? "Device"
            do {
                try await SessionQueries.insert(device: id, name: name, user: user, on: connection)
            } catch let error as MariaDBError where error.isDuplicate {
                throw Self.taken
            }
            return name
        }
        guard isProven || known.user == user || !known.isSignedIn else { throw Self.taken }
        let name = name ?? known.name
        try await SessionQueries.update(device: id, name: name, user: user, on: connection)
        return name
    }

    private static let taken = Problem(
        .deviceKnown, "Somebody else is signed in on a device of this id; sign out there, or leave the id out.")

    /// Makes a user from the statements about the device.
    func makeUser(_ user: UserID, on connection: Connection) async throws {
        guard let country = try await UserQueries.country(country, on: connection) else {
            throw UserHandlers.unknownCountry(country ?? "", field: "device.country")
        }
        try await UserQueries.insert(user, country: country, timeZone: timeZone, on: connection)
    }
}
