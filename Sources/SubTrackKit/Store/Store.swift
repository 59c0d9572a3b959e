import Foundation
import GRDB

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// The rows of a device, its outbox and how far it has come: an SQLite database.
///
/// The rows are the server's, as they were heard last, and nothing else: what was changed here since is in the outbox, and is
/// laid over them when they are read (``Overlay``). So nothing has to be taken back when the server decides otherwise.
struct Store: Sendable {
    let database: any DatabaseWriter
    /// The database's file.
    let path: String

    /// How a store is used.
    struct Use: Sendable {
        /// For a moment only, as by a command: it has one connection, which is open at once. Else those who read do not wait for
        /// those who write.
        var isBrief = false
        /// Whether what is committed survives that the power fails, and not the process's end alone.
        var survivesPowerLoss = true
    }

    /// Opens a store, making or upgrading it where needed.
    /// - Parameter path: the database's file; SQLite puts two more beside it.
    /// - Throws: ``KitError/newerStore``, ``KitError/store(_:)``.
    init(path: String, use: Use = .init()) throws {
        self.path = path
        do {
            try Self.makePrivate(path)
            database = try Self.patiently { try Self.opened(path, use) }
        } catch {
            throw Self.told(error, of: path)
        }
    }

    /// How long to wait for other programs of the same person, in seconds.
    private static let patience = 10

    private static func opened(_ path: String, _ use: Use) throws -> any DatabaseWriter {
        var configuration = Configuration()
        // Another program of the same person may be writing.
        configuration.busyMode = .timeout(TimeInterval(patience))
        configuration.maximumReaderCount = 3
        let synchronous = "PRAGMA synchronous = \(use.survivesPowerLoss ? "FULL" : "NORMAL")"
        let database: any DatabaseWriter
        if use.isBrief {
            configuration.prepareDatabase { try $0.execute(sql: synchronous) }
            database = try DatabaseQueue(path: path, configuration: configuration)
        } else {
            database = try DatabasePool(path: path, configuration: configuration)
            // A pool sets NORMAL when it is open.
            try database.writeWithoutTransaction { try $0.execute(sql: synchronous) }
        }
        // The usual case costs one read.
        if try database.read({ try StoreSchema.version(of: $0) }) != StoreSchema.version {
            // The file keeps the journal mode, for every program that opens it.
            try database.writeWithoutTransaction { try $0.execute(sql: "PRAGMA journal_mode = WAL") }
            try StoreSchema.migrate(database)
        }
        return database
    }

    /// Repeats an opening that meets another one.
    ///
    /// SQLite waits for no other connection while it changes the journal mode of a new file: that statement fails at once.
    private static func patiently<Value>(_ body: () throws -> Value) throws -> Value {
        let deadline = ContinuousClock.now + .seconds(patience)
        while true {
            do {
                return try body()
            } catch let error as DatabaseError where error.resultCode == .SQLITE_BUSY && ContinuousClock.now < deadline
            {
                usleep(.random(in: 1_000...10_000))
            }
        }
    }

    /// Makes the file its owner's alone, also where its folder is open to others; SQLite gives the files beside it the same mode.
    private static func makePrivate(_ path: String) throws {
        // A file that is there is not opened: closing it would end the locks that this process holds on it (fcntl).
        let fresh = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        if fresh >= 0 { close(fresh) }
        var status = stat()
        // Where it cannot be made, SQLite says why.
        guard stat(path, &status) == 0, status.st_mode & 0o077 != 0 else { return }
        for path in [path, path + "-wal", path + "-shm"] where chmod(path, 0o600) != 0 && errno != ENOENT {
            throw KitError.store("\(path) can be read by others, and that cannot be changed")
        }
    }

    /// Reads in one snapshot.
    func read<Value: Sendable>(_ body: (Database) throws -> Value) throws -> Value {
        do {
            return try database.read(body)
        } catch {
            throw told(error)
        }
    }

    /// Writes in one transaction: all of it is there afterwards, or nothing. Those who follow the store look again.
    @discardableResult
    func write<Value: Sendable>(_ body: (Database) throws -> Value) throws -> Value {
        do {
            return try database.write { database in
                let value = try body(database)
                // SQLite tells nobody of changes in tables without row ids (sqlite3_update_hook).
                try database.notifyChanges(in: .fullDatabase)
                return value
            }
        } catch {
            throw told(error)
        }
    }
}
