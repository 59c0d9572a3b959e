import Foundation
import SubTrackAPI
import SubTrackSQL
import SubTrackTestSupport
import TestTraits
import Testing

@testable import SubTrackKit
@testable import SubTrackServer

/// The trinkets on a service, without operations of their own.
private struct TrinketArea: Area {
    let name = "trinkets"
    let presence = AreaPresence.always
    let entities: [any SyncedEntity] = [DeclaredEntity(Trinket.self)]
    let changeable: [any ChangeableEntity] = [DeclaredEntity(Trinket.self)]
    let userData: (any UserData)? = DeclaredData(entities: [DeclaredEntity(Trinket.self)])
    let sql: AreaSQL

    init() {
        let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "SubTrackServerTests/Areas/sql")
        let paths = (FileManager.default.enumerator(atPath: folder.path)?.allObjects ?? []).compactMap { $0 as? String }
        sql = AreaSQL(
            of: name,
            files: paths.filter { $0.hasPrefix("trinkets/") }.compactMap { path in
                (try? String(contentsOf: folder.appending(path: path), encoding: .utf8))
                    .map { SQLFiles.File(path: path, text: $0) }
            })
    }

    func register(in operations: inout OperationRegistry) {}
}

/// Declared rows on devices, with a service.
@Suite("The kit's declared rows, synced", .ownTime)
struct DeclaredSyncTests {
    private func withDevices(
        _ body: (_ phone: TestDevice, _ laptop: TestDevice) async throws -> Void
    ) async throws {
        try await TestService.runAlone(configure: { $0.furtherAreas = [TrinketArea()] }) { service in
            let (phone, laptop) = try await service.twoDevices()
            try await body(phone, laptop)
        }
    }

    @Test(
        "Two devices that are offline add a part each and change others: all is kept that can be, the rest is reported")
    func merge() async throws {
        try await withDevices { phone, laptop in
            let (first, second) = (Trinket.Mark("first", weight: 1), Trinket.Mark("second"))
            let id = try phone.kit.add(Trinket("A", note: "n", marks: [first, second]))
            try await phone.kit.sync()
            try await laptop.kit.sync()
            var mine = try #require(try phone.kit.row(Trinket.self, id)?.row)
            #expect(try laptop.kit.row(Trinket.self, id)?.row == mine)
            var others = mine
            let (third, fourth) = (Trinket.Mark("third"), Trinket.Mark("fourth"))
            mine = Trinket("A", note: "mine", marks: [.init(id: first.id, "one", weight: 1), third])
            others = Trinket(
                "A", note: "n", shelf: 7,
                marks: [.init(id: first.id, "uno", weight: 1), .init(id: second.id, "two"), fourth])
            try phone.kit.save(mine, id: id)
            try laptop.kit.save(others, id: id)
            #expect(try laptop.kit.row(Trinket.self, id)?.row == others)
            try await phone.kit.sync()
            try await laptop.kit.sync()
            try await phone.kit.sync()
            let merged = Trinket(
                "A", note: "mine", shelf: 7, marks: [.init(id: first.id, "one", weight: 1), third, fourth])
            for device in [phone, laptop] {
                let held = try #require(try device.kit.row(Trinket.self, id))
                #expect(held.row == merged && !held.isPending)
            }
            #expect(try phone.kit.reports().isEmpty)
            let lost = try laptop.kit.reports().flatMap(\.lost).map(\.field).sorted()
            #expect(lost == [first.id, second.id].map { "marks.\($0.lowercased)" }.sorted())
        }
    }

    @Test("A row that was made, changed, deleted and restored offline arrives so, also where an answer is lost")
    func offline() async throws {
        try await withDevices { phone, laptop in
            let mark = Trinket.Mark("x")
            let id = try phone.kit.add(Trinket("A", marks: [mark]))
            try phone.kit.save(Trinket("A", note: "two", marks: [mark, .init("y")]), id: id)
            try phone.kit.delete(Trinket.self, id)
            try phone.kit.restore(Trinket.self, id)
            let wanted = try phone.kit.row(Trinket.self, id)?.row
            phone.transport.set { $0.method == "POST" && $0.url.hasSuffix("/v1/changes") ? .answerLost : .answered }
            _ = try? await phone.kit.sync()
            phone.transport.set { _ in .answered }
            try await phone.kit.sync()
            try await laptop.kit.sync()
            #expect(wanted?.marks.count == 2)
            #expect(try phone.kit.row(Trinket.self, id)?.row == wanted && phone.kit.pendingCount() == 0)
            #expect(try laptop.kit.row(Trinket.self, id)?.row == wanted)
            try laptop.kit.delete(Trinket.self, id)
            try await laptop.kit.sync()
            try await phone.kit.sync()
            #expect(try phone.kit.rows(Trinket.self).isEmpty && phone.kit.deletedRows(Trinket.self).map(\.id) == [id])
            #expect(try phone.kit.reports().isEmpty && laptop.kit.reports().isEmpty)
        }
    }
}
