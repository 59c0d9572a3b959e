import Foundation
import SubTrackAPI
import SubTrackTestSupport
import TestTraits
import Testing

@testable import SubTrackServer

@Suite("Texts that are dear to compare", .ownTime)
struct ClientTextTests {
    @Test("Every character that a normal form sorts among marks is counted as one")
    func marks() {
        var missed: [String] = []
        for value in UInt32(0x80)...0x1FFFF {
            guard let scalar = Unicode.Scalar(value), scalar.properties.generalCategory != .unassigned else { continue }
            let text = String(scalar)
            let decomposed = text.decomposedStringWithCompatibilityMapping.unicodeScalars
            let isSorted = decomposed.allSatisfy { $0.properties.canonicalCombiningClass != .notReordered }
            if isSorted != ClientText.hasTooManyMarks(String(repeating: text, count: 31)) {
                missed.append(String(value, radix: 16))
            }
        }
        #expect(missed.isEmpty)
    }

    @Test("Thirty marks in a row are taken, thirty-one are not; a letter ends a row")
    func runs() {
        func text(_ count: Int) -> String { "a" + String(repeating: "\u{0301}", count: count) }
        #expect(!ClientText.hasTooManyMarks(text(30)) && ClientText.hasTooManyMarks(text(31)))
        #expect(!ClientText.hasTooManyMarks(String(repeating: text(30), count: 1_000)))
        #expect(ClientText.hasTooManyMarks(String(repeating: "x", count: 1_000) + text(31)))
        #expect(!ClientText.hasTooManyMarks(String(repeating: "한국어日本語العربيةहिन्दीไทย", count: 100)))
    }

    @Test("ASCII words are compared in any case")
    func words() {
        #expect("WebSocket".isASCIIWord("websocket") && "100-continue".isASCIIWord("100-continue"))
        #expect(!"websockets".isASCIIWord("websocket") && !"websocke".isASCIIWord("websocket"))
        #expect(!"".isASCIIWord("websocket") && !"\u{212A}k".isASCIIWord("kk"))
    }

    @Test("Whichever way such a text comes, it is refused as bad input before anything compares it")
    func refused() async throws {
        try await TestService.run { service in
            let ada = try await service.newUser()
            let marks = String(repeating: "\u{0301}\u{0316}", count: 200)
            let escaped = String(repeating: "%CC%81%CC%96", count: 200)
            let message = "has more than 30 combining marks in a row"
            for json in [
                #"{"userName":"\#(marks)"}"#, #"{"\#(marks)":1}"#, #"{"timeZone":"\#(marks)"}"#,
                #"{"userName":"\#(String(repeating: #"\u0301"#, count: 31))"}"#,
            ] {
                let answer = try await ada.client.send("PATCH", "/v1/me", body: Data(json.utf8))
                #expect(answer.status == 400 && answer.text.contains(message), "\(answer.text)")
            }
            for query in ["status=\(escaped)", "\(escaped)=1"] {
                let answer = try await ada.client.send("GET", "/v1/subscriptions?\(query)")
                #expect(answer.status == 400 && answer.text.contains(message), "\(answer.text)")
            }
            #expect(throws: RequestTarget.Failure.path) { try RequestTarget("/v1/\(escaped)") }
            #expect(throws: RequestTarget.Failure.path) { try RequestTarget("/t/\(escaped)/v1/me") }
            for name in ["If-None-Match", "X-Forwarded-For", "Accept-Language"] {
                let answer = try await ada.client.send("GET", "/v1/me", headers: [(name, marks)])
                #expect(answer.status == 400 && answer.text.contains(message), "\(name): \(answer.text)")
            }
        }
    }
}
