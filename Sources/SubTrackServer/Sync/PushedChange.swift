import Foundation
import MariaDB
import SubTrackAPI
import SubTrackCore

/// One change of a push, as the entity that it is of sees it.
struct PushedChange: Sendable {
    /// The change as it was sent.
    let mutation: PushChanges.Mutation
    /// The operation on the row.
    let op: PushChanges.Mutation.Op
    /// The call, with the version that the change was based on.
    let call: Call
    /// The sender.
    let session: Session
    /// The sender's earlier writes.
    let own: WriteLineage

    /// A change.
    /// - Throws: `input_invalid` for an operation that there is not.
    init(_ mutation: PushChanges.Mutation, _ call: Call, own: WriteLineage) throws {
        guard let op = PushChanges.Mutation.Op(rawValue: mutation.op) else {
            throw Problem.input("op", .missing, "there is no op \"\(mutation.op.excerpt(20))\"")
        }
        self.mutation = mutation
        self.op = op
        var call = call
        call.baseVersion = mutation.baseVersion
        call.isPushed = true
        self.call = call
        session = try call.requireSession()
        self.own = own
    }

    /// The user of the sender.
    var user: UserID { session.user }
    /// The user's day.
    var today: CalendarDate { session.today(at: call.now) }
    /// The changed fields.
    var fields: [String: AnyJSON] { mutation.fields ?? [:] }

    /// Parts the fields into those that nobody else has changed since, and those that somebody has.
    /// - Parameters:
    ///   - before: the row before the change.
    ///   - fields: the fields; nil: those that were sent.
    ///   - group: the merge group of a field; nil for a field that is in none.
    ///   - isTaken: whether a field is somebody else's for another reason.
    func split(
        _ before: RowSnapshot?, fields: [String: AnyJSON]? = nil, group: (String) -> FieldGroup?,
        isTaken: (String) -> Bool = { _ in false }
    ) -> (written: [String: AnyJSON], lost: [LostField]) {
        let fields = fields ?? self.fields
        guard let base = mutation.baseVersion, let before else { return (fields, []) }
        return FieldMerge.split(
            fields,
            isTaken: { field in
                group(field).map { own.isTaken($0, of: before.groups, since: base) || isTaken(field) }
            }, kept: { before.values[$0] ?? .null })
    }

    /// Reads the input of a direct operation on the row, with the day on which the change was made.
    func input<Value: Decodable>(_ fields: [String: AnyJSON]) throws -> Value {
        guard fields["madeOn"] == nil else {
            throw Problem.input("madeOn", .unknown, "stands beside the fields already")
        }
        var fields = fields
        if let day = mutation.madeOn { fields["madeOn"] = .string(day.description) }
        return try input(fields, id: mutation.id)
    }

    /// Reads the input of a direct operation.
    /// - Parameter id: the row's id; nil for an operation that takes none.
    func input<Value: Decodable>(_ fields: [String: AnyJSON], id: String?) throws -> Value {
        guard fields["id"] == nil || id == nil else {
            throw Problem.input("id", .unknown, "stands beside the fields already")
        }
        var members = fields.map { JSONValue.Member(name: $0.key, value: JSONValue($0.value)) }
        if let id { members.append(.init(name: "id", value: .string(id))) }
        return try InputDecoder.decode(Value.self, from: .object(members))
    }
}

extension JSONValue {
    /// A value of a pushed change, to be read like the input of an operation.
    init(_ value: AnyJSON) {
        self =
            switch value {
            case .null: .null
            case .bool(let flag): .bool(flag)
            case .integer(let number): .integer(number)
            case .string(let text): .string(text)
            case .array(let elements): .array(elements.map(JSONValue.init))
            case .object(let members): .object(members.map { .init(name: $0.key, value: JSONValue($0.value)) })
            }
    }
}
