import Foundation
import MariaDB
import Passwords
import SubTrackAPI
import SubTrackTestSupport
import Synchronization
import TestTraits
import Testing

@testable import SubTrackServer

/// One user's open writes leave the database to everybody else.
@Suite("Turns of a user's requests", .ownTime)
struct UserTurnsTests {
    /// Tells writers to stop.
    private final class End: Sendable {
        let isReached = Atomic(false)
    }

    /// Lets requests wait for locks for longer than others wait for a connection, which are refused then.
    private static func connections(_ count: Int, _ settings: inout ServiceSettings) {
        settings.databaseConnections = count
        settings.waits = RequestWaits(all: .seconds(300))
        settings.waits.lease = .seconds(30)
    }

    @Test("Forty writes of one user, all of which wait for one lock, hold one connection; others are served")
    func others() async throws {
        try await TestService.runAlone(configure: { Self.connections(4, &$0) }) { service in
            let plan = try await service.addPlan()
            let (ada, bob) = (try await service.newUser(), try await service.newUser())
            try await service.withAdmin { connection in
                // An admin holds the user's scope.
                try await connection.simpleQuery("START TRANSACTION")
                try await connection.simpleQuery(
                    SQL(unsafeText: "SELECT Ver FROM Scope WHERE Scope_ID = \(hex(ada.user.id)) FOR UPDATE"))
                let end = End()
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for _ in 0..<40 {
                        group.addTask {
                            while !end.isReached.load(ordering: .relaxed) {
                                let status = try await ada.client.response(to: CreateSubscription(planId: plan)).status
                                #expect([201, 503].contains(status))
                            }
                        }
                    }
                    try await eventually("one of them waits in the database") {
                        try await service.statementsUnderWay() == UserTurns.writes
                    }
                    // Where each of the forty has a connection, Bob is refused, or more than one of them waits for the scope.
                    for number in 0..<10 {
                        try await bob.call(UpdateMe(userName: .set("Bob \(number)")))
                        #expect(try await service.fewWait(forScopes: UserTurns.writes))
                    }
                    end.isReached.store(true, ordering: .relaxed)
                    try await connection.simpleQuery("ROLLBACK")
                    try await group.waitForAll()
                }
            }
            try await ada.call(CreateSubscription(planId: plan))
        }
    }

    @Test("Forty reads of one user, all of which wait in the database, hold four connections; others are served")
    func readers() async throws {
        try await TestService.runAlone(configure: { Self.connections(8, &$0) }) { service in
            let (ada, bob) = (try await service.newUser(), try await service.newUser())
            try await service.withAdmin { connection in
                try await connection.simpleQuery("LOCK TABLES Subscription WRITE")
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for _ in 0..<40 {
                        group.addTask {
                            let status = try await ada.client.response(to: ListSubscriptions()).status
                            #expect([200, 503].contains(status))
                        }
                    }
                    try await eventually("four of them wait in the database") {
                        try await service.statementsUnderWay() == UserTurns.reads
                    }
                    // Where all of the forty want a connection, nobody else has one until they end: Bob is refused.
                    for _ in 0..<10 { try await bob.call(GetMe()) }
                    try await connection.simpleQuery("UNLOCK TABLES")
                    try await group.waitForAll()
                }
            }
        }
    }

    @Test("Reads of one network without a token hold half of the connections; other networks are served")
    func networks() async throws {
        let proxies = try TrustedProxies("127.0.0.1")
        try await TestService.runAlone(
            configure: {
                Self.connections(8, &$0)
                $0.trustedProxies = proxies
            }
        ) { (service: TestService) async throws in
            let bob = try await service.newUser()
            try await service.withAdmin { connection in
                try await connection.simpleQuery("LOCK TABLES Provider WRITE")
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for _ in 0..<40 {
                        group.addTask {
                            let status = try await service.client.response(
                                to: ListProviders(), headers: [("X-Forwarded-For", "203.0.113.7")]
                            ).status
                            #expect([200, 503].contains(status))
                        }
                    }
                    try await eventually("four of them wait in the database") {
                        try await service.statementsUnderWay() == 4
                    }
                    let answer = try await bob.client.response(
                        to: GetMe(), headers: [("X-Forwarded-For", "198.51.100.7")])
                    #expect(answer.status == 200)
                    try await connection.simpleQuery("UNLOCK TABLES")
                    try await group.waitForAll()
                }
            }
        }
    }

    @Test("Writes of one network's users hold half of the connections; other networks write")
    func networkWrites() async throws {
        let proxies = try TrustedProxies("127.0.0.1")
        try await TestService.runAlone(
            configure: {
                Self.connections(8, &$0)
                $0.trustedProxies = proxies
            }
        ) { (service: TestService) async throws in
            let bob = try await service.newUser()
            var users: [TestUser] = []
            for _ in 0..<6 { users.append(try await service.newUser()) }
            let scopes = users.map { hex($0.user.id) }.joined(separator: ", ")
            let end = End()
            try await service.withAdmin { connection in
                // An admin holds the scopes of all six.
                try await connection.simpleQuery("START TRANSACTION")
                try await connection.simpleQuery(
                    SQL(unsafeText: "SELECT Ver FROM Scope WHERE Scope_ID IN (\(scopes)) FOR UPDATE"))
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for user in users {
                        for _ in 0..<3 {
                            group.addTask {
                                while !end.isReached.load(ordering: .relaxed) {
                                    let status = try await user.client.response(
                                        to: UpdateMe(userName: .set("Ada")),
                                        headers: [("X-Forwarded-For", "203.0.113.7")]
                                    ).status
                                    #expect([200, 503].contains(status))
                                }
                            }
                        }
                    }
                    try await eventually("four of them wait for locks") { try await service.waitingForScopes() == 4 }
                    // Without turns of the network all six come meanwhile.
                    for _ in 0..<10 {
                        #expect(try await service.fewWait(forScopes: 4))
                        let answer = try await bob.client.response(
                            to: UpdateMe(userName: .set("Bob")), headers: [("X-Forwarded-For", "198.51.100.7")])
                        #expect(answer.status == 200)
                    }
                    end.isReached.store(true, ordering: .relaxed)
                    try await connection.simpleQuery("ROLLBACK")
                    try await group.waitForAll()
                }
            }
        }
    }

    @Test("A renewal within a read, which has its network's turn, waits for no other turn")
    func renewalInRead() async throws {
        try await TestService.run { service in
            let user = UserID(uuid: try await service.newUser().user.id)
            try await service.withTenant { tenant in
                let network = ClientNetworks(address: "203.0.113.7")
                // A write has the user's turn, and waits for that of the network perhaps.
                let result = try await tenant.turns.run(user) {
                    try await tenant.networks.run(network) { try await tenant.write(scope: user) { _ in 7 } }
                }
                #expect(result == 7)
            }
        }
    }

    @Test("Tokens of nobody, by HTTP and by WebSocket, hold half of the connections; other networks are served")
    func unknownTokens() async throws {
        let proxies = try TrustedProxies("127.0.0.1")
        try await TestService.runAlone(
            configure: {
                Self.connections(8, &$0)
                $0.trustedProxies = proxies
            }
        ) { (service: TestService) async throws in
            @Sendable func byHTTP(_ token: String) async throws -> Int {
                try await service.client.response(
                    to: GetMe(),
                    headers: [("Authorization", "Bearer \(token)"), ("X-Forwarded-For", "203.0.113.7")]
                ).status
            }
            @Sendable func bySocket(_ token: String) async throws -> Int {
                do {
                    _ = try await RawWebSocket.open(
                        port: service.port, token: token, headers: ["X-Forwarded-For: 203.0.113.7"])
                    return 101
                } catch let refused as RefusedUpgrade {
                    return refused.response.status
                }
            }
            try await service.withAdmin { connection in
                // The service looks here for a token that no session has.
                try await connection.simpleQuery("LOCK TABLES Ended_session WRITE")
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for number in 0..<40 {
                        let token = try Token.generate().text
                        group.addTask {
                            let status = try await number.isMultiple(of: 2) ? byHTTP(token) : bySocket(token)
                            #expect([401, 503].contains(status))
                        }
                    }
                    try await eventually("four of them wait in the database") {
                        try await service.statementsUnderWay() == 4
                    }
                    let answer = try await service.client.response(
                        to: ListProviders(), headers: [("X-Forwarded-For", "198.51.100.7")])
                    #expect(answer.status == 200)
                    try await connection.simpleQuery("UNLOCK TABLES")
                    try await group.waitForAll()
                }
            }
        }
    }

    @Test("Turns follow their number: one request runs where it is 0, more when it grows, and fewer when it shrinks")
    func resized() async throws {
        let user = UserID(uuid: UUID())
        let limit = Mutex(0)
        let turns = UserTurns(atOnce: { limit.withLock { $0 } }, longestWait: .seconds(60))
        let (held, endFirst) = AsyncStream.makeStream(of: Void.self)
        let first = Task { try await turns.run(user) { for await _ in held {} } }
        try await eventually("one runs") { turns.count(of: user) == (1, 0) }
        let (stream, endOthers) = AsyncStream.makeStream(of: Void.self)
        let others = (0..<3).map { _ in Task { try await turns.run(user) { for await _ in stream {} } } }
        try await eventually("three wait") { turns.count(of: user) == (1, 3) }
        limit.withLock { $0 = 2 }
        endFirst.finish()
        try await first.value
        try await eventually("two run") { turns.count(of: user) == (2, 1) }
        limit.withLock { $0 = 1 }
        endOthers.finish()
        for other in others { try await other.value }
        #expect(turns.count(of: user) == (0, 0))
    }

    @Test("A turn goes from one to the next; a wait ends in time; one that is cancelled holds no place")
    func line() async throws {
        let user = UserID(uuid: UUID())
        let turns = UserTurns(atOnce: { UserTurns.writes }, longestWait: .seconds(3600))
        let (stream, release) = AsyncStream.makeStream(of: Void.self)
        let holders = (0..<UserTurns.writes).map { _ in
            Task { try await turns.run(user) { for await _ in stream {} } }
        }
        try await eventually("all places are taken") { turns.count(of: user).running == UserTurns.writes }
        let next = Task { try await turns.run(user) { 7 } }
        let cancelled = Task { try await turns.run(user) { 8 } }
        try await eventually("both wait") { turns.count(of: user).waiting == 2 }
        // Another user's turn is another line.
        #expect(try await turns.run(UserID(uuid: UUID())) { 9 } == 9)
        cancelled.cancel()
        await #expect(throws: CancellationError.self) { try await cancelled.value }
        // One that is cancelled before it is in line does not wait for the hour.
        let hasEnded = Mutex(false)
        let late = Task {
            defer { hasEnded.withLock { $0 = true } }
            withUnsafeCurrentTask { $0?.cancel() }
            try await turns.run(user) {}
        }
        try await eventually("it ends while all places are taken") { hasEnded.withLock { $0 } }
        await #expect(throws: CancellationError.self) { try await late.value }
        release.finish()
        #expect(try await next.value == 7)
        for holder in holders { try await holder.value }
        #expect(turns.count(of: user) == (0, 0))

        let brief = UserTurns(atOnce: { UserTurns.writes }, longestWait: .milliseconds(1))
        let (held, end) = AsyncStream.makeStream(of: Void.self)
        let busy = (0..<UserTurns.writes).map { _ in Task { try await brief.run(user) { for await _ in held {} } } }
        try await eventually("all places are taken") { brief.count(of: user).running == UserTurns.writes }
        await #expect(throws: TurnMissed.self) { try await brief.run(user) {} }
        end.finish()
        for holder in busy { try await holder.value }
        #expect(brief.count(of: user) == (0, 0))
    }
}

extension TestService {
    /// Whether so many writes at most wait for locks of scopes. One that has ended may be listed for a moment beside the
    /// next one, and so it is asked again.
    func fewWait(forScopes most: Int) async throws -> Bool {
        for _ in 0..<5 {
            if try await waitingForScopes() <= most { return true }
        }
        return false
    }

    /// How many writes wait for the lock of a user's scope.
    func waitingForScopes() async throws -> Int {
        try await number(
            """
            SELECT COUNT(*) FROM information_schema.PROCESSLIST
            WHERE DB = DATABASE() AND INFO LIKE '%FROM Scope%FOR UPDATE%' AND ID <> CONNECTION_ID()
            """)
    }
}
