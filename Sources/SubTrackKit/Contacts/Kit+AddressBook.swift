import Foundation
import SubTrackAPI

/// The access of a program to the user's contacts by CardDAV.
public struct AddressBookAccess: Codable, Sendable, Hashable {
    /// The address that the program asks for.
    public var address: String
    /// The e-mail address of the account.
    public var userName: String
    /// A password for this program alone: the token of its device. Nobody can read it a second time.
    public var password: String
    /// The program, as a device of the user. It is signed out like any other.
    public var device: Device
}

// Programs that keep an address book.
extension Kit {
    /// Makes the access of a program: a device of its own, which is signed in. This device stays as it is.
    /// - Parameters:
    ///   - email: the address of the user's account.
    ///   - password: the account's password. It is sent to the service this once, and no program needs it.
    ///   - name: the device's name, 1 to 100 characters.
    /// - Throws: ``KitError``.
    public func addAddressBook(email: String, password: String, name: String) async throws -> AddressBookAccess {
        // Without this device's token: with it, the session would be this device's.
        let made = try await client.call(
            CreateSession(email: email, password: password, device: .init(name: name)), token: .some(nil))
        return AddressBookAccess(
            address: client.server + "/dav/", userName: email, password: made.token, device: made.device)
    }

    /// The devices of the user that are signed in, the last used first.
    /// - Throws: ``KitError``.
    public func devices() async throws -> [ListSessions.Session] {
        var sessions: [ListSessions.Session] = []
        var cursor: String?
        repeat {
            let page = try await client.call(ListSessions(limit: 200, cursor: cursor))
            sessions += page.sessions
            cursor = page.nextCursor
        } while cursor != nil
        return sessions
    }

    /// Signs another device out: its token and its password are refused from now on.
    /// - Parameter session: the session's id, as ``devices()`` gives it.
    /// - Throws: ``KitError``.
    public func signOut(session: UUID) async throws { try await client.call(DeleteSession(id: session)) }
}
