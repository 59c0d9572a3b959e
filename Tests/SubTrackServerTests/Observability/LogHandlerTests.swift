import Foundation
import Logging
import Synchronization
import TestTraits
import Testing

@testable import SubTrackServer

/// What a handler wrote, line by line.
private final class Lines: Sendable {
    private let bytes = Mutex<[[UInt8]]>([])
    func write(_ line: [UInt8]) { bytes.withLock { $0.append(line) } }
    var raw: [[UInt8]] { bytes.withLock { $0 } }
    var text: [String] { raw.map { String(decoding: $0, as: UTF8.self) } }
}

/// An error that says what it is told to.
struct LoggedFault: Error, CustomStringConvertible {
    let description: String
}

/// 2026-01-31T09:30:00.125Z.
private let morning: Int64 = 1_769_851_800_125

@Suite(.ownTime) struct JSONLogHandlerTests {
    private func logger(
        _ lines: Lines, label: String = "subtrackd", provider: Logger.MetadataProvider? = nil
    ) -> Logger {
        Logger(label: label) { label in
            JSONLogHandler(
                label: label, level: .trace, metadataProvider: provider, now: { morning }, write: { lines.write($0) })
        }
    }

    /// The only line as a reader of JSON sees it.
    private func object(_ lines: Lines) throws -> [String: String] {
        let line = try #require(lines.raw.first)
        #expect(lines.raw.count == 1)
        #expect(line.last == UInt8(ascii: "\n"))
        #expect(line.filter { $0 < 0x20 || $0 == 0x7F }.count == 1, "the line feed is the only control character")
        let object = try #require(try JSONSerialization.jsonObject(with: Data(line)) as? [String: Any])
        return object.mapValues { "\($0)" }
    }

