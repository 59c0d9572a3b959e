import NIOCore
import SubTrackAPI
import SubTrackTestSupport
import Synchronization
import TestTraits
import Testing

@testable import SubTrackServer

/// The memory that all bodies of requests have together.
@Suite("Memory for bodies", .ownTime)
struct BodyBudgetTests {
    private let start = NIODeadline.uptimeNanoseconds(1_000_000_000_000)
    private let mebibyte = 1 << 20

    @Test("What is taken is given back, whatever the body's end was; more than there is cannot be taken")
    func takenAndGivenBack() {
        let budget = BodyBudget(bytes: 8 << 20, patience: .seconds(5))
        let tickets = (0..<7).map { _ in budget.begin(network: nil, now: start) {} }
        for ticket in tickets { #expect(budget.take(mebibyte, for: ticket, now: start)) }
        let late = budget.begin(network: nil, now: start) {}
        #expect(!budget.take(mebibyte, for: late, now: start))
        #expect(budget.take(BodyBudget.small, for: late, now: start), "the last eighth is for small bodies")
        #expect(budget.used == 7 << 20 + BodyBudget.small)
        #expect(budget.complete(tickets[0]))
        for ticket in tickets + [late] { budget.end(ticket) }
        budget.end(late)
        #expect(budget.used == 0)
        #expect(!budget.take(1, for: late, now: start), "one that has ended takes nothing")
    }

    @Test("Where all is taken, the oldest unfinished body that has had its time gives way, and no complete one does")
    func givingWay() {
        let budget = BodyBudget(bytes: 8 << 20, patience: .seconds(5))
        let gone = Mutex<[Int]>([])
        let tickets = (0..<7).map { index in
            let ticket = budget.begin(network: nil, now: start + .seconds(Int64(index))) {
                gone.withLock { $0.append(index) }
            }
            #expect(budget.take(mebibyte, for: ticket, now: start))
            return ticket
        }
        #expect(budget.complete(tickets[0]))
        let next = budget.begin(network: nil, now: start + .seconds(6)) {}
        #expect(budget.take(mebibyte, for: next, now: start + .seconds(6)))
        #expect(gone.withLock { $0 } == [1])
        #expect(!budget.complete(tickets[1]), "it is another's")
        #expect(!budget.take(mebibyte, for: next, now: start + .seconds(6)), "the third has not had its time")
        #expect(budget.used == 7 << 20)
        #expect(budget.take(mebibyte, for: next, now: start + .seconds(7)))
        #expect(gone.withLock { $0 } == [1, 2])
    }

    @Test("One network has half at the most")
    func networks() {
        let budget = BodyBudget(bytes: 8 << 20, patience: .seconds(5))
        let tickets = (0..<5).map { _ in budget.begin(network: "203.0.113.7", now: start) {} }
        #expect(tickets.count { budget.take(mebibyte, for: $0, now: start) } == 4)
        let other = budget.begin(network: "203.0.113.8", now: start) {}
        #expect(budget.take(mebibyte, for: other, now: start))
        budget.end(tickets[0])
        #expect(budget.take(mebibyte, for: tickets[4], now: start))
    }

    @Test("Many unfinished bodies take no more than there is, some are answered 503, and others are served meanwhile")
    func overHTTP() async throws {
        try await TestService.run(configure: {
            $0.httpLimits.bodyMemory = 4 << 20
            $0.httpLimits.bodyPatience = .milliseconds(200)
            // A body that gives way to no other one is not cut, however long the test takes.
            $0.httpLimits.bodyWindow = .seconds(3600)
        }) { service in
            let ada = try await service.newUser()
            let token = try #require(ada.client.token)
            let head =
                "POST /v1/subscriptions HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer \(token)\r\n"
                + "Content-Length: \(1 << 20)\r\n\r\n"
            let part = Array(head.utf8) + [UInt8](repeating: 0x20, count: 1 << 20 - 1)
            var sockets: [RawSocket] = []
            for _ in 0..<12 {
                let socket = try await RawSocket.connect(port: service.port)
                socket.sendWithoutWaiting(part)
                sockets.append(socket)
            }
            try await eventually("most are refused") {
                sockets.count { $0.isEnded && String(decoding: $0.bytes, as: UTF8.self).contains(" 503 ") } >= 9
            }
            let refused = try #require(sockets.first { $0.isEnded })
            let answer = try RawHTTP.parse(refused.bytes)
            #expect(answer.status == 503 && answer.header("retry-after") == "1")
            #expect(try answer.problem().code == .unavailable)
            #expect(try await ada.client.response(to: GetMe()).status == 200)
            // A request of an ordinary size finds room, whatever others hold.
            #expect(try await service.client.call(RegisterDevice(name: "phone", country: "US")).token != "")
            // What was begun can still be ended.
            let held = try #require(sockets.first { !$0.isEnded })
            try await held.send([0x20])
            try await eventually("it is answered") { !held.bytes.isEmpty }
            #expect(String(decoding: held.bytes, as: UTF8.self).hasPrefix("HTTP/1.1 400 "))
            for socket in sockets { await socket.close() }
        }
    }
}
