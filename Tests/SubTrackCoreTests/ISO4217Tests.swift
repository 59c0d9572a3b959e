import Foundation
import SubTrackCore
import TestTraits
import Testing

/// The digits that serve a device before it knows the service's.
@Suite("ISO 4217", .ownTime)
struct ISO4217Tests {
    @Test("The digits are those that a service is set up with")
    func reference() throws {
        let file = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../../sql/reference/currencies.sql").standardized
        let rows = try String(contentsOf: file, encoding: .utf8).matches(of: /\('([A-Z]{3})', .*,\s+([0-9])\)/)
        let digits = Dictionary(rows.map { (String($0.output.1), Int($0.output.2)) }) { first, _ in first }
        #expect(digits.count > 150 && digits == ISO4217.digits.mapValues { Int?($0) })
    }
}
