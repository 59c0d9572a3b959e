import Foundation
import SubTrackAPI

/// The stored part of the answer to a change. The row is not stored: a repeated change gets the present one.
struct StoredOutcome: Sendable {
    /// The outcome.
    var outcome: PushChanges.Outcome
    /// The fields of which somebody else's value was kept.
    var lost: [LostField]
    /// Why it was refused.
    var error: Problem?
    /// The sender's writes of the row by then.
    var own: WriteLineage
    /// The shared scope of the row; nil: it is one of the user's own.
    private(set) var shared: Shared?

    /// A shared scope as it is stored.
    struct Shared: Codable, Sendable, Equatable {
        /// The name of its kind.
        var kind: String
        /// The name on the wire.
        var name: String
        /// The id of its counter.
        var id: UUID
    }

    /// The part of an outcome that is stored.
    /// - Parameter scope: the scope of the row.
    init(
        outcome: PushChanges.Outcome, lost: [LostField] = [], error: Problem? = nil, own: WriteLineage,
        in scope: SyncScope
    ) {
        self.outcome = outcome
        self.lost = lost
        self.error = error
        self.own = own
        if !scope.isUser { shared = Shared(kind: scope.kind.name, name: scope.name, id: scope.id.uuid) }
    }

    /// The id of the row's scope.
    func scope(of user: UserID) -> ScopeID { shared.map { ScopeID(uuid: $0.id) } ?? .user(user) }

    /// Reads bytes of ``bytes()``, by this version of the service or another one.
    init(bytes: [UInt8]) throws { self = try JSONDecoder().decode(StoredOutcome.self, from: Data(bytes)) }

    /// The JSON.
    func bytes() throws -> [UInt8] { try OutputEncoder.encode(self) }
}

extension StoredOutcome: Codable {
    private enum CodingKeys: String, CodingKey { case outcome, lost, error, own, shared }

    /// Unknown parts are passed over: an answer that was given is never an error later.
    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        error = try? container.decodeIfPresent(Problem.self, forKey: .error)
        lost = (try? container.decodeIfPresent([LostField].self, forKey: .lost)) ?? []
        own = (try? container.decodeIfPresent(WriteLineage.self, forKey: .own)) ?? WriteLineage()
        shared = try? container.decodeIfPresent(Shared.self, forKey: .shared)
        let isRefused = container.contains(.error) && (try? container.decodeNil(forKey: .error)) != true
        outcome =
            (try? container.decode(PushChanges.Outcome.self, forKey: .outcome)) ?? (isRefused ? .refused : .merged)
        if outcome == .refused, error == nil {
            error = Problem(.inputInvalid, "It was refused when it was sent first.")
        }
    }
}
