import Foundation
import SubTrackAPI

extension Client {
    /// The part of the answer of ``GetServerInfo`` that services of all versions give.
    private struct ServiceName: Decodable {
        var name: String
    }

    /// Makes sure that a SubTrackIt service answers at the address. No token is sent.
    /// - Throws: ``KitError``, such as ``KitError/nonsense(_:)`` where another program answers.
    public func checkService() async throws {
        let body = try await answer(to: GetServerInfo(), token: .some(nil))
        guard (try? JSONDecoder().decode(ServiceName.self, from: body))?.name == "SubTrackIt" else {
            throw KitError.nonsense("no \(GetServerInfo.name) in \(body.count) bytes")
        }
    }
}
