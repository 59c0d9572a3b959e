import Foundation
import SubTrackAPI
import SubTrackTestSupport
import TestTraits
import Testing

@testable import SubTrackServer

/// Scopes with several members: joining, leaving, coming back.
@Suite("Shared scopes", .ownTime)
struct SharedScopeTests {
    /// Two users, and a team of the first one with some items.
    private struct Fixture {
        let service: TestService
        let (ada, bob): (TeamUser, TeamUser)
        let team = UUID()
        var scope: String { "team/\(team.uuidString.lowercased())" }

        init(_ service: TestService, items: Int) async throws {
            self.service = service
            ada = TeamUser(try await service.newUser(), service)
            bob = TeamUser(try await service.newUser(), service)
            try await ada.push("create", "team", team, ["name": "Home"])
            for number in 0..<items { try await addItem("i\(number)") }
        }

        @discardableResult
        func addItem(_ name: String, by user: TeamUser? = nil) async throws -> JSON {
            let fields = ["teamId": team.uuidString, "name": name, "amount": "1"]
            return try await (user ?? ada).push("create", "teamItem", fields)
        }

        /// Adds the second user.
        func join() async throws {
            try await ada.push("create", "teamMember", ["teamId": team.uuidString, "userId": bob.name])
        }

        /// Removes the second user by SQL.
        func remove() async throws {
            try await service.database.run(
                "DELETE FROM Team_member WHERE User_ID = \(hex(bob.id)) AND Team_ID = \(hex(team))")
        }
    }

    @Test("A user who joins gets that scope alone, in pages; a user who leaves drops it, and gets all of it on return")
    func joining() async throws {
        try await TeamsArea.run { service in
            let plan = try await service.addPlan()
            let fixture = try await Fixture(service, items: 7)
            let (ada, bob) = (fixture.ada, fixture.bob)
            var copy = TeamCopy()
            try await bob.pull(&copy)
            #expect(copy.teams.isEmpty && !copy.rows("plan").isEmpty && plan > 0)
            for _ in 0..<2 {
                try await fixture.join()
                var scopes: Set<String> = []
                var pages = 0
                while true {
                    let page = try await bob.page(copy.cursor, limit: 3)
                    scopes.formUnion(page.changes.map(\.key.scope))
                    copy.take(page)
                    pages += 1
                    guard page.more else { break }
                }
                #expect(scopes == [fixture.scope], "the rest of the cursor is as it was")
                #expect(pages == 4 && copy.rows("teamItem").count == 7 && copy.rows("teamMember").count == 2)
                #expect(try await bob.page(copy.cursor).changes.isEmpty)

                try await fixture.remove()
                try await fixture.addItem("after bob")
                let page = try await bob.page(copy.cursor)
                #expect(page.dropped == [fixture.scope] && page.changes.isEmpty)
                // The answer is lost: the same cursor gives it once more.
                #expect(try await bob.page(copy.cursor).dropped == [fixture.scope])
                copy.take(page)
                #expect(copy.teams.isEmpty)
                #expect(try await bob.page(copy.cursor).dropped == [])
                try await service.database.run("DELETE FROM Team_item WHERE Item_name = 'after bob'")
            }
            var own = TeamCopy()
            try await ada.pull(&own)
            #expect(own.rows("teamItem").count == 7 && own.rows("teamMember").count == 1)
        }
    }

    @Test("Nothing of a team is given in the middle of its first pages once the user has left, nor is any deletion")
    func leavingBetweenPages() async throws {
        try await TeamsArea.run { service in
            let fixture = try await Fixture(service, items: 9)
            let bob = fixture.bob
            var copy = TeamCopy()
            try await bob.pull(&copy)
            try await fixture.join()
            let first = try await bob.page(copy.cursor, limit: 3)
            #expect(first.more && first.changes.count == 3)
            copy.take(first)
            try await service.database.run("DELETE FROM Team_item WHERE Item_name = 'i0'")
            try await fixture.remove()
            try await service.database.run("DELETE FROM Team_item WHERE Item_name = 'i1'")
            let last = try await bob.page(copy.cursor, limit: 3)
            copy.take(last)
            #expect(last.dropped == [fixture.scope] && last.changes.isEmpty && !last.more && copy.teams.isEmpty)
            // The user's own rows alone: the team stays untold until all scopes are asked for.
            try await fixture.join()
            #expect(try await bob.page(copy.cursor, scopes: "user").changes.isEmpty)
        }
    }

