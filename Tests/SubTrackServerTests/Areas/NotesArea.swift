import Foundation
import MariaDB
import SubTrackAPI
import SubTrackSQL
import SubTrackTestSupport
import Synchronization

@testable import SubTrackServer

/// An area for tests: notes of users, which is off unless the operator switches it on.
struct NotesArea: Area {
    let name = "notes"
    var presence = AreaPresence.off
    let sql = Self.files
    let entities: [any SyncedEntity] = [NoteEntity()]
    let userData: (any UserData)? = NoteData()
    /// How often the job ran for each tenant.
    let runs = JobRuns()

    /// The files beside this one, as the files of other areas stand in `sql/`.
    static let files: AreaSQL = {
        let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "sql")
        let paths = (FileManager.default.enumerator(atPath: folder.path)?.allObjects ?? []).compactMap { $0 as? String }
        return AreaSQL(
            of: "notes",
            files: paths.filter { $0.hasPrefix("notes/") }.compactMap { path in
                (try? String(contentsOf: folder.appending(path: path), encoding: .utf8))
                    .map { SQLFiles.File(path: path, text: $0) }
            })
    }()

    var jobs: [Job] {
        [
            Job(name: "notes", runsAtStart: true) { [runs] tenant, _ in
                _ = try await tenant.read { try await $0.query("SELECT COUNT(*) FROM Note") }
                runs.note(tenant.slug)
                return false
            }
        ]
    }

    func register(in operations: inout OperationRegistry) {
        operations.register(AddNote.self) { input, call in
            let (user, id) = (try call.requireSession().user, UUID())
            try await call.tenant.write(scope: user) { connection in
                _ = try await connection.execute(
                    "INSERT INTO Note (Note_ID, User_ID, Text, Ver) VALUES (\(id), \(user.uuid), \(input.text), 0)")
            }
            return Reply(.init(id: id, text: input.text))
        }
        operations.register(ListNotes.self) { _, call in
            let user = try call.requireSession().user
            let texts = try await call.tenant.read { connection in
                try await connection.query("SELECT Text FROM Note WHERE User_ID = \(user.uuid) ORDER BY Ver")
                    .decode(String.self)
            }
            return Reply(.init(texts: texts))
        }
    }
}

/// The notes of a user.
struct NoteData: UserData {
    let tables = [
        UserTable(
            name: "Note", column: "User_ID", merge: .covered, erase: .covered,
            export: .left(because: "it is for tests"), data: .covered),
        UserTable(
            name: "Noted_count", column: "User_ID", merge: .left(because: "it is counted again"), erase: .covered,
            export: .left(because: "it is for tests"), data: .left(because: "it has a subscription")),
    ]
    let limits: [UserLimit] = []
    let preparations: [any UserPreparation] = []
    let export: [ExportSection] = []

    func merge(
        _ merge: UserMerge, into merged: inout CreateSession.Merged, on connection: Connection
    ) async throws {
        let former = merge.former.uuid
        let notes = try await connection.query("SELECT Note_ID, Text FROM Note WHERE User_ID = \(former)")
            .decode((UUID, String).self)
        _ = try await connection.execute("DELETE FROM Note WHERE User_ID = \(former)")
        for (id, text) in notes {
            _ = try await connection.execute(
                "INSERT INTO Note (Note_ID, User_ID, Text, Ver) VALUES (\(id), \(merge.user.uuid), \(text), 0)")
        }
    }

    func erase(_ user: UserID, upTo limit: Int, on connection: Connection) async throws -> Int {
        _ = try await connection.execute("DELETE FROM Noted_count WHERE User_ID = \(user.uuid)")
        let removed = try await connection.execute("DELETE FROM Note WHERE User_ID = \(user.uuid) LIMIT \(limit)")
        return Int(clamping: removed.affectedRows)
    }
}

/// How often a job ran, by the tenant.
final class JobRuns: Sendable {
    private let counts = Mutex<[String: Int]>([:])

    func note(_ slug: String) { counts.withLock { $0[slug, default: 0] += 1 } }

    func count(_ slug: String) -> Int { counts.withLock { $0[slug] ?? 0 } }
}

/// Adds a note.
struct AddNote: SubTrackAPI.Operation {
    static let name = "notes.add"
    static let endpoint = Endpoint.post("/v1/notes")
    static let access = Access.device
    static let summary = "Adds a note."
    var text: String

    struct Output: Codable, Sendable {
        var id: UUID
        var text: String
    }
}

/// The user's notes.
struct ListNotes: SubTrackAPI.Operation {
    static let name = "notes.list"
    static let endpoint = Endpoint.get("/v1/notes")
    static let access = Access.device
    static let summary = "Lists the notes."

    struct Output: Codable, Sendable {
        var texts: [String]
    }
}

/// Notes, as clients hold them.
struct NoteEntity: SyncedEntity {
    let name = "note"
    let number: EntityNumber = 90

    func text(ofID id: [UInt8]) -> String { ChangeKey.uuid(id[...]) }

    func keys(in range: ScopeRange, limit: Int?) -> [KeyPart] {
        guard range.scope.isUser else { return [] }
        return [
            KeyPart(
                select: """
                    SELECT Ver, \(number.rank) AS Kind, Note_ID AS Row_ID, Ver AS Row_ver FROM Note
                    WHERE User_ID = \(range.scope.id) AND Ver >= \(range.first) AND Ver <= \(range.head)
                      AND \(range.isBehind("Ver", rank: number.rank, id: "Note_ID"))
                    """)
        ]
    }

    func rows(
        _ keys: [ChangeKey], in scope: SyncScope, _ tenant: Tenant, on connection: Connection
    ) async throws -> [[UInt8]: [UInt8]] {
        let ids = keys.map(\.id)
        return try await connection.query("SELECT Note_ID, Text FROM Note WHERE Note_ID IN (\(list: ids))")
            .byID { try RowForm(.text("text", "Text")).json($0, from: 1) }
    }
}
