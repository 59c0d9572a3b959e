import EmbeddedMariaDB
import Foundation
import SubTrackTestSupport
import TestTraits
import Testing

@testable import MariaDB

/// Connections die: by a kill, by age, by the end of the server, by silence.
@Suite(.ownTime) struct ConnectionLossTests {
    private func kill(_ connection: Connection, by client: MariaDBClient) async throws {
        let id = try connection.connectionID
        try await client.withConnection { killer in
            try await killer.simpleQuery(SQL(unsafeText: "KILL \(id)"))
            try await eventually("the connection is gone") {
                try await killer.query("SELECT 1 FROM information_schema.processlist WHERE id = \(id)").isEmpty
            }
        }
    }

    @Test func aConnectionKilledBetweenPrepareAndExecuteIsReplacedOnce() async throws {
        try await Server.withClient { client in
            try await client.withConnection { connection in
                let statement: SQL = "SELECT CONNECTION_ID() > \(0), DATABASE()"
                _ = try await connection.query(statement)
                let before = try connection.connectionID
                try await kill(connection, by: client)
                let rows = try await connection.query(statement).decode((Bool, String?).self)
                #expect(rows.first?.0 == true)
                #expect(rows.first?.1 == client.configuration.database)
                let after = try connection.connectionID
                #expect(after != before)
                // Once only: after that the error is the caller's.
                try await kill(connection, by: client)
                let error = await mariaDBError { try await connection.query(statement) }
                #expect(error?.kind == .connection)
                #expect(error?.wasNotSent == true)
            }
            #expect(client.statistics.leased == 0)
        }
    }

    @Test func aKilledTransactionIsNotContinuedElsewhere() async throws {
        try await Server.withClient { client in
            try await client.withConnection { try await $0.execute("CREATE TABLE t (n INT)") }
            let runs = Tally()
            let error = await mariaDBError {
                try await client.withTransaction { connection in
                    runs.add()
                    try await connection.execute("INSERT INTO t VALUES (1)")
                    try await kill(connection, by: client)
                    try await connection.execute("INSERT INTO t VALUES (2)")
                }
            }
            #expect(error?.kind == .connection)
            #expect(runs.count == 1)
            let rows = try await client.withConnection { try await $0.query("SELECT n FROM t") }
            #expect(rows.isEmpty)
        }
    }

    @Test func aStatementThatIsKilledWhileItRunsIsAnErrorAndNotRepeated() async throws {
        try await Server.withClient { client in
            try await client.withConnection { connection in
                let id = try connection.connectionID
                async let answer = mariaDBError { try await connection.query("SELECT SLEEP(3600)") }
                try await client.withConnection { killer in
                    try await eventually("it sleeps") {
                        try await !killer.query(
                            "SELECT 1 FROM information_schema.processlist WHERE id = \(id) AND state = 'User sleep'"
                        ).isEmpty
                    }
                    try await killer.simpleQuery(SQL(unsafeText: "KILL \(id)"))
                }
                let error = await answer
                #expect(error?.kind == .connection)
                #expect(error?.wasNotSent == false)
            }
        }
    }

    @Test func connectionsThatTheServerClosedForIdlenessAreNeverSeenByUsers() async throws {
        try await PrivateServer.own(configure: { $0.extraArguments.append("--wait-timeout=1") }) { server in
            var configuration = Server.configuration(server.socketPath, user: "root")
            configuration.maximumConnections = 4
            try await Server.withClient(of: configuration) { client in
                for _ in 0..<2 {
                    try await withThrowingTaskGroup(of: Void.self) { group in
                        for _ in 0..<8 {
                            group.addTask {
                                try await client.withConnection { connection in
                                    _ = try await connection.query("SELECT SLEEP(0.02)")
                                }
                            }
                        }
                        try await group.waitForAll()
                    }
                    // The server hangs up; the pool hears of it without asking.
                    try await eventually("the server closed them all") { client.statistics.size == 0 }
                }
            }
        }
    }

    @Test func aRestartOfTheServerCostsAtMostWhatWasInFlight() async throws {
        try await PrivateServer.own { server in
            var configuration = Server.configuration(server.socketPath, user: "root")
            configuration.maximumConnections = 8
            try await Server.withClient(of: configuration) { client in
                let done = Tally()
                let errors = Tally()
                let stop = Tally()
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for _ in 0..<8 {
                        group.addTask {
                            while stop.count == 0, !Task.isCancelled {
                                let error = await mariaDBError {
                                    try await client.withConnection { try await $0.query("SELECT 1") }
                                }
                                if error == nil { done.add() } else { errors.add() }
                            }
                        }
                    }
                    group.addTask {
                        try await eventually(within: .seconds(60), "load") { done.count > 500 }
                        try await server.restart()
                        let before = done.count
                        try await eventually(within: .seconds(60), "load again") { done.count > before + 500 }
                        stop.add()
                    }
                    // An error ends the others too.
                    for try await _ in group {}
                }
                #expect(errors.count <= 8)
                #expect(client.statistics.leased == 0 && client.statistics.waiting == 0)
            }
        }
    }

    @Test(.timeLimit(.minutes(10))) func aServerThatIsAwayIsSaidSoInTimeAndUsedWhenItIsBack() async throws {
        try await PrivateServer.own { server in
            var configuration = Server.configuration(server.socketPath, user: "root")
            configuration.leaseTimeout = .seconds(1)
            try await Server.withClient(of: configuration) { client in
                try await client.withConnection(timeout: .seconds(60)) { _ = try await $0.query("SELECT 1") }
                await server.kill()
                let error = await mariaDBError { try await client.withConnection { try await $0.query("SELECT 1") } }
                // What the last attempt said, or, when it still hangs, that there was no time.
                #expect(error?.kind == .connection || error?.kind == .poolTimeout)
                #expect(error?.isTransient == true)
                try await server.restart()
                let rows = try await client.withConnection(timeout: .seconds(60)) { try await $0.query("SELECT 1") }
                #expect(rows.count == 1)
            }
        }
    }

    @Test(.timeLimit(.minutes(10))) func everyWaitIsBoundedWhenTheNetworkSwallowsEverything() async throws {
        try await Server.withClient { direct in
            guard case .unix(let path) = direct.configuration.endpoint else { return }
            try await Proxy.run(to: path) { proxy in
                var configuration = direct.configuration
                configuration.endpoint = .unix(path: proxy.path)
                configuration.maximumConnections = 2
                // The first statement is answered within them on a busy machine, too.
                configuration.connectTimeout = .seconds(5)
                configuration.readTimeout = .seconds(5)
                configuration.leaseTimeout = .milliseconds(400)
                configuration.checkAfter = .zero
                try await Server.withClient(of: configuration) { client in
                    try await client.withConnection(timeout: .seconds(60)) { connection in
                        _ = try await connection.query("SELECT 1")
                        proxy.goSilent()
                        let error = await mariaDBError { try await connection.query("SELECT 1") }
                        #expect(error?.kind == .connection)
                        #expect(error?.wasNotSent == false)
                    }
                    // Whoever queues, and whoever gets a connection that is checked first, is told as soon.
                    await withTaskGroup(of: Void.self) { group in
                        for _ in 0..<20 {
                            group.addTask {
                                let error = await mariaDBError {
                                    try await client.withConnection { try await $0.query("SELECT 1") }
                                }
                                #expect(error?.kind == .poolTimeout || error?.kind == .connection)
                            }
                        }
                    }
                }
            }
        }
    }
}
