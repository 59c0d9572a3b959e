import Foundation
import SubTrackAPI
import SubTrackCore
import SubTrackTestSupport
import TestTraits
import Testing

@testable import SubTrackServer

/// What holds for every declared kind: its rows are made, changed, merged, deleted and brought back by devices.
@Suite("Declared kinds", .ownTime)
struct DeclaredEntityTests {
    private static let id = DeclaredCase.id(900_000)

    /// Runs with two devices of one user that both have one row.
    private func withDevices(
        _ kind: DeclaredCase, parts: [Int] = [1, 2],
        _ body: (_ phone: inout DeclaredDevice, _ tablet: inout DeclaredDevice, TestService) async throws -> Void
    ) async throws {
        try await kind.run(limit: max(kind.declaration.limit, 2)) { service in
            let ada = try await service.newUser()
            var phone = DeclaredDevice(ada, service, kind.declaration.name)
            let made = try await phone.push(.create, Self.id, kind.row(1, parts: parts))
            #expect(made.outcome == .applied, "\(made)")
            try await phone.pull()
            var tablet = phone
            try await body(&phone, &tablet, service)
        }
    }

    @Test(
        "A row is made with its parts and comes to the user's devices, and to nobody else's",
        arguments: DeclaredCase.all)
    func create(kind: DeclaredCase) async throws {
        try await withDevices(kind) { phone, tablet, service in
            #expect(phone.rows[Self.id] == kind.row(1, parts: [1, 2]))
            let another = try await phone.push(.create, Self.id, kind.row(2))
            let hasFixed = kind.declaration.fields.contains(where: \.isImmutable)
            if kind.declaration.twin == .refused || hasFixed {
                #expect(another.outcome == .refused && another.error?.code == .idTaken)
            } else {
                #expect(another.outcome == .applied && another.object == kind.row(1))
            }
            // Another device read the same file.
            let version = try await service.number("SELECT Ver FROM \(kind.declaration.table)")
            #expect(try await phone.push(.create, Self.id, kind.row(1, parts: [1, 2])).outcome == .applied)
            #expect(try await service.number("SELECT Ver FROM \(kind.declaration.table)") == version)
            var other = DeclaredDevice(try await service.newUser(), service, kind.declaration.name)
            try await other.pull()
            #expect(other.rows.isEmpty)
            #expect(try await other.push(.update, Self.id, [:]).error?.code == .notFound)
            #expect(try await other.push(.delete, Self.id).error?.code == .notFound)
            #expect(try await other.push(.restore, Self.id).error?.code == .notFound)
            // An id is a user's own.
            #expect(try await other.push(.create, Self.id, kind.row(2)).outcome == .applied)
            try await phone.pull()
            #expect(phone.rows == tablet.rows)
        }
    }

    @Test("Each field changes by itself; a change that changes nothing gives no version", arguments: DeclaredCase.all)
    func update(kind: DeclaredCase) async throws {
        try await withDevices(kind) { phone, _, _ in
            var wanted = kind.row(1, parts: [1, 2])
            for field in kind.declaration.fields where !field.isImmutable {
                let value = kind.values([field], 2)[field.name] ?? .null
                let result = try await phone.push(.update, Self.id, [field.name: value])
                wanted[field.name] = value
                #expect(result.outcome == .applied && result.object == wanted, "\(field.name): \(result)")
                try await phone.pull()
            }
            for list in kind.declaration.parts {
                // The first changes, the second goes, another comes.
                let changed = kind.values(list.fields, at: "\(list.name).", 7)
                let new = kind.values(list.fields, at: "\(list.name).", 3)
                let result = try await phone.push(
                    .update, Self.id,
                    [
                        list.name: .object([
                            DeclaredCase.id(1): .object(changed), DeclaredCase.id(2): .null,
                            DeclaredCase.id(3): .object(new.merging(["new": true]) { $1 }),
                        ])
                    ])
                wanted[list.name] = .array([
                    .object(changed.merging(["id": .string(DeclaredCase.id(1))]) { $1 }),
                    .object(new.merging(["id": .string(DeclaredCase.id(3))]) { $1 }),
                ])
                #expect(result.outcome == .applied && result.object == wanted, "\(list.name): \(result)")
                try await phone.pull()
            }
            #expect(phone.rows[Self.id] == wanted)
            let version = phone.version(Self.id)
            let same = try await phone.push(.update, Self.id, wanted)
            #expect(same.outcome == .applied && same.row?.version == version, "\(same)")
        }
    }

    @Test(
        "Two devices change different groups, and both changes are kept; of one group the first is",
        arguments: DeclaredCase.all)
    func merge(kind: DeclaredCase) async throws {
        for group in kind.declaration.groups {
            try await withDevices(kind, parts: []) { phone, tablet, _ in
                let fields = kind.declaration.fields.filter { !$0.isImmutable }
                let (mine, others) = (fields.filter { $0.group == group }, fields.filter { $0.group != group })
                let (first, second) = (kind.values(mine, 2), kind.values(mine, 3))
                let rest = kind.values(others, 4)
                #expect(try await phone.push(.update, Self.id, first).outcome == .applied)
                let result = try await tablet.push(.update, Self.id, second.merging(rest) { $1 })
                let lost = mine.map(\.name).sorted().compactMap { name -> LostField? in
                    guard let kept = first[name], let yours = second[name], kept != yours else { return nil }
                    return LostField(field: name, kept: kept, yours: yours)
                }
                #expect(result.outcome == .merged && result.lost == lost, "\(group): \(result)")
                #expect(result.object == kind.row(1).merging(first) { $1 }.merging(rest) { $1 })
            }
        }
    }

