import Foundation
import SubTrackAPI
import SubTrackTestSupport
import TestTraits
import Testing

@testable import SubTrackServer

/// An export is written page by page out of one snapshot, and read from a file.
@Suite("Exports of any size", .ownTime)
struct ExportTests {
    @Test("All of a user who has more than a page of everything, and a subscription with a history of pages")
    func whole() async throws {
        try await TestService.run(at: "2026-01-31") { service in
            let plan = try await service.addPlan()
            let daily = try await service.addPlan(duration: "1 day")
            let ada = try await service.newUser()
            try await service.fill(
                ada.user.id, .init(subscriptions: 450, periods: 4, plans: 430, deleted: 210, answers: 0), plan: plan)
            // Two with more periods than are read at once, and one of half as many.
            _ = try await service.database.run(
                """
                INSERT INTO Subscription (User_ID, Plan_ID, Start_date, Label)
                VALUES (\(hex(ada.user.id)), \(daily), '2012-01-01', 'long'),
                    (\(hex(ada.user.id)), \(daily), '2013-01-01', 'longer'), (\(hex(ada.user.id)), \(daily), '2016-01-01', 'half');
                UPDATE Subscription SET Start_date = End_date, End_date = '2018-06-01', Ver = 0
                WHERE User_ID = \(hex(ada.user.id)) AND Plan_ID = \(daily)
                """)
            let answer = try await ada.client.response(to: ExportMe())
            #expect(answer.status == 200 && answer.header("content-length") == "\(answer.body.count)")
            #expect(answer.body.count > 4 * AnswerSpool.memory)
            let all = try await ada.call(ExportMe())
            #expect(all.subscriptions.count == 453 && all.deleted.count == 210 && all.plans.count == 430)
            #expect(all.plans.allSatisfy { $0.prices.count == 3 })
            #expect(all.plans.map(\.plan.id) == all.plans.map(\.plan.id).sorted())
            #expect(Set(all.deleted.map(\.subscription.id)).count == 210)
            for entry in all.subscriptions + all.deleted {
                #expect(entry.periods.map(\.number) == Array(0..<entry.subscription.period))
            }
            let long = all.subscriptions.filter { $0.subscription.label?.hasPrefix("long") == true }
            #expect(long.count == 2 && long.allSatisfy { $0.periods.count > 1900 })
            // As the list has them, in its order.
            var listed: [Subscription] = []
            try await forEachPage { cursor in
                let page = try await ada.call(ListSubscriptions(limit: 200, cursor: cursor))
                listed += page.subscriptions
                return page.nextCursor
            }
            #expect(all.subscriptions.map(\.subscription) == listed)
        }
    }

    @Test(
        "Who reads slowly holds no connection to the database, and no more than two exports; who goes away holds none")
    func slowReaders() async throws {
        try await TestService.run(configure: {
            $0.databaseConnections = 2
            Self.waitForReaders(&$0)
        }) { service in
            let plan = try await service.addPlan()
            let (ada, bob) = (try await service.newUser(), try await service.newUser())
            try await service.fill(
                ada.user.id, .init(subscriptions: 2000, periods: 0, plans: 0, deleted: 0, answers: 0), plan: plan)
            // More than the buffers of sockets take: each of these characters is six in JSON.
            _ = try await service.database.run(
                "UPDATE Subscription SET Note = REPEAT(CHAR(1), 1000) WHERE User_ID = \(hex(ada.user.id))")
            // An answer that has begun is made, and is being read from then on.
            var slow: [SlowReader] = []
            for _ in 0..<ExportDesk.maximumHeld { slow.append(try await beginExport(of: ada, on: service)) }
            let third = try await ada.client.response(to: ExportMe())
            #expect(third.status == 429 && third.header("retry-after") != nil)
            // The database is free for all others: there are no more than two connections.
            for _ in 0..<5 { try await bob.call(CreateSubscription(planId: plan)) }
            #expect(try await bob.call(ExportMe()).subscriptions.count == 5)
            for reader in slow { reader.leave() }
            try await eventually("their places are free") {
                try await ada.client.response(to: ExportMe()).status == 200
            }
        }
    }

    /// Has the service cut no reader that takes nothing, however long the test takes.
    private static func waitForReaders(_ settings: inout ServiceSettings) {
        settings.httpLimits.answerWindow = .seconds(3600)
        settings.httpLimits.idle = .seconds(3600)
    }

    /// Asks for an export, and reads no more of it than that it begins.
    private func beginExport(of user: TestUser, on service: TestService, _ headers: String = "") async throws
        -> SlowReader
    {
        let reader = try await SlowReader(port: service.port)
        let head = "GET /v1/me/export HTTP/1.1\r\nHost: a\r\n\(headers)"
        try await reader.send(Array("\(head)Authorization: Bearer \(user.client.token ?? "")\r\n\r\n".utf8))
        #expect(await reader.statusLine().contains(" 200 "))
        return reader
    }

