import TestTraits
import Testing

@testable import MariaDB

/// What a broken or hostile server may send.
@Suite(.ownTime) struct RowPacketTests {
    @Test func malformedPacketsAreErrorsAndReadNothingBeyondTheirEnd() {
        let columns = ResultColumns([
            SQLColumn(name: "n", type: SQLType(rawValue: 8), isUnsigned: false, isBinary: true),
            SQLColumn(name: "s", type: SQLType(rawValue: 253), isUnsigned: false, isBinary: false),
        ])
        let sound: [UInt8] = [0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 2, 0x61, 0x62]
        func accepts(_ packet: [UInt8]) -> Bool {
            let builder = RowStorage.Builder(columns: columns, rows: 1, bytes: 16)
            do {
                try packet.withUnsafeBytes { try builder.append(packet: $0) }
                return try builder.finish().decode(String.self, row: 0, column: 1) == "ab"
            } catch {
                return false
            }
        }
        #expect(accepts(sound))
        for length in 0..<sound.count { #expect(!accepts(Array(sound[..<length])), "cut to \(length)") }
        for lie: [UInt8] in [
            [3], [0xFC, 0xFF, 0xFF], [0xFD, 1, 0, 1], [0xFE, 255, 255, 255, 255, 255, 255, 255, 255], [0xFB],
        ] {
            #expect(!accepts(Array(sound[..<10]) + lie + [0x61, 0x62]), "\(lie)")
        }
    }
}
