import Foundation
import Logging
import MariaDB
import SubTrackSQL

/// Why a file cannot be imported.
public struct TenantFileFault: Error, CustomStringConvertible {
    public let description: String

    init(_ description: String) { self.description = description }
}

/// Reads a file that ``TenantExport`` wrote into a database of its own.
enum TenantImport {
    /// How many rows go into one statement, and how many into one transaction.
    private static let (batch, transaction) = (100, 5_000)
    /// No row is longer: a plan's or a subscription's texts are some thousand bytes, a kept answer a megabyte in hexadecimal.
    static let longestLine = 64 << 20

    /// What belongs to one tenant and not to a copy of it: who is signed in, mails that are to be sent and the secrets of
    /// those that were, answers that are kept for requests to be repeated, the key of cursors.
    private static let ofOneTenant: Set<String> = [
        "Session", "Ended_session", "Mail", "Mail_secret", "Idempotency",
    ]

    /// Makes a database, fills it, and brings it to what this service needs. When it fails, the database is removed again.
    /// - Parameters:
    ///   - slug: whose data they are from now on. Another tenant than the one whose export it is gets a copy: its people
    ///     sign in anew, and it sends no mail that the other one sends. Some areas are off in a copy.
    ///   - database: a name that no database has.
    ///   - areas: the areas of the service.
    ///   - decisions: the operator's decisions about the tenant's areas; nil: those that the file has.
    ///   - client: with the right to make databases.
    /// - Returns: how many rows were read, the decisions, and whether the exported tenant was suspended.
    /// - Throws: ``TenantFileFault``; ``DatabaseTaken``; what the database says.
    static func load(
        _ lines: inout LineReader, of slug: String, into database: Identifier, areas: AreaList,
        decisions: [String: Bool]?,
        client: MariaDBClient, logger: Logger
    ) async throws -> (rows: Int, decisions: [String: Bool], isSuspended: Bool) {
        let header = try Self.header(of: &lines, areas)
        let isCopy = header.tenant != slug
        var decisions = decisions ?? header.areas ?? [:]
        if isCopy { for area in areas.areas where area.restored.isOffInCopies { decisions[area.name] = false } }
        let migrator = Migrator(client: client, logger: logger)
        // What this has not made it must not remove: it is somebody else's.
        guard try await client.withConnection(nil, { try await MigrationQueries.create(database, on: $0) }) else {
            throw DatabaseTaken(name: database.name)
        }
        do {
            // The tables as they were: rows come before the triggers, which would give them other versions.
            let whole = areas.plan(for: areas.all)
            try await migrator.migrate(
                database,
                to: MigrationPlan(
                    steps: (whole.steps + whole.lateSteps).filter { header.applied.contains($0.path) }, triggers: [],
                    definitions: []))
            let skipped = isCopy ? areas.areas.reduce(ofOneTenant) { $0.union($1.restored.ofOneTenant) } : []
            let count = try await loadRows(&lines, without: skipped, database: database.name, client: client)
            let lost = try await client.withConnection(database.name) {
                try await TenantImportQueries.subscriptionWithoutPlan(on: $0)
            }
            if let lost {
                throw TenantFileFault("the subscription \(lost.id) is of the plan \(lost.plan), which is not in it")
            }
            try await migrator.migrate(database, to: areas.plan(for: areas.on(decisions)))
            // The catalogue is the file's.
            try await migrator.skip(MigrationPlan.demo, in: database)
            try await client.withConnection(database.name) { connection in
                if isCopy { try await CursorKeyQueries.deleteCursorKey(on: connection) }
                try await CursorKey.ensure(on: connection)
            }
            return (count, decisions, header.isSuspended == true)
        } catch {
            _ = await Task {
                try? await client.withConnection(nil) { try await DatabaseRemoval.drop(database, on: $0) }
            }.value
            throw error
        }
    }

    /// The first line of a file.
    private static func header(of lines: inout LineReader, _ areas: AreaList) throws -> TenantExport.Header {
        guard let line = try lines.next(), let header = try? JSONDecoder().decode(TenantExport.Header.self, from: line),
            header.subtrackit == "tenant"
        else { throw TenantFileFault("it is no export of a tenant") }
        let plan = areas.plan(for: areas.all)
        let known = Set((plan.steps + plan.lateSteps).map(\.path))
        guard header.format == 1, header.applied.allSatisfy(known.contains) else {
            throw TenantFileFault(
                "version \(header.service) of the service wrote it, which is newer than this one (\(ServiceVersion.current))"
            )
        }
        if let oldest = header.oldestService.flatMap({ ServiceVersion($0) }), oldest > .current {
            throw TenantFileFault("its data want at least version \(oldest) of the service")
        }
        return header
    }