    @Test(
        "Parts merge one by one: both devices' new ones are kept, and of a changed one the first change",
        arguments: DeclaredCase.all)
    func mergeParts(kind: DeclaredCase) async throws {
        for list in kind.declaration.parts {
            try await withDevices(kind) { phone, tablet, _ in
                let (one, two) = (DeclaredCase.id(1), DeclaredCase.id(2))
                func part(_ number: Int) -> [String: AnyJSON] { kind.values(list.fields, at: "\(list.name).", number) }
                func new(_ number: Int) -> AnyJSON { .object(part(number).merging(["new": true]) { $1 }) }
                // The phone changes the first, removes the second and adds one; the tablet does all of it otherwise.
                let first = try await phone.push(
                    .update, Self.id,
                    [list.name: .object([one: .object(part(5)), two: .null, DeclaredCase.id(3): new(3)])])
                #expect(first.outcome == .applied, "\(first)")
                let second = try await tablet.push(
                    .update, Self.id,
                    [list.name: .object([one: .object(part(6)), two: .object(part(7)), DeclaredCase.id(4): new(4)])])
                #expect(second.outcome == .merged, "\(second)")
                #expect(
                    second.lost == [
                        LostField(field: "\(list.name).\(one)", kept: .object(part(5)), yours: .object(part(6))),
                        LostField(field: "\(list.name).\(two)", kept: .null, yours: .object(part(7))),
                    ])
                try await phone.pull()
                let parts = DeclaredEdit.parts(list, of: phone.rows[Self.id])
                #expect(parts.keys.sorted() == [1, 3, 4].map { "\(list.name).\(DeclaredCase.id($0))" })
                #expect(parts["\(list.name).\(one)"]?.filter { $0.key != "id" } == part(5))
                // The sender's own earlier change is not somebody else's.
                try await tablet.pull()
                #expect(try await tablet.push(.update, Self.id, [list.name: .object([one: .null])]).lost == [])
                let again = try await phone.push(.update, Self.id, [list.name: .object([one: .null])])
                #expect(again.lost == [] && again.outcome != .refused)
            }
        }
    }

    @Test("A deleted row leaves the devices and can be brought back with its parts", arguments: DeclaredCase.all)
    func deleteAndRestore(kind: DeclaredCase) async throws {
        try await withDevices(kind) { phone, tablet, service in
            let deleted = try await phone.push(.delete, Self.id)
            #expect(deleted.outcome == .applied && deleted.row?.deleted == true)
            #expect(try await tablet.push(.delete, Self.id).outcome != .refused)
            #expect(try await tablet.push(.update, Self.id, [:]).error?.code == .notFound)
            try await tablet.pull()
            #expect(tablet.rows.isEmpty)
            let restored = try await phone.push(.restore, Self.id)
            #expect(restored.outcome != .refused && restored.object == kind.row(1, parts: [1, 2]), "\(restored)")
            try await tablet.pull()
            #expect(tablet.rows[Self.id] == kind.row(1, parts: [1, 2]))
            // Deleted for good, it is not told a second time.
            try await service.database.run("DELETE FROM \(kind.declaration.table)")
            try await tablet.pull()
            #expect(tablet.rows.isEmpty)
            let tombstones = try await service.number(
                "SELECT COUNT(*) FROM Tombstone WHERE Entity = \(kind.declaration.number)")
            #expect(tombstones == 2)
        }
    }

    @Test("A value out of its bounds is refused with its path, and nothing is stored", arguments: DeclaredCase.all)
    func bounds(kind: DeclaredCase) async throws {
        try await withDevices(kind) { phone, _, _ in
            func check(_ fields: [EntityField], at path: String, _ change: (String, AnyJSON) -> [String: AnyJSON])
                async throws
            {
                for field in fields where !field.isImmutable {
                    var cases: [(AnyJSON, String)] = []
                    switch field.kind {
                    case .text(let lengths):
                        let long = String(repeating: "a", count: lengths.upperBound + 1)
                        cases.append((.string(long), "may have \(lengths.upperBound) characters, has \(long.count)"))
                        if !field.isOptional { cases.append((.string(" "), "must not be empty")) }
                    case .integer(let range):
                        for number in [range.lowerBound - 1, range.upperBound + 1] {
                            cases.append(
                                (
                                    .integer(number),
                                    "must be from \(range.lowerBound) to \(range.upperBound), is \(number)"
                                ))
                        }
                    case .flag: cases.append((.string("yes"), "must be true or false"))
                    case .day: cases.append((.string("2026-02-30"), "must be a day such as 2026-01-31"))
                    case .id: cases.append((.string("x"), "must be a UUID: 8-4-4-4-12 hexadecimal digits"))
                    }
                    if !field.isOptional { cases.append((.null, "cannot be removed")) }
                    for (value, message) in cases {
                        let result = try await phone.push(.update, Self.id, change(field.name, value))
                        #expect(result.outcome == .refused && result.faults == [path + field.name: message])
                    }
                }
            }
            try await check(kind.declaration.fields, at: "") { [$0: $1] }
            for list in kind.declaration.parts {
                try await check(list.fields, at: "\(list.name).\(DeclaredCase.id(1)).") { name, value in
                    [list.name: .object([DeclaredCase.id(1): .object([name: value])])]
                }
                let many = (0...list.maximum).map { AnyJSON.object(kind.values(list.fields, at: "\(list.name).", $0)) }
                let result = try await phone.push(.update, Self.id, [list.name: .array(many)])
                #expect(result.faults == [list.name: "may have \(list.maximum) elements, has \(many.count)"])
            }
            let unknown = try await phone.push(.update, Self.id, ["color": "red"])
            #expect(unknown.faults == ["color": "there is no such field"])
            for field in kind.declaration.fields where field.isImmutable {
                let result = try await phone.push(.update, Self.id, kind.values([field], 2))
                #expect(result.faults == [field.name: "never changes"])
            }
            let empty = try await phone.push(.create, DeclaredCase.id(8), [:])
            let needed = kind.declaration.fields.filter { $0.initial == nil }.map { ($0.name, "is needed") }
            #expect(empty.faults == Dictionary(needed) { $1 })
            #expect(try await phone.push(.renew, Self.id).faults.keys.sorted() == ["op"])
            #expect(try await phone.push(.create, "x", kind.row(1)).faults.keys.sorted() == ["id"])
            let version = phone.version(Self.id)
            try await phone.pull()
            #expect(phone.version(Self.id) == version)
        }
    }

    @Test("A user has no more rows than the limit; deleted ones do not count", arguments: DeclaredCase.all)
    func limit(kind: DeclaredCase) async throws {
        try await kind.run(limit: 2) { service in
            let phone = DeclaredDevice(try await service.newUser(), service, kind.declaration.name)
            for number in 1...2 {
                #expect(try await phone.push(.create, DeclaredCase.id(number), kind.row(number)).outcome == .applied)
            }
            #expect(try await phone.push(.create, DeclaredCase.id(3), kind.row(3)).error?.code == .tooMany)
            try await phone.push(.delete, DeclaredCase.id(1))
            #expect(try await phone.push(.create, DeclaredCase.id(3), kind.row(3)).outcome == .applied)
            #expect(try await phone.push(.restore, DeclaredCase.id(1)).error?.code == .tooMany)
        }
    }

    @Test(
        "A user's rows are in the export, go to the account at a sign-in, and go with the user",
        arguments: DeclaredCase.all)
    func userData(kind: DeclaredCase) async throws {
        try await kind.run(limit: max(kind.declaration.limit, 2)) { service in
            let ada = try await service.newUser()
            try await ada.register("ada@example.org")
            let tablet = DeclaredDevice(ada, service, kind.declaration.name)
            try await tablet.push(.create, DeclaredCase.id(1), kind.row(1, parts: [1]))
            let guest = try await service.newUser()
            var phone = DeclaredDevice(guest, service, kind.declaration.name)
            try await phone.push(.create, DeclaredCase.id(2), kind.row(2, parts: [1, 2]))
            try await phone.push(.create, DeclaredCase.id(3), kind.row(3))
            try await phone.push(.delete, DeclaredCase.id(3))
            let signedIn = try await guest.signIn("ada@example.org")
            #expect(signedIn.user.id == ada.user.id)
            var client = service.client
            client.token = signedIn.token
            phone = DeclaredDevice(
                TestUser(user: signedIn.user, device: signedIn.device, client: client), service, kind.declaration.name)
            try await phone.pull()
            let own = [DeclaredCase.id(1): kind.row(1, parts: [1])]
            var moved = kind.moves ? [DeclaredCase.id(2): kind.row(2, parts: [1, 2])] : [:]
            if let changes = kind.deletedMovesAs { moved[DeclaredCase.id(3)] = kind.row(3).merging(changes) { $1 } }
            #expect(phone.rows == own.merging(moved) { $1 })
            let table = kind.declaration.table
            #expect(
                try await service.number("SELECT COUNT(*) FROM \(table) WHERE User_ID = \(hex(guest.user.id))") == 0)

            let export = try await RawHTTP.send(
                "GET", ExportMe.endpoint.path, port: service.port,
                headers: ["Authorization: Bearer \(ada.client.token ?? "")"])
            let section = try JSON(export.body)["\(kind.declaration.name)s"]?.elements ?? []
            #expect(section.compactMap { $0["id"]?.text } == phone.rows.keys.sorted())

            try await service.database.run("DELETE FROM `User` WHERE User_ID = \(hex(ada.user.id))")
            for table in [table] + kind.declaration.parts.map(\.table) {
                #expect(try await service.number("SELECT COUNT(*) FROM \(table)") == 0)
            }
        }
    }
}
