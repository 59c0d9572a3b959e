import Foundation
import SubTrackAPI
import TestTraits
import Testing

@Suite("Keys of reminders", .ownTime)
struct ReminderKeyTests {
    private func key(
        _ subject: String = "0190a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5b", _ kind: ReminderKind = .renewal,
        _ occursOn: String = "2027-03-01", _ lead: Int = 7
    ) throws -> ReminderKey {
        ReminderKey(
            subject: try #require(UUID(uuidString: subject)), kind: kind, occursOn: try day(occursOn), lead: lead)
    }

    /// A device of another version makes the same id for ever.
    @Test("The id of a key never changes")
    func fixed() throws {
        #expect(try key().id.uuidString.lowercased() == "0190a1b2-c3d4-7e5f-8a9b-0d1d7fb14a5c")
        #expect(
            try key("0190a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5b", .overdue, "1969-12-31", -1).id.uuidString.lowercased()
                == "0190a1b2-c3d4-7e5f-8a9b-0ae2d1c0b5a4")
    }

    @Test("Kinds, days and leads of one subject have an id each")
    func different() throws {
        let days = ["1000-01-01", "1969-12-31", "1970-01-01", "2027-03-01", "2027-03-02", "2999-12-31"]
        let leads = [-32_768, -60, -1, 0, 1, 7, 255, 256, 365, 32_767]
        let keys = try ReminderKind.allCases.flatMap { kind in
            try days.flatMap { day in
                try leads.map { try key("0190a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5b", kind, day, $0) }
            }
        }
        #expect(Set(keys.map(\.id)).count == keys.count)
        #expect(keys.count == 8 * 6 * 10)
    }
}
