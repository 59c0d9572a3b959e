import Foundation
import SubTrackAPI
import SubTrackTestSupport
import TestTraits
import Testing

@testable import SubTrackServer

@Suite("Cursors, and hashes that stay the same", .ownTime)
struct PageCursorTests {
    @Test("A cursor gives back the fields that it was made of, whatever is in them")
    func roundTrip() throws {
        var generator = SeededGenerator(seed: 4648)
        let parts = ["", "a", "é", "𝄞", "/", "+", "=", "\"", "?", "0", " ", "\u{0}", "\u{1E}"]
        for count in 1...4 {
            for _ in 0..<200 {
                let fields = (0..<count).map { _ in
                    (0..<Int.random(in: 0...8, using: &generator)).map { _ in
                        parts.randomElement(using: &generator) ?? ""
                    }.joined()
                }
                let cursor = PageRequest.cursor(kind: "plans", after: fields)
                #expect(
                    cursor.utf8.allSatisfy {
                        (0x30...0x39).contains($0) || (0x41...0x5A).contains($0) || (0x61...0x7A).contains($0)
                            || $0 == 0x2D || $0 == 0x5F
                    })
                let request = try PageRequest(limit: nil, cursor: cursor, kind: "plans", fields: count)
                #expect(request.after == fields && request.limit == 50)
                #expect(throws: Problem.self) {
                    try PageRequest(limit: nil, cursor: cursor, kind: "plan", fields: count)
                }
                #expect(throws: Problem.self) {
                    try PageRequest(limit: nil, cursor: cursor, kind: "plans", fields: count + 1)
                }
            }
        }
    }

    @Test("Limits are clamped to 200; less than 1 is refused")
    func limits() throws {
        for (asked, given) in [(nil, 50), (1, 1), (200, 200), (201, 200), (Int.max, 200)] as [(Int?, Int)] {
            #expect(try PageRequest(limit: asked, cursor: nil, kind: "x", fields: 1).limit == given)
        }
        for asked in [0, -1, Int.min] {
            #expect(throws: Problem.self) { try PageRequest(limit: asked, cursor: nil, kind: "x", fields: 1) }
        }
    }

    @Test("Noise is refused and never crashes it")
    func noise() {
        var generator = SeededGenerator(seed: 4649)
        for _ in 0..<20_000 {
            let bytes = (0..<Int.random(in: 0...40, using: &generator)).map { _ in
                UInt8.random(in: 0...255, using: &generator)
            }
            let text =
                Bool.random(using: &generator)
                ? Data(bytes).base64EncodedString() : String(decoding: bytes, as: UTF8.self)
            #expect(throws: Problem.self) { try PageRequest(limit: 1, cursor: text, kind: "plans", fields: 4) }
        }
    }

    @Test("A cursor whose numbers are none, or that no list gives, is refused")
    func noNumbers() async throws {
        try await TestService.run { service in
            for (path, kind, fields) in [
                ("/v1/plans?country=US&", "plans", ["x", "a", "1", "1"]),
                ("/v1/plans?country=US&", "plans", ["x", "5", "1", "1"]),
                ("/v1/plans?country=US&", "plans", ["x", "3", "", "1"]),
                ("/v1/plans?country=US&", "plans", ["x", "3", "0", "1"]),
                ("/v1/plans?country=US&", "plans", ["x", "3", "1", "0x1"]),
                ("/v1/providers?", "providers", ["x", "2"]),
            ] {
                let cursor = PageRequest.cursor(kind: kind, after: fields)
                let answer = try await service.client.send("GET", "\(path)cursor=\(cursor)")
                #expect(answer.status == 400, "\(fields): \(answer.text)")
                expectRefused(try answer.problem(), "cursor", .malformed)
            }
        }
    }

    @Test("A forged cursor of the right form is data: it finds a place in the list or is refused, and nothing else")
    func forged() async throws {
        try await TestService.run { service in
            let ada = try await service.newUser()
            let plan = try await service.addPlan()
            let made = try await ada.call(CreateSubscription(planId: plan))
            let hostile = [
                "", "'", "' OR 1=1 -- ", "-1", "99999999999999999999", "NaN", "2026-02-30", "\u{0}", "é𝄞",
                String(repeating: "9", count: 400),
            ]
            for (path, kind, count) in [
                ("/v1/subscriptions", "subscriptions", 2), ("/v1/plans?country=US", "plans", 4),
                ("/v1/providers", "providers", 2),
                ("/v1/countries", "countries", 1), ("/v1/subscriptions/\(made.id)/periods", "periods", 1),
            ] {
                for text in hostile {
                    for position in 0..<count {
                        var fields = ["2026-01-31", UUID().uuidString, "1", "1"].prefix(count).map { $0 }
                        fields[position] = text
                        let cursor = PageRequest.cursor(kind: kind, after: fields)
                        let answer = try await ada.client.send(
                            "GET", "\(path)\(path.contains("?") ? "&" : "?")cursor=\(cursor)")
                        #expect([200, 400].contains(answer.status), "\(path) \(fields): \(answer.text)")
                    }
                }
            }
        }
    }

    @Test("The stable hash is FNV-1a with 64 bits, by its published values")
    func fnv() {
        func hash(_ text: String) -> UInt64 {
            var hash = StableHash()
            hash.combine(text.utf8)
            return hash.value
        }
        #expect(hash("") == 0xCBF2_9CE4_8422_2325)
        #expect(hash("a") == 0xAF63_DC4C_8601_EC8C)
        #expect(hash("foobar") == 0x8594_4171_F739_67E8)
    }

    @Test("Texts are told apart where they end, and numbers by all their bytes")
    func boundaries() {
        func hash(_ texts: [String]) -> UInt64 {
            var hash = StableHash()
            for text in texts { hash.combine(text) }
            return hash.value
        }
        #expect(hash(["ab", "c"]) != hash(["a", "bc"]) && hash(["a", ""]) != hash(["a"]))
        var one = StableHash()
        one.combine(Int32(1))
        var other = StableHash()
        other.combine(Int64(1))
        #expect(one.value == other.value)
        other.combine(Int64(1) << 40)
        #expect(one.value != other.value)
    }
}