    /// Reads tables and rows.
    /// - Parameter skipped: tables whose rows are read over.
    /// - Returns: how many rows were stored.
    private static func loadRows(
        _ lines: inout LineReader, without skipped: Set<String>, database: String, client: MariaDBClient
    ) async throws -> Int {
        let shapes = try await client.withConnection(database) { connection in
            let shapes = try await TableShapeQueries.tables(on: connection)
            for shape in shapes.reversed() { try await TableShapeQueries.deleteAll(of: shape, on: connection) }
            return shapes
        }
        let known = Dictionary(uniqueKeysWithValues: shapes.map { ($0.table, $0) })
        var shape: TableShape?
        var rows: [[TableShapeQueries.Value]] = []
        var (count, stored) = (0, 0)
        func flush() async throws {
            guard let shape, !rows.isEmpty else { return }
            guard !skipped.contains(shape.table) else { return rows.removeAll(keepingCapacity: true) }
            stored += rows.count
            let full = rows
            try await client.withTransaction(database) { connection in
                for start in stride(from: 0, to: full.count, by: batch) {
                    try await TableShapeQueries.insert(
                        Array(full[start..<min(start + batch, full.count)]), into: shape, on: connection)
                }
            }
            rows.removeAll(keepingCapacity: true)
        }
        let decoder = JSONDecoder()
        var size = 0
        while let line = try lines.next(atMost: longestLine) {
            if line.first == UInt8(ascii: "[") {
                guard let shape, let values = try? decoder.decode([String?].self, from: line),
                    values.count == shape.columns.count
                else { throw TenantFileFault("line \(lines.number) is not a row of its table") }
                rows.append(
                    try zip(values, shape.columns).map { value, column in
                        guard let value else { return .null }
                        guard column.isBinary else { return .text(value) }
                        guard let bytes = TenantExport.bytes(value) else {
                            throw TenantFileFault("line \(lines.number): \(column.name) is not hexadecimal")
                        }
                        return .bytes(bytes)
                    })
                count += 1
                size += line.count
                if rows.count >= transaction || size > 8 << 20 {
                    try await flush()
                    size = 0
                }
            } else if let next = try? decoder.decode(TableShape.self, from: line) {
                try await flush()
                guard let live = known[next.table], Set(live.columns.map(\.name)) == Set(next.columns.map(\.name))
                else {
                    throw TenantFileFault("line \(lines.number): the table \(next.table) is not one of that version")
                }
                shape = next
            } else if let end = try? decoder.decode(TenantExport.End.self, from: line) {
                try await flush()
                guard end.rows == count, try lines.next() == nil else {
                    throw TenantFileFault("it has \(count) rows and says that there are \(end.rows)")
                }
                return stored
            } else {
                throw TenantFileFault("line \(lines.number) is neither a row nor a table")
            }
        }
        throw TenantFileFault("it ends in the middle: it was cut off")
    }
}

/// A name that was free, and was given to another database meanwhile.
struct DatabaseTaken: Error, CustomStringConvertible {
    let name: String

    var description: String { "somebody has made the database \(name) meanwhile; try again" }
}

/// Reads a file line by line.
struct LineReader {
    private let file: FileHandle
    private var buffer = Data()
    private var isAtEnd = false
    /// The number of the line that was read last.
    private(set) var number = 0

    /// - Throws: ``TenantFileFault`` when the file cannot be read.
    init(path: String) throws {
        guard let file = FileHandle(forReadingAtPath: path) else { throw TenantFileFault("\(path) cannot be read") }
        self.file = file
    }

    /// The next line without its end; nil after the last.
    /// - Parameter limit: the longest line that is read, in bytes.
    /// - Throws: ``TenantFileFault`` when a line is longer.
    mutating func next(atMost limit: Int = 1 << 20) throws -> Data? {
        var searched = 0
        while true {
            if let end = buffer[(buffer.startIndex + searched)...].firstIndex(of: UInt8(ascii: "\n")) {
                defer { buffer = buffer[(end + 1)...] }
                number += 1
                return Data(buffer[..<end])
            }
            searched = buffer.count
            guard searched <= limit else { throw TenantFileFault("line \(number + 1) is too long") }
            guard !isAtEnd, let more = try file.read(upToCount: 1 << 20), !more.isEmpty else {
                isAtEnd = true
                guard !buffer.isEmpty else { return nil }
                defer { buffer = Data() }
                number += 1
                return Data(buffer)
            }
            buffer = Data(buffer) + more
        }
    }
}
