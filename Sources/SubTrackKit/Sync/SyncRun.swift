import Foundation
import GRDB
import SubTrackAPI

/// One sync: push, then pull, then what was changed meanwhile.
struct SyncRun {
    let session: DeviceSession

    /// How often it starts over before it gives up: a server that always says so is broken.
    private static let maximumStarts = 3

    /// How often, and how many seconds at a time, a push waits for a service that takes no more changes for the moment.
    private static let (maximumWaits, longestWait) = (20, 60)

    private var store: Store { session.store }
    private var client: Client { session.client }
    private var now: Int64 { session.settings.clock().secondsSince1970 }

    /// Does all of it, on no actor: reading JSON and writing rows takes time.
    @concurrent func run() async throws -> SyncSummary {
        let registration = DeviceRegistration(session: session)
        try await registration.registerIfNeeded()
        let token = try client.tokens.token()
        do {
            return try await session.lock.held(for: .exchange) { try await exchange() }
        } catch KitError.signedOut {
            // A user without account and data goes after a month without use. Nobody can sign in as that user, and what was
            // changed here meanwhile is nowhere else.
            guard try await registration.registerAgain(refused: token) else { throw KitError.signedOut }
            return try await session.lock.held(for: .exchange) { try await exchange() }
        }
    }

    /// Sends and pulls for the present user, whom nobody changes meanwhile.
    private func exchange() async throws -> SyncSummary {
        var summary = SyncSummary()
        let token = try client.tokens.token()
        do {
            try session.bind()
            guard try store.state(.signedOut) == nil else { throw KitError.signedOut }
            try await checkClock()
            var starts = 0
            while true {
                do {
                    try await giveFormer(&summary)
                    try await push(&summary)
                    try await pull(&summary)
                    guard try store.read({ try Self.hasOutbox(in: $0) }) else { return summary }
                } catch KitError.refused(let problem) where Self.leadsNowhere(problem) {
                    starts += 1
                    guard starts <= Self.maximumStarts else {
                        throw KitError.nonsense("it asks to start over again and again")
                    }
                    summary.startedOver = true
                    try store.write { try Store.startOver(problem.reason, in: $0) }
                }
            }
        } catch KitError.signedOut {
            // Somebody may have signed in meanwhile: then what was refused is the former token.
            let isOver = try client.tokens.token() == token && !store.read { try Store.mayBeginAgain(in: $0) }
            if isOver { try store.set(.signedOut, "1") }
            throw KitError.signedOut
        } catch KitError.userDeleted {
            // Older services say so, too, of a user whom they removed for not being used.
            let isUnsent = try store.read { try Store.mayBeginAgain(in: $0) && Self.hasOutbox(in: $0) }
            if isUnsent { throw KitError.signedOut }
            // What a deleted user had is nobody's any more, here neither; what was never sent is told.
            try session.forgetDeleted(at: now)
            throw KitError.userDeleted
        }
    }

    /// Whether the cursor is of no use: the service says so, or knows none of the kind, for somebody else once answered in its
    /// place.
    private static func leadsNowhere(_ problem: Problem) -> Bool {
        problem.code == .resync
            || problem.code == .inputInvalid && problem.errors?.contains { $0.field == "cursor" } == true
    }

    /// Whether the service says of what was sent that it cannot be read, and will not be when it is sent again. Others who
    /// answer in its place do not name a field.
    private static func isUnreadable(_ problem: Problem) -> Bool {
        switch problem.code {
        case .tooLarge: problem.status == 413
        case .inputInvalid: problem.status == 400 && problem.errors?.isEmpty == false && !leadsNowhere(problem)
        default: false
        }
    }

    /// Whether the service does not know that a change may say on which day it was made.
    private static func isOfDay(_ problem: Problem) -> Bool {
        problem.code == .inputInvalid
            && problem.errors?.contains { $0.code == .unknown && $0.field.hasSuffix(".madeOn") } == true
    }

    private static func hasOutbox(in database: Database) throws -> Bool {
        try Bool.fetchOne(database, sql: "SELECT EXISTS (SELECT 1 FROM outbox)") ?? false
    }

    // MARK: Push

