import Foundation
import SubTrackAPI
import SubTrackSQL
import SubTrackTestSupport

@testable import SubTrackServer

/// An area for tests: one declared kind with parts, as small as an area with a kind can be.
struct TrinketArea: Area {
    let name = "trinkets"
    let presence = AreaPresence.always
    let sql = AreaSQL(of: "trinkets", files: Self.files)
    let entities: [any SyncedEntity] = [Self.entity]
    let changeable: [any ChangeableEntity] = [Self.entity]
    let userData: (any UserData)? = DeclaredData(entities: [Self.entity])
    let jobs = [Self.entity.upkeep]

    static let entity = DeclaredEntity(Trinket.self) { row in
        guard row["starred"] == true, row["shelf"] == .integer(0) else { return [] }
        return [FieldProblem(field: "starred", code: .conflict, message: "needs a shelf")]
    }

    /// The folder of its SQL, beside those of other areas for tests.
    static let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "Areas/sql")

    private static let files: [SQLFiles.File] = {
        let paths = (FileManager.default.enumerator(atPath: folder.path)?.allObjects ?? []).compactMap { $0 as? String }
        return paths.compactMap { path in
            guard path.hasPrefix("trinkets/") else { return nil }
            return (try? String(contentsOf: folder.appending(path: path), encoding: .utf8))
                .map { SQLFiles.File(path: path, text: $0) }
        }
    }()

    func register(in operations: inout OperationRegistry) {
        let entity = Self.entity
        operations.register(CreateTrinket.self) { try await entity.change(.create, $0.id, $0, $1) }
        operations.register(UpdateTrinket.self) { try await entity.change(.update, $0.id, $0, $1) }
        operations.register(RestoreTrinket.self) { try await entity.change(.restore, $0.id, $0, $1) }
        operations.register(DeleteTrinket.self) { try await entity.delete($0.id, $0, $1) }
        operations.register(GetTrinket.self) { try await entity.get($0.id, $1) }
    }
}

/// A trinket as operations answer it.
struct AnsweredTrinket: Codable, Sendable, Versioned {
    var id: UUID
    var code: String
    var note: String?
    var shelf: Int
    var starred: Bool
    var boughtOn: CalendarDate?
    var friendId: UUID?
    var marks: [Trinket.Mark]
    var version: Int64
}

/// Adds a trinket.
struct CreateTrinket: SubTrackAPI.Operation {
    typealias Output = AnsweredTrinket
    static let name = "trinkets.create"
    static let endpoint = Endpoint.post("/v1/trinkets", status: 201)
    static let access = Access.device
    static let summary = "Adds a trinket."
    var id: UUID?
    var code: String
    var note: String?
    var shelf: Int
    var marks: [AnyJSON]?
}

/// Changes a trinket.
struct UpdateTrinket: SubTrackAPI.Operation {
    typealias Output = AnsweredTrinket
    static let name = "trinkets.update"
    static let endpoint = Endpoint.patch("/v1/trinkets/{id}")
    static let access = Access.device
    static let summary = "Changes a trinket."
    var id: UUID
    var note: Patch<String> = .keep
    var shelf: Patch<Int> = .keep
    var marks: Patch<AnyJSON> = .keep
}

/// Deletes a trinket.
struct DeleteTrinket: SubTrackAPI.Operation {
    typealias Output = Empty
    static let name = "trinkets.delete"
    static let endpoint = Endpoint.delete("/v1/trinkets/{id}")
    static let access = Access.device
    static let summary = "Deletes a trinket."
    var id: UUID
}

/// Brings a trinket back.
struct RestoreTrinket: SubTrackAPI.Operation {
    typealias Output = AnsweredTrinket
    static let name = "trinkets.restore"
    static let endpoint = Endpoint.post("/v1/trinkets/{id}/restore")
    static let access = Access.device
    static let summary = "Brings a trinket back."
    var id: UUID
}

/// A trinket.
struct GetTrinket: SubTrackAPI.Operation {
    typealias Output = AnsweredTrinket
    static let name = "trinkets.get"
    static let endpoint = Endpoint.get("/v1/trinkets/{id}")
    static let access = Access.device
    static let summary = "Gives a trinket."
    var id: UUID
}
