import Foundation
import SubTrackAPI
import SubTrackTestSupport
import TestTraits
import Testing

@testable import SubTrackServer

/// The triggers and views of declared kinds.
@Suite("Declared kinds: SQL", .ownTime)
struct DeclaredSQLTests {
    @Test("The committed files are those that the declaration gives", arguments: DeclaredCase.all)
    func isFresh(kind: DeclaredCase) throws {
        for file in DeclaredSQL(kind.declaration, area: kind.area).files {
            let url = kind.folder.appending(path: "\(kind.area)/\(file.path)")
            if ProcessInfo.processInfo.environment["SUBTRACKIT_WRITE_GOLDEN"] != nil {
                try FileManager.default.createDirectory(
                    at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
                try file.text.write(to: url, atomically: true, encoding: .utf8)
            }
            let text = try? String(contentsOf: url, encoding: .utf8)
            #expect(text == file.text, "\(url.path) is stale: run script/generate-sql")
        }
    }

    /// A statement's refusal; nil: it is done.
    private func refusal(_ sql: String, _ service: TestService) async throws -> String? {
        do {
            try await service.database.run(sql)
            return nil
        } catch {
            return "\(error)"
        }
    }

    @Test(
        "SQL that an administrator types is held to the declaration, in the words of the service",
        arguments: DeclaredCase.all)
    func bounds(kind: DeclaredCase) async throws {
        try await kind.run { service in
            let phone = DeclaredDevice(try await service.newUser(), service, kind.declaration.name)
            try await phone.push(.create, DeclaredCase.id(1), kind.row(1, parts: [1]))
            let tables =
                [(kind.declaration.table, kind.declaration.fields)]
                + kind.declaration.parts.map { ($0.table, $0.fields) }
            for (table, fields) in tables {
                for field in fields {
                    var cases: [(String, String)] = []
                    if field.isImmutable { cases.append((Self.other(field), "never changes")) }
                    switch field.kind {
                    case .text(let lengths) where !field.isImmutable:
                        cases.append(("'  '", "must not be empty"))
                        cases.append(
                            ("REPEAT('b', \(lengths.upperBound + 1))", "may have \(lengths.upperBound) characters, has")
                        )
                    case .integer(let range) where !field.isImmutable:
                        cases.append(
                            (
                                "\(range.upperBound + 1)",
                                "must be from \(range.lowerBound) to \(range.upperBound), is \(range.upperBound + 1)"
                            ))
                    default: break
                    }
                    for (value, message) in cases {
                        let found = try await refusal("UPDATE \(table) SET \(field.column) = \(value)", service)
                        #expect(found?.contains("\(table).\(field.column): \(message)") == true, "\(found ?? "done")")
                    }
                }
            }
        }
    }

    /// Another value of a field than the one that a row has.
    private static func other(_ field: EntityField) -> String {
        switch field.kind {
        case .text: "REPEAT('b', 3)"
        case .integer: "\(field.column) + 1"
        case .flag: "NOT \(field.column)"
        case .day: "\(field.column) + INTERVAL 1 DAY"
        case .id: bytes(99)
        }
    }

    @Test(
        "Each change that SQL makes of a row or a part gives the row one version, and no change gives none",
        arguments: DeclaredCase.all)
    func versions(kind: DeclaredCase) async throws {
        try await kind.run { service in
            var phone = DeclaredDevice(try await service.newUser(), service, kind.declaration.name)
            try await phone.push(.create, DeclaredCase.id(1), kind.row(1, parts: [1, 2]))
            let (table, key) = (kind.declaration.table, kind.declaration.key)
            let user = hex(phone.user.user.id)
            func version() async throws -> Int { try await service.number("SELECT Ver FROM \(table)") }
            func counter() async throws -> Int {
                try await service.number("SELECT Ver FROM Scope WHERE Scope_ID = \(user)")
            }
            var last = try await version()
            func expectChange(_ sql: String) async throws {
                try await service.database.run(sql)
                let (now, head) = (try await version(), try await counter())
                #expect(now > last && now == head, "\(sql)")
                last = now
            }
            func expectNone(_ sql: String) async throws {
                try await service.database.run(sql)
                let now = try await version()
                #expect(now == last, "\(sql)")
            }
            for field in kind.declaration.fields where !field.isImmutable && field.isOptional {
                try await expectChange("UPDATE \(table) SET \(field.column) = NULL")
            }
            try await expectNone("UPDATE \(table) SET Ver = Ver, Created_at = '2000-01-01'")
            try await expectNone("UPDATE \(table) SET Ver = 7")
            for list in kind.declaration.parts {
                let optional = list.fields.first(where: \.isOptional).map { "\($0.column) = NULL" }
                guard let change = kind.changes[list.name] ?? optional else { continue }
                try await expectChange(
                    "UPDATE \(list.table) SET \(change) WHERE \(list.key) = \(DeclaredSQLTests.bytes(1))")
                try await expectNone("UPDATE \(list.table) SET Ver = 7")
                try await expectChange("DELETE FROM \(list.table) WHERE \(list.key) = \(DeclaredSQLTests.bytes(1))")
                // Generated columns take no values.
                let columns = (["User_ID", key, list.key] + list.fields.map(\.column)).joined(separator: ", ")
                let found = try await refusal(
                    "REPLACE INTO \(list.table) (\(columns)) SELECT \(columns) FROM \(list.table)", service)
                #expect(found?.contains("not by REPLACE") == true)
            }
            let found = try await refusal("UPDATE \(table) SET \(key) = \(DeclaredSQLTests.bytes(5))", service)
            #expect(found != nil)
            try await expectChange("UPDATE \(table) SET Deleted_at = UTC_TIMESTAMP()")
            try await phone.pull()
            #expect(phone.rows.isEmpty)
            let texts = try await service.database.run("SELECT \(key), User_ID FROM \(table)_text")
            #expect(texts == "\(DeclaredCase.id(1))\t\(phone.user.user.id.uuidString.lowercased())\n")
        }
    }

    private static func bytes(_ number: Int) -> String { "0x" + DeclaredCase.id(number).replacing("-", with: "") }
}
