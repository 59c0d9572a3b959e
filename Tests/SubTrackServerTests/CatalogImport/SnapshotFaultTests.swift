import Foundation
import SubTrackAPI
import SubTrackTestSupport
import TestTraits
import Testing

@testable import SubTrackServer

/// Broken files: each fault is said, all of them, and nothing is written.
@Suite(.ownTime) struct SnapshotFaultTests {
    @Test func everyFaultIsReportedAndNothingIsWritten() async throws {
        try await ImportDatabase.lease { database in
            let before = try await database.versions()
            let faults = try await database.faults(
                of: try .of("2024-01-01", ["US USD": ["basic": "9.99"]]),
                try .json(
                    "2024-02-01",
                    #"""
                    [
                    {"country_code": "US", "currency": "USD", "plans": [
                        {"name": "basic", "price": -1},
                        {"name": "basic", "price": 1},
                        {"name": "standard", "price": 17.999},
                        {"name": "Standard", "price": null},
                        {"name": "standard_with_ads", "price": 7.99},
                        {"name": "standard with ads", "price": 7.99},
                        {"name": "text", "price": "9.99"},
                        {"name": "none"},
                        {"name": "large", "price": 100000000000},
                        {"name": "exponent", "price": 1e3},
                        {"name": "precise", "price": 0.12345678},
                        {"name": "huge", "price": 1234567890123456.789},
                        {"name": " ", "price": 1},
                        {"price": 1},
                        7,
                        {"name": "bell\u0007", "price": 1}]},
                    {"country_code": "JP", "currency": "JPY", "plans": [{"name": "basic", "price": 990.5}]},
                    {"country_code": "KW", "currency": "KWD", "plans": [{"name": "basic", "price": 2.499}]},
                    {"country_code": "ZZ", "currency": "USD", "plans": []},
                    {"country_code": "de", "currency": "EUR", "plans": []},
                    {"country_code": "FR", "currency": "FRX", "plans": [{"name": "basic", "price": 1.999}]},
                    {"country_code": "JP", "currency": "JPY", "plans": []},
                    {"country_code": "CL", "plans": []},
                    {"currency": "EUR", "plans": []},
                    {"country_code": "IT", "currency": "EUR", "plans": null},
                    null]
                    """#))
            #expect(
                faults == [
                    "2024-02-01.json: US, basic: the price is negative: -1",
                    "2024-02-01.json: US, text: price must be a number or null, is a text",
                    "2024-02-01.json: US, none: price is missing",
                    "2024-02-01.json: US, large: the price is over 99999999999: 100000000000",
                    "2024-02-01.json: US, exponent: the price must be written without an exponent: 1e3",
                    "2024-02-01.json: US, precise: the price has more digits after the point than any currency: "
                        + "0.12345678",
                    "2024-02-01.json: US, huge: the price is too large: 1234567890123456.789",
                    "2024-02-01.json: US,  : plan 13: the name must not be empty",
                    "2024-02-01.json: US: plan 14: name is missing",
                    "2024-02-01.json: US: plan 15 must be an object, is a whole number",
                    "2024-02-01.json: US, bell\u{FFFD}: plan 16: the name must not have control characters",
                    "2024-02-01.json: CL: currency is missing",
                    "2024-02-01.json: entry 9: country_code is missing",
                    "2024-02-01.json: IT: plans must be a list, is null",
                    "2024-02-01.json: entry 11 must be an object, is null",
                    "2024-02-01.json: US, basic: the plan is there twice",
                    "2024-02-01.json: US, Standard: the plan is there twice, also as standard",
                    "2024-02-01.json: US, standard with ads: the plan is there twice, also as standard_with_ads",
                    "2024-02-01.json: US, standard: USD has 2 digits after the point, the price has more: 17.999",
                    "2024-02-01.json: JP, basic: JPY has 0 digits after the point, the price has more: 990.5",
                    "2024-02-01.json: ZZ: there is no such country",
                    "2024-02-01.json: de: there is no such country",
                    "2024-02-01.json: FR: there is no such currency: FRX",
                    "2024-02-01.json: JP: the country is there twice",
                ])
            // Not even of the first file, in which nothing is wrong.
            #expect(try await database.versions() == before)
            #expect(try await database.rows("SELECT COUNT(*) FROM Plan") == ["0"])
            #expect(try await database.rows("SELECT COUNT(*) FROM Provider") == ["0"])
        }
    }

    @Test(arguments: [
        ("", "it is not JSON: line 1, byte 0: a value is missing"),
        ("[\n{\"a\": 1,}]", "it is not JSON: line 2, byte 10: a name in quotes is missing"),
        ("[{\"a\": 1, \"a\": 2}]", "it is not JSON: line 1, byte 13: the name \"a\" is there twice"),
        ("{}", "it must be a list of countries, is an object"),
        ("[]", "there is no country in it"),
        (String(repeating: "[", count: 100_000), "it is not JSON: line 1, byte 32: nested deeper than 32"),
        ("[9007199254740993]", "it is not JSON: line 1, byte 17: a whole number is larger than 2^53"),
    ]) func notASnapshot(text: String, reason: String) throws {
        let snapshot = try PriceSnapshot.json("2024-01-01", text)
        #expect(snapshot.faults.map(\.reason) == [reason])
        #expect(snapshot.countries.isEmpty)
    }

    @Test func tooLargeIsSaid() throws {
        let snapshot = try PriceSnapshot.json(
            "2024-01-01", String(repeating: " ", count: PriceSnapshot.maximumBytes + 1))
        #expect(snapshot.faults.map(\.reason) == ["the file has 16777217 bytes, more than 16777216"])
    }

    @Test func latin1IsRefusedAndAByteOrderMarkIsNot() throws {
        let day = try #require(CalendarDate("2024-01-01"))
        let start = #"[{"country_code": "US", "currency": "USD", "plans": [{"name": "caf"#.utf8
        let end = #"", "price": 1}]}]"#.utf8
        let latin = PriceSnapshot(name: "a", effectiveOn: day, json: Array(start) + [0xE9] + Array(end))
        #expect(latin.faults.map(\.reason) == ["it is not JSON: line 1, byte 67: a text is not UTF-8"])
        let marked = PriceSnapshot(name: "a", effectiveOn: day, json: [0xEF, 0xBB, 0xBF] + Array(start) + Array(end))
        #expect(marked.faults.isEmpty)
        #expect(marked.offerCount == 1)
    }

    @Test(arguments: [
        ("17.99", "17.99"), ("6540.0", "6540"), ("0.10", "0.1"), ("12.000000000", "12"), ("0.000001", "0.000001"),
        ("99999999999.999999", "99999999999.999999"), ("-0.0", "0"), ("-1.50", "-1.5"),
    ]) func numbersAreReadDigitForDigit(text: String, amount: String) throws {
        #expect(try Amount.exact(jsonNumber: text).get() == Amount(amount))
    }

    @Test func theDayInAFilesName() throws {
        #expect(try PriceSnapshot.day(inFileName: "2023-01-07.json") == CalendarDate("2023-01-07"))
        #expect(try PriceSnapshot.day(inFileName: "netflix_2024-02-29_v2.json") == CalendarDate("2024-02-29"))
        #expect(try PriceSnapshot.day(inFileName: "prices.json") == nil)
        #expect(try PriceSnapshot.day(inFileName: "") == nil)
        #expect(try PriceSnapshot.day(inFileName: "12023-01-07.json") == nil)
        #expect(try PriceSnapshot.day(inFileName: "2023-01-071.json") == nil)
        #expect(throws: SettingsError.self) { try PriceSnapshot.day(inFileName: "2023-02-29.json") }
    }

    /// Whatever is done to the bytes of a file, it is read or refused: nothing traps, and a fee is never negative.
    @Test func mutatedFiles() throws {
        let text = #"""
            [{"country_code": "US", "currency": "USD", "plans": [{"name": "basic", "price": 9.99},
            {"name": "mobile", "price": null, "price_usd": 1}]}, {"country_code": "JP", "currency": "JPY", "plans":
            [{"name": "standard_with_ads", "price": 890.0}]}]
            """#
        let bytes = Array(text.utf8)
        let texts = ["-", "9", ".", "e", "null", "{", "]", "\"", ",", "\\u0000", "\u{FF}", "US", "17.999"]
        let pieces = texts.map { Array($0.utf8) }
        let reference = CatalogueReference(countries: ["US", "JP"], digits: ["USD": 2, "JPY": 0], keys: [:])
        let day = try #require(CalendarDate("2024-01-01"))
        let seed = TestSeed.first(of: "bytes of snapshots")
        var random = SeededGenerator(seed: seed)
        for _ in 0..<5000 {
            var changed = bytes
            for _ in 0..<Int.random(in: 1...3, using: &random) {
                let place = Int.random(in: 0..<changed.count, using: &random)
                switch Int.random(in: 0..<3, using: &random) {
                case 0: changed[place] = UInt8.random(in: 0...255, using: &random)
                case 1:
                    let end = min(place + Int.random(in: 1...9, using: &random), changed.count)
                    changed.removeSubrange(place..<end)
                default: changed.insert(contentsOf: pieces.randomElement(using: &random) ?? [], at: place)
                }
                guard !changed.isEmpty else { break }
            }
            let snapshot = PriceSnapshot(name: "x", effectiveOn: day, json: changed)
            if snapshot.faults(against: reference).isEmpty {
                for country in snapshot.countries {
                    #expect(reference.countries.contains(country.code), "seed \(seed)")
                    #expect(
                        country.offers.allSatisfy {
                            !$0.fee.isNegative && !$0.name.isEmpty && $0.name.unicodeScalars.count <= 100
                        }, "\(String(decoding: changed, as: UTF8.self)), seed \(seed)")
                }
            }
        }
    }
}
