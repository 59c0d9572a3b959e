import Foundation
import SubTrackAPI

/// A change of a declared row, each part of a list by itself. Beside `note` stands `phones.0190…`, with the part's changed
/// members. It is null where the part goes.
///
/// A list of parts has one of two forms. An array replaces the list; an element without an id that says the same as a part
/// which is there is that part. An object changes it by ids, as a merge patch does;
/// a member `new` marks a part that its sender has added. Without the mark, a part that is not there was removed by
/// somebody else.
public struct DeclaredEdit: Sendable {
    /// The kind of row.
    public let declaration: EntityDeclaration
    /// The row before the change; nil: it is a new one.
    public let row: [String: AnyJSON]?
    /// The changed fields, and the changed parts by their paths.
    public var fields: [String: AnyJSON] = [:]
    /// The paths of parts that the sender has added.
    public private(set) var added: Set<String> = []
    private var faults: [FieldProblem] = []
    /// The places of parts whose ids their sender does not know, by path: `phones.0`.
    private var places: [String: String] = [:]

    /// A change by the fields of an operation.
    public init(_ given: [String: AnyJSON], to row: [String: AnyJSON]?, of declaration: EntityDeclaration) {
        self.declaration = declaration
        self.row = row
        for (name, value) in given {
            if let part = declaration.parts.first(where: { $0.name == name }) {
                take(value, of: part)
            } else {
                fields[name] = value
            }
        }
        guard row == nil else { return }
        for field in declaration.fields where fields[field.name] == nil { fields[field.name] = field.initial }
    }

    /// The parts of a row's list by their paths. Ids are in small letters there, in whichever the row has them.
    public static func parts(_ list: EntityPart, of row: [String: AnyJSON]?) -> [String: [String: AnyJSON]] {
        guard case .array(let elements)? = row?[list.name] else { return [:] }
        return elements.reduce(into: [:]) { parts, element in
            guard case .object(let members) = element, case .string(let id)? = members["id"] else { return }
            parts["\(list.name).\(id.lowercased())"] = members
        }
    }

    /// The list and the id of a path; nil for the name of a field.
    public func part(at path: String) -> (list: EntityPart, id: String)? {
        guard let dot = path.firstIndex(of: ".") else { return nil }
        return declaration.parts.first { $0.name == path[..<dot] }.map { ($0, String(path[path.index(after: dot)...])) }
    }

    private mutating func take(_ value: AnyJSON, of list: EntityPart) {
        let held = Self.parts(list, of: row)
        switch value {
        case .object(let byID):
            for (name, member) in byID {
                guard let id = id(.string(name), at: "\(list.name).\(name.prefix(40))") else { continue }
                let path = "\(list.name).\(id)"
                guard case .object(var members) = member else {
                    fields[path] = member
                    continue
                }
                if members.removeValue(forKey: "new") == true || row == nil { added.insert(path) }
                fields[path] = .object(members)
            }
        case .array(let elements):
            var unnamed: [(place: String, members: [String: AnyJSON])] = []
            for (index, element) in elements.enumerated() {
                let place = "\(list.name).\(index)"
                guard case .object(var members) = element else {
                    note(place, .malformed, "must be an object")
                    continue
                }
                let given = members.removeValue(forKey: "id") ?? .null
                for field in list.fields where members[field.name] == nil { members[field.name] = field.initial }
                guard given != .null else {
                    unnamed.append((place, members))
                    continue
                }
                guard let id = id(given, at: "\(place).id") else { continue }
                let path = "\(list.name).\(id)"
                guard fields[path] == nil else {
                    note("\(place).id", .conflict, "is another part's too")
                    continue
                }
                if held[path] == nil { added.insert(path) }
                fields[path] = .object(members)
            }
            for (place, members) in unnamed {
                let same = held.filter { fields[$0.key] == nil && $0.value.filter { $0.key != "id" } == members }
                let path = same.keys.min() ?? "\(list.name).\(UUID().uuidString.lowercased())"
                if same.isEmpty { added.insert(path) }
                places[path] = place
                fields[path] = .object(members)
            }
            for path in held.keys where fields[path] == nil { fields[path] = .null }
        case .null: for path in held.keys { fields[path] = .null }
        default: note(list.name, .malformed, "must be a list, or an object of parts by their ids")
        }
    }

