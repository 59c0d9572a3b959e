import Foundation
import SubTrackAPI
import SubTrackTestSupport
import TestTraits
import Testing

@testable import SubTrackServer

@Suite("Sync cursors", .tags(.otherServers), .ownTime)
struct CursorTests {
    @Test("Any cursor is read as it was written, and any change of its bytes is noticed")
    func roundTrip() throws {
        var random = SeededGenerator(seed: 7)
        let key = (0..<32).map { _ in UInt8.random(in: 0...255, using: &random) }
        let registry = SyncRegistry(SubTrackService.areas())
        for _ in 0..<300 {
            let user = UserID(uuid: UUID())
            var positions = [SyncCursor.Position(scope: .user(user), version: 0, place: nil, base: 0)]
            if Bool.random(using: &random) {
                positions.append(.init(scope: .reference, version: .max, place: nil, base: .max))
            }
            for country in ["US", "DE", "FR"].shuffled(using: &random).prefix(Int.random(in: 0...3, using: &random)) {
                positions.append(.init(scope: .catalogue(country: country), version: 0, place: nil, base: 0))
            }
            for index in positions.indices {
                positions[index].version = Int64.random(in: 0...(1 << 40), using: &random)
                positions[index].base = Bool.random(using: &random) ? 0 : Int64.random(in: 0...9, using: &random)
                if Bool.random(using: &random) { positions[index].since = Int64.random(in: 0...99, using: &random) }
                if Bool.random(using: &random) {
                    positions[index].place = .init(
                        rank: Int.random(in: 0...108, using: &random),
                        id: (0..<Int.random(in: 0...400, using: &random)).map { UInt8(truncatingIfNeeded: $0) })
                }
            }
            let cursor = SyncCursor(
                user: user, epoch: (0..<16).map { _ in UInt8.random(in: 0...255, using: &random) },
                day: Bool.random(using: &random) ? nil : day("2026-01-31"),
                known: Int64.random(in: 0...1000, using: &random), left: Int.random(in: 0...1000, using: &random),
                positions: positions)
            let text = try cursor.text(key: key, registry)
            #expect(try SyncCursor(text, key: key, registry) == cursor)
            #expect(text.allSatisfy { $0.isLetter || $0.isNumber || $0 == "-" || $0 == "_" })
            var characters = Array(text)
            let index = Int.random(in: characters.indices, using: &random)
            characters[index] = characters[index] == "A" ? "B" : "A"
            #expect(throws: CursorFailure.self) { try SyncCursor(String(characters), key: key, registry) }
            #expect(throws: CursorFailure.self) { try SyncCursor(String(text.dropLast()), key: key, registry) }
            #expect(throws: CursorFailure.self) { try SyncCursor(text, key: key.reversed(), registry) }
        }
    }

    @Test("What is no cursor, or was changed, is refused by name; another user's starts the client over")
    func bad() async throws {
        try await TestService.run { service in
            let ada = try await service.newUser()
            let bob = try await service.newUser()
            let cursor = try await ada.call(PullChanges(scopes: .user)).cursor
            let flipped = String(cursor.dropLast(3)) + (cursor.suffix(3) == "AAA" ? "BBB" : "AAA")
            for bad in [
                "", "x", "null", "%27", String(cursor.dropLast()), String(cursor.dropFirst()), cursor + "A",
                cursor + "=", String(repeating: "A", count: 7999), "Z" + cursor.dropFirst(),
            ] {
                let answer = try await ada.client.send("GET", "/v1/changes?cursor=\(APIClient.encoded(bad))")
                #expect(answer.status == 400, "\(bad)")
                expectRefused(try answer.problem(), "cursor", .malformed)
            }
            // Of this user, but by no key of ours: as after a restore that has lost the key. The client finds back by itself.
            let forged = try await ada.refusal(of: PullChanges(cursor: flipped))
            #expect(forged.code == .resync && forged.reason == .epoch)
            let stolen = try await bob.client.send("GET", "/v1/changes?cursor=\(flipped)")
            expectRefused(try stolen.problem(), "cursor", .malformed)
            let problem = try await bob.refusal(of: PullChanges(cursor: cursor))
            #expect(problem.code == .resync && problem.status == 410 && problem.reason == .user)
            for (query, field) in [("limit=0", "limit"), ("limit=x", "limit"), ("scopes=mine", "scopes")] {
                let answer = try await ada.client.send("GET", "/v1/changes?\(query)")
                #expect(try answer.problem().errors?.map(\.field) == [field])
            }
            #expect(try await ada.client.send("GET", "/v1/changes?limit=5000").status == 200)
        }
    }

