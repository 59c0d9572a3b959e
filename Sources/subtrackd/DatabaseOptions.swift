import ArgumentParser
import Foundation
import MariaDB
import SubTrackServer

/// The settings that every command shares: each has a flag and an environment variable.
struct DatabaseOptions: ParsableArguments {
    @Option(help: .of(.stateDir)) var stateDir: String?
    @Option(help: .of(.databaseUrl)) var databaseUrl: String?
    @Option(help: .of(.databasePasswordFile)) var databasePasswordFile: String?
    @Option(help: .of(.databaseCaFile)) var databaseCaFile: String?
    @Option(help: .of(.databaseConnections)) var databaseConnections: Int?
    @Option(help: .of(.databaseStatements)) var databaseStatements: Int?
    @Option(help: .of(.serverPasswordsDir)) var serverPasswordsDir: String?
    @Option(help: .of(.migratorUrl)) var migratorUrl: String?
    @Option(help: .of(.migratorPasswordFile)) var migratorPasswordFile: String?
    @Option(help: .of(.configFile)) var configFile: String?

    /// Flags, environment and file, as far as they can be used.
    /// - Parameter problems: gets what is wrong with the others.
    func sources(_ problems: inout SettingsProblems) -> SettingSources {
        SettingSources(configFile: configFile, collecting: &problems)
    }

    /// The settings that these options, the environment, the file and the defaults give.
    /// - Throws: `SettingsError` with all that is wrong.
    func settings() throws -> ServiceSettings {
        var problems = SettingsProblems()
        let settings = try settings(listen: .default, sources(&problems), &problems)
        try problems.check()
        return settings
    }

    /// The settings, as far as they can be used.
    /// - Parameter problems: gets what is wrong with the others.
    func settings(
        listen: ListenAddress, _ sources: SettingSources, _ problems: inout SettingsProblems
    ) throws -> ServiceSettings {
        var settings = ServiceSettings(
            stateDirectory: URL(
                fileURLWithPath: try sources.text(.stateDir, flag: stateDir) ?? Setting.stateDir.standard,
                isDirectory: true),
            httpListen: listen)
        let hasDatabase = try sources.text(.databaseUrl, flag: databaseUrl) != nil
        try problems.collect {
            settings.database = try sources.read(.databaseUrl, flag: databaseUrl) { try DatabaseURL($0) }
        }
        try problems.collect {
            settings.migrator = try sources.read(.migratorUrl, flag: migratorUrl) { try DatabaseURL($0) }
            guard let migrator = settings.migrator else { return }
            guard hasDatabase else {
                throw SettingsError(
                    "\(sources.name(of: .migratorUrl, flag: migratorUrl)): a migrator's URL needs a database's URL "
                        + "(--database-url)")
            }
            guard let database = settings.database else { return }
            guard migrator.controlDatabase == database.controlDatabase else {
                throw SettingsError(
                    "\(sources.name(of: .migratorUrl, flag: migratorUrl)): the migrator's URL must end in the same database "
                        + "as the service's")
            }
        }
        try problems.collect {
            settings.passwordText = try sources.password(
                .databasePassword, file: .databasePasswordFile, flag: databasePasswordFile, of: "database's user")
            settings.databasePassword = .init(settings.passwordText ?? "")
        }
        try problems.collect {
            settings.migratorPassword = try sources.password(
                .migratorPassword, file: .migratorPasswordFile, flag: migratorPasswordFile, of: "migrator"
            ).map { .init($0) }
        }
        settings.secretFiles = try secretFiles(sources)
        settings.sourceFindings = sources.findings(hasDatabase: hasDatabase)
        try problems.collect {
            settings.databaseCA = try sources.text(.databaseCaFile, flag: databaseCaFile)
            settings.serverPasswords = try sources.text(.serverPasswordsDir, flag: serverPasswordsDir)
                .map { URL(fileURLWithPath: $0, isDirectory: true) }
        }
        try problems.collect {
            settings.databaseConnections =
                try number(.databaseConnections, databaseConnections, 1...1000, sources)
                ?? settings.databaseConnections
        }
        try problems.collect {
            settings.databaseStatements =
                try number(.databaseStatements, databaseStatements, 100...1_000_000, sources)
                ?? settings.databaseStatements
            guard settings.databaseStatements >= settings.databaseConnections else {
                let statements = sources.name(
                    of: .databaseStatements, flag: databaseStatements.map { String($0) })
                let connections = sources.name(
                    of: .databaseConnections, flag: databaseConnections.map { String($0) })
                throw SettingsError(
                    "\(statements) must be no less than \(connections) (\(settings.databaseConnections)): each connection "
                        + "keeps one prepared statement at least")
            }
        }
        return settings
    }

