import Foundation
import SubTrackAPI
import SubTrackCore
import TestTraits
import Testing

/// `SUBTRACKIT_FUZZ=1000000` tries that many inputs, `SUBTRACKIT_TEST_SEED` others than last time.
@Suite("Reading vCards, fuzzed", .ownTime)
struct VCardFuzzTests {
    private static func setting(_ name: String) -> Int? {
        ProcessInfo.processInfo.environment[name].flatMap { Int($0) }
    }

    private static let seed = TestSeed.first(of: "vCards", or: 2426)

    private static let pieces: [[UInt8]] =
        [
            "BEGIN:VCARD", "END:VCARD", "VERSION:2.1", "VERSION:3.0", "VERSION:4.0", "N:", "FN:", "TEL", "ADR", "EMAIL",
            "BDAY", "NOTE",
            "X-ABDATE", "item1.", "X-ABLabel:", "AGENT:", "PHOTO", ";TYPE=", ";ENCODING=QUOTED-PRINTABLE", ";BASE64",
            ";CHARSET=ISO-8859-1", ":", ";", ",", "\\", "\\n", "\"", "=", "=\r\n", "=C3", "\r\n", "\n", "\r\n ", "\n\t",
            "--0229",
            "19950625", "1604-02-29", ";X-APPLE-OMIT-YEAR=1604", "+49", "(0)", "788", "6788768", "a@b.c", "?", "é", "小",
            "_$!<", ">!$_",
        ].map { Array($0.utf8) } + [[0x00], [0xFF], [0xC3], [0x80], [0xEF, 0xBB, 0xBF]]

    @Test("No input crashes the reader; each card that is read is valid, and comes back from what is written of it")
    func anything() throws {
        var generator = SeededGenerator(seed: Self.seed)
        let seeds = try ["apple.vcf", "google.vcf", "nextcloud.vcf", "thunderbird.vcf", "android.vcf"].map {
            Array(try fixture($0).utf8)
        }
        var (read, refused) = (0, 0)
        for _ in 0..<(Self.setting("SUBTRACKIT_FUZZ") ?? 1000) {
            let bytes = Self.input(&generator, seeds)
            for card in VCardReader(bytes, country: "DE", fillNames: true) {
                guard case .success(let contact) = card.result else {
                    refused += 1
                    continue
                }
                read += 1
                guard Self.comesBack(contact) else {
                    Issue.record("seed \(Self.seed): \(String(decoding: bytes, as: UTF8.self))\n\(contact)")
                    return
                }
            }
        }
        // Both kinds were there.
        #expect(read > 100 && refused > 100, "seed \(Self.seed): \(read) read, \(refused) refused")
    }

    private static func comesBack(_ card: CardContact) -> Bool {
        VCardVersion.allCases.allSatisfy { version in
            let text = VCardWriter.write(card.contact, id: UUID(), uid: card.uid, rest: card.rest, version: version)
            let read = VCardReader.read(text, country: "DE", fillNames: true)
            guard read.count == 1, let again = try? read[0].result.get() else { return false }
            let merge = CardMerge(again, into: card.contact, rest: card.rest, mode: .replace)
            return !merge.isChanged && again.uid == (card.uid ?? again.uid)
        }
    }

    /// Pieces of cards in any order, or a file of another program with some bytes changed.
    private static func input(_ generator: inout SeededGenerator, _ seeds: [[UInt8]]) -> [UInt8] {
        if generator.chance(0.5) {
            var bytes = Array("BEGIN:VCARD\r\nN:A;B\r\n".utf8)
            for _ in 0..<Int.random(in: 0...60, using: &generator) {
                bytes += pieces.randomElement(using: &generator) ?? []
            }
            return bytes + Array("\r\nEND:VCARD\r\n".utf8)
        }
        var bytes = seeds.randomElement(using: &generator) ?? []
        for _ in 0..<Int.random(in: 1...6, using: &generator) where !bytes.isEmpty {
            let index = Int.random(in: 0..<bytes.count, using: &generator)
            switch Int.random(in: 0...3, using: &generator) {
            case 0: bytes[index] = UInt8.random(in: 0...255, using: &generator)
            case 1: bytes.remove(at: index)
            case 2: bytes.insert(contentsOf: pieces.randomElement(using: &generator) ?? [], at: index)
            default: bytes.replaceSubrange(index..<min(index + 20, bytes.count), with: [])
            }
        }
        return bytes
    }
}
