import DequeModule
import SubTrackAPI
import SubTrackCore
import Synchronization

/// Cache of encoded lists of subscriptions.
///
/// A list is made of the user's own rows, the catalogues of the user's countries, the reference data, and the user's
/// today. All of these but the day have a counter (``ScopeID``) that moves in the same transaction as a change. While
/// the counters are as they were before the list was read, the list is valid. One read of a few rows by key then
/// replaces the join. Nothing is answered without that read.
///
/// An entry expires after a minute. A server that took over from another without its last commits may come to the same
/// counters with other rows. So may a backup that was loaded in place. Otherwise too this is noticed after that time
/// (``TenantEpoch``).
///
/// A single request costs next to nothing. The first time only the scopes are noted. The second time the counters are
/// read before the list. The third time the list is cached.
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

    /// A list, and the conditions of its validity.
    struct Entry: Sendable {
        /// The tenant's epoch: after a backup was restored the counters may come to where they were.
        let epoch: [UInt8]
        let scopes: [ScopeID]
        /// How many bytes the answer has, also while it is not known.
        let size: Int
        /// The cached answer; nil after the first time.
        var answer: Answer?

        /// About how much memory it takes.
        fileprivate var cost: Int { 512 + 24 * scopes.count + (answer?.body.count ?? 0) }
        /// About how much it takes at the most.
        fileprivate var maximumCost: Int { 512 + 24 * scopes.count + size }
    }

    /// An answer with its sources.
    struct Answer: Sendable {
        /// Where the counters of the scopes stood, in their order, before the list was read.
        let versions: [Int64]
        let today: CalendarDate
        let digits: [String: Int]
        let tag: EntityTag
        let body: [UInt8]
        var readAt = ContinuousClock.now

        /// Whether it is valid now, as long as the counters are unchanged.
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
        /// All keys, each once. A key that comes to the front is dropped, or goes to the end when it was asked for
        /// meanwhile.
        var queue: Deque<Key> = []
        var cost = 0
    }

    private let maximumCost: Int
    private let state = Mutex(State())

    /// Remembers about so many bytes at the most; nothing where it is 0.
    init(bytes: Int) { maximumCost = bytes }

    /// The entry; nil when there is none.
    func entry(of key: Key) -> Entry? {
        guard maximumCost > 0 else { return nil }
        return state.withLock { state in
            state.kept[key]?.isUsed = true
            return state.kept[key]?.entry
        }
    }

    /// Caches a list in place of its former entry. A list that would take the room of many is not cached.
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
    /// The key of a list, with its entry.
    struct Place {
        let lists: RememberedLists
        let key: Key
        /// The tenant's epoch before anything was read.
        let epoch: [UInt8]
        /// Its entry in this epoch.
        let known: Entry?

        /// Caches an answer or, the first time, its scopes.
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

    /// The key of the first page of a list. Nil for later pages, and for lists of subscriptions that are due within
    /// some days, for one user could ask for thousands of these.
    func place(of input: ListSubscriptions, _ limit: Int, _ user: UserID, _ tenant: Tenant) -> Place? {
        guard maximumCost > 0, input.dueWithin == nil else { return nil }
        let key = Key(
            server: tenant.server, database: tenant.database, user: user, status: input.status, limit: limit)
        let epoch = tenant.epoch.value
        let known = entry(of: key)
        return Place(lists: self, key: key, epoch: epoch, known: known?.epoch == epoch ? known : nil)
    }
}
