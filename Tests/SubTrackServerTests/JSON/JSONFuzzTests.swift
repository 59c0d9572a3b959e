import Foundation
import SubTrackTestSupport
import TestTraits
import Testing

@testable import SubTrackServer

/// `SUBTRACKIT_FUZZ=10000000` tries that many inputs, `SUBTRACKIT_TEST_SEED` others than last time.
@Suite("Reading JSON, fuzzed", .ownTime)
struct JSONFuzzTests {
    private static func setting(_ name: String) -> UInt64? {
        ProcessInfo.processInfo.environment[name].flatMap { UInt64($0) }
    }

    /// How many inputs are tried.
    private static func count(or standard: Int) -> Int {
        setting("SUBTRACKIT_FUZZ").map(Int.init(clamping:)) ?? standard
    }

    private static func generator(_ seed: UInt64) -> SeededGenerator {
        SeededGenerator(seed: TestSeed.first(of: "JSON", or: seed))
    }

    /// Where the scanner is stricter than Foundation, by what it says.
    private static let strictReasons = [
        "is there twice", "nested deeper than", "larger than 2^53", "more than 64 characters", "number is too large",
        "not UTF-8", "half a surrogate pair", "combining marks in a row",
    ]

    @Test(
        "Mutated JSON never crashes it, and is accepted exactly when Foundation accepts it, but for the stricter rules")
    func agreesWithFoundation() throws {
        let count = Self.count(or: TestStage.full ? 100_000 : 20_000)
        var generator = Self.generator(8259)
        var accepted = 0
        var refused = 0
        for _ in 0..<count {
            let bytes = Self.mutated(Array(Self.document(&generator, depth: 0).utf8), &generator)
            // Foundation guesses other encodings from a byte order mark or zeros in the first four bytes.
            guard !bytes.starts(with: [0xEF]), !bytes.starts(with: [0xFE]), !bytes.starts(with: [0xFF]),
                !bytes.prefix(4).contains(0)
            else { continue }
            let foundation = try? JSONSerialization.jsonObject(with: Data(bytes), options: .fragmentsAllowed)
            do throws(JSONScanner.Failure) {
                let value = try JSONScanner.scan(bytes)
                accepted += 1
                guard let foundation else {
                    Issue.record("accepted, but not by Foundation: \(String(decoding: bytes, as: UTF8.self))")
                    continue
                }
                guard Self.isSame(value, foundation) else {
                    Issue.record("read otherwise: \(String(decoding: bytes, as: UTF8.self)): \(value), \(foundation)")
                    continue
                }
            } catch {
                refused += 1
                guard
                    foundation == nil || Self.strictReasons.contains(where: { error.reason.contains($0) })
                        || Self.hasTrailingComma(bytes)
                else {
                    Issue.record("refused (\(error)): \(String(decoding: bytes, as: UTF8.self))")
                    continue
                }
            }
        }
        // Both kinds were there.
        #expect(accepted > count / 10 && refused > count / 10, "\(accepted) accepted, \(refused) refused")
    }

    @Test("Bytes without any sense never crash it")
    func noise() {
        var generator = Self.generator(7159)
        let alphabet = Array("[]{}:,\"\\u0123456789eE+-.truefalsn \n\t\u{0}é𝄞".utf8) + [0x80, 0xFF, 0xC3, 0xED]
        for _ in 0..<Self.count(or: 20_000) {
            let bytes = (0..<Int.random(in: 0...40, using: &generator)).map { _ in
                alphabet[Int.random(in: 0..<alphabet.count, using: &generator)]
            }
            _ = try? JSONScanner.scan(bytes)
        }
    }