    private func push(_ summary: inout SyncSummary) async throws {
        var size = PushChanges.maximumCount
        var saysDay = true
        var (hasSent, waits) = (false, 0)
        // A part has gone through, and the service says when it takes the rest: all of it goes in one sync.
        func waited(_ seconds: Int?) async throws -> Bool {
            guard hasSent, let seconds, seconds <= Self.longestWait, waits < Self.maximumWaits else { return false }
            waits += 1
            try await Task.sleep(for: .seconds(max(1, seconds)))
            return true
        }
        while true {
            let (entries, cursor) = try store.read { database in
                (
                    Self.fitting(try Store.outbox(limit: size, in: database)),
                    try Store.state(.cursor, in: database)
                )
            }
            guard !entries.isEmpty else { return }
            let output: PushChanges.Output
            do {
                output = try await again {
                    try await client.call(
                        PushChanges(mutations: entries.map { $0.sent(sayingDay: saysDay) }, cursor: cursor))
                }
            } catch KitError.refused(let problem) where saysDay && Self.isOfDay(problem) {
                // An older service, to which all that comes was made on the day on which it comes.
                saysDay = false
                continue
            } catch KitError.refused(let problem)
                where entries.count > 1 && (Self.isUnreadable(problem) || problem.code == .tooMany)
            {
                size = max(1, entries.count / 2)
                continue
            } catch KitError.offline(let reason, let retryAfter) {
                guard try await waited(retryAfter) else {
                    throw KitError.offline(reason: reason, retryAfter: retryAfter)
                }
                continue
            } catch KitError.refused(let problem)
                where Self.isUnreadable(problem)
            {
                // One change that this service does not even read must not hold up those behind it.
                output = .init(
                    results: entries.map { .init(key: $0.mutation.key, outcome: .refused, error: problem) })
            }
            let at = now
            let (done, reported) = try store.write { database in
                let before = try Store.countOfReports(in: database)
                let done = try Store.take(output.results, for: entries, at: at, in: database)
                return (done, try Store.countOfReports(in: database) - before)
            }
            summary.sent += done
            summary.reported += reported
            hasSent = hasSent || done > 0
            if done < entries.count {
                let problem = output.results[done].error
                if problem?.code == .rateLimited, try await waited(problem?.retryAfter) { continue }
                throw KitError.offline(
                    reason: problem?.detail ?? "the service does not know whether it was done",
                    retryAfter: problem?.retryAfter)
            }
        }
    }

    /// As many as surely fit into one request.
    private static func fitting(_ entries: [OutboxEntry]) -> [OutboxEntry] {
        var (bytes, count) = (0, 0)
        for entry in entries {
            bytes += (try? JSON.text(entry.mutation).utf8.count) ?? 0
            guard bytes < 512 << 10 || count == 0 else { break }
            count += 1
        }
        return Array(entries.prefix(count))
    }

    // MARK: Pull

    private func pull(_ summary: inout SyncSummary) async throws {
        while true {
            let cursor = try store.state(.cursor)
            let body = try await again {
                try await client.answer(to: PullChanges(cursor: cursor, limit: session.settings.pageSize))
            }
            let page: PulledPage
            do {
                page = try JSONDecoder().decode(PulledPage.self, from: body)
            } catch {
                throw KitError.nonsense("no page of changes in \(body.count) bytes")
            }
            guard !page.more || page.cursor != cursor else { throw KitError.nonsense("its changes never end") }
            if page.changes.isEmpty, page.dropped.isEmpty, page.cursor == cursor { return }
            let at = now
            let isTaken = try store.write { try Store.take(page, since: cursor, at: at, in: $0) }
            if isTaken { summary.received += page.changes.count }
            guard page.more || !isTaken else { return }
            try Task.checkCancellation()
        }
    }

    /// Has the user add what this device had of a lost user, once it is known what of it the service has.
    private func giveFormer(_ summary: inout SyncSummary) async throws {
        guard try store.state(.formerRows) != nil else { return }
        try await pull(&summary)
        let at = now
        summary.reported += try store.write { try Store.giveFormer(at: at, in: $0) }
    }

    // MARK: What both need

    /// Asks again where the same request is still being done, which is over soon.
    private func again<Value>(_ body: () async throws -> Value) async throws -> Value {
        for attempt in 0..<6 {
            do {
                return try await body()
            } catch KitError.offline(_, let retryAfter) where attempt < 1 && retryAfter == nil {
                // One try more: the connection may have been an old one.
                try await Task.sleep(for: .milliseconds(Int.random(in: 20...150)))
            } catch KitError.refused(let problem) where problem.code == .keyInUse {
                try await Task.sleep(for: .milliseconds(Int.random(in: 50...(200 << attempt))))
            }
        }
        return try await body()
    }

    /// Looks now and then what time the server has: a device's clock may be a day off, and "today" must not be. The answer has
    /// the tenant's areas, too.
    private func checkClock() async throws {
        let device = now
        if let checked = try store.state(.clockChecked).flatMap({ Int64($0) }) {
            // A damaged store has any number.
            let (age, isOverflow) = device.subtractingReportingOverflow(checked)
            if !isOverflow, (0..<3600).contains(age) { return }
        }
        let info = try await client.call(GetServerInfo(), token: .some(nil))
        try store.write { database in
            try Store.set(.clockOffset, String(info.now.secondsSince1970 - now), in: database)
            try Store.set(.clockChecked, String(now), in: database)
            try Store.set(.areas, info.areas.joined(separator: " "), in: database)
        }
    }
}
