import MariaDB
import SubTrackAPI

/// A part of a user's export under a name of its own, a field of ``SubTrackAPI/ExportMe/Output``.
struct ExportSection: Sendable {
    /// The field's name.
    let name: String
    /// Writes the field's value, page by page: its memory does not depend on the number of rows.
    let write: @Sendable (inout UserExport) async throws -> Void
}

/// The document of an export while it is written.
struct UserExport {
    let tenant: Tenant
    let session: Session
    let now: Instant
    let today: CalendarDate
    /// In a transaction whose snapshot the export shows.
    let connection: Connection
    private(set) var spool: AnswerSpool

    init(
        tenant: Tenant, session: Session, now: Instant, today: CalendarDate, connection: Connection, spool: AnswerSpool
    ) {
        self.tenant = tenant
        self.session = session
        self.now = now
        self.today = today
        self.connection = connection
        self.spool = spool
    }

    /// Writes a document of sections.
    mutating func write(_ sections: [ExportSection]) async throws {
        try await raw("{\"exportedAt\":")
        try await put(now)
        for section in sections {
            try await raw(",")
            try await put(section.name)
            try await raw(":")
            try await section.write(&self)
        }
        try await raw("}")
    }

    /// Writes JSON as it stands.
    mutating func raw(_ text: StaticString) async throws {
        let bytes = text.withUTF8Buffer { Array($0) }
        try await spool.write(bytes)
    }

    /// Writes a value as JSON.
    mutating func put(_ value: some Encodable) async throws {
        try await spool.write(try OutputEncoder.encode(value))
    }
}
