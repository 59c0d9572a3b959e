import Foundation
import Logging
import MariaDB
import Passwords

/// Proves that a server does what the service needs: makes a scratch tenant's database, writes and renews in it, has it refuse
/// what is wrong, and drops it.
///
/// The migrator makes and drops the database, and the service's account writes the rows, as for a tenant. The name is within the
/// rights of both and cannot be a tenant's. No tenant is touched, no lease is taken, and there are three connections at most.
struct ServerProof: Sendable {
    /// The control database, whose name the scratch database's begins with.
    let control: String
    let migrator: MariaDBConfiguration
    let service: MariaDBConfiguration
    /// The areas whose tables and triggers are tried.
    var areas = AreaList.none
    let logger: Logger
    /// Is called with the name of the scratch database once it has its tables and triggers, so that a test can break one.
    var beforeSteps: @Sendable (String) async throws -> Void = { _ in }

    /// What follows the control database's name: no tenant's name begins with `_`.
    static func prefix(control: String) -> String { control + "__doctor_" }

    /// The subject of findings.
    private static let subject = "proof"

    /// Runs the proof.
    /// - Throws: `CancellationError`, with the scratch database dropped.
    func run() async throws -> [Finding] {
        let client = MariaDBClient(configuration: configured(migrator, connections: 2), logger: logger)
        do {
            let findings = try await client.withConnection(nil) { try await run(client, keeper: $0) }
            await client.shutdown()
            return findings
        } catch let error as MariaDBError {
            await client.shutdown()
            return [Self.failed("the server was lost: \(error)")]
        } catch {
            await client.shutdown()
            throw error
        }
    }

    private func configured(_ configuration: MariaDBConfiguration, connections: Int) -> MariaDBConfiguration {
        var configuration = configuration
        configuration.maximumConnections = connections
        configuration.leaseTimeout = .seconds(5)
        configuration.readTimeout = .seconds(60)
        configuration.session.statementTimeout = .seconds(60)
        configuration.session.lockWaitTimeout = .seconds(10)
        configuration.name = "doctor"
        return configuration
    }

    /// - Parameter keeper: a connection that holds a lock with the scratch database's name for as long as this goes on: a later
    ///   doctor knows by it that the database is in use. The lock ends with the process.
    private func run(_ client: MariaDBClient, keeper: Connection) async throws -> [Finding] {
        let account = try await DoctorQueries.account(on: keeper)
        var findings = try await dropLeftovers(keeper)
        let random = try SecureRandom.bytes(4).map { String(Int($0) + 256, radix: 16).dropFirst() }.joined()
        let database = try Identifier(Self.prefix(control: control) + random)
        guard try await ProofQueries.lock(database.name, on: keeper) else {
            return findings + [Self.failed("no lock of the name \(database.name) was to be had")]
        }
        let start = ContinuousClock.now
        do {
            _ = try await MigrationQueries.create(database, on: keeper)
        } catch let error as MariaDBError where [1044, 1142, 1227].contains(error.code) {
            return findings + [
                .warning(
                    Self.subject,
                    "not tried: \(account) may not make databases, so that no scratch tenant was made, filled and dropped",
                    remedy: migrator.user == service.user
                        ? "--migrator-url mysql://migrator@…   -- the account that does; see subtrackd doctor --grants"
                        : "subtrackd doctor   -- again, after the GRANTs above")
            ]
        }
        let result: Result<Finding, any Error>
        do {
            let failure = try await tryAll(database, client)
            let seconds = Double((ContinuousClock.now - start) / Duration.milliseconds(100)).rounded() / 10
            result = .success(
                failure.map(Self.failed)
                    ?? .ok(
                        Self.subject,
                        "a scratch tenant was made, filled and renewed, refused what is wrong, and was dropped (\(seconds) s)"
                    ))
        } catch let error as CancellationError {
            result = .failure(error)
        } catch {
            result = .success(Self.failed("\(error)"))
        }
        // Shielded: Ctrl-C leaves no database behind. The client is another one: the connections of this one may be those that
        // the cancellation gave up.
        let dropping = await Task { () -> Finding? in
            let dropper = MariaDBClient(configuration: configured(migrator, connections: 1), logger: logger)
            do {
                try await dropper.withConnection(nil) { try await DatabaseRemoval.drop(database, on: $0) }
                await dropper.shutdown()
                return nil
            } catch {
                await dropper.shutdown()
                return .warning(
                    "database \(database.name)", "the scratch database of this run could not be dropped: \(error)",
                    remedy: "-- The next subtrackd doctor tries again; or: DROP DATABASE `\(database.name)`;")
            }
        }.value
        findings.append(try result.get())
        if let dropping { findings.append(dropping) }
        return findings
    }

