import Foundation
import MariaDB
import SubTrackAPI

/// A tenant's data as a file: JSON lines that MariaDB and MySQL both give and take.
///
/// The first line says what it is and which files of the schema were applied; then comes a line for each table with its
/// columns, and after it one for each row, an array of texts, hexadecimal bytes and nulls; the last line says how many
/// rows there are, so that a file that was cut off is recognized. Triggers and views are not in it: they are those of the
/// version of the service that imports it.
enum TenantExport {
    /// The first line.
    struct Header: Codable, Sendable {
        /// `tenant`.
        var subtrackit = "tenant"
        var format = 1
        let tenant: String
        /// The version of the service that wrote it.
        let service: String
        let exportedAt: String
        /// The numbered files of the schema that were applied, in their order.
        let applied: [String]
        /// The operator's decisions about areas, by their names; nil: the file is of a service that had none.
        var areas: [String: Bool]?
        /// The oldest version of the service that accepts the data.
        let oldestService: String?
        /// Whether the tenant was suspended; nil: it was not, or a version wrote the file that did not say it.
        let isSuspended: Bool?
    }

    /// The last line.
    struct End: Codable, Sendable {
        let rows: Int
    }

    /// Writes a tenant's rows as they are at one moment, while others go on changing them.
    /// - Parameters:
    ///   - isSuspended: whether the operator has suspended it. A tenant that is made of the file is suspended as well.
    ///   - write: takes some bytes of the file.
    /// - Returns: how many rows were written.
    static func write(
        tenant slug: String, isSuspended: Bool, database: String, areas: [String: Bool], client: MariaDBClient,
        now: Instant,
        to write: @escaping (Data) throws -> Void
    ) async throws -> Int {
        // A transaction that could be run again would write its rows twice.
        try await client.withTransaction(database, isolation: .repeatableRead, isReadOnly: true, retries: 0) {
            connection in
            let applied = try await MigrationQueries.applied(on: connection)
            guard let first = MigrationPlan.tenant.steps.first, applied[first.path] != nil else {
                throw SettingsError("the database \(database) is not one of a tenant: migrate it first")
            }
            var buffer = LineBuffer(write: write)
            try buffer.append(
                Header(
                    tenant: slug, service: ServiceVersion.text, exportedAt: "\(now)",
                    applied: applied.keys.filter(MigrationPath.isStep).sorted(), areas: areas,
                    oldestService: try await MigrationQueries.oldestService(on: connection)?.description,
                    isSuspended: isSuspended ? true : nil))
            var count = 0
            for shape in try await TableShapeQueries.tables(on: connection) {
                try buffer.append(shape)
                for try await row in try TableShapeQueries.rows(of: shape, on: connection) {
                    try buffer.append(
                        try shape.columns.indices.map { index -> String? in
                            guard shape.columns[index].isBinary else { return try row[index].decode(String?.self) }
                            return try row[index].decode([UInt8]?.self).map(hexadecimal)
                        })
                    count += 1
                }
            }
            try buffer.append(End(rows: count))
            try buffer.flush()
            return count
        }
    }

    private static let digits = Array("0123456789abcdef".utf8)

    private static func hexadecimal(_ bytes: [UInt8]) -> String {
        String(decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
    }

    /// The bytes of a hexadecimal text; nil when it is none.
    static func bytes(_ text: String) -> [UInt8]? {
        let digits = text.utf8.map { byte -> UInt8? in
            switch byte {
            case 0x30...0x39: byte - 0x30
            case 0x61...0x66: byte - 0x61 + 10
            default: nil
            }
        }
        guard digits.count.isMultiple(of: 2), !digits.contains(nil) else { return nil }
        let known = digits.compactMap(\.self)
        return stride(from: 0, to: known.count, by: 2).map { known[$0] << 4 | known[$0 + 1] }
    }

    /// Collects lines, so that a file is written in large pieces.
    private struct LineBuffer {
        let write: (Data) throws -> Void
        private var data = Data()
        private let encoder: JSONEncoder

        init(write: @escaping (Data) throws -> Void) {
            self.write = write
            encoder = JSONEncoder()
            encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        }

        mutating func append(_ line: some Encodable) throws {
            data.append(try encoder.encode(line))
            data.append(UInt8(ascii: "\n"))
            if data.count > 256 << 10 { try flush() }
        }

        mutating func flush() throws {
            try write(data)
            data.removeAll(keepingCapacity: true)
        }
    }
}
