import Foundation
import SubTrackAPI
import TestTraits
import Testing

@testable import SubTrackCore

/// Changes of declared rows, without a database.
@Suite("Declared rows: changes", .ownTime)
struct DeclaredEditTests {
    private static let declaration = EntityDeclaration(
        "trinket", number: 99, table: "Trinket", limit: 10, restorableDays: 30,
        fields: [
            .text("code", 1...10).immutable, .text("note", 1...20).optional.multiline, .integer("rank", 0...365),
            .flag("starred"), .day("boughtOn").optional,
        ],
        parts: [
            EntityPart(
                "marks", table: "Trinket_mark", key: "Mark_ID", maximum: 2,
                fields: [.text("label", 1...20), .integer("weight", 1...9).optional])
        ])
    private static let (one, two, three) = (
        "0190a000-0000-7000-8000-000000000001", "0190a000-0000-7000-8000-000000000002",
        "0190a000-0000-7000-8000-000000000003"
    )

    private func mark(_ id: String, _ label: String, _ weight: AnyJSON = .null) -> AnyJSON {
        .object(["id": .string(id), "label": .string(label), "weight": weight])
    }

    private func row(_ marks: [AnyJSON]) -> [String: AnyJSON] {
        [
            "code": "A", "note": .null, "rank": .integer(3), "starred": false, "boughtOn": .null,
            "marks": .array(marks),
        ]
    }

    private func changed(
        _ fields: [String: AnyJSON], _ row: [String: AnyJSON]?
    ) throws -> [String: AnyJSON] {
        var edit = DeclaredEdit(fields, to: row, of: Self.declaration)
        return try edit.check()
    }

    /// The faults of a change.
    private func faults(_ fields: [String: AnyJSON], _ row: [String: AnyJSON]? = nil) -> [String: String] {
        do {
            _ = try changed(fields, row)
            return [:]
        } catch {
            let errors = (error as? Problem)?.errors ?? []
            return Dictionary(errors.map { ($0.field, "\($0.code.rawValue): \($0.message)") }) { first, _ in first }
        }
    }

    @Test("A part is the same one in whichever letters its id is written")
    func capitals() throws {
        let id = "0190a000-0000-7000-8000-00000000000a"
        let held = row([mark(id, "x")])
        let same = row([mark(id.uppercased(), "x")])
        let other = row([mark(id.uppercased(), "y")])
        #expect(DeclaredEdit.difference(from: held, to: same, of: Self.declaration).isEmpty)
        let fields = DeclaredEdit.difference(from: held, to: other, of: Self.declaration)
        #expect(fields == ["marks": .object([id: .object(["label": "y"])])])
        #expect(try changed(fields, held) == row([mark(id, "y")]))
    }

    @Test("A new row has all fields, its texts without white space at their ends, and an id for each part")
    func isCreated() throws {
        let made = try changed(
            ["code": " A ", "rank": .integer(3), "marks": .array([.object(["label": "x"])])], nil)
        let parts = DeclaredEdit.parts(Self.declaration.parts[0], of: made)
        let part = try #require(parts.values.first)
        #expect(made.filter { $0.key != "marks" } == row([]).filter { $0.key != "marks" })
        #expect(part["label"] == "x" && part["weight"] == .null && parts.count == 1)
    }

    @Test("All faults are told at once, each with its path")
    func faultsOfAll() {
        let found = faults([
            "code": "12345678901", "rank": .integer(366), "note": "bell\u{7}", "starred": "yes", "boughtOn": "soon",
            "color": "red", "marks": .object([Self.one: .object(["new": true, "weight": .integer(10)]), "x": .null]),
        ])
        #expect(
            found == [
                "code": "range: may have 10 characters, has 11", "rank": "range: must be from 0 to 365, is 366",
                "note": "malformed: must not have control characters", "starred": "malformed: must be true or false",
                "boughtOn": "malformed: must be a day such as 2026-01-31", "color": "unknown: there is no such field",
                "marks.\(Self.one).label": "required: is needed",
                "marks.\(Self.one).weight": "range: must be from 1 to 9, is 10",
                "marks.x": "malformed: must be a UUID: 8-4-4-4-12 hexadecimal digits",
            ])
        #expect(faults(["code": " "]) == ["code": "range: must not be empty", "rank": "required: is needed"])
    }

    @Test("A field that never changes may be named with the value that it has")
    func isImmutable() {
        #expect(faults(["code": "A"], row([])) == [:])
        #expect(faults(["code": "B"], row([])) == ["code": "conflict: never changes"])
        #expect(faults(["rank": .null], row([])) == ["rank": "required: cannot be removed"])
    }

    @Test("An object changes parts by their ids; the others stay")
    func partsByID() throws {
        let before = row([mark(Self.one, "a", .integer(1)), mark(Self.two, "b")])
        let after = try changed(
            ["marks": .object([Self.one: .object(["label": "c"]), Self.two.uppercased(): .null])], before)
        #expect(after["marks"] == .array([mark(Self.one, "c", .integer(1))]))
        #expect(
            faults(["marks": .object([Self.three: .object(["new": true, "label": "d"])])], before).keys.sorted() == [
                "marks"
            ])
    }

    @Test("A list replaces all parts")
    func partsAsList() throws {
        let before = row([mark(Self.one, "a", .integer(1)), mark(Self.two, "b")])
        let after = try changed(
            ["marks": .array([mark(Self.three, "c"), .object(["id": .string(Self.one), "label": "a"])])], before)
        #expect(after["marks"] == .array([mark(Self.one, "a"), mark(Self.three, "c")]))
        #expect(try changed(["marks": .null], before)["marks"] == .array([]))
        #expect(
            faults(["marks": .array([mark(Self.one, "a"), mark(Self.one, "b")])], before).keys.sorted() == [
                "marks.1.id"
            ])
    }

    @Test("The difference of two rows makes one the other, and a part that is gone meanwhile stays away")
    func difference() throws {
        let before = row([mark(Self.one, "a", .integer(1)), mark(Self.two, "b")])
        var wanted = row([mark(Self.one, "a", .integer(2)), mark(Self.three, "c")])
        wanted["note"] = "two\nlines"
        let fields = DeclaredEdit.difference(from: before, to: wanted, of: Self.declaration)
        #expect(fields.keys.sorted() == ["marks", "note"])
        #expect(try changed(fields, before) == wanted)
        #expect(DeclaredEdit(fields, to: before, of: Self.declaration).applied() == wanted)
        // Somebody else has removed the first part: its change says too little to bring it back.
        let other = DeclaredEdit(fields, to: row([]), of: Self.declaration).applied()
        #expect(other["marks"] == .array([mark(Self.three, "c")]))
        #expect(DeclaredEdit.difference(from: before, to: before, of: Self.declaration).isEmpty)
    }
}
