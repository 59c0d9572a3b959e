import Foundation
import MariaDB
import SubTrackAPI
import SubTrackTestSupport
import TestTraits
import Testing

@testable import SubTrackServer

/// Whether the areas' declarations cover all that a database keeps for a user. A new table without a declaration fails
/// here, with its name.
@Suite("Each area's rows of users are merged, exported, deleted and counted", .ownTime)
struct UserDataTests {
    private static let users = UserDataRegistry(SubTrackService.areas())

    /// The tables of a database that name a user, or belong to such a table, and that no area declares.
    private func undeclared(in database: TestDatabase) async throws -> [String] {
        func pairs(_ sql: String) async throws -> [(String, String)] {
            try await database.run(sql).split(separator: "\n").map { line in
                let fields = line.split(separator: "\t").map(String.init)
                return (fields[0], fields[1])
            }
        }
        let columns = try await pairs(
            """
            SELECT c.TABLE_NAME, c.COLUMN_NAME FROM information_schema.COLUMNS c
            JOIN information_schema.TABLES t ON t.TABLE_SCHEMA = c.TABLE_SCHEMA AND t.TABLE_NAME = c.TABLE_NAME
            WHERE c.TABLE_SCHEMA = DATABASE() AND t.TABLE_TYPE = 'BASE TABLE' AND c.COLUMN_NAME IN ('User_ID', 'Owner_ID')
            UNION
            SELECT TABLE_NAME, COLUMN_NAME FROM information_schema.KEY_COLUMN_USAGE
            WHERE TABLE_SCHEMA = DATABASE() AND REFERENCED_TABLE_NAME = 'User' ORDER BY 1, 2
            """)
        let references = try await pairs(
            """
            SELECT TABLE_NAME, REFERENCED_TABLE_NAME FROM information_schema.KEY_COLUMN_USAGE
            WHERE TABLE_SCHEMA = DATABASE() AND REFERENCED_TABLE_NAME IS NOT NULL ORDER BY 1, 2
            """)
        let tables = Self.users.tables
        let declared = Set(tables.map { "\($0.name).\($0.column)" })
        let parts = Set(tables.flatMap(\.parts))
        let known = Set(tables.map(\.name)).union(parts)
        return columns.filter { !declared.contains("\($0.0).\($0.1)") && !parts.contains($0.0) }.map {
            "\($0.0).\($0.1): no area declares its merge, erase, export and data (UserData.tables)"
        }
            + references.filter { known.contains($0.1) && !known.contains($0.0) }.map {
                "\($0.0) belongs to \($0.1): no area names it among the parts of a table (UserTable.parts)"
            }
    }