    @Test func aLineIsOneObject() {
        let lines = Lines()
        logger(lines).notice("Serving.", metadata: ["port": "8080", "address": "127.0.0.1"], source: "HTTP")
        #expect(
            lines.text == [
                #"{"time":"2026-01-31T09:30:00.125Z","level":"notice","label":"subtrackd","message":"Serving.","#
                    + #""source":"HTTP","address":"127.0.0.1","port":"8080"}"# + "\n"
            ])
    }

    @Test(arguments: [
        (0, "1970-01-01T00:00:00.000Z"), (-1, "1969-12-31T23:59:59.999Z"), (morning, "2026-01-31T09:30:00.125Z"),
        (1_709_164_799_007, "2024-02-28T23:59:59.007Z"),
    ])
    func timesAreUTCWithMilliseconds(milliseconds: Int64, text: String) {
        #expect(LogTime.text(milliseconds) == text)
    }

    @Test(arguments: [
        "quote \" backslash \\ slash /", "two\nlines\r\nand\ttabs", "\u{0}\u{1}\u{B}\u{1B}[31mred\u{7F}",
        "\u{85}\u{2028}\u{2029}\u{9B}31m", "\u{202E}gnp.exe\u{2066}", "é e\u{301} 漢字 👩‍👩‍👧 \u{FFFD}\u{FEFF}",
        "\"}\n{\"level\":\"info\"", "",
    ])
    func hostileMessagesStayWithinTheirString(message: String) throws {
        let lines = Lines()
        logger(lines).error("\(message)", metadata: ["\(message)key": "\(message)"])
        let object = try object(lines)
        // Compared by scalars, for by characters `é` is the same in two forms.
        #expect(Array((object["message"] ?? "-").unicodeScalars) == Array(message.unicodeScalars))
        #expect(Array((object["\(message)key"] ?? "-").unicodeScalars) == Array(message.unicodeScalars))
        #expect(object.count == 6)
        let text = lines.text[0]
        for scalar in ["\u{85}", "\u{9B}", "\u{2028}", "\u{2029}", "\u{202E}"] { #expect(!text.contains(scalar)) }
    }

    @Test func anyScalarComesBack() throws {
        var generator = SeededGenerator(seed: 10646)
        for _ in 0..<300 {
            var message = String.UnicodeScalarView()
            for _ in 0..<40 {
                let limit: UInt32 = Bool.random(using: &generator) ? 0x100 : 0x11_0000
                if let scalar = Unicode.Scalar(UInt32.random(in: 0..<limit, using: &generator)) {
                    message.append(scalar)
                }
            }
            let lines = Lines()
            logger(lines).info("\(String(message))")
            #expect(Array((try object(lines)["message"] ?? "-").unicodeScalars) == Array(message))
        }
    }

    @Test func metadataAreFlatAndTheNearestCounts() throws {
        let lines = Lines()
        var logger = logger(lines, provider: Logger.MetadataProvider { ["a": "provider", "b": "provider"] })
        logger[metadataKey: "a"] = "logger"
        logger[metadataKey: "kept"] = "logger"
        logger.info(
            "m",
            metadata: [
                "b": "event", "tenant": ["name": "acme", "pool": ["size": "\(4)"]], "errors": ["one", ["two"]],
                "none": [], "nothing": [:],
            ])
        let object = try object(lines).filter { !["time", "level", "label", "message", "source"].contains($0.key) }
        #expect(
            object == [
                "a": "provider", "b": "event", "kept": "logger", "tenant.name": "acme", "tenant.pool.size": "4",
                "errors.0": "one", "errors.1.0": "two", "none": "[]", "nothing": "{}",
            ])
    }

    @Test func noMemberOccursTwice() throws {
        let lines = Lines()
        logger(lines).info(
            "real", error: LoggedFault(description: "broken"),
            metadata: [
                "message": "forged", "level": "forged", "metadata.level": "second", "a.b": "1", "a": ["b": "2"],
                "error.message": "mine",
            ])
        let object = try object(lines)
        #expect(object["message"] == "real")
        #expect(object["metadata.message"] == "forged")
        #expect(object["error.message"] == "broken")
        #expect(object["metadata.error.message"] == "mine")
        #expect(object["error.type"]?.hasSuffix("LoggedFault") == true)
        let names = lines.text[0].matches(of: /"([^"]*)":/).map(\.1)
        #expect(Set(names).count == names.count)
        #expect(names.count == 13)
    }

    @Test func whatIsNamedLikeASecretIsHidden() throws {
        let lines = Lines()
        let secret = "hunter2-planted"
        let keys = [
            "password", "newPassword", "DB_PASSWORD", "token", "access-token", "Authorization", "client.secret",
            "Cookie", "set-cookie", "credentials", "api_key", "X-API-Key", "private key", "passphrase", "bearer",
        ]
        var metadata = Logger.Metadata(uniqueKeysWithValues: keys.map { ($0, "\(secret)") })
        metadata["headers"] = ["authorization": .array([.string(secret)]), "accept": "x"]
        metadata["list"] = .array([["token": ["deep": .string(secret)]]])
        var logger = logger(lines)
        logger[metadataKey: "sessionToken"] = "\(secret)"
        logger.info("m", metadata: metadata)
        #expect(!lines.text[0].contains(secret))
        let object = try object(lines)
        for key in keys + ["sessionToken", "headers.authorization", "list.0.token"] {
            #expect(object[key] == "[redacted]", "\(key)")
        }
        #expect(object["headers.accept"] == "x")
    }

    @Test func longValuesAreCutAndSaySo() throws {
        let lines = Lines()
        let long = String(repeating: "€", count: 2_000)
        logger(lines).info(
            "\(long)", metadata: ["value": "\(long)", "fits": "\(String(repeating: "x", count: 4_096))"])
        let object = try object(lines)
        let cut = String(repeating: "€", count: 1_365) + "… [cut, 6000 bytes in all]"
        #expect(object["message"] == cut)
        #expect(object["value"] == cut)
        #expect(object["fits"]?.count == 4_096)
    }

    @Test func aLineIsBoundedWhateverIsLogged() throws {
        // The worst there is: each byte becomes six.
        let worst = String(repeating: "\u{1}", count: 10_000)
        for count in [1, 2, 3, 50, 200] {
            let lines = Lines()
            let metadata = Logger.Metadata(uniqueKeysWithValues: (0..<count).map { ("\($0)" + worst, "\(worst)") })
            logger(lines, label: worst).critical("\(worst)", error: LoggedFault(description: worst), metadata: metadata)
            #expect(lines.raw[0].count < 64 * 1_024)
            let object = try object(lines)
            #expect(object["fields_left_out"].flatMap(Int.init) ?? 0 == count + 2 - (object.count - 6))
        }
        let lines = Lines()
        logger(lines).info("m", metadata: ["many": .array((0..<100).map { "\($0)" })])
        #expect(try object(lines)["fields_left_out"] == "36")
    }

    @Test func nestingIsBounded() throws {
        let lines = Lines()
        var value: Logger.Metadata.Value = "bottom"
        for _ in 0..<10_000 { value = ["k": value] }
        logger(lines).info("m", metadata: ["k": value])
        #expect(try object(lines)["k.k.k.k.k.k.k.k.k"] == "{…}")
    }

    @Test func levelsAndMetadataBelongToTheirLogger() {
        let lines = Lines()
        let first = logger(lines)
        var second = first
        second.logLevel = .error
        second[metadataKey: "a"] = "b"
        second.info("hidden")
        first.info("shown")
        #expect(lines.text.count == 1)
        #expect(!lines.text[0].contains("\"a\""))
    }
}