    private mutating func id(_ value: AnyJSON, at path: String) -> String? {
        if case .string(let text) = value, let id = UUID(uuidString: text) { return id.uuidString.lowercased() }
        note(path, .malformed, "must be a UUID: 8-4-4-4-12 hexadecimal digits")
        return nil
    }

    private mutating func note(_ field: String, _ code: FieldProblem.Code, _ message: String) {
        faults.append(FieldProblem(field: field, code: code, message: message))
    }

    // MARK: Checks

    /// Holds the values to the declaration, and makes each the one that is stored. White space at the ends of texts goes.
    /// - Returns: the row as it is with the change.
    /// - Throws: a problem with all faults.
    public mutating func check() throws -> [String: AnyJSON] {
        for (path, value) in fields.sorted(by: { $0.key < $1.key }) {
            if let (list, _) = part(at: path) {
                try check(value, at: path, of: list)
            } else if let field = declaration.fields.first(where: { $0.name == path }) {
                let stored = try stored(value, of: field, at: path)
                if field.isImmutable, let row, stored != row[path] { note(path, .conflict, "never changes") }
                fields[path] = stored
            } else {
                note(path, .unknown, "there is no such field")
            }
        }
        for field in declaration.fields where row == nil && fields[field.name] == nil {
            note(field.name, .required, "is needed")
        }
        let changed = applied()
        for list in declaration.parts {
            guard case .array(let parts)? = changed[list.name], parts.count > list.maximum else { continue }
            note(list.name, .range, "may have \(list.maximum) elements, has \(parts.count)")
        }
        guard faults.isEmpty else { throw Problem.input(told(faults)) }
        return changed
    }

    /// Faults with the paths that their sender knows: a part without an id is told by its place in the list.
    public func told(_ faults: [FieldProblem]) -> [FieldProblem] {
        faults.map { fault in
            guard let end = fault.field.dropFirst(fault.field.prefix { $0 != "." }.count + 1).firstIndex(of: "."),
                let place = places[String(fault.field[..<end])]
            else { return fault }
            return FieldProblem(field: place + fault.field[end...], code: fault.code, message: fault.message)
        }
    }

    private mutating func check(_ value: AnyJSON, at path: String, of list: EntityPart) throws {
        guard case .object(var members) = value else {
            if value != .null { note(path, .malformed, "must be an object") }
            return
        }
        let isNew = Self.parts(list, of: row)[path] == nil
        for (name, value) in members.sorted(by: { $0.key < $1.key }) {
            if let field = list.fields.first(where: { $0.name == name }) {
                members[name] = try stored(value, of: field, at: "\(path).\(name)")
            } else {
                note("\(path).\(name)", .unknown, "there is no such field")
            }
        }
        for field in list.fields where isNew && members[field.name] == nil {
            guard let initial = field.initial else {
                note("\(path).\(field.name)", .required, "is needed")
                continue
            }
            members[field.name] = initial
        }
        fields[path] = .object(members)
    }

    /// The stored value of a sent one; the sent one where it has a fault.
    private mutating func stored(_ value: AnyJSON, of field: EntityField, at path: String) throws -> AnyJSON {
        do {
            return try Self.stored(value, of: field, at: path)
        } catch let problem as Problem where problem.errors != nil {
            faults += problem.errors ?? []
            return value
        }
    }

