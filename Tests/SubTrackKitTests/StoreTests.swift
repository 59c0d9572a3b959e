import Foundation
import GRDB
import SubTrackAPI
import SubTrackTestSupport
import Synchronization
import TestTraits
import Testing

@testable import SubTrackKit

/// The store on the device.
@Suite("The kit's store", .tags(.everyDay), .ownTime)
struct StoreTests {
    private func kit(_ folder: URL) throws -> Kit {
        try Kit(
            .init(
                server: "http://127.0.0.1:9", folder: folder, deviceName: "x", timeZone: "UTC",
                tokens: MemoryTokenStore()))
    }

    private let gym = CreateSubscription(
        plan: PrivatePlan(
            provider: "Gym", name: "Standard", fee: amount("20.00"), currency: "USD",
            duration: .init(value: 1, unit: .month)), startDate: day("2026-01-31"))

    @Test("Before anything was ever sent, days are those of the device's time zone")
    func firstDay() throws {
        let folder = try PrivateServer.temporaryFolder()
        defer { try? FileManager.default.removeItem(at: folder) }
        // Two in the morning of 1 February in UTC.
        let evening = Instant(secondsSince1970: 1_769_911_200)
        let kit = try Kit(
            .init(
                server: "http://127.0.0.1:9", folder: folder, deviceName: "x", timeZone: "America/Los_Angeles",
                tokens: MemoryTokenStore(), clock: { evening }))
        #expect(try kit.today() == day("2026-01-31"))
    }