@Suite(.ownTime) struct TextLogHandlerTests {
    private func text(
        short: Bool = true, coloured: Bool = false, _ body: (Logger) -> Void
    ) -> [String] {
        let lines = Lines()
        body(
            Logger(label: "subtrackd") { label in
                TextLogHandler(
                    label: label, level: .trace, now: { morning }, isShort: short, isColoured: coloured,
                    write: { lines.write($0) })
            })
        return lines.text
    }

    @Test func aLineIsForPeople() {
        let lines = text {
            $0.notice("Serving on.", metadata: ["address": "127.0.0.1:8080", "name": "two \"words\"", "empty": ""])
            $0.critical("No more.", error: LoggedFault(description: "it=broke"), metadata: ["password": "hunter2"])
        }
        #expect(
            lines
                == [
                    "09:30:00.125Z notice   subtrackd: Serving on. address=127.0.0.1:8080 empty=\"\" "
                        + "name=\"two \\\"words\\\"\"\n",
                    "09:30:00.125Z critical subtrackd: No more. error.message=\"it=broke\" "
                        + "error.type=SubTrackServerTests.LoggedFault password=[redacted]\n",
                ])
    }

    @Test func awayFromATerminalItHasItsDate() {
        #expect(text(short: false) { $0.info("m") } == ["2026-01-31T09:30:00.125Z info     subtrackd: m\n"])
    }

    @Test func theLevelAloneIsColoured() {
        #expect(
            text(coloured: true) { $0.warning("m") } == [
                "09:30:00.125Z \u{1B}[33mwarning\u{1B}[0m  subtrackd: m\n"
            ])
    }

    @Test func nothingLoggedReachesTheTerminalAsACommand() {
        let lines = text { $0.info("a\n09:30 error forged\u{1B}[2J\u{9B}1m", metadata: ["k\n": "v\u{202E}"]) }
        #expect(
            lines == [
                #"09:30:00.125Z info     subtrackd: a\n09:30 error forged\u001b[2J\u009b1m k\n=v\u202e"# + "\n"
            ])
    }

    @Test func longLinesAreBounded() {
        let worst = String(repeating: "\u{1}", count: 10_000)
        let lines = text {
            $0.info("\(worst)", metadata: Logger.Metadata(uniqueKeysWithValues: (0..<50).map { ("\($0)", "\(worst)") }))
        }
        #expect(lines[0].utf8.count < 64 * 1_024)
        #expect(lines[0].hasSuffix(" (49 more)\n"))
    }
}