    private static func stored(_ value: AnyJSON, of field: EntityField, at path: String) throws -> AnyJSON {
        func mismatch(_ wanted: String) -> Problem { .input(path, .malformed, "must be \(wanted)") }
        if value == .null {
            guard !field.isOptional else { return .null }
            throw Problem.input(path, .required, "cannot be removed")
        }
        switch field.kind {
        case .text(let lengths):
            guard case .string(let text) = value else { throw mismatch("a text") }
            // One form of a letter with its accents (UAX #15), as a search expects it.
            let stored = try InputText.optional(
                text.precomposedStringWithCanonicalMapping, field: path, maximum: lengths.upperBound,
                multiline: field.isMultiline)
            guard let stored else {
                guard field.isOptional else { throw Problem.input(path, .range, "must not be empty") }
                return .null
            }
            return .string(stored)
        case .integer(let range):
            guard case .integer(let number) = value else { throw mismatch("a whole number") }
            guard range.contains(number) else {
                throw Problem.input(
                    path, .range, "must be from \(range.lowerBound) to \(range.upperBound), is \(number)")
            }
        case .flag:
            guard case .bool = value else { throw mismatch("true or false") }
        case .day:
            guard case .string(let text) = value, CalendarDate(text) != nil else {
                throw mismatch("a day such as 2026-01-31")
            }
        case .id:
            guard case .string(let text) = value, let id = UUID(uuidString: text) else {
                throw mismatch("a UUID: 8-4-4-4-12 hexadecimal digits")
            }
            return .string(id.uuidString.lowercased())
        }
        return value
    }

    // MARK: The row

    /// The row as it is with the change. Parts are in the order of their ids.
    public func applied() -> [String: AnyJSON] {
        var row = row ?? [:]
        for field in declaration.fields { row[field.name] = fields[field.name] ?? row[field.name] ?? .null }
        for list in declaration.parts {
            var parts = Self.parts(list, of: self.row)
            for (path, value) in fields {
                guard let (of, id) = part(at: path), of.name == list.name else { continue }
                guard case .object(let members) = value else {
                    parts[path] = nil
                    continue
                }
                // A part that somebody else has removed stays away.
                guard parts[path] != nil || added.contains(path) || isWhole(members, list) else { continue }
                let initial = Dictionary(list.fields.map { ($0.name, $0.initial ?? .null) }) { first, _ in first }
                parts[path] = initial.merging(parts[path] ?? ["id": .string(id)]) { $1 }.merging(members) { $1 }
            }
            row[list.name] = .array(parts.sorted { $0.key < $1.key }.map { .object($0.value) })
        }
        return row
    }

    private func isWhole(_ members: [String: AnyJSON], _ list: EntityPart) -> Bool {
        list.fields.allSatisfy { $0.standard != nil || members[$0.name] != nil }
    }

    // MARK: Differences

    /// The fields that make one row another, for a change that is sent.
    public static func difference(
        from row: [String: AnyJSON], to other: [String: AnyJSON], of declaration: EntityDeclaration
    ) -> [String: AnyJSON] {
        var fields: [String: AnyJSON] = [:]
        for field in declaration.fields where row[field.name] ?? .null != other[field.name] ?? .null {
            fields[field.name] = other[field.name] ?? .null
        }
        for list in declaration.parts {
            let (held, wanted) = (parts(list, of: row), parts(list, of: other))
            var changes: [String: AnyJSON] = [:]
            for (path, members) in wanted {
                let id = String(path.dropFirst(list.name.count + 1))
                let changed = members.filter { $0.key != "id" && held[path]?[$0.key] != $0.value }
                if held[path] == nil {
                    changes[id] = .object(changed.merging(["new": true]) { $1 })
                } else if !changed.isEmpty {
                    changes[id] = .object(changed)
                }
            }
            for path in held.keys where wanted[path] == nil {
                changes[String(path.dropFirst(list.name.count + 1))] = .null
            }
            if !changes.isEmpty { fields[list.name] = .object(changes) }
        }
        return fields
    }
}
