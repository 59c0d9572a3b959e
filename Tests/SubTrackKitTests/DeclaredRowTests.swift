import Foundation
import GRDB
import SubTrackAPI
import SubTrackTestSupport
import TestTraits
import Testing

@testable import SubTrackKit

/// Rows of declared kinds on a device, without a service.
@Suite("The kit's declared rows", .ownTime)
struct DeclaredRowTests {
    private func withKit(_ body: (Kit) async throws -> Void) async throws {
        let folder = try PrivateServer.temporaryFolder()
        defer { try? FileManager.default.removeItem(at: folder) }
        try await body(
            try Kit(
                .init(
                    server: "http://127.0.0.1:9", folder: folder, deviceName: "x", timeZone: "UTC",
                    tokens: MemoryTokenStore())))
    }

    /// A page as the service sends it.
    private func take(_ changes: String, since: String?, cursor: String, _ kit: Kit) throws {
        let page = try JSONDecoder().decode(
            PulledPage.self,
            from: Data(
                #"{"dropped":[],"changes":[\#(changes)],"cursor":"\#(cursor)","more":false,"total":0}"#.utf8))
        try kit.store.write { _ = try Store.take(page, since: since, at: 1_769_860_800, in: $0) }
    }

    private func change(_ kind: String, _ id: UUID, version: Int, _ data: String?) -> String {
        #"{"scope":"user","version":\#(version),"entity":"\#(kind)","id":"\#(id.lowercased)","deleted":\#(data == nil)"#
            + (data.map { #","data":\#($0)}"# } ?? "}")
    }

    private let one = UUID()
    private let two = UUID()
    private func row(_ note: String) -> String {
        #"{"code":"A","note":"\#(note)","shelf":1,"starred":false,"boughtOn":null,"friendId":null,"marks":[]}"#
    }

    @Test("A row that was made offline is there at once, waits, and can be changed, deleted and brought back")
    func isOffline() async throws {
        try await withKit { kit in
            let mark = Trinket.Mark("first", weight: 3)
            let id = try kit.add(Trinket(" A ", marks: [mark]))
            var held = try #require(try kit.row(Trinket.self, id))
            #expect(held.row == Trinket("A", marks: [mark]) && held.isPending)
            held.row.note = "two\nlines"
            held.row.marks = [Trinket.Mark(id: mark.id, "second", weight: 3), Trinket.Mark("third")]
                .sorted { $0.id.uuidString < $1.id.uuidString }
            try kit.save(held.row, id: id)
            #expect(try kit.rows(Trinket.self).map(\.row) == [held.row])
            // Only what differs is sent.
            let sent = try kit.store.read { try Store.outbox(in: $0) }.map(\.mutation)
            #expect(sent.map(\.op) == ["create", "update"] && sent[1].after == sent[0].key)
            #expect(sent[1].fields?.keys.sorted() == ["marks", "note"])
            #expect(sent[1].fields?["marks"] != nil && sent[1].baseVersion == nil)
            try kit.save(held.row, id: id)
            #expect(try kit.pendingCount() == 2)
            try kit.delete(Trinket.self, id)
            #expect(try kit.rows(Trinket.self).isEmpty && kit.deletedRows(Trinket.self).map(\.id) == [id])
            #expect(throws: KitError.unknown("there is no such trinket on this device")) {
                try kit.delete(Trinket.self, id)
            }
            try kit.restore(Trinket.self, id)
            #expect(try kit.rows(Trinket.self).map(\.row) == [held.row])
        }
    }

    @Test("A value out of its bounds is refused before it is kept")
    func bounds() async throws {
        try await withKit { kit in
            #expect(throws: KitError.invalid(field: "shelf", message: "must be from 0 to 365, is 400")) {
                try kit.add(Trinket("A", shelf: 400))
            }
            let id = try kit.add(Trinket("A"))
            #expect(throws: KitError.invalid(field: "code", message: "never changes")) {
                try kit.save(Trinket("B"), id: id)
            }
            #expect(try kit.pendingCount() == 1)
        }
    }

    @Test("All faults of a row are told at once, and none of a right one")
    func faults() async throws {
        try await withKit { kit in
            let wrong = Trinket("", shelf: 400, marks: [.init("", weight: 10)])
            let fields = try kit.faults(of: wrong).map { error in
                if case .invalid(let field, _) = error { field } else { "\(error)" }
            }
            let mark = "marks.\(wrong.marks[0].id.lowercased)"
            #expect(Set(fields) == ["code", "shelf", "\(mark).label", "\(mark).weight"])
            let id = try kit.add(Trinket("A"))
            #expect(try kit.faults(of: Trinket("A", shelf: 1), id: id).isEmpty)
            #expect(
                try kit.faults(of: Trinket("B"), id: id) == [.invalid(field: "code", message: "never changes")])
        }
    }