    @Test("A restored backup: what was acknowledged since is gone, every client starts over, and is right again")
    func restored() async throws {
        try await TestService.runAlone { service in
            let ada = try await service.newUser()
            let plan = try await service.addPlan()
            try await ada.call(CreateSubscription(planId: plan))
            let backup = try await Backup(of: service.database)
            var copy = SyncCopy()
            try await ada.call(CreateSubscription(planId: plan))
            try await copy.pull(ada)
            #expect(copy.data(.subscription).count == 2)
            var other = SyncCopy()
            try await other.pull(ada)
            try await backup.restore()

            // The first cursor from ahead makes a new epoch, which is the same for all.
            try await copy.pull(ada)
            #expect(copy.resyncs == [.epoch])
            #expect(copy.data(.subscription).count == 1)
            try await ada.call(CreateSubscription(planId: plan))
            try await ada.call(CreateSubscription(planId: plan))
            try await other.pull(ada)
            #expect(other.resyncs == [.epoch], "although the counters have come as far again")
            try await copy.pull(ada)
            #expect(copy.resyncs == [.epoch])
            #expect(copy.data(.subscription).count == 3)
            #expect(copy.differences(from: other) == [])

            // A second replica that has not heard of the new epoch takes its cursors.
            try await service.runReplica { replica in
                var there = ada
                there.client.baseURL = replica.client.baseURL
                try await there.call(PullChanges(cursor: copy.cursor))
                try await service.control.run("UPDATE Tenant SET Epoch = UNHEX(REPEAT('ab', 16))")
                var third = SyncCopy()
                try await eventually("the service has heard of it") {
                    try await ada.client.response(to: PullChanges(cursor: copy.cursor)).status == 410
                }
                try await third.pull(ada)
                try await there.call(PullChanges(cursor: third.cursor))
            }
        }
    }

    @Test("One restore makes one new epoch, whether a client or the job notices first")
    func oneEpoch() async throws {
        try await TestService.runAlone { service in
            let ada = try await service.newUser()
            let plan = try await service.addPlan()
            let backup = try await Backup(of: service.database)
            for _ in 0..<3 { try await ada.call(CreateSubscription(planId: plan)) }
            var copy = SyncCopy()
            try await copy.pull(ada)
            let sum = try await service.database.run("SELECT SUM(Ver) FROM Scope")
                .trimmingCharacters(in: .whitespacesAndNewlines)
            try await service.control.run(
                """
                INSERT INTO Tenant_counter VALUES ('default', \(sum), UTC_TIMESTAMP())
                ON DUPLICATE KEY UPDATE Counter_sum = VALUES(Counter_sum)
                """)
            try await backup.restore()
            try await copy.pull(ada)
            #expect(copy.resyncs == [.epoch])
            let epoch = try await service.control.run("SELECT HEX(Epoch) FROM Tenant")
            try await service.runReplica(configure: { $0.jobInterval = .milliseconds(20) }) { _ in
                let now = try await service.database.run("SELECT SUM(Ver) FROM Scope")
                try await eventually("the job has looked") {
                    try await service.control.run("SELECT Counter_sum FROM Tenant_counter") == now
                }
            }
            #expect(try await service.control.run("SELECT HEX(Epoch) FROM Tenant") == epoch)
        }
    }

    @Test("What the job has read is noted in its own epoch alone, and a smaller sum is read again before it counts")
    func epochRaces() async throws {
        let recorder = StatementRecorder()
        try await TestService.runAlone(configure: {
            $0.jobInterval = .milliseconds(20)
            $0.onStatement = { sql, _ in recorder.note(sql) }
        }) { service in
            try await eventually("it is noted how far the data have come") {
                try await service.control.run("SELECT COUNT(*) FROM Tenant_counter") == "1\n"
            }
            let epoch = try await service.control.run("SELECT HEX(Epoch) FROM Tenant")
            #expect(!recorder.all.keys.contains { $0.contains("LOCK IN SHARE MODE") })
            try await service.control.run("UPDATE Tenant_counter SET Counter_sum = Counter_sum + 1")
            try await eventually("there is a new epoch") {
                try await service.control.run("SELECT HEX(Epoch) FROM Tenant") != epoch
            }
            #expect(recorder.all.keys.contains { $0.contains("SUM(Ver)") && $0.contains("LOCK IN SHARE MODE") })
            let noting = recorder.all.keys.first { $0.hasPrefix("INSERT INTO Tenant_counter") }
            #expect(noting?.contains("AND Epoch = ?") == true)
        }
    }

    @Test("A dump without the key of cursors: replicas come to the same one, and clients start over by themselves")
    func lostKey() async throws {
        try await TestService.runAlone { service in
            let ada = try await service.newUser()
            var copy = SyncCopy()
            try await copy.pull(ada)
            try await service.database.run("DELETE FROM Setting WHERE Setting_name = 'Cursor_key'")
            try await service.runReplica { replica in
                var there = ada
                there.client.baseURL = replica.client.baseURL
                // One replica knows the old key still, the other has made a new one.
                let problem = try await there.refusal(of: PullChanges(cursor: copy.cursor))
                #expect(problem.code == .resync && problem.reason == .epoch)
                var other = SyncCopy()
                try await other.pull(there)
                try await ada.call(PullChanges(cursor: other.cursor))
                // And none keeps it beyond an epoch.
                try await service.database.run(
                    "UPDATE Setting SET Setting_value = TO_BASE64(REPEAT('k', 32)) WHERE Setting_name = 'Cursor_key'")
                try await service.control.run("UPDATE Tenant SET Epoch = UNHEX(REPEAT('ab', 16))")
                try await eventually("both have heard of it") {
                    var (one, two) = (SyncCopy(), SyncCopy())
                    try await one.pull(ada)
                    try await two.pull(there)
                    let answers = [
                        try await there.client.response(to: PullChanges(cursor: one.cursor)).status,
                        try await ada.client.response(to: PullChanges(cursor: two.cursor)).status,
                    ]
                    return answers == [200, 200]
                }
            }
        }
    }