    @Test(
        "A user who is back before the next pull goes on, without rows that went meanwhile, and loses none by an answer"
    )
    func back() async throws {
        try await TeamsArea.run { service in
            let fixture = try await Fixture(service, items: 3)
            let bob = fixture.bob
            try await fixture.join()
            var copy = TeamCopy()
            try await bob.pull(&copy)
            let item = try #require(copy.rows("teamItem").first { $0.value.data["name"] == .string("i0") })
            let edit = TeamMutation(
                entity: "teamItem", id: item.key.id, op: "update", base: item.value.version, after: nil,
                fields: ["name": "bob's"])
            // Its answer is lost; the device pulls, and sends it again after it was removed.
            #expect(try await bob.push([edit]).first?["outcome"] == .string("applied"))
            try await bob.pull(&copy)
            try await fixture.remove()
            let again = try #require(try await bob.push([edit]).first)
            #expect(again["outcome"] == .string("applied") && again["replayed"] == .bool(true))
            #expect(again["row"] == .null, "a user who has left learns nothing of the row")
            let late = TeamMutation(
                entity: "teamItem", id: item.key.id, op: "update", base: item.value.version, after: nil,
                fields: ["name": "too late"])
            let refused = try #require(try await bob.push([late]).first)
            #expect(refused["outcome"] == .string("refused") && refused["error"]?["status"] == .integer(404))
            try await service.database.run("DELETE FROM Team_item WHERE Item_name = 'i2'")
            try await fixture.join()
            try await bob.pull(&copy)
            #expect(copy.dropped == [])
            var fresh = TeamCopy()
            try await bob.pull(&fresh)
            #expect(copy.rows(in: fixture.scope).map(\.key) == fresh.rows(in: fixture.scope).map(\.key))
            #expect(copy.rows("teamItem").count == 2 && copy.rows("teamMember").count == 2)
        }
    }

    @Test("A change is merged by the versions of its own scope: those of another team are the same small numbers")
    func lineages() async throws {
        try await TeamsArea.run { service in
            let one = try await Fixture(service, items: 1)
            let (ada, other) = (one.ada, UUID())
            try await ada.push("create", "team", other, ["name": "Flat"])
            var copy = TeamCopy()
            try await ada.pull(&copy)
            let item = try #require(copy.rows("teamItem").first)
            // In the second team the version becomes that which an administrator's change has in the first.
            try await service.database.run(
                "UPDATE Team_item SET Item_name = 'sql' WHERE Item_ID = UNHEX(REPLACE('\(item.key.id)', '-', ''))")
            let taken = try await service.number("SELECT Ver_name FROM Team_item")
            let ver = try await service.number("SELECT Ver FROM Scope WHERE Scope_ID = \(hex(other))")
            var changes = (ver..<taken).map { number in
                TeamMutation(
                    entity: "teamItem", id: UUID().uuidString, op: "create", base: nil, after: nil,
                    fields: ["teamId": other.uuidString, "name": "n\(number)", "amount": "1"])
            }
            changes.append(
                TeamMutation(
                    entity: "teamItem", id: item.key.id, op: "update", base: item.value.version,
                    after: changes.last?.key, fields: ["name": "mine", "amount": "2"]))
            let results = try await ada.push(changes)
            let last = try #require(results.last)
            #expect(results.dropLast().last?["row"]?["version"] == .integer(Int64(taken)))
            #expect(last["outcome"] == .string("merged"))
            #expect(last["lost"]?.elements.map { $0["kept"] } == [.string("sql")])
            #expect(last["row"]?["data"]?["amount"] == .string("2"))
        }
    }

    @Test("Each scope has a floor of its own: that of a former team, or of one that is read first, starts nobody over")
    func floors() async throws {
        try await TeamsArea.run { service in
            let fixture = try await Fixture(service, items: 5)
            let (ada, bob) = (fixture.ada, fixture.bob)
            func raise() async throws {
                try await service.database.run(
                    """
                    UPDATE Scope SET Floor_ver = Ver WHERE Scope_ID = \(hex(fixture.team));
                    DELETE FROM Tombstone WHERE Scope_ID = \(hex(fixture.team))
                    """)
            }
            var (away, slow, former) = (TeamCopy(), TeamCopy(), TeamCopy())
            try await ada.pull(&away)
            try await bob.pull(&slow)
            try await fixture.join()
            try await bob.pull(&former)
            slow.take(try await bob.page(slow.cursor, limit: 2))
            try await service.database.run("DELETE FROM Team_item WHERE Item_name = 'i4'")
            try await raise()
            // It has no row of that time.
            try await bob.pull(&slow, limit: 2)
            #expect(slow.rows("teamItem").count == 4)
            let refused = try await #require(throws: Problem.self) { try await ada.page(away.cursor) }
            #expect(refused.code == .resync && refused.reason == .floor)
            try await ada.pull(&away)
            #expect(away.rows("teamItem").count == 4)
            // After the user has heard of the loss, the floor is nothing to the cursor.
            former.startOver()
            try await bob.pull(&former)
            try await fixture.remove()
            try await bob.pull(&former)
            try await service.database.run("DELETE FROM Team_item WHERE Item_name = 'i3'")
            try await raise()
            try await fixture.service.database.run(
                "UPDATE `User` SET User_name = 'Bob' WHERE User_ID = \(hex(bob.id))")
            let page = try await bob.page(former.cursor)
            #expect(page.dropped == [] && page.changes.map(\.key.entity) == ["me"])
        }
    }
}

extension TeamUser {
    /// Pushes the creation of a row under a new id.
    @discardableResult
    func push(_ op: String, _ entity: String, _ fields: [String: String]) async throws -> JSON {
        try await push(op, entity, UUID(), fields)
    }

    /// Pushes a change that is based on no version.
    @discardableResult
    func push(_ op: String, _ entity: String, _ id: UUID, _ fields: [String: String]) async throws -> JSON {
        try await push(op, entity, id, base: nil, fields)
    }
}