    private static func failed(_ text: String) -> Finding {
        .problem(
            subject, "what the service does cannot be done there: \(text)",
            remedy: "-- Mend what is said above first. Where nothing is, this server's version or edition is not fit.")
    }

    /// Applies the schema and runs the steps.
    /// - Returns: what failed; nil when all is well.
    private func tryAll(_ database: Identifier, _ client: MariaDBClient) async throws -> String? {
        try await Migrator(client: client, logger: logger).migrate(database, to: areas.plan(for: areas.all))
        try await beforeSteps(database.name)
        let rows = MariaDBClient(configuration: configured(service, connections: 1), logger: logger)
        do {
            let failure = try await rows.withConnection(database.name) { connection -> String? in
                for step in ProofStep.all {
                    try Task.checkCancellation()
                    do {
                        if let failure = try await step.run(on: connection) { return "\(step.what): \(failure)" }
                    } catch let error as MariaDBError {
                        return "\(step.what): \(error)"
                    }
                }
                return nil
            }
            await rows.shutdown()
            return failure
        } catch {
            await rows.shutdown()
            throw error
        }
    }

    /// Drops scratch databases of doctors that were killed. One that is in use has its lock taken.
    private func dropLeftovers(_ keeper: Connection) async throws -> [Finding] {
        var findings: [Finding] = []
        for name in try await ProofQueries.databases(prefix: Self.prefix(control: control), on: keeper) {
            guard try await ProofQueries.lock(name, on: keeper) else { continue }
            do {
                try await DatabaseRemoval.drop(try Identifier(name), on: keeper)
                findings.append(.ok("database \(name)", "left by a doctor that was killed; it was dropped"))
            } catch let error as MariaDBError {
                findings.append(
                    .warning(
                        "database \(name)", "left by a doctor that was killed; it could not be dropped: \(error)",
                        remedy: "DROP DATABASE `\(name)`;"))
            }
            try await ProofQueries.unlock(name, on: keeper)
        }
        return findings
    }
}

/// The statements of the proof beside its steps.
enum ProofQueries {
    /// The databases whose names begin so, of those that the account may see.
    static func databases(prefix: String, on connection: Connection) async throws -> [String] {
        try await connection.query(
            """
            SELECT CONVERT(SCHEMA_NAME USING utf8mb4) FROM information_schema.SCHEMATA
            WHERE LEFT(SCHEMA_NAME, CHAR_LENGTH(\(prefix))) = \(prefix) ORDER BY 1
            """
        ).decode(String.self).filter { $0.hasPrefix(prefix) }
    }

    /// Takes the lock of a name for the connection.
    /// - Returns: false when another connection has it.
    static func lock(_ name: String, on connection: Connection) async throws -> Bool {
        let taken = try await connection.query("SELECT CAST(COALESCE(GET_LOCK(\(name), 0), 0) AS SIGNED)")
            .decode(Int64.self)
        return taken.first == 1
    }

    /// Gives a lock back.
    static func unlock(_ name: String, on connection: Connection) async throws {
        _ = try await connection.query("SELECT CAST(RELEASE_LOCK(\(name)) AS SIGNED)")
    }
}