    @Test("Who asks for their own rows alone is not sent back for what was removed elsewhere")
    func otherFloors() async throws {
        try await TestService.runAlone { service in
            let ada = try await service.newUser()
            let plan = try await service.addPlan()
            var copy = SyncCopy()
            try await copy.pull(ada)
            try await service.database.run("UPDATE Scope SET Floor_ver = Ver + 1 WHERE HEX(Scope_ID) LIKE '43%'")
            try await service.database.run("UPDATE Scope SET Ver = Ver + 2 WHERE HEX(Scope_ID) LIKE '43%'")
            try await ada.call(CreateSubscription(planId: plan))
            try await copy.pull(ada, scopes: .user)
            #expect(copy.resyncs == [] && copy.data(.subscription).count == 1)
            try await copy.pull(ada)
            #expect(copy.resyncs == [.floor])
        }
    }

    @Test("A client that was away for longer than tombstones are kept starts over; one in a long first pull does not")
    func floor() async throws {
        try await TestService.runAlone { service in
            let ada = try await service.newUser()
            let plan = try await service.addPlan()
            for _ in 0..<4 { try await ada.call(CreateSubscription(planId: plan)) }
            var (away, slow) = (SyncCopy(), SyncCopy())
            try await away.pull(ada, scopes: .user)
            try await service.database.run("DELETE FROM Subscription LIMIT 1")
            // Its place is before the tombstone, and it has no row of that time.
            try await slow.pullPage(ada, limit: 1, scopes: .user)
            try await service.database.run(
                "UPDATE Scope SET Floor_ver = Ver; DELETE FROM Tombstone")
            try await slow.pull(ada, limit: 1, scopes: .user)
            #expect(slow.resyncs == [])
            #expect(slow.data(.subscription).count == 3)
            try await away.pull(ada, scopes: .user)
            #expect(away.resyncs == [.floor])
            #expect(away.differences(from: slow) == [])
        }
    }

    @Test("A client two years behind: all that happened comes, or it starts over; its outbox is taken either way")
    func twoYears() async throws {
        for isForgotten in [false, true] {
            try await TestService.runAlone(at: "2024-01-31") { service in
                let ada = try await service.newUser()
                let plan = try await service.addPlan()
                let made = try await ada.call(
                    CreateSubscription(planId: plan, startDate: day("2024-01-15"), autoRenew: true))
                let doomed = try await ada.call(CreateSubscription(planId: plan))
                var copy = SyncCopy()
                try await copy.pull(ada)
                let outbox = [
                    PushChanges.Mutation(
                        entity: .subscription, id: made.id.uuidString, op: .update, baseVersion: made.version,
                        fields: ["note": "old", "fee": "3.00"]),
                    PushChanges.Mutation(
                        entity: .subscription, id: doomed.id.uuidString, op: .update, baseVersion: doomed.version,
                        fields: ["note": "late"]),
                ]
                service.clock.set("2026-01-31")
                try await ada.call(DeleteSubscription(id: doomed.id))
                if isForgotten {
                    try await service.database.run(
                        "UPDATE Scope SET Floor_ver = Ver; DELETE FROM Tombstone; DELETE FROM Idempotency")
                    let refused = try await ada.refusal(of: PushChanges(mutations: outbox, cursor: copy.cursor))
                    #expect(refused.code == .resync && refused.reason == .floor)
                }
                let results = try await ada.call(PushChanges(mutations: outbox)).results
                // Two years of renewals by themselves are nobody's change.
                #expect(results.map(\.outcome) == [.applied, .refused] && results[0].lost == [])
                try await copy.pull(ada, limit: 7)
                #expect(copy.resyncs == (isForgotten ? [.floor] : []))
                #expect(copy.data(.period).count == 24 && copy.data(.subscription).count == 1)
                var fresh = SyncCopy()
                try await fresh.pull(ada)
                #expect(copy.differences(from: fresh) == [])
            }
        }
    }

    @Test("What somebody has put in the key's place is no key: anybody could make cursors by it")
    func spoiledKey() async throws {
        try await TestService.runAlone { service in
            for value in ["", "AAAA", "no base 64"] {
                try await service.database.run(
                    """
                    INSERT INTO Setting (Setting_name, Setting_value) VALUES ('Cursor_key', '\(value)')
                    ON DUPLICATE KEY UPDATE Setting_value = VALUES(Setting_value)
                    """)
                try await service.database.withClient { client in
                    try await client.withConnection { connection in
                        do {
                            let key = try await CursorKey.ensure(on: connection)
                            Issue.record("\(value) is taken for a key of \(key.count) bytes")
                        } catch is CursorKey.Malformed {}
                    }
                }
            }
        }
    }
}
