import Foundation
import SubTrackAPI
import SubTrackTestSupport
import TestTraits
import Testing

@testable import SubTrackServer

/// Direct operations on a declared kind, and the rules that its declaration does not say.
@Suite("Declared kinds: operations", .ownTime)
struct DeclaredOperationTests {
    private static let kind = DeclaredCase.all[0]

    private func send(
        _ method: String, _ path: String, _ json: String = "", as user: TestUser, _ service: TestService,
        headers: [String] = []
    ) async throws -> APIResponse {
        try await RawHTTP.send(
            method, "/v1/trinkets\(path)", port: service.port,
            headers: ["Authorization: Bearer \(user.client.token ?? "")"] + headers, body: Array(json.utf8))
    }

    @Test("A row is added, read, changed, deleted and brought back by operations of its own")
    func operations() async throws {
        try await Self.kind.run { service in
            let ada = try await service.newUser()
            let response = try await send(
                "POST", "", #"{"code": " A ", "shelf": 3, "marks": [{"label": "x"}]}"#, as: ada, service)
            #expect(response.status == 201)
            let made = try response.decode(AnsweredTrinket.self)
            #expect(made.code == "A" && made.marks.map(\.label) == ["x"] && made.version > 0)
            let path = "/\(made.id.uuidString.lowercased())"
            let read = try await send("GET", path, as: ada, service)
            #expect(read.header("ETag") == "\"\(made.version)\"")
            let changed = try await send("PATCH", path, #"{"note": "n", "marks": []}"#, as: ada, service)
                .decode(AnsweredTrinket.self)
            #expect(changed.note == "n" && changed.marks.isEmpty && changed.version > made.version)
            // It was changed since.
            let stale = try await send(
                "PATCH", path, #"{"note": "m"}"#, as: ada, service, headers: ["If-Match: \"\(made.version)\""])
            #expect(stale.status == 412)
            let current = try #require(try stale.problem().current).decode(AnsweredTrinket.self)
            #expect(current.note == "n" && current.version == changed.version)
            #expect(try await send("DELETE", path, as: ada, service).status == 204)
            #expect(try await send("GET", path, as: ada, service).status == 404)
            #expect(try await send("PATCH", path, "{}", as: ada, service).status == 404)
            #expect(try await send("POST", "\(path)/restore", "{}", as: ada, service).status == 200)
            #expect(try await send("GET", path, as: try await service.newUser(), service).status == 404)
        }
    }

    @Test("A rule on the whole row, and one that only a trigger keeps, are told with the field")
    func rules() async throws {
        try await Self.kind.run { service in
            let phone = DeclaredDevice(try await service.newUser(), service, "trinket")
            let id = DeclaredCase.id(1)
            var row = Self.kind.row(2)
            (row["starred"], row["shelf"]) = (true, .integer(0))
            #expect(try await phone.push(.create, id, row).faults == ["starred": "needs a shelf"])
            row["shelf"] = .integer(1)
            #expect(try await phone.push(.create, id, row).outcome == .applied)
            #expect(try await phone.push(.update, id, ["shelf": .integer(0)]).faults == ["starred": "needs a shelf"])
            #expect(
                try await phone.push(.update, id, ["shelf": .integer(13)]).faults == ["shelf": "there is no shelf 13"])
        }
    }

    @Test("Rows that were deleted long ago go for good, with their parts")
    func upkeep() async throws {
        try await Self.kind.run { service in
            let phone = DeclaredDevice(try await service.newUser(), service, "trinket")
            for number in 1...2 {
                try await phone.push(.create, DeclaredCase.id(number), Self.kind.row(number, parts: [1]))
            }
            try await phone.push(.delete, DeclaredCase.id(1))
            try await phone.push(.delete, DeclaredCase.id(2))
            try await service.database.run(
                "UPDATE Trinket SET Deleted_at = UTC_TIMESTAMP() - INTERVAL 31 DAY WHERE Code LIKE '%1%'")
            let isAnyLeft = try await service.withTenant { tenant in
                try await TrinketArea.entity.upkeep.run(tenant, Instant(secondsSince1970: 0))
            }
            #expect(!isAnyLeft)
            #expect(
                try await service.database.run(
                    "SELECT COUNT(*) FROM Trinket UNION ALL SELECT COUNT(*) FROM Trinket_mark") == "1\n1\n")
        }
    }
}
