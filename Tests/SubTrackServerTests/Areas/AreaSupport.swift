import Foundation
import SubTrackAPI
import SubTrackTestSupport
import Testing

@testable import SubTrackServer

extension TestService {
    /// Runs a service that has the notes beside its own areas, on databases of its own.
    static func runWithNotes<Result: Sendable>(
        _ notes: NotesArea = NotesArea(), configure: (inout ServiceSettings) -> Void = { _ in },
        _ body: (TestService) async throws -> Result
    ) async throws -> Result {
        try await runAlone(
            configure: { settings in
                settings.furtherAreas = [notes]
                configure(&settings)
            }, body)
    }

    /// Waits until this service has taken up whether the notes are on in a tenant.
    func notes(are isOn: Bool, in slug: String = "default") async throws {
        let client = client(of: slug)
        try await eventually("notes are \(isOn ? "on" : "off") in \(slug)") {
            try await client.call(GetServerInfo()).areas.contains("notes") == isOn
        }
    }

    /// Calls an operation of the notes, whose answers the shared description does not have.
    func send<Definition: SubTrackAPI.Operation>(
        _ operation: Definition, as user: TestUser, in slug: String = "default"
    ) async throws -> APIResponse {
        var body: [UInt8] = []
        if Definition.endpoint.method != .get { body = Array(try JSONEncoder().encode(operation)) }
        return try await RawHTTP.send(
            Definition.endpoint.method.rawValue, "/t/\(slug)\(Definition.endpoint.path)", port: port,
            headers: ["Authorization: Bearer \(user.client.token ?? "")"], body: body)
    }

    /// The texts of a user's notes.
    func notes(of user: TestUser, in slug: String = "default") async throws -> [String] {
        try await send(ListNotes(), as: user, in: slug).decode(ListNotes.Output.self).texts
    }

    /// Adds a note of a user.
    func add(_ text: String, as user: TestUser, in slug: String = "default") async throws {
        let response = try await send(AddNote(text: text), as: user, in: slug)
        #expect(response.status == 200, "\(response.text)")
    }

    /// How many tables, triggers and views of the notes a tenant's database has.
    func partsOfNotes(in slug: String = "default") async throws -> Int {
        let parts = try await database(of: slug).run(
            """
            SELECT (SELECT COUNT(*) FROM information_schema.TABLES
                    WHERE TABLE_SCHEMA = DATABASE() AND TABLE_NAME IN ('Note', 'Noted_count', 'Note_text'))
                + (SELECT COUNT(*) FROM information_schema.TRIGGERS
                   WHERE TRIGGER_SCHEMA = DATABASE() AND TRIGGER_NAME LIKE 'Note%')
            """)
        return Int(parts.trimmingCharacters(in: .whitespacesAndNewlines)) ?? -1
    }
}

/// A device's copy of rows of any kind, known by the wire alone.
struct AnyCopy {
    /// The rows, by kind and id.
    private(set) var rows: [String: JSON] = [:]
    private(set) var cursor: String?
    /// How often it began anew.
    private(set) var resyncs = 0

    /// The texts of the notes in it.
    var notes: [String] {
        rows.filter { $0.key.hasPrefix("note ") }.values.compactMap { $0["text"]?.text }.sorted()
    }

    /// Pulls until nothing is left.
    /// - Returns: the kinds of rows that came.
    @discardableResult
    mutating func pull(_ user: TestUser, from service: TestService) async throws -> Set<String> {
        var kinds: Set<String> = []
        for _ in 0..<100 {
            let query = cursor.map { "?cursor=\(APIClient.encoded($0))" } ?? ""
            let response = try await RawHTTP.send(
                "GET", "/v1/changes\(query)", port: service.port,
                headers: ["Authorization: Bearer \(user.client.token ?? "")"])
            guard response.status == 200 else {
                guard try response.problem().code == .resync else { throw try response.problem() }
                (rows, cursor) = ([:], nil)
                resyncs += 1
                continue
            }
            let page = try JSON(response.body)
            for change in page["changes"]?.elements ?? [] {
                let kind = change["entity"]?.text ?? ""
                kinds.insert(kind)
                rows["\(kind) \(change["id"]?.text ?? "")"] = change["data"]
            }
            cursor = page["cursor"]?.text
            if page["more"] == .bool(false) { return kinds }
        }
        throw NeverHappened(description: "the pull ends")
    }
}
