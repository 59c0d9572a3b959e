import Foundation
import MariaDB
import SubTrackAPI

/// A backup of a deployment: a folder with an export of each tenant, and a file with the control database's part.
public struct TenantBackup: Codable, Sendable {
    /// A tenant in a backup.
    public struct Entry: Codable, Sendable {
        /// The tenant's name.
        public let slug: String
        /// Its host names.
        public let hosts: [String]
        /// Whether the operator had suspended it.
        public let isSuspended: Bool
        /// The server of its database, `mysql://user@host:3306`; nil: that of the control database.
        public let server: String?
        /// The name of its export in the folder.
        public let file: String
        /// The number of rows of the export.
        public let rows: Int
    }

    /// A tenant that is not in a backup, because it could not be exported.
    public struct Failure: Codable, Sendable {
        /// The tenant's name.
        public let slug: String
        /// The reason, in words.
        public let reason: String
        /// Its host names; nil: the backup is of a service that did not note them.
        public var hosts: [String]?
        /// Whether the operator had suspended it; nil likewise.
        public var isSuspended: Bool?
        /// The server of its database; nil: that of the control database, or likewise.
        public var server: String?
    }

    /// `backup`.
    var subtrackit = "backup"
    var format = 1
    /// The version of the service that wrote it.
    let service: String
    let writtenAt: String
    /// The tenants that were exported.
    public let tenants: [Entry]
    /// The tenants that are missing; nil: the backup is of a service that did not note them.
    public let failed: [Failure]?
    /// Hosts that belonged to a tenant and are nobody's; nil: the backup is of a service that did not note them.
    let formerHosts: [String]?

    /// The name of the file that describes a backup. It is written last: a folder without it is no whole backup.
    static let name = "backup.json"

    /// Looks whether a folder is a whole backup. No database is needed for that.
    /// - Throws: ``TenantFileFault`` when it is none, or a newer service wrote it.
    /// - Parameter slugs: tenants that it must name, as those that are in it or as those that could not be read.
    public static func check(_ folder: String, has slugs: [String] = []) throws {
        try read(in: folder).checkNames(slugs, in: folder)
    }

    /// - Throws: ``TenantFileFault`` for a tenant that the backup does not name.
    func checkNames(_ slugs: [String], in folder: String) throws {
        let known = tenants.map(\.slug) + (failed ?? []).map(\.slug)
        guard let unknown = slugs.first(where: { !known.contains($0) }) else { return }
        throw TenantFileFault(
            "the backup in \(folder) has no tenant \(ShownText.of(unknown)); it has \(known.sorted().joined(separator: ", "))"
        )
    }

    /// Reads the description of a backup.
    /// - Throws: ``TenantFileFault`` when the folder is no whole backup, or a newer service wrote it.
    static func read(in folder: String) throws -> TenantBackup {
        let path = folder + "/" + name
        guard let data = FileManager.default.contents(atPath: path) else {
            throw TenantFileFault("\(folder) is no whole backup: \(name) is missing or cannot be read")
        }
        guard let backup = try? JSONDecoder().decode(TenantBackup.self, from: data), backup.subtrackit == "backup"
        else {
            throw TenantFileFault("\(path) does not describe a backup")
        }
        guard backup.format == 1 else {
            throw TenantFileFault(
                "version \(backup.service) of the service wrote \(path), which is newer than this one")
        }
        for failure in backup.failed ?? [] {
            guard (try? TenantName.checked(slug: failure.slug)) != nil else {
                throw TenantFileFault("\(path) names a tenant that cannot be: \(ShownText.of(failure.slug))")
            }
        }
        for entry in backup.tenants {
            // The folder may come from elsewhere: no name leads out of it.
            guard (try? TenantName.checked(slug: entry.slug)) != nil, entry.file == "\(entry.slug).jsonl"
            else {
                throw TenantFileFault("\(path) names a tenant or a file that cannot be: \(entry.slug), \(entry.file)")
            }
        }
        // They stand in the commands that the restore proposes as well.
        for host in backup.allHosts where (try? TenantName.checked(host: host)) == nil {
            throw TenantFileFault("\(path) names a host that cannot be: \(ShownText.of(host))")
        }
        return backup
    }

