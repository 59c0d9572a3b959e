import Foundation
import SubTrackAPI
import Testing

@testable import SubTrackServer

@Suite("Attempts of a delivery")
struct DeliveryScheduleTests {
    private let now = Instant(secondsSince1970: 1_800_000_000)

    @Test("A failed delivery is tried again after longer and longer waits, and is dead after the eighth attempt")
    func waits() {
        let waits = (1...8).map { attempt in
            DeliverySchedule.next(after: attempt, now: now, spread: 0).map {
                $0.secondsSince1970 - now.secondsSince1970
            }
        }
        #expect(waits == [5, 300, 1800, 7200, 18_000, 36_000, 36_000, nil])
        #expect(DeliverySchedule.attempts == 8)
    }

    @Test("Deliveries that failed together come back spread over a quarter of the wait")
    func spread() throws {
        let late = try #require(DeliverySchedule.next(after: 2, now: now, spread: 1))
        #expect(late.secondsSince1970 - now.secondsSince1970 == 375)
    }

    @Test("A notification has one id at each attempt, and another one for each tenant, user, number and channel")
    func ids() throws {
        let (ada, bob) = (UserID(uuid: UUID()), UserID(uuid: UUID()))
        func id(_ tenant: String, _ user: UserID, _ number: Int64, _ channel: String) throws -> NotificationID {
            try NotificationID(tenant: tenant, user: user, number: number, channel: channel)
        }
        let first = try id("acme", ada, 7, "mail")
        #expect(try id("acme", ada, 7, "mail").text == first.text)
        #expect(try id("acme", ada, 7, "mail").uuid == first.uuid)
        #expect(first.text.wholeMatch(of: #/msg_[0-9a-f]{24}/#) != nil)
        let all = try [
            first, id("other", ada, 7, "mail"), id("acme", bob, 7, "mail"), id("acme", ada, 8, "mail"),
            id("acme", ada, 7, "ntfy"),
        ]
        #expect(Set(all.map(\.text)).count == 5 && Set(all.map(\.uuid)).count == 5)
    }
}
