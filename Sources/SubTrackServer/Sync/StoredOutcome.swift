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

    /// The part of an outcome that is stored.
    init(outcome: PushChanges.Outcome, lost: [LostField] = [], error: Problem? = nil, own: WriteLineage) {
        self.outcome = outcome
        self.lost = lost
        self.error = error
        self.own = own
    }

    /// Reads bytes of ``bytes()``, by this version of the service or another one.
    init(bytes: [UInt8]) throws { self = try JSONDecoder().decode(StoredOutcome.self, from: Data(bytes)) }

    /// The JSON.
    func bytes() throws -> [UInt8] { try OutputEncoder.encode(self) }
}

extension StoredOutcome: Codable {
    private enum CodingKeys: String, CodingKey { case outcome, lost, error, own }

    /// Unknown parts are passed over: an answer that was given is never an error later.
    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        error = try? container.decodeIfPresent(Problem.self, forKey: .error)
        lost = (try? container.decodeIfPresent([LostField].self, forKey: .lost)) ?? []
        own = (try? container.decodeIfPresent(WriteLineage.self, forKey: .own)) ?? WriteLineage()
        let isRefused = container.contains(.error) && (try? container.decodeNil(forKey: .error)) != true
        outcome =
            (try? container.decode(PushChanges.Outcome.self, forKey: .outcome)) ?? (isRefused ? .refused : .merged)
        if outcome == .refused, error == nil {
            error = Problem(.inputInvalid, "It was refused when it was sent first.")
        }
    }
}
