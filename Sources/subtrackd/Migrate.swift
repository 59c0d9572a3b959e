import ArgumentParser
import Foundation
import Logging
import SubTrackServer

/// `subtrackd migrate`
struct Migrate: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Brings the control database and all tenants' to what this version needs.",
        discussion: "It can be run at any time, by several at once, and again after it was interrupted.")

    @OptionGroup var database: DatabaseOptions

    func run() async throws {
        try await Exit.reporting {
            let logger = Commands.logger
            var settings = try database.settings()
            let isEmbedded = settings.database == nil
            try Commands.checkDatabase(settings)
            if let running = await DatabaseAccess.runningEmbedded(settings) { settings.database = running }
            let access = try await DatabaseAccess.open(settings, logger: logger)
            let outcomes: [Preparation.Outcome]
            do {
                var preparation = Preparation(access: access, logger: logger)
                preparation.mendsDefinitions = true
                outcomes = try await preparation.run(defaultTenant: .init(hasDemoCatalogue: isEmbedded))
                await access.embedded?.stop()
            } catch {
                await access.embedded?.stop()
                throw error
            }
            for outcome in outcomes {
                let what =
                    outcome.failure.map { "failed: \($0)" }
                    ?? (outcome.applied.isEmpty ? "up to date" : "\(outcome.applied.count) files applied")
                print("\(outcome.slug): \(what)")
            }
            if outcomes.contains(where: { $0.failure != nil }) { throw Exit.unavailable }
        }
    }
}

/// What commands other than `serve` share.
enum Commands {
    /// Says what is worth knowing on standard error.
    static var logger: Logger {
        Logger(label: "subtrackd") { LogFormat.auto.handler(label: $0, level: .warning) }
    }

    /// Says nothing: what goes wrong is the result.
    static var silent: Logger { Logger(label: "subtrackd", factory: { _ in SwiftLogNoOpLogHandler() }) }

    /// Makes sure that the embedded database is there, where no other one is configured. The service alone makes one, and
    /// `restore`: a mistyped folder, or a command in another folder, must not become a new, empty database.
    /// - Throws: ``Unavailable`` with the folder, and the settings that name another one.
    static func checkDatabase(_ settings: ServiceSettings) throws {
        let path = settings.stateDirectory.appending(path: "database").path
        guard settings.database == nil, !FileManager.default.fileExists(atPath: path) else { return }
        throw Unavailable(
            "there is no database in \(settings.stateDirectory.path); --state-dir or SUBTRACKIT_STATE_DIR names the folder of "
                + "the service, --database-url or SUBTRACKIT_DATABASE_URL a database server; subtrackd serve makes a new database"
        )
    }

    /// Lends the database that is configured, or the embedded one, which is started for as long where it does not run; as
    /// it is.
    static func withDatabase<Result>(
        _ settings: ServiceSettings, _ body: (DatabaseAccess) async throws -> Result
    ) async throws -> Result {
        var settings = settings
        try checkDatabase(settings)
        if settings.database == nil { settings.database = await DatabaseAccess.runningEmbedded(settings) }
        let access = try await DatabaseAccess.open(settings, logger: logger)
        do {
            let result = try await body(access)
            await access.embedded?.stop()
            return result
        } catch {
            await access.embedded?.stop()
            throw error
        }
    }

    /// Lends the database that is configured, or the embedded one, which is started for as long where it does not run,
    /// and migrated.
    /// - Parameters:
    ///   - isControlEnough: whether the control database of another server is prepared, too, where it is not.
    ///   - mayMake: whether an embedded database is made where there is none.
    static func withPreparedDatabase<Result>(
        _ settings: ServiceSettings, isControlEnough: Bool = false, mayMake: Bool = false,
        _ body: (DatabaseAccess) async throws -> Result
    ) async throws -> Result {
        var settings = settings
        if !mayMake { try checkDatabase(settings) }
        let isEmbedded = settings.database == nil
        if isEmbedded { settings.database = await DatabaseAccess.runningEmbedded(settings) }
        let access = try await DatabaseAccess.open(settings, logger: logger)
        do {
            if isEmbedded {
                // Also where it runs: the service that runs it may have started a moment ago.
                _ = try await Preparation(access: access, logger: logger)
                    .run(defaultTenant: .init(hasDemoCatalogue: true))
            } else if isControlEnough {
                try await Preparation(access: access, logger: logger).prepareControl()
            }
            let result = try await body(access)
            await access.embedded?.stop()
            return result
        } catch {
            await access.embedded?.stop()
            throw error
        }
    }
}
