import Foundation
import SubTrackAPI
import SubTrackTestSupport

/// A password that no list has.
let goodPassword = "correct horse battery"

extension TestService {
    /// An address that no other test uses.
    func newEmail(_ name: String = "ada") -> String { "\(name).\(UUID().uuidString.prefix(13))@example.org" }

    /// Signs in from nowhere: a new device.
    func signIn(
        _ email: String, _ password: String = goodPassword, device: CreateSession.NewDevice? = nil
    ) async throws -> TestUser {
        TestUser(try await client.call(CreateSession(email: email, password: password, device: device)), client)
    }

    /// The client with the token of a sign-in.
    func client(_ token: String) -> APIClient {
        var client = client
        client.token = token
        return client
    }
}

extension TestUser {
    /// Who a sign-in has made of a device.
    init(_ made: CreateSession.Output, _ client: APIClient) {
        var client = client
        client.token = made.token
        self.init(user: made.user, device: made.device, client: client)
    }

    /// Registers an account.
    @discardableResult
    func register(_ email: String, _ password: String = goodPassword, current: String? = nil) async throws -> User {
        try await call(RegisterAccount(email: email, password: password, currentPassword: current)).user
    }

    /// Signs in on the same device.
    func signIn(
        _ email: String, _ password: String = goodPassword, createIfMissing: Bool? = nil
    ) async throws -> CreateSession.Output {
        try await call(CreateSession(email: email, password: password, createIfMissing: createIfMissing))
    }
}
