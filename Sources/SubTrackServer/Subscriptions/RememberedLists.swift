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
/// An answer is given for a minute at the most: a server that took over from another without its last commits, or a backup
/// that was loaded in place, may come to the same counters with other rows, which is noticed after that time otherwise too
/// (``TenantEpoch``).
///
/// Users who ask once cost next to nothing: the first time only the scopes are noted, the second time the counters are
/// read before the list, and the third time it is known.
final class RememberedLists: Sendable {
    /// Which list it is.
    struct Key: Hashable, Sendable {
        /// The tenant's server and database: under its name there may be another one tomorrow.
        let server: String?
        let database: String
        let user: UserID
        let status: Subscription.Status?
        let limit: Int
    }

    /// A list, and what has to be so for it to hold still.
    struct Entry: Sendable {
        /// The tenant's epoch: after a backup was restored the counters may come to where they were.
        let epoch: [UInt8]
        let scopes: [ScopeID]
        /// How many bytes the answer has, also while it is not known.
        let size: Int
        /// What is known of the answer; nil after the first time.
        var answer: Answer?

        /// About how much memory it takes.
        fileprivate var cost: Int { 512 + 24 * scopes.count + (answer?.body.count ?? 0) }
        /// About how much it takes at the most.
        fileprivate var maximumCost: Int { 512 + 24 * scopes.count + size }
    }

    /// An answer with what it was made of.
    struct Answer: Sendable {
        /// Where the counters of the scopes stood, in their order, before the list was read.
        let versions: [Int64]
        let today: CalendarDate
        let digits: [String: Int]
        let tag: EntityTag
        let body: [UInt8]
        var readAt = ContinuousClock.now

        /// Whether it is what would be answered now, as long as the counters stand where they stood.
        func holds(today: CalendarDate, digits: [String: Int]) -> Bool {
            self.today == today && self.digits == digits && ContinuousClock.now - readAt < RememberedLists.maximumAge
        }
    }

    /// How long an answer is given.
    static let maximumAge = Duration.seconds(60)
    /// How often one call passes over a list that was asked for before it drops the next, so that it never takes long.
    private static let maximumChances = 32

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

    /// Remembers a list in place of what was known of it; one that would take the room of many is forgotten.
    func remember(_ entry: Entry, for key: Key) {
        state.withLock { state in
            guard entry.maximumCost <= maximumCost / 8 else {
                guard let former = state.kept.removeValue(forKey: key) else { return }
                state.cost -= former.entry.cost
                state.queue.removeAll { $0 == key }
                return
            }
            if let former = state.kept[key]?.entry {
                state.cost -= former.cost
                state.kept[key]?.entry = entry
            } else {
                state.kept[key] = Kept(entry: entry)
                state.queue.append(key)
            }
            state.cost += entry.cost
            var chances = Self.maximumChances
            while state.cost > maximumCost, let first = state.queue.popFirst() {
                if chances > 0, state.kept[first]?.isUsed == true {
                    chances -= 1
                    state.kept[first]?.isUsed = false
                    state.queue.append(first)
                } else if let dropped = state.kept.removeValue(forKey: first) {
                    state.cost -= dropped.entry.cost
                }
            }
        }
    }
}

extension RememberedLists {
    /// Where a list is remembered, with what is known of it.
    struct Place {
        let lists: RememberedLists
        let key: Key
        /// The tenant's epoch before anything was read.
        let epoch: [UInt8]
        /// What is remembered of it in this epoch.
        let known: Entry?

        /// Remembers an answer, or, the first time, what it is made of.
        /// - Parameter scopes: the scopes of all rows in it.
        /// - Returns: the answer, as JSON.
        func remember(
            _ reply: Reply<ListSubscriptions.Output>, scopes: [ScopeID], _ reading: SubscriptionList.Reading,
            today: CalendarDate
        ) throws -> Reply<ListSubscriptions.Output> {
            let encoded = try reply.encoded()
            guard let body = encoded.body, let tag = reply.tag else { return encoded }
            var entry = Entry(epoch: epoch, scopes: scopes, size: body.count)
            if let versions = reading.versions, scopes == known?.scopes {
                entry.answer = Answer(versions: versions, today: today, digits: reading.digits, tag: tag, body: body)
            }
            lists.remember(entry, for: key)
            return encoded
        }
    }

    /// Where the first page of a list is remembered; nil where none is, and for lists of what is due within some days, of
    /// which one user could ask for thousands.
    func place(of input: ListSubscriptions, _ limit: Int, _ user: UserID, _ tenant: Tenant) -> Place? {
        guard maximumCost > 0, input.dueWithin == nil else { return nil }
        let key = Key(
            server: tenant.server, database: tenant.database, user: user, status: input.status, limit: limit)
        let epoch = tenant.epoch.value
        let known = entry(of: key)
        return Place(lists: self, key: key, epoch: epoch, known: known?.epoch == epoch ? known : nil)
    }
}
