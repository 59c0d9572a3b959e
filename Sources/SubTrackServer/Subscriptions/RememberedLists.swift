import DequeModule
import SubTrackAPI
import SubTrackCore
import Synchronization

/// Lists of subscriptions as they were answered a while ago, for those who ask again.
///
/// A list is made of the user's own rows, the catalogues of the countries whose plans the user has, what all tenants' rows
/// refer to, and the user's today. All of these but the day have a counter (``ScopeID``) that moves in the same transaction
/// as a change. While the counters stand where they stood before the list was read, the list is as it was: one read of
/// a few rows by key takes the place of the join. Nothing is answered without that read.
///
/// Users who ask once cost next to nothing: the first time only the scopes are noted, the second time the counters are
/// read before the list, and the third time it is known.
final class RememberedLists: Sendable {
    /// Which list it is.
    struct Key: Hashable, Sendable {
        let tenant: String
        let user: UserID
        let status: Subscription.Status?
        let dueWithin: Int?
        let limit: Int
    }

    /// A list, and what has to be so for it to hold still.
    struct Entry: Sendable {
        /// The tenant's epoch: after a backup was restored the counters may come to where they were.
        let epoch: [UInt8]
        let scopes: [ScopeID]
        /// What is known of the answer; nil after the first time.
        var answer: Answer?

        /// About how much memory it takes.
        fileprivate var cost: Int { 256 + 32 * scopes.count + (answer?.body.count ?? 0) }
    }

    /// An answer with what it was made of.
    struct Answer: Sendable {
        /// Where the counters of the scopes stood, in their order, before the list was read.
        let versions: [Int64]
        let today: CalendarDate
        let digits: [String: Int]
        let tag: EntityTag
        let body: [UInt8]

        /// Whether it is what would be answered now.
        func holds(versions: [Int64], today: CalendarDate, digits: [String: Int]) -> Bool {
            self.versions == versions && self.today == today && self.digits == digits
        }
    }

    private struct Kept {
        var entry: Entry
        /// Whether it was asked for since its last turn in the queue.
        var isUsed = false
    }

    private struct State {
        var kept: [Key: Kept] = [:]
        /// All keys, each once. Whoever comes to the front is dropped, or goes to the end when it was asked for meanwhile.
        var queue: Deque<Key> = []
        var cost = 0
    }

    private let maximumCost: Int
    private let state = Mutex(State())

    /// Remembers about so many bytes at the most; nothing where it is 0.
    init(bytes: Int) { maximumCost = bytes }

    /// What is remembered; nil when nothing is.
    func entry(of key: Key) -> Entry? {
        guard maximumCost > 0 else { return nil }
        return state.withLock { state in
            state.kept[key]?.isUsed = true
            return state.kept[key]?.entry
        }
    }

    /// Remembers a list in place of what was known of it.
    func remember(_ entry: Entry, for key: Key) {
        guard entry.cost <= maximumCost / 8 else { return }
        state.withLock { state in
            if let former = state.kept.updateValue(Kept(entry: entry), forKey: key) {
                state.cost -= former.entry.cost
            } else {
                state.queue.append(key)
            }
            state.cost += entry.cost
            while state.cost > maximumCost, let first = state.queue.popFirst() {
                if state.kept[first]?.isUsed == true {
                    state.kept[first]?.isUsed = false
                    state.queue.append(first)
                } else if let dropped = state.kept.removeValue(forKey: first) {
                    state.cost -= dropped.entry.cost
                }
            }
        }
    }
}