    /// The files that hold passwords of these settings.
    private func secretFiles(_ sources: SettingSources) throws -> [SecretFile] {
        var files: [SecretFile] = []
        if let path = try sources.text(.databasePasswordFile, flag: databasePasswordFile) {
            files.append(SecretFile(path, what: "the password of the database's user"))
        }
        if let path = try sources.text(.migratorPasswordFile, flag: migratorPasswordFile) {
            files.append(SecretFile(path, what: "the password of the migrator"))
        }
        for setting in Setting.allCases where setting.isSecret {
            guard let path = sources.file(of: setting) else { continue }
            files.append(SecretFile(path, what: "the \(setting.key) of the configuration"))
            break
        }
        return files
    }

    /// A setting that is a number within a range; nil when it is not set.
    /// - Throws: `SettingsError` where it is something else.
    func number(
        _ setting: Setting, _ flag: Int?, _ range: ClosedRange<Int>, _ sources: SettingSources
    ) throws -> Int? {
        let flag = flag.map { String($0) }
        return try sources.read(setting, flag: flag) { text in
            guard let number = Int(text), range.contains(number) else {
                throw SettingsError(
                    "\(sources.name(of: setting, flag: flag)) must be from \(range.lowerBound) to \(range.upperBound), "
                        + "is \"\(text)\"")
            }
            return number
        }
    }
}

/// Something that a command needs and does not have.
struct Unavailable: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}

/// The exit codes of sysexits(3) that are part of the contract.
enum Exit {
    /// Something that is needed is not available.
    static let unavailable = ExitCode(69)
    /// Nobody reads the output any more: the code that a shell gives a program that SIGPIPE has ended.
    static let brokenPipe = ExitCode(128 + 13)
    /// The configuration cannot be used.
    static let configuration = ExitCode(78)

    /// Runs a command's body; an error is said on standard error and becomes an exit code.
    static func reporting<Result>(_ body: () async throws -> Result) async throws -> Result {
        do {
            return try await body()
        } catch let error as ExitCode {
            throw error
        } catch let error as SettingsError {
            // A line for each fault.
            for line in error.description.split(separator: "\n") { say("subtrackd: \(line)") }
            throw configuration
        } catch let error as CleanExit {
            throw error
        } catch {
            say("subtrackd: \(error)")
            if let advice = RightsAdvice.of(error) { say(advice) }
            throw unavailable
        }
    }

    /// Writes a line to standard error.
    static func say(_ line: String) { mutter(line + "\n") }

    /// Writes a text to standard error, behind what was printed: both may lead to one file. The work goes on where nobody
    /// reads it: `FileHandle.write(_:)` would crash there.
    static func mutter(_ text: String) {
        fflush(nil)
        try? FileHandle.standardError.write(contentsOf: Data(text.utf8))
    }

    /// Writes a part of a result to standard output.
    /// - Throws: ``brokenPipe`` without a message where the reader has gone (`| head`); ``Unavailable`` where it cannot be written,
    ///   such as on a full disk.
    static func write(_ text: String) throws {
        do {
            try FileHandle.standardOutput.write(contentsOf: Data(text.utf8))
        } catch {
            if errno(of: error) == EPIPE { throw brokenPipe }
            throw Unavailable("the output cannot be written: \(String(cString: strerror(errno(of: error) ?? EIO)))")
        }
    }

    /// The system's error below an error of Foundation.
    private static func errno(of error: any Error) -> Int32? {
        let error = error as NSError
        if error.domain == NSPOSIXErrorDomain { return Int32(error.code) }
        return (error.userInfo[NSUnderlyingErrorKey] as? any Error).flatMap { self.errno(of: $0) }
    }
}