    /// A random valid document.
    private static func document(_ generator: inout SeededGenerator, depth: Int) -> String {
        switch Int.random(in: 0...(depth > 3 ? 5 : 8), using: &generator) {
        case 0: return "null"
        case 1: return Bool.random(using: &generator) ? "true" : "false"
        case 2: return String(Int64.random(in: -9_007_199_254_740_992...9_007_199_254_740_992, using: &generator))
        case 3:
            return "\(Int.random(in: -999...999, using: &generator)).\(UInt16.random(in: 0...999, using: &generator))"
        case 4: return "\(Int.random(in: -9...9, using: &generator))e\(Int.random(in: -30...30, using: &generator))"
        case 5: return text(&generator)
        case 6, 7:
            let count = Int.random(in: 0...3, using: &generator)
            return "{"
                + (0..<count).map { _ in "\(text(&generator)) :\(document(&generator, depth: depth + 1))" }
                .joined(separator: ", ") + "}"
        default:
            let count = Int.random(in: 0...4, using: &generator)
            return "[" + (0..<count).map { _ in document(&generator, depth: depth + 1) }.joined(separator: ",") + " ]"
        }
    }

    private static func text(_ generator: inout SeededGenerator) -> String {
        let parts = ["a", "b", "é", "€", "𝄞", #"\n"#, #"\u00e9"#, #"\ud834\udd1e"#, #"\\"#, #"\""#, "/", " ", "0"]
        return "\""
            + (0..<Int.random(in: 0...5, using: &generator)).map { _ in
                parts[Int.random(in: 0..<parts.count, using: &generator)]
            }.joined() + "\""
    }

    /// Up to three bytes changed, added, taken away or copied from elsewhere; sometimes none.
    private static func mutated(_ bytes: [UInt8], _ generator: inout SeededGenerator) -> [UInt8] {
        var bytes = bytes
        let interesting = Array("[]{}:,\"\\ue0159+-. ".utf8) + [0x00, 0x1F, 0x7F, 0x80, 0xC3, 0xED, 0xF4, 0xFF]
        for _ in 0..<Int.random(in: 0...3, using: &generator) {
            guard !bytes.isEmpty else { break }
            let index = Int.random(in: 0..<bytes.count, using: &generator)
            switch Int.random(in: 0...4, using: &generator) {
            case 0: bytes[index] = interesting[Int.random(in: 0..<interesting.count, using: &generator)]
            case 1: bytes.insert(interesting[Int.random(in: 0..<interesting.count, using: &generator)], at: index)
            case 2: bytes.remove(at: index)
            case 3: bytes[index] = UInt8.random(in: 0...255, using: &generator)
            default: bytes.append(contentsOf: bytes[index...].prefix(8))
            }
        }
        return bytes
    }

    /// Whether a comma stands right before a closing bracket. Foundation lets that pass, RFC 8259 does not.
    private static func hasTrailingComma(_ bytes: [UInt8]) -> Bool {
        let solid = bytes.filter { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }
        return zip(solid, solid.dropFirst()).contains { $0 == UInt8(ascii: ",") && ($1 == 0x5D || $1 == 0x7D) }
    }

    /// Whether both readers saw the same.
    private static func isSame(_ value: JSONValue, _ other: Any) -> Bool {
        switch value {
        case .null: return other is NSNull
        case .bool(let bool): return other as? Bool == bool
        case .unfit: return false
        case .integer(let integer): return (other as? NSNumber)?.int64Value == integer
        case .decimal(let text):
            // Foundation goes by way of a decimal type of its own and may miss the nearest double by little.
            guard let double = Double(text), let otherDouble = (other as? NSNumber)?.doubleValue else { return false }
            return abs(double - otherDouble) <= abs(double) * 1e-14
        case .string(let text), .text(let text):
            return (other as? String).map { Array($0.utf8) == Array(text.utf8) } ?? false
        case .array(let elements):
            guard let others = other as? [Any], others.count == elements.count else { return false }
            return zip(elements, others).allSatisfy { isSame($0, $1) }
        case .object(let members):
            // Foundation's dictionary takes two spellings of one text (é, e + ´) for the same name.
            guard let others = other as? [String: Any], others.count <= members.count else { return false }
            return members.allSatisfy { member in
                others[member.name].map { isSame(member.value, $0) || others.count < members.count } ?? false
            }
        }
    }
}