    @Test("The end of a former session, heard while another one begins, does not end that")
    func formerSession() async throws {
        let folder = try PrivateServer.temporaryFolder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let tokens = MemoryTokenStore()
        tokens.set("former")
        let ended = Data(#"{"type":"about:blank","title":"x","status":401,"code":"token_ended","detail":"ended"}"#.utf8)
        let transport = TestTransport { _ in
            tokens.set("new")
            return .replaced(TransportResponse(status: 401, body: ended))
        }
        let kit = try Kit(
            .init(
                server: "http://127.0.0.1:9", folder: folder, deviceName: "x", timeZone: "UTC", tokens: tokens,
                transport: transport))
        await #expect(throws: KitError.signedOut) { try await kit.sync() }
        #expect(try !kit.isSignedOut())
        await #expect(throws: KitError.signedOut) { try await kit.sync() }
        #expect(try kit.isSignedOut())
    }

    @Test("The store is its owner's alone, also in a folder that others may read, and where it was not before")
    func isPrivate() throws {
        let folder = try PrivateServer.temporaryFolder()
        defer { try? FileManager.default.removeItem(at: folder) }
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: folder.path)
        func modes() throws -> [String: Int] {
            var modes: [String: Int] = [:]
            for name in try FileManager.default.contentsOfDirectory(atPath: folder.path) {
                let attributes = try FileManager.default.attributesOfItem(atPath: folder.path + "/" + name)
                modes[name] = attributes[.posixPermissions] as? Int
            }
            return modes
        }
        let first = try kit(folder)
        try first.add(gym)
        #expect(try modes()["subtrack.sqlite-wal"] == 0o600)
        #expect(try modes().values.allSatisfy { $0 == 0o600 })
        for name in try modes().keys {
            try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: folder.path + "/" + name)
        }
        try kit(folder).add(gym)
        #expect(try modes().filter { $0.key.hasPrefix("subtrack.sqlite") }.values.allSatisfy { $0 == 0o600 })
        #expect(try first.subscriptions().count == 2)
    }

    @Test("Programs that make a store at the same time all open it", arguments: [true, false])
    func madeAtOnce(isBrief: Bool) throws {
        let folder = try PrivateServer.temporaryFolder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let faults = Mutex<[String]>([])
        // SQLite fails at once, not always: 40 stores of four openings show it.
        for number in 0..<40 {
            let path = folder.appendingPathComponent("\(number).sqlite").path
            DispatchQueue.concurrentPerform(iterations: 4) { _ in
                do {
                    _ = try Store(path: path, use: .init(isBrief: isBrief))
                } catch {
                    faults.withLock { $0.append("\(error)") }
                }
            }
        }
        #expect(faults.withLock { $0 } == [])
    }

    @Test("What was changed is on the disk when it is said to be kept; who opens a store to read it writes nothing")
    func isDurable() throws {
        let folder = try PrivateServer.temporaryFolder()
        defer { try? FileManager.default.removeItem(at: folder) }
        var settings = Kit.Settings(
            server: "http://127.0.0.1:9", folder: folder, deviceName: "x", timeZone: "UTC", tokens: MemoryTokenStore())
        for isBrief in [false, true] {
            settings.isBrief = isBrief
            let kit = try Kit(settings)
            #expect(try kit.subscriptions().isEmpty)
            // FULL (sqlite.org/pragma.html#pragma_synchronous): each commit is flushed.
            let (level, journal) = try kit.store.database.writeWithoutTransaction { database in
                (
                    try Int.fetchOne(database, sql: "PRAGMA synchronous"),
                    try String.fetchOne(database, sql: "PRAGMA journal_mode")
                )
            }
            #expect(level == 2 && journal == "wal")
            guard isBrief else { continue }
            #expect(FileManager.default.contents(atPath: folder.path + "/subtrack.sqlite-wal")?.isEmpty == true)
        }
    }

    @Test("A store of a newer version is left alone")
    func isNewer() throws {
        let folder = try PrivateServer.temporaryFolder()
        defer { try? FileManager.default.removeItem(at: folder) }
        _ = try kit(folder)
        let queue = try DatabaseQueue(path: folder.path + "/subtrack.sqlite")
        try queue.write { try $0.execute(sql: "PRAGMA user_version = 1000") }
        #expect(throws: KitError.newerStore) { _ = try kit(folder) }
    }

    @Test("A store of an older version is upgraded with all that is in it", arguments: [1, 2, 3])
    func isOlder(version: Int) throws {
        let folder = try PrivateServer.temporaryFolder()
        defer { try? FileManager.default.removeItem(at: folder) }
        // As that version wrote it; the file stands beside the tests and never changes.
        let first = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("Fixtures/store-\(version).sql")
        let queue = try DatabaseQueue(path: folder.path + "/subtrack.sqlite")
        try queue.write { try $0.execute(sql: try String(contentsOf: first, encoding: .utf8)) }
        try queue.close()
        let kit = try kit(folder)
        let list = try kit.subscriptions()
        #expect(list.map(\.name) == ["Netflix Standard", "Music"])
        #expect(list.map(\.isPending) == [true, true])
        #expect(try kit.pendingCount() == 2)
        #expect(try kit.reports().count == 1)
        #expect(try kit.deletedSubscriptions().count == 1)
        #expect(try kit.user().userName == "Ada")
        #expect(try kit.store.read { try StoreSchema.version(of: $0) } == StoreSchema.version)
        // A row of before may be muted at the service: all rows are pulled once more.
        #expect(try !list.contains { $0.subscription.muted } && !kit.hasPulled())
    }

    @Test("A full disk: what was asked for is refused in words, and what is there stays readable")
    func isFull() throws {
        let folder = try PrivateServer.temporaryFolder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let kit = try kit(folder)
        let id = try kit.add(gym)
        // SQLite answers like a disk without room when its pages are used up.
        try kit.limitPages(toPresent: true)
        var failure: (any Error)?
        do {
            for _ in 0..<500 { _ = try kit.add((0..<20).map { _ in gym }) }
        } catch {
            failure = error
        }
        guard case KitError.store(let reason)? = failure as? KitError else {
            Issue.record("\(String(describing: failure))")
            return
        }
        #expect(reason.contains("is full; make room"))
        let count = try kit.subscriptions().count
        #expect(try kit.held()[id] != nil && count % 20 == 1)
        try kit.limitPages(toPresent: false)
        try kit.add(gym)
        #expect(try kit.subscriptions().count == count + 1)
    }

    @Test("A file that is no store is told, not overwritten")
    func isDamaged() throws {
        let folder = try PrivateServer.temporaryFolder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appendingPathComponent("subtrack.sqlite")
        try Data("these are somebody's notes, not a database. ".utf8).write(to: file)
        #expect(throws: KitError.self) { _ = try kit(folder) }
        #expect(try Data(contentsOf: file).starts(with: Data("these are".utf8)))
    }

    @Test("The token's file is its owner's alone, whole or not there")
    func keepsTokens() throws {
        let folder = try PrivateServer.temporaryFolder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let path = folder.path + "/token"
        let tokens = FileTokenStore(path: path)
        #expect(try tokens.token() == nil)
        try tokens.set("first")
        try tokens.set("second")
        #expect(try tokens.token() == "second")
        let attributes = try FileManager.default.attributesOfItem(atPath: path)
        #expect(attributes[.posixPermissions] as? Int == 0o600)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["token"])
        // Nothing that would add a header field to a request.
        try Data("a\r\nX-Evil: 1".utf8).write(to: URL(fileURLWithPath: path))
        #expect(try tokens.token() == nil)
        try tokens.set(nil)
        try tokens.set(nil)
        #expect(try tokens.token() == nil)
    }

    @Test("A token's file that others make and remove meanwhile is there or not, and never unreadable")
    func readsBesideWriters() async throws {
        let folder = try PrivateServer.temporaryFolder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let tokens = FileTokenStore(path: folder.path + "/token")
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                for round in 0..<2000 { try tokens.set(round % 2 == 0 ? "first" : nil) }
            }
            group.addTask {
                for _ in 0..<20_000 {
                    let token = try tokens.token()
                    #expect(token == nil || token == "first")
                }
            }
            try await group.waitForAll()
        }
    }

    @Test("What makes no sense is refused at once, and nothing is kept of it")
    func checksInput() throws {
        let folder = try PrivateServer.temporaryFolder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let kit = try kit(folder)
        var bad: [CreateSubscription] = [CreateSubscription(), CreateSubscription(planId: 1)]
        bad.append(change(gym) { $0.planId = 1 })
        bad.append(change(gym) { $0.label = String(repeating: "x", count: 101) })
        bad.append(change(gym) { $0.label = "a\u{1B}[31m" })
        bad.append(change(gym) { $0.reminderDays = 366 })
        bad.append(change(gym) { $0.nextRenewal = day("2026-03-01") })
        bad.append(change(gym) { $0.startDate = day("1969-12-31") })
        bad.append(change(gym) { $0.plan?.duration.value = 0 })
        bad.append(change(gym) { $0.plan?.currency = "dollars" })
        bad.append(change(gym) { $0.plan?.provider = " " })
        for one in bad { #expect(throws: KitError.self, "\(one)") { try kit.add(one) } }
        #expect(throws: KitError.self) { try kit.renew(UUID()) }
        #expect(throws: KitError.self) { try kit.change(UpdateSubscription(id: UUID(), note: .set("x"))) }
        #expect(try kit.pendingCount() == 0)
        let id = try kit.add(gym)
        try kit.cancel(id)
        #expect(throws: KitError.self) { try kit.renew(id) }
    }

    private func change(
        _ one: CreateSubscription, _ body: (inout CreateSubscription) -> Void
    ) -> CreateSubscription {
        var one = one
        body(&one)
        return one
    }
}

extension Kit {
    /// Lets the database have no more pages than it has, as a full disk would, or as many as it likes.
    func limitPages(toPresent isFull: Bool) throws {
        try store.database.writeWithoutTransaction { database in
            let pages = try Int.fetchOne(database, sql: "PRAGMA page_count") ?? 0
            try database.execute(sql: "PRAGMA max_page_count = \(isFull ? pages : 1_000_000)")
        }
    }
}
