import DequeModule

/// What databases have and want of a pool: how many connections each holds, and who waits for one.
///
/// To find whose turn it is, or whether a connection is missing, costs as much as there are databases in use, however
/// many wait for each.
struct PoolDemand: Sendable {
    typealias Request = PoolStateMachine.Request

    /// A database that has connections lent, or for which somebody waits.
    private struct Use: Sendable {
        var held = 0
        /// In the order of their turns.
        var waiting = Deque<(turn: Int, request: Request)>()
    }

    private var uses: [String?: Use] = [:]
    private var firstTurn = 0
    private var lastTurn = 0

    /// How many connections are lent.
    private(set) var heldCount = 0
    /// How many wait.
    private(set) var waitingCount = 0
    /// Whether somebody waits for a connection without a database.
    var isStrangerWaiting: Bool { uses[nil]?.waiting.isEmpty == false }
    /// How many databases have a connection or wait for one.
    var databaseCount: Int { uses.count }
    /// The earliest deadline of all who wait; looks at each of them.
    var earliestDeadline: Moment {
        uses.values.reduce(.never) { earliest, use in use.waiting.reduce(earliest) { min($0, $1.request.deadline) } }
    }

    /// Whether somebody waits for a connection to a database.
    func isWaiting(for database: String?) -> Bool { waitingCount > 0 && uses[database]?.waiting.isEmpty == false }

    /// The earliest moment after this one at which somebody's patience ends; looks at each of them.
    func earliestImpatience(after now: Moment) -> Moment {
        uses.values.reduce(.never) { earliest, use in
            use.waiting.reduce(earliest) { $1.request.patientUntil > now ? min($0, $1.request.patientUntil) : $0 }
        }
    }

    /// How many connections a database holds.
    func held(by database: String?) -> Int { uses[database]?.held ?? 0 }

    /// How many of those who wait may have a connection when a database may hold so many.
    func eligibleCount(limit: Int) -> Int {
        uses.values.reduce(0) { $0 + max(0, min($1.waiting.count, limit - $1.held)) }
    }

    /// Whose turn is next among the databases that hold less than `limit`.
    ///
    /// Who had a connection that turned out to be dead goes first. Then the database that holds the fewest: one that many
    /// wait for takes no turn from the others. Those that hold no more than `evenPart` are equal, so that one whose
    /// connections are held for long is not passed over for ever; of equals the one for which somebody waited first.
    /// - Parameters:
    ///   - withStrangers: whether those who want no database may be next.
    ///   - isEligible: whether the first who waits for a database may be.
    func next(
        limit: Int, evenPart: Int, withStrangers: Bool, if isEligible: (Request) -> Bool
    ) -> (database: String?, request: Request)? {
        var best: (held: Int, turn: Int, database: String?)?
        for (database, use) in uses where use.held < limit && (withStrangers || database != nil) {
            guard let (turn, first) = use.waiting.first else { continue }
            // Turns of those who come a second time are negative.
            let held = turn < 0 ? 0 : max(use.held, evenPart)
            if let best, (best.held, best.turn) < (held, turn) { continue }
            guard isEligible(first) else { continue }
            best = (held, turn, database)
        }
        guard let best, let first = uses[best.database]?.waiting.first else { return nil }
        return (best.database, first.request)
    }

    /// Adds somebody at the end, or at the head who had a turn already.
    mutating func wait(_ request: Request) {
        waitingCount += 1
        if request.isRepeated {
            firstTurn -= 1
            uses[request.database, default: Use()].waiting.prepend((firstTurn, request))
        } else {
            lastTurn += 1
            uses[request.database, default: Use()].waiting.append((lastTurn, request))
        }
    }

    /// The first who waits for a database waits no longer.
    mutating func takeFirst(of database: String?) {
        guard uses[database]?.waiting.popFirst() != nil else { return }
        waitingCount -= 1
        forgetIfIdle(database)
    }

    /// Somebody waits no longer.
    /// - Returns: whether they did.
    mutating func remove(_ id: PoolStateMachine.RequestID, of database: String?) -> Bool {
        guard let position = uses[database]?.waiting.firstIndex(where: { $0.request.id == id }) else { return false }
        uses[database]?.waiting.remove(at: position)
        waitingCount -= 1
        forgetIfIdle(database)
        return true
    }

    /// Those whose deadline is over wait no longer.
    /// - Returns: them, in the order in which they came.
    mutating func removeExpired(now: Moment) -> [Request] {
        remove { $0.deadline <= now }
    }

    /// Nobody waits any longer.
    /// - Returns: who did, in the order in which they came.
    mutating func removeAll() -> [Request] { remove { _ in true } }

    private mutating func remove(where isOver: (Request) -> Bool) -> [Request] {
        var removed: [(turn: Int, request: Request)] = []
        for database in Array(uses.keys) {
            removed += uses[database]?.waiting.filter { isOver($0.request) } ?? []
            uses[database]?.waiting.removeAll { isOver($0.request) }
            forgetIfIdle(database)
        }
        waitingCount -= removed.count
        return removed.sorted { $0.turn < $1.turn }.map(\.request)
    }

    /// A database holds one more or one less.
    mutating func count(_ database: String?, _ change: Int) {
        uses[database, default: Use()].held += change
        heldCount += change
        if change < 0 { forgetIfIdle(database) }
    }

    private mutating func forgetIfIdle(_ database: String?) {
        if let use = uses[database], use.held <= 0, use.waiting.isEmpty { uses[database] = nil }
    }
}
