import Foundation
import SubTrackAPI
import SubTrackTestSupport
import TestTraits
import Testing

@testable import SubTrackKit

/// Stores that are damaged, and disks that are full.
@Suite("Damaged stores and full disks", .ownTime)
struct DamagedStoreTests {
    private let gym = CreateSubscription(
        plan: PrivatePlan(
            provider: "Gym", name: "Standard", fee: amount("20.00"), currency: "USD",
            duration: .init(value: 1, unit: .month)), startDate: day("2026-01-31"))

    /// A kit that was registered before.
    private func kit(_ folder: URL) throws -> Kit {
        let token = BoundToken(server: "http://127.0.0.1:9", user: UUID().uuidString.lowercased(), token: "t")
        return try Kit(
            .init(
                server: "http://127.0.0.1:9", folder: folder, deviceName: "x", timeZone: "UTC",
                tokens: MemoryTokenStore(token.text)))
    }

    @Test("A store that has lost its content is told, and not taken for a new one", arguments: [0, 1, 99])
    func isEmptied(_ size: Int) throws {
        let folder = try PrivateServer.temporaryFolder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appendingPathComponent("subtrack.sqlite")
        try Data(count: size).write(to: file)
        let told = #expect(throws: KitError.self) { _ = try kit(folder) }
        #expect(told?.description.contains("\(file.path) is damaged") == true, "\(String(describing: told))")
        #expect(try Data(contentsOf: file).count == size)
        try FileManager.default.moveItem(at: file, to: folder.appendingPathComponent("moved"))
        #expect(try kit(folder).pendingCount() == 0)
    }

    @Test(
        "A damaged store is told with its file and the remedy, wherever the damage is",
        arguments: [
            "UPDATE outbox SET mutation = 'x'", "UPDATE outbox SET mutation = '{}'", "DROP TABLE outbox",
            "INSERT INTO me VALUES ('x', 'y', 1, NULL, 'AT', 'UTC', '[]'); ALTER TABLE me DROP COLUMN accounts",
        ])
    func isDamaged(_ damage: String) throws {
        let folder = try PrivateServer.temporaryFolder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let kit = try kit(folder)
        try kit.add(gym)
        try kit.store.write { try $0.execute(sql: damage) }
        let told = #expect(throws: KitError.self) { try kit.subscriptions() }
        let (words, file) = (told?.description ?? "", folder.appendingPathComponent("subtrack.sqlite").path)
        #expect(words.contains(file) && words.contains("Move it away"), "\(words)")
    }

    @Test("A damaged time of the last look at the clock ends no process", arguments: [Int64.min, .max])
    func hasNoTime(_ time: Int64) async throws {
        try await TestService.run { service in
            let device = try service.device()
            try device.kit.store.set(.clockChecked, String(time))
            try await device.kit.sync()
            #expect(try device.kit.store.state(.clockChecked) != String(time))
        }
    }

    @Test("A change that is saved is told as saved where the store fails in the sync: nobody makes it twice")
    func failsInSync() async throws {
        try await ServiceProcess.withFolder { folder in
            let home = TerminalHome(home: folder.appendingPathComponent("home"), server: "http://127.0.0.1:9")
            // No exchange can be begun.
            let lock = home.home.appendingPathComponent("subtrack.lock")
            try FileManager.default.createDirectory(at: lock, withIntermediateDirectories: true)
            let commands = [
                ["add", "Gym", "--fee", "1", "--currency", "USD", "--every", "month"], ["edit", "Gym", "--note", "x"],
                ["renew", "Gym", "--yes"],
            ]
            for (count, command) in commands.enumerated() {
                let said = try await home.run(command)
                #expect(said.contains("Saved here; \(count == 0 ? "1 change" : "\(count + 1) changes")"), "\(said)")
                #expect(said.contains("\(lock.path) cannot be opened"), "\(said)")
            }
            #expect(try await home.fail("sync").hasPrefix("exit code 74\n"))
            #expect(try home.kit().held().values.map(\.period) == [1])
        }
    }

    @Test("A disk that is full at any moment ends no command by a signal, and what failed was not changed")
    func isFull() async throws {
        try await ServiceProcess.withFolder { folder in
            let full = TerminalHome(home: folder.appendingPathComponent("full"), server: "http://127.0.0.1:9")
            try await full.run("add", "Gym", "--fee", "1", "--currency", "USD", "--every", "month", "--offline")
            var ends: Set<String> = []
            // In blocks of 512 bytes: a file takes no more, as on a full disk.
            for blocks in stride(from: 0, through: 400, by: 8) {
                let home = TerminalHome(home: folder.appendingPathComponent("\(blocks)"), server: full.server)
                try FileManager.default.copyItem(at: full.home, to: home.home)
                var end = "exit code 0"
                do {
                    let arguments = [try TerminalHome.program(), "edit", "Gym", "--note", "x", "--offline"]
                    try await Command.run(
                        "/bin/sh",
                        ["-c", "trap '' XFSZ; ulimit -f \(blocks); exec \"$0\" \"$@\" >/dev/null"] + arguments,
                        environment: home.environment)
                } catch let failure as CommandFailure {
                    end = failure.end
                }
                ends.insert(end)
                let isChanged = try home.kit().subscriptions().first?.subscription.note == "x"
                #expect(isChanged == (end == "exit code 0"), "\(blocks): \(end)")
            }
            #expect(ends == ["exit code 0", "exit code 74"])
        }
    }
}
