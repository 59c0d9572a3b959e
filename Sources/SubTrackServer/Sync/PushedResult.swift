import Foundation
import SubTrackAPI

/// The answer to one change: a ``SubTrackAPI/PushChanges/Result`` whose rows are JSON already.
struct PushedResult: Sendable {
    /// The change's key.
    let key: UUID
    /// The outcome.
    var outcome: PushChanges.Outcome
    /// Whether this was answered before.
    var isReplayed: Bool
    /// The row as it is now.
    var row: ServedChange?
    /// A row that was changed with it, as it is now.
    var companion: ServedChange?
    /// The fields of which somebody else's value was kept.
    var lost: [LostField]
    /// Why it is refused or unknown.
    var error: Problem?

    /// The answer of a stored outcome, without rows.
    init(_ stored: StoredOutcome, key: UUID, isReplayed: Bool = false) {
        self.key = key
        outcome = stored.outcome
        self.isReplayed = isReplayed
        lost = stored.lost
        error = stored.error
    }

    /// The answer to a change whose outcome is not known.
    init(unknown key: UUID, because error: Problem) {
        self.key = key
        outcome = .unknown
        isReplayed = false
        lost = []
        self.error = error
    }
}

extension Reply where Output == PushChanges.Output {
    /// The answers to the changes of one request.
    static func results(_ results: [PushedResult]) throws -> Reply {
        var json = JSONWriter(capacity: 1024 * (results.count + 1))
        json.beginObject()
        json.key("results")
        json.beginArray()
        for result in results {
            json.element()
            json.beginObject()
            json.key("key")
            json.write(result.key)
            json.key("outcome")
            json.write(result.outcome.rawValue)
            json.key("replayed")
            json.write(result.isReplayed)
            json.key("row")
            if let row = result.row { row.write(to: &json) } else { json.writeNull() }
            json.key("plan")
            if let row = result.companion { row.write(to: &json) } else { json.writeNull() }
            json.key("lost")
            try OutputEncoder.write(result.lost, to: &json)
            json.key("error")
            if let error = result.error { try OutputEncoder.write(error, to: &json) } else { json.writeNull() }
            json.endObject()
        }
        json.endArray()
        json.endObject()
        return Reply(replaying: json.bytes, tag: nil)
    }
}
