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
            if let running = await DatabaseAccess.runningEmbedded(settings) { settings.database = running }
            let access = try await DatabaseAccess.open(settings, logger: logger)
            let outcomes: [Preparation.Outcome]
            do {
                outcomes = try await Preparation(access: access, logger: logger)
                    .run(defaultTenant: .init(hasDemoCatalogue: isEmbedded))
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

    /// Lends the database that is configured, or the embedded one, which is started for as long where it does not run,
    /// and migrated.
    static func withPreparedDatabase<Result>(
        _ settings: ServiceSettings, _ body: (DatabaseAccess) async throws -> Result
    ) async throws -> Result {
        var settings = settings
        let isEmbedded = settings.database == nil
        if isEmbedded { settings.database = await DatabaseAccess.runningEmbedded(settings) }
        let access = try await DatabaseAccess.open(settings, logger: logger)
        do {
            if isEmbedded {
                // Also where it runs: the service that runs it may have started a moment ago.
                _ = try await Preparation(access: access, logger: logger)
                    .run(defaultTenant: .init(hasDemoCatalogue: true))
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
