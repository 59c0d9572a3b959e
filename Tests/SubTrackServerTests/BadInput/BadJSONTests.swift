import Foundation
import SubTrackAPI
import SubTrackTestSupport
import TestTraits
import Testing

@Suite("Bad bodies", .ownTime)
struct BadJSONTests {
    @Test("What is no JSON, or JSON that readers disagree about, is a clear 400, and nothing is stored")
    func refused() async throws {
        try await TestService.runAlone { service in
            let ada = try await service.newUser()
            let before = try await service.rowCounts()
            let text: (String) -> [UInt8] = { Array($0.utf8) }
            let nested = String(repeating: "[", count: 100_000) + String(repeating: "]", count: 100_000)
            let bodies: [[UInt8]] = [
                text("{"), text("[]"), text("null"), text("\"x\""), text("1"), text("{} {}"), text("{'name':1}"),
                text(#"{"name":"a","name":"b"}"#), text(#"{"name":"a","\u006eame":"b"}"#),
                text(#"{"name":"a","country":{"a":1,"a":2}}"#), text(nested), text(#"{"name":\#(nested)}"#),
                text(String(repeating: #"{"name":"#, count: 100_000)),
                text(#"{"name":NaN}"#), text(#"{"name":Infinity}"#), text(#"{"name":1e999}"#),
                text(#"{"name":-1e999}"#),
                text(#"{"name":9007199254740993}"#), text(#"{"name":-9007199254740993}"#),
                text(#"{"name":1\#(String(repeating: "0", count: 5000))}"#), text(#"{"name":"\ud800"}"#),
                text(#"{"name":"\udc00\ud800"}"#), text(#"{"name":"\ud83d"}"#), text("{\"name\":\"a\nb\"}"),
                text("{\"name\":\"a\u{0}b\"}"), text(#"{"name":"a\u0000b"}"#), text("\u{FEFF}{\"name\":\"a\"}"),
                text("{\"name\":\"a\"}\u{0}"), text(#"{"name":"a",}"#), text(#"{"name":"a"/*x*/}"#),
                text("name=a&country=US"),
                text("<name>a</name>"), [0xFF, 0xFE, 0x7B, 0x00], [0x80],
                text("{\"name\":\"") + [0xC3, 0x28] + text("\"}"),
                text("{\"name\":\"") + [0xC0, 0xAF] + text("\"}"),
                text("{\"name\":\"") + [0xED, 0xA0, 0x80] + text("\"}"),
                text("{\"") + [0xFF] + text("\":1}"), text("   "), [],
            ]
            for body in bodies {
                for isChunked in [false, true] {
                    let answer = try await service.client.send(
                        "POST", "/v1/devices", body: Data(body), isChunked: isChunked)
                    expectClean(answer, status: 400, String(decoding: body.prefix(60), as: UTF8.self))
                    #expect(try answer.problem().code == .inputInvalid)
                }
            }
            #expect(
                try await ada.client.send("PATCH", "/v1/me", body: Data("{\"userName\":\"a\",}".utf8)).status == 400)
            #expect(try await service.rowCounts() == before)
        }
    }

    @Test("A body of 1 MiB is read, one byte more is 413, however its length is told; nothing of it is stored")
    func sizes() async throws {
        try await TestService.runAlone { service in
            func body(_ size: Int) -> Data {
                let json = "{\"name\":\"phone\"}"
                return Data((json + String(repeating: " ", count: size - json.utf8.count)).utf8)
            }
            for isChunked in [false, true] {
                let fits = try await service.client.send(
                    "POST", "/v1/devices", body: body(1 << 20), isChunked: isChunked)
                #expect(fits.status == 201)
                let before = try await service.rowCounts()
                for size in [(1 << 20) + 1, 5_000_000] {
                    let answer = try await service.client.send(
                        "POST", "/v1/devices", body: body(size), isChunked: isChunked)
                    expectClean(answer, status: 413, "\(size) bytes")
                    #expect(try answer.problem().code == .tooLarge)
                }
                #expect(try await service.rowCounts() == before)
            }
            let huge = try await RawHTTP.send(
                "POST", "/v1/devices", port: service.port, headers: ["Content-Length: 99999999999"],
                body: Array("{}".utf8))
            expectClean(huge, status: 413, "a length of 10^11")
            let expecting = try await RawSocket.connect(port: service.port)
            try await expecting.send(
                Array(
                    "POST /v1/devices HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: 5000000\r\n\r\n"
                        .utf8))
            try await eventually("it is refused") {
                String(decoding: expecting.bytes, as: UTF8.self).contains("HTTP/1.1 413")
            }
            await expecting.close()
        }
    }

    @Test("Lengths that lie, or two of them: 400 or cut off; what follows is never taken for part of another's request")
    func lyingLengths() async throws {
        try await TestService.runAlone { service in
            let json = "{\"name\":\"phone\"}"
            let before = try await service.rowCounts()
            for headers in [
                "Content-Length: 5", "Content-Length: 5\r\nContent-Length: 16", "Content-Length: 16, 5",
                "Content-Length: -1",
                "Content-Length: 16\r\nTransfer-Encoding: chunked", "Transfer-Encoding: chunked", "Content-Length: abc",
                "Transfer-Encoding: gzip", "Transfer-Encoding: chunked, chunked",
            ] {
                let request = "POST /v1/devices HTTP/1.1\r\nHost: x\r\n\(headers)\r\n\r\n\(json)"
                let bytes = try await RawHTTP.exchange(
                    Array(request.utf8), port: service.port, closesAfterwards: true, patience: 60)
                let statuses = String(decoding: bytes, as: UTF8.self).components(separatedBy: "HTTP/1.1 ").dropFirst()
                    .map { String($0.prefix(3)) }
                #expect(statuses.allSatisfy { $0.hasPrefix("4") || $0 == "501" }, "\(headers): \(statuses)")
            }
            #expect(try await service.rowCounts() == before)
        }
    }
}