    @Test(
        "A list has rows of the service, new and changed ones, each once and by id, and none that is deleted or of a newer service"
    )
    func isMixed() async throws {
        try await withKit { kit in
            let ids = (0..<6).map { UUID(uuidString: "00000000-0000-4000-8000-00000000000\($0)") ?? UUID() }
            try take(
                [
                    change("trinket", ids[5], version: 1, row("of the service")),
                    change("trinket", ids[4], version: 2, row("changed here")),
                    change("trinket", ids[3], version: 3, row("deleted here")),
                    change("trinket", ids[2], version: 4, #"{"code":{"newer":true}}"#),
                ].joined(separator: ","), since: nil, cursor: "a", kit)
            try kit.add(Trinket("A", note: "new"), id: ids[1])
            try kit.add(Trinket("A", note: "new and changed"), id: ids[0])
            try kit.save(Trinket("A", note: "changed", shelf: 1), id: ids[4])
            try kit.save(Trinket("A", note: "changed twice"), id: ids[0])
            try kit.delete(Trinket.self, ids[3])
            #expect(try kit.rows(Trinket.self).map(\.id) == [ids[0], ids[1], ids[4], ids[5]])
            #expect(
                try kit.rows(Trinket.self).map(\.row.note) == ["changed twice", "new", "changed", "of the service"])
            #expect(try kit.rows(Trinket.self).map(\.isPending) == [true, true, true, false])
            #expect(try kit.deletedRows(Trinket.self).map(\.id) == [ids[3]])
            for row in try kit.rows(Trinket.self) { #expect(try kit.row(Trinket.self, row.id) == row) }
            // The answer to the creation was lost, and its row has come.
            try take(change("trinket", ids[1], version: 5, row("done")), since: "a", cursor: "b", kit)
            let done = try #require(try kit.rows(Trinket.self).first { $0.id == ids[1] })
            #expect(done.row.note == "done" && done.isPending)
        }
    }

    @Test(
        "Rows of the service come, change, go and can be brought back; older ones do not take the place of newer ones")
    func isPulled() async throws {
        try await withKit { kit in
            try take(change("trinket", one, version: 5, row("five")), since: nil, cursor: "a", kit)
            try take(change("trinket", one, version: 4, row("four")), since: "a", cursor: "b", kit)
            #expect(try kit.row(Trinket.self, one)?.row.note == "five")
            try kit.save(Trinket("A", note: "mine"), id: one)
            let waiting = try kit.store.read { try Store.outbox(in: $0) }
            #expect(waiting.first?.mutation.baseVersion == 5)
            #expect(try kit.row(Trinket.self, one)?.row.note == "mine")
            try take(change("trinket", one, version: 6, nil), since: "b", cursor: "c", kit)
            #expect(try kit.rows(Trinket.self).isEmpty && kit.deletedRows(Trinket.self).map(\.id) == [one])
            try take(change("trinket", one, version: 7, row("seven")), since: "c", cursor: "d", kit)
            #expect(try kit.row(Trinket.self, one)?.row.note == "mine" && kit.deletedRows(Trinket.self).isEmpty)
            // A copy begins anew.
            try take(change("trinket", two, version: 8, row("eight")), since: "d", cursor: "e", kit)
            try kit.store.write { try Store.startOver(nil, in: $0) }
            try take(change("trinket", two, version: 8, row("eight")), since: nil, cursor: "f", kit)
            #expect(try kit.rows(Trinket.self).map(\.id) == [two])
        }
    }

    @Test("A row of a kind that this version does not know is kept for a later one")
    func isUnknown() async throws {
        try await withKit { kit in
            try take(
                change("gadget", one, version: 5, #"{"b":[1,{"c":null}],"a":"x"}"#) + ","
                    + change("hologram", two, version: 6, #"{"depth":1.5}"#), since: nil, cursor: "a", kit)
            let held = try kit.store.read { database in
                try String.fetchAll(database, sql: "SELECT kind || ' ' || version || ' ' || data FROM declared")
            }
            #expect(held == [#"gadget 5 {"a":"x","b":[1,{"c":null}]}"#])
            #expect(try kit.rows(Trinket.self).isEmpty)
        }
    }

    @Test("Lists follow the store")
    func isFollowed() async throws {
        try await withKit { kit in
            var updates = kit.rowUpdates(Trinket.self).makeAsyncIterator()
            #expect(try await updates.next()?.isEmpty == true)
            let id = try kit.add(Trinket("A"))
            #expect(try await updates.next()?.map(\.id) == [id])
        }
    }
}