    /// All hosts that are or were a tenant's.
    private var allHosts: [String] {
        tenants.flatMap(\.hosts) + (failed ?? []).flatMap { $0.hosts ?? [] } + (formerHosts ?? [])
    }
}

extension TenantAdministration {
    /// The outcome for one tenant of a backup or a restore.
    public struct Outcome: Sendable {
        /// The tenant's name.
        public let slug: String
        /// The number of rows; nil where it failed.
        public let rows: Int?
        /// The reason of a failure, in words.
        public let failure: String?
        /// Why a restore left a tenant as it is, which is here and can be used. It is no failure.
        public var leftBecause: String?
        /// The database that is no longer used, where a tenant was replaced.
        public let unused: String?
        /// Whether the tenant is suspended after a restore.
        public var isSuspended = false
        /// The hosts that answer 404 until a tenant has them, because theirs was not restored.
        public var reservedHosts: [String] = []
        /// The commands that finish a restore by hand.
        public var commands: [String] = []
        /// Whether the tenant is missing now, or has not the data that were asked for.
        public var isFailed: Bool { rows == nil && leftBecause == nil }
    }

    /// Writes a backup of all tenants and of the control database's part into a folder, while all go on.
    ///
    /// Each tenant is exported as it is at one moment. A tenant that cannot be exported is left out and noted, and the others go on.
    /// - Parameters:
    ///   - folder: a folder that is empty or not there yet. It becomes readable for this user alone.
    ///   - report: takes each tenant's outcome as soon as it is known.
    /// - Returns: whether all tenants are in the backup.
    /// - Throws: ``Refusal`` when the folder cannot be used. It holds no `backup.json` then.
    @discardableResult
    public func backUp(to folder: String, report: (Outcome) -> Void) async throws -> Bool {
        try Self.prepare(folder)
        var entries: [TenantBackup.Entry] = []
        var failed: [TenantBackup.Failure] = []
        for tenant in try await list() {
            let file = "\(tenant.slug).jsonl"
            do {
                let rows = try await export(tenant.slug, to: folder + "/" + file)
                entries.append(
                    .init(
                        slug: tenant.slug, hosts: tenant.hosts, isSuspended: tenant.status == .suspended,
                        server: tenant.server, file: file, rows: rows))
                report(Outcome(slug: tenant.slug, rows: rows, failure: nil, unused: nil))
            } catch let error as CancellationError {
                throw error
            } catch {
                failed.append(
                    .init(
                        // The advice that goes with it is out of date when the backup is read.
                        slug: tenant.slug, reason: (error as? DatabaseGone)?.reason ?? "\(error)", hosts: tenant.hosts,
                        isSuspended: tenant.status == .suspended, server: tenant.server))
                report(Outcome(slug: tenant.slug, rows: nil, failure: "\(error)", unused: nil))
            }
        }
        let backup = TenantBackup(
            service: ServiceVersion.text, writtenAt: "\(WallClock.system.now())", tenants: entries,
            failed: failed,
            formerHosts: try await onControl { try await TenantQueries.formerHosts(on: $0) }.sorted())
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        try Self.write(try encoder.encode(backup), to: folder + "/" + TenantBackup.name)
        return failed.isEmpty
    }

    /// Makes the folder of a backup, or takes one that is empty.
    private static func prepare(_ folder: String) throws {
        guard mkdir(folder, 0o700) != 0 else { return }
        let code = errno
        guard code == EEXIST, let names = try? FileManager.default.contentsOfDirectory(atPath: folder) else {
            throw Refusal("\(folder) cannot be made: \(String(cString: strerror(code)))")
        }
        guard names.isEmpty else { throw Refusal("\(folder) is not empty: a backup has a folder of its own") }
        guard chmod(folder, 0o700) == 0 else {
            throw Refusal("\(folder) cannot be closed to others: \(String(cString: strerror(errno)))")
        }
    }

    /// Writes a file that is there whole or not at all.
    private static func write(_ data: Data, to path: String) throws {
        let descriptor = open(path + ".part", O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw Refusal("\(path) cannot be made: \(String(cString: strerror(errno)))") }
        let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        try file.write(contentsOf: data)
        try file.synchronize()
        try file.close()
        guard rename(path + ".part", path) == 0 else {
            throw Refusal("\(path) cannot be made: \(String(cString: strerror(errno)))")
        }
    }
}
