import Foundation
import SubTrackAPI
import SubTrackTestSupport
import Testing

@testable import SubTrackServer

/// A declared kind in the tests that all kinds have to pass. An area adds a line to ``all``.
struct DeclaredCase: Sendable, CustomTestStringConvertible {
    let declaration: EntityDeclaration
    /// The name of its area.
    let area: String
    /// The folder of the area's SQL.
    let folder: URL
    /// The area, where the service does not have it by itself.
    var further: (any Area)?
    /// Values of fields with rules that their declaration does not say, by path (`phones.number`), the n-th of each.
    var values: [String: @Sendable (Int) -> AnyJSON] = [:]

    /// A change of a part by SQL, by list, where the first optional field cannot go by itself.
    var changes: [String: String] = [:]
    /// Whether a device's rows go to the account at a sign-in.
    var moves = true
    /// The fields that a deleted row of a device has once it has gone to the account; nil: a deleted row stays behind.
    var deletedMovesAs: [String: AnyJSON]?

    static let all = [
        DeclaredCase(
            declaration: Trinket.declaration, area: "trinkets", folder: TrinketArea.folder, further: TrinketArea()),
        DeclaredCase(
            declaration: StoredContact.declaration, area: "contacts", folder: folder,
            values: [
                "phones.area": { .string("\(100 + $0)") }, "phones.number": { .string("\(5_550_000 + $0)") },
                "phones.e164": { _ in .null }, "emails.email": { .string("ada\($0)@example.org") },
                "dates.date": { .string("\(1990 + $0)-06-25") }, "dates.yearly": { .bool($0 % 2 == 1) },
            ], changes: ["phones": "Phone_type = 'other'", "emails": "Email_type = 'other'"]),
        DeclaredCase(
            declaration: StoredReminderSetting.declaration, area: "reminders", folder: folder,
            values: [
                "remindAt": { .string("0\($0 % 10):30") }, "language": { ["en", "de", "zh"][$0 % 3] },
            ], moves: false),
        DeclaredCase(
            declaration: StoredReminderLead.declaration, area: "reminders", folder: folder,
            values: ["kind": kinds], moves: false),
        DeclaredCase(
            declaration: StoredReminder.declaration, area: "reminders", folder: folder,
            values: ["kind": kinds, "answer": { _ in "snooze" }],
            deletedMovesAs: ["answer": "done", "snoozedUntil": .null]),
    ]

    /// Kinds of reminders that take all answers.
    private static let kinds: @Sendable (Int) -> AnyJSON = { ["trial", "renewal"][$0 % 2] }

    /// The folder of the areas' SQL.
    private static let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().appending(path: "sql")

    var testDescription: String { declaration.name.rawValue }

    /// The n-th values of some fields.
    func values(_ fields: [EntityField], at prefix: String = "", _ number: Int) -> [String: AnyJSON] {
        Dictionary(
            fields.map { field in
                if let value = values[prefix + field.name] { return (field.name, value(number)) }
                let value: AnyJSON =
                    switch field.kind {
                    case .text(let lengths): .string(String("é\(number) 小明 '\"".prefix(lengths.upperBound)))
                    case .integer(let range):
                        .integer(range.lowerBound + Int64(number) % (range.upperBound - range.lowerBound + 1))
                    case .flag: .bool(number % 2 == 1)
                    case .day: .string(CalendarDate(daysSince1970: Int32(20_000 + number)).description)
                    case .id: .string(Self.id(number))
                    }
                return (field.name, value)
            }
        ) { first, _ in first }
    }

    /// The n-th id.
    static func id(_ number: Int) -> String {
        "0190a000-0000-7000-8000-" + String(repeating: "0", count: 12 - "\(number)".count) + "\(number)"
    }

    /// The fields of the n-th new row, with parts of the given ids in each list.
    func row(_ number: Int, parts: [Int] = []) -> [String: AnyJSON] {
        var row = values(declaration.fields, number)
        for list in declaration.parts {
            row[list.name] = .array(
                parts.map { id in
                    .object(
                        values(list.fields, at: "\(list.name).", id).merging(["id": .string(Self.id(id))]) { $1 })
                })
        }
        return row
    }

    /// Runs a service that has the kind, on databases of its own.
    func run<Result: Sendable>(
        limit: Int? = nil, _ body: (TestService) async throws -> Result
    ) async throws -> Result {
        try await TestService.runAlone(
            configure: { settings in
                if let further { settings.furtherAreas = [further] }
                if let limit {
                    settings.limits["\(declaration.name)s", declaration.limit] = limit
                }
            }
        ) { service in
            try await service.enable(area)
            return try await body(service)
        }
    }
}

/// A device of a user that pulls and pushes rows of declared kinds. The shared API description does not have those of
/// tests, so that it goes by plain HTTP.
struct DeclaredDevice {
    let user: TestUser
    let service: TestService
    let kind: SyncEntity
    private(set) var copy = SyncCopy()

    init(_ user: TestUser, _ service: TestService, _ kind: SyncEntity) {
        self.user = user
        self.service = service
        self.kind = kind
    }

    private func send(_ method: String, _ target: String, _ body: [UInt8] = []) async throws -> APIResponse {
        try await RawHTTP.send(
            method, target, port: service.port, headers: ["Authorization: Bearer \(user.client.token ?? "")"],
            body: body)
    }

    /// Pulls all that is new.
    mutating func pull() async throws {
        while true {
            let query = copy.cursor.map { "?cursor=\(APIClient.encoded($0))" } ?? ""
            let page = try await send("GET", "/v1/changes\(query)").decode(PullChanges.Output.self)
            copy.apply(page)
            if !page.more { return }
        }
    }

    /// The rows of the kind by id, as they were pulled.
    var rows: [String: [String: AnyJSON]] {
        copy.data(kind).compactMapValues { if case .other(.object(let row)) = $0 { row } else { nil } }
    }

    /// The version of a row that was pulled.
    func version(_ id: String) -> Int64? { copy.rows.first { $0.key.entity == kind && $0.key.id == id }?.value.version }

    /// Pushes a change, based on the version that was pulled.
    @discardableResult
    func push(
        _ op: PushChanges.Mutation.Op, _ id: String, _ fields: [String: AnyJSON]? = nil
    ) async throws -> PushChanges.Result {
        let mutation = PushChanges.Mutation(
            entity: kind, id: id, op: op, baseVersion: op == .create ? nil : version(id), fields: fields)
        let body = Array(try JSONEncoder().encode(PushChanges(mutations: [mutation])))
        let output = try await send("POST", "/v1/changes", body).decode(PushChanges.Output.self)
        guard let result = output.results.first else { throw NeverHappened(description: "an answer") }
        return result
    }
}

extension PushChanges.Result {
    /// The row that it brings.
    var object: [String: AnyJSON]? { if case .other(.object(let row))? = row?.data { row } else { nil } }
    /// The faults by field.
    var faults: [String: String] {
        Dictionary((error?.errors ?? []).map { ($0.field, $0.message) }) { first, _ in first }
    }
}