    @Test("Every table that names a user is declared, and one that is not is found by its name")
    func declared() async throws {
        try await withAllAreas { service in
            #expect(try await undeclared(in: service.database) == [])
            try await service.database.run(
                """
                CREATE TABLE Recipe (Recipe_ID INT PRIMARY KEY, Owner_ID BINARY(16) NOT NULL);
                CREATE TABLE Reader (Person BINARY(16) PRIMARY KEY, FOREIGN KEY (Person) REFERENCES `User` (User_ID));
                CREATE TABLE Charger (Device_ID BINARY(16) PRIMARY KEY, FOREIGN KEY (Device_ID) REFERENCES Device (Device_ID))
                """)
            let found = try await undeclared(in: service.database)
            #expect(
                found.map { $0.prefix { $0 != ":" } } == [
                    "Reader.Person", "Recipe.Owner_ID", "Charger belongs to Device", "Reader belongs to User",
                ])
        }
    }

    /// Runs a service alone whose tenant has all areas.
    private func withAllAreas(_ body: (TestService) async throws -> Void) async throws {
        try await TestService.runAlone { service in
            try await service.enableAll()
            try await body(service)
        }
    }

    /// How many rows of each declared table are a user's.
    private func counts(of user: UUID, _ service: TestService) async throws -> [String: Int] {
        var counts: [String: Int] = [:]
        for table in Self.users.tables {
            counts[table.name] = try await service.number(
                "SELECT COUNT(*) FROM `\(table.name)` WHERE \(table.column) = \(hex(user))")
        }
        return counts
    }

    /// Gives a user a row of every table that a user without account may have.
    private func fill(_ user: TestUser, _ service: TestService) async throws {
        try await service.fill(
            user.user.id,
            .init(subscriptions: 3, periods: 2, plans: 2, deleted: 1, answers: 3, contacts: 2, reminders: 2),
            plan: try await service.addPlan())
    }

    private func hasData(_ user: TestUser, _ service: TestService) async throws -> Bool {
        try await service.withTenant { tenant in
            try await tenant.read { try await Self.users.hasData(UserID(uuid: user.user.id), in: tenant, on: $0) }
        }
    }

    @Test("An export has a section for each table that is shown, and a user with rows has data")
    func export() async throws {
        try await withAllAreas { service in
            let ada = try await service.newUser()
            #expect(try await !hasData(ada, service))
            try await fill(ada, service)
            try await ada.register(service.newEmail())
            let text = try await ada.client.response(to: ExportMe()).text
            let document = try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
            let rows = try await counts(of: ada.user.id, service)
            for table in Self.users.tables where table.name != "Erasure" {
                #expect(rows[table.name] ?? 0 > 0, "fill(_:_:) gives the user no row of \(table.name)")
                guard case .section(let name) = table.export else { continue }
                let value = document[name]
                let count = (value as? [Any])?.count ?? (value as? [String: Any])?.count ?? 0
                #expect(count > 0, "the section \(name) of \(table.name)")
            }
            #expect(document.keys.sorted() == (["exportedAt"] + Self.users.sections).sorted())
            #expect(try await hasData(ada, service))
        }
    }

    @Test("The areas' hooks leave no row of a deleted user but the user's own")
    func erase() async throws {
        try await withAllAreas { service in
            let ada = try await service.newUser()
            try await fill(ada, service)
            try await ada.register("ada@example.org")
            try await service.database.run("INSERT INTO Erasure (User_ID) VALUES (\(hex(ada.user.id)))")
            try await service.withTenant { tenant in
                for data in Self.users.data(in: tenant).reversed() {
                    try await tenant.client.withTransaction(tenant.database, isolation: .readCommitted) { connection in
                        while try await data.erase(UserID(uuid: ada.user.id), upTo: 2, on: connection) >= 2 {}
                    }
                }
            }
            let rows = try await counts(of: ada.user.id, service)
            for (table, count) in rows.sorted(by: { $0.key < $1.key }) where !["User", "Erasure"].contains(table) {
                #expect(count == 0, "erase leaves rows of \(table)")
            }
        }
    }

    @Test("The areas' hooks move all rows of a user without account that are to be moved, and leave none behind")
    func merge() async throws {
        try await withAllAreas { service in
            let ada = try await service.newUser()
            let email = service.newEmail()
            try await ada.register(email)
            let phone = try await service.newUser()
            try await fill(phone, service)
            let (hers, its) = (try await counts(of: ada.user.id, service), try await counts(of: phone.user.id, service))
            #expect(try await phone.signIn(email).user.id == ada.user.id)
            let (after, left) = (
                try await counts(of: ada.user.id, service), try await counts(of: phone.user.id, service)
            )
            for table in Self.users.tables.map(\.name) where table != "Tombstone" {
                #expect(left[table] == 0, "merge leaves rows of \(table)")
            }
            for table in Self.users.tables where table.merge == .covered && table.name != "User" {
                let (sum, moved) = ((hers[table.name] ?? 0) + (its[table.name] ?? 0), after[table.name])
                #expect(moved == sum, "merge moves the rows of \(table.name)")
            }
        }
    }

    @Test("Two areas with one section, limit or table are refused when the service starts")
    func doubled() {
        struct Other: Area {
            let name = "other"
            let presence = AreaPresence.always
            let userData: (any UserData)? = AccountData()
            func register(in operations: inout OperationRegistry) {}
        }
        #expect(Self.users.inconsistencies == [])
        let found = UserDataRegistry(SubTrackService.areas() + [Other()]).inconsistencies
        #expect(found.contains("the section of an export user is declared twice"))
        #expect(found.contains("the table of users' rows Device.User_ID is declared twice"))
    }
}
