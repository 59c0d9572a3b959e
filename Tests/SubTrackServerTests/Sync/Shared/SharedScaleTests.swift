import Foundation
import MariaDB
import SubTrackAPI
import SubTrackTestSupport
import TestTraits
import Testing

@testable import SubTrackServer

/// What hundreds of shared scopes cost, in statements and bytes: figures that do not depend on the machine.
@Suite("Hundreds of shared scopes", .ownTime)
struct SharedScaleTests {
    /// What was read since the last time.
    private func reads(_ recorder: RequestStatements) -> [String] {
        recorder.take().map(\.text).filter { $0.hasPrefix("SELECT") }
    }

    /// Adds teams of two items each, of which a user is a member.
    private static func addTeams(_ count: Int, of user: UUID, _ service: TestService) async throws {
        try await service.database.run(
            """
            INSERT INTO Team (Team_ID, Team_name) SELECT UNHEX(MD5(CONCAT(\(hex(user)), seq))), seq FROM seq_1_to_\(count);
            INSERT INTO Team_item (Item_ID, Team_ID, Item_name, Amount)
            SELECT UNHEX(MD5(CONCAT(HEX(Team_ID), seq))), Team_ID, seq, '1' FROM Team JOIN seq_1_to_2
            WHERE Team_ID NOT IN (SELECT Team_ID FROM Team_item);
            INSERT INTO Team_member (Member_ID, Team_ID, User_ID)
            SELECT UNHEX(MD5(HEX(Team_ID))), Team_ID, \(hex(user)) FROM Team
            WHERE Team_ID NOT IN (SELECT Team_ID FROM Team_member)
            """)
    }

    @Test(
        "A pull with nothing new reads the counters once, whatever their number; a first pull's statements grow with the scopes, and no faster"
    )
    func statements() async throws {
        let recorder = RequestStatements()
        try await TeamsArea.run(configure: { $0.onStatement = { sql, _ in recorder.note(sql) } }) { service in
            var figures: [Int] = []
            for count in [30, 300] {
                let user = TeamUser(try await service.newUser(), service)
                try await Self.addTeams(count, of: user.id, service)
                var copy = TeamCopy()
                _ = recorder.take()
                try await user.pull(&copy, limit: 1000)
                figures.append(reads(recorder).count)
                #expect(copy.teams.count == count && copy.rows("teamItem").count == 2 * count)
                #expect((copy.cursor?.utf8.count ?? 0) < 8000, "it fits into the first line of any proxy")
                try await user.pull(&copy)
                let nothing = reads(recorder)
                #expect(nothing.count == 1 && nothing.first?.contains("FROM Scope WHERE Scope_ID IN") == true)
                // One change in one of them costs what it costs among few.
                try await service.database.run(
                    "UPDATE Team_item SET Amount = 'new' WHERE Team_ID IN (SELECT Team_ID FROM Team_member WHERE User_ID = \(hex(user.id))) LIMIT 1"
                )
                _ = recorder.take()
                try await user.pull(&copy)
                let one = reads(recorder)
                #expect(one.count <= 7, "\(one.joined(separator: "\n"))")
                #expect(copy.rows("teamItem").count { $0.value.data["amount"] == .string("new") } == 1)
            }
            print("statements of a first pull of 30 and of 300 teams: \(figures)")
            #expect(figures[1] < 11 * figures[0])
        }
    }

    @Test(
        "A user with more scopes than a cursor has room for sees the first, on all devices, and the rest once others go"
    )
    func tooMany() async throws {
        try await TeamsArea.run { service in
            let user = TeamUser(try await service.newUser(), service)
            try await Self.addTeams(ScopeList.maximumShared + 5, of: user.id, service)
            var (copy, slow) = (TeamCopy(), TeamCopy())
            try await user.pull(&copy, limit: 1000)
            try await user.pull(&slow, limit: 100)
            #expect(copy.teams.count == ScopeList.maximumShared && copy.rows().map(\.key) == slow.rows().map(\.key))
            try await service.database.run(
                "DELETE FROM Team_member WHERE User_ID = \(hex(user.id)) ORDER BY Team_ID LIMIT 10")
            try await user.pull(&copy)
            #expect(copy.dropped.count == 10 && copy.teams.count == ScopeList.maximumShared - 5)
        }
    }

    @Test("The longest cursor is read: each country's catalogue, and as many shared scopes as there may be, half read")
    func longest() throws {
        let registry = SyncRegistry(SubTrackService.areas() + [TeamsArea()])
        let user = UserID(uuid: UUID())
        let head: Int64 = (1 << 28) - 1
        var positions = [SyncCursor.Position(scope: .user(user), version: head, place: nil, base: head)]
        for number in 0..<250 {
            let country = String(decoding: [65 + UInt8(number / 26), 65 + UInt8(number % 26)], as: UTF8.self)
            positions.append(.init(scope: .catalogue(country: country), version: 0, place: nil, base: head))
        }
        for _ in 0..<ScopeList.maximumShared {
            positions.append(.init(scope: .shared(.team, UUID()), version: 0, place: nil, base: head))
        }
        positions[7].place = .init(rank: 106, id: Array(repeating: 7, count: 400))
        positions[7].since = head
        let cursor = SyncCursor(
            user: user, epoch: Array(repeating: 1, count: 16), day: day("2026-01-31"), known: head, left: 1 << 30,
            positions: positions, coverage: CursorCoverage(entities: registry.numbers))
        let key = Array(repeating: UInt8(3), count: 32)
        let text = try cursor.text(key: key, registry)
        #expect(text.utf8.count <= SyncCursor.maximumLength, "\(text.utf8.count)")
        #expect(try SyncCursor(text, key: key, registry) == cursor)
    }
}
