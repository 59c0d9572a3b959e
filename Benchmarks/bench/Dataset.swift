import Foundation
import Synchronization

/// The rows that are measured: made once, kept until the schema changes.
struct Dataset {
    /// Users in one statement that fills.
    private static let batch = 1_000

    /// How many users; 0: tables without rows.
    let users: Int
    /// How many of them have a device with a known token.
    let devices: Int
    let root: String
    let state: String
    let subtrackd: String
    let children: Children

    /// Starts a server on the rows, after making them where they are not there yet.
    func open(scratch: ScratchFolder) throws -> Database {
        let prefix = "data-\(users)-\(devices)-"
        let name = prefix + (try fingerprint())
        let folder = "\(state)/\(name)"
        let files = FileManager.default
        try files.createDirectory(atPath: state, withIntermediateDirectories: true)
        for other in try files.contentsOfDirectory(atPath: state) where other.hasPrefix(prefix) && other != name {
            try files.removeItem(atPath: "\(state)/\(other)")
        }
        if files.fileExists(atPath: folder) {
            say("Starting MariaDB on the rows of an earlier run")
        } else {
            try make(folder, scratch: scratch)
            say("Starting MariaDB")
        }
        return try Database.start(folder, scratch: scratch, children: children)
    }

    /// Fills a folder beside, and moves it when all is there.
    private func make(_ folder: String, scratch: ScratchFolder) throws {
        let unfinished = folder + ".unfinished"
        try? FileManager.default.removeItem(atPath: unfinished)
        say("Making a database")
        try Database.install(in: unfinished, children: children)
        let database = try Database.start(unfinished, scratch: scratch, children: children)
        try children.run(subtrackd, ["migrate", "--database-url", database.url])
        let start = ContinuousClock.now
        if users > 0 { try fill(database) }
        say("Filled in \((ContinuousClock.now - start).formatted(.units(allowed: [.seconds])))")
        database.stop()
        try FileManager.default.moveItem(atPath: unfinished, toPath: folder)
    }

    private func fill(_ database: Database) throws {
        try database.sql(try text("catalogue"))
        for first in stride(from: 1, through: users, by: 10_000) {
            try database.sql(range(first, min(first + 9_999, users)) + (try text("users")))
        }
        try database.sql(range(1, devices) + (try text("devices")) + (try text("sessions")))
        try database.sql(try text("probe"))
        try fillSubscriptions(database)
        try database.sql("ANALYZE TABLE `User`, Plan, Plan_price, Subscription, Device, Session, Scope")
    }

    /// Through the triggers, as everybody else; on as many connections as there are processors, at most four.
    private func fillSubscriptions(_ database: Database) throws {
        let statement = try text("subscriptions")
        let workers = max(1, min(4, ProcessInfo.processInfo.activeProcessorCount))
        // A batch for each worker is a step, so that progress can be told.
        for step in stride(from: 1, through: users, by: Self.batch * workers * 5) {
            let failures = Failures()
            DispatchQueue.concurrentPerform(iterations: workers) { worker in
                var script = ""
                for part in 0..<5 {
                    let first = step + (worker * 5 + part) * Self.batch
                    guard first <= users else { continue }
                    script += range(first, min(first + Self.batch - 1, users)) + statement
                }
                do { try database.sql(script) } catch { failures.add(error) }
            }
            if let error = failures.first { throw error }
            say("\(min(users, step + Self.batch * workers * 5 - 1) * 10) of \(users * 10) subscriptions")
        }
    }

    /// The variables that say which users are meant.
    func range(_ first: Int, _ last: Int) -> String { "SET @first = \(first), @last = \(last);\n" }

    /// A file of statements.
    func text(_ name: String) throws -> String {
        try String(contentsOfFile: "\(root)/Benchmarks/data/\(name).sql", encoding: .utf8)
    }

    /// The lines that requests and statements are made of, for some users.
    func items(_ database: Database, first: Int, last: Int) throws -> String {
        try database.sql(range(first, last) + (try text("items")))
    }

    /// Changes with everything that the rows depend on: FNV-1a of the schema's files and of those that fill it.
    func fingerprint() throws -> String {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for folder in ["sql/control", "sql/tenant", "sql/reference", "Benchmarks/data"] {
            let path = "\(root)/\(folder)"
            for file in try FileManager.default.subpathsOfDirectory(atPath: path).sorted()
            where file.hasSuffix(".sql") && !file.hasPrefix("accounts") {
                for byte in Data(file.utf8) + (try Data(contentsOf: URL(fileURLWithPath: "\(path)/\(file)"))) {
                    hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01B3
                }
            }
        }
        return String(hash, radix: 36)
    }
}

/// What went wrong in iterations that ran side by side.
private final class Failures: Sendable {
    private let failures = Mutex<[any Error]>([])

    var first: (any Error)? { failures.withLock { $0.first } }

    func add(_ error: any Error) { failures.withLock { $0.append(error) } }
}
