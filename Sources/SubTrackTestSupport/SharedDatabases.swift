import Foundation
import Logging
import MariaDB
import SubTrackServer

/// Migrated databases that tests of this process use together. They go with the server that they are on.
actor SharedDatabases {
    static let shared = SharedDatabases()
    private var making: Task<TestDatabase, any Error>?

    /// The control database, migrated, with the tenant `default`.
    var control: TestDatabase {
        get async throws {
            let making =
                making
                ?? Task {
                    let control = TestDatabase(
                        name: TestDatabase.uniqueName(), socketPath: try await ServicesServer.socketPath)
                    let logger = PrivateServer.logger
                    let access = try await DatabaseAccess.open(TestService.settings(control), logger: logger)
                    try await Preparation(access: access, logger: logger)
                        .run(defaultTenant: .init(hasDemoCatalogue: false))
                    return control
                }
            self.making = making
            return try await making.value
        }
    }
}

/// Lets a few tests with a service of their own run at a time: the machine has few cores, the database few connections.
actor Slots {
    static let shared = Slots(count: 6)
    private var free: Int
    private var waiting: [CheckedContinuation<Void, Never>] = []

    init(count: Int) { free = count }

    /// Runs a body when there is room for it.
    nonisolated func withSlot<Result: Sendable>(_ body: () async throws -> Result) async throws -> Result {
        await take()
        do {
            let result = try await body()
            await giveBack()
            return result
        } catch {
            await giveBack()
            throw error
        }
    }

    private func take() async {
        if free > 0 {
            free -= 1
        } else {
            await withCheckedContinuation { waiting.append($0) }
        }
    }

    private func giveBack() {
        if waiting.isEmpty { free += 1 } else { waiting.removeFirst().resume() }
    }
}