    @Test("One network's slow readers leave exports to others")
    func networks() async throws {
        let proxies = try TrustedProxies("127.0.0.1")
        try await TestService.run(
            configure: {
                $0.trustedProxies = proxies
                Self.waitForReaders(&$0)
            }
        ) { (service: TestService) async throws in
            let plan = try await service.addPlan()
            var users: [TestUser] = []
            for _ in 0..<ExportDesk.maximumHeldByNetwork {
                let user = try await service.newUser()
                try await service.fill(
                    user.user.id, .init(subscriptions: 2000, periods: 0, plans: 0, deleted: 0, answers: 0), plan: plan)
                _ = try await service.database.run(
                    "UPDATE Subscription SET Note = REPEAT(CHAR(1), 1000) WHERE User_ID = \(hex(user.user.id))")
                users.append(user)
            }
            let bob = try await service.newUser()
            var slow: [SlowReader] = []
            for user in users {
                slow.append(try await beginExport(of: user, on: service, "X-Forwarded-For: 203.0.113.7\r\n"))
            }
            func export(from address: String) async throws -> Int {
                try await bob.client.response(to: ExportMe(), headers: [("X-Forwarded-For", address)]).status
            }
            #expect(try await export(from: "198.51.100.1") == 200)
            #expect(try await export(from: "203.0.113.7") == 429)
            for reader in slow { reader.leave() }
            try await eventually("their places are free") {
                try await export(from: "203.0.113.7") == 200
            }
        }
    }

    @Test("Several exports on one connection, and what comes behind them, are answered in their order")
    func pipelined() async throws {
        try await TestService.run { service in
            let plan = try await service.addPlan()
            let ada = try await service.newUser()
            try await service.fill(
                ada.user.id, .init(subscriptions: 400, periods: 0, plans: 0, deleted: 0, answers: 0), plan: plan)
            let token = "Authorization: Bearer \(ada.client.token ?? "")\r\n"
            let export = "GET /v1/me/export HTTP/1.1\r\nHost: a\r\n\(token)\r\n"
            let head = "HEAD /v1/me/export HTTP/1.1\r\nHost: a\r\n\(token)\r\n"
            let last = "GET /v1 HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"
            let text = String(
                decoding: try await RawHTTP.exchange(Array((export + head + export + last).utf8), port: service.port),
                as: UTF8.self)
            let statuses = text.components(separatedBy: "HTTP/1.1 ").dropFirst().map { String($0.prefix(3)) }
            #expect(statuses == ["200", "200", "200", "200"])
            #expect(text.components(separatedBy: "\"exportedAt\"").count == 3)
            #expect(text.components(separatedBy: "],\"plans\":[],").count == 3)
        }
    }

    @Test("The same bytes by HTTP/1.1 and HTTP/2, encrypted")
    func bothVersions() async throws {
        try await ServiceProcess.withFolder { folder in
            let files = try await ServiceTLSTests.certificate(in: folder)
            try await TestService.run(configure: { $0.tls = files }) { service in
                let plan = try await service.addPlan()
                let ada = try await service.newUser()
                try await service.fill(
                    ada.user.id, .init(subscriptions: 600, periods: 3, plans: 0, deleted: 0, answers: 0), plan: plan)
                var bodies: [Data] = []
                for (option, version) in [("--http1.1", "1.1"), ("--http2", "2")] {
                    let file = folder.path + "/export"
                    let output = try await Command.run(
                        "curl",
                        [
                            "-sS", option, "--cacert", files.certificate, "-w", "%{http_version} %{http_code}", "-o",
                            file,
                            "-H", "Authorization: Bearer \(ada.client.token ?? "")",
                            "https://127.0.0.1:\(service.port)/v1/me/export",
                        ])
                    #expect(output == "\(version) 200")
                    bodies.append(try Data(contentsOf: URL(fileURLWithPath: file)))
                }
                #expect(bodies[0] == bodies[1] && bodies[0].count > 2 * AnswerSpool.memory)
                #expect(try JSONDecoder().decode(ExportMe.Output.self, from: bodies[1]).subscriptions.count == 600)
            }
        }
    }

    @Test("On a socket a small export is one message, and a larger one is refused in words")
    func sockets() async throws {
        try await TestService.run(configure: { $0.socketListen = [.tcp(.init(host: "127.0.0.1", port: 0))] }) {
            service in
            let plan = try await service.addPlan()
            let (ada, bob) = (try await service.newUser(), try await service.newUser())
            try await bob.call(CreateSubscription(planId: plan, note: "small"))
            try await service.fill(
                ada.user.id, .init(subscriptions: 2500, periods: 0, plans: 0, deleted: 0, answers: 0), plan: plan)
            for (user, isSmall) in [(bob, true), (ada, false)] {
                let socket = try await service.connectSocket()
                _ = try await socket.call("session.open", ["token": user.client.token ?? ""])
                let answer = "\(try await socket.call("me.export").object)"
                #expect(answer.contains(isSmall ? "small" : "too_large"), "\(answer.prefix(300))")
                await socket.close()
            }
        }
    }

    @Test("What is kept on disk is bounded, and given back")
    func budget() async throws {
        let budget = SpoolBudget(bytes: 3 * AnswerSpool.memory)
        let part = [UInt8](repeating: 7, count: AnswerSpool.memory)
        do {
            var spool = AnswerSpool(budget: budget)
            for _ in 0..<3 { try await spool.write(part) }
            let answer = try await spool.finished()
            #expect(answer.length == 3 * part.count && budget.bytes == answer.length)
            #expect(try await answer.whole() == part + part + part)
            var other = AnswerSpool(budget: budget)
            await #expect(throws: Problem.self) { try await other.write(part) }
            var small = AnswerSpool(budget: budget)
            try await small.write([1, 2, 3])
            #expect(try await small.finished().whole() == [1, 2, 3])
        }
        #expect(budget.bytes == 0)
    }
}
