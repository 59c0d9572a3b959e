import ArgumentParser
import Foundation
import MariaDB
import SubTrackServer

/// The settings that every command shares: each has a flag and an environment variable.
struct DatabaseOptions: ParsableArguments {
    @Option(
        help: """
            Folder of the embedded database and what else lives on disk. [SUBTRACKIT_STATE_DIR] (default: .subtrackit)
            """)
    var stateDir: String?

    @Option(
        help: """
            Database server: mysql://user@host:3306/subtrackit, or mysql://user@localhost/subtrackit?socket=/path. The last \
            part is the control database and the prefix of the tenants'. [SUBTRACKIT_DATABASE_URL] (default: an embedded one)
            """)
    var databaseUrl: String?

    @Option(help: "File with the password of the database's user. [SUBTRACKIT_DATABASE_PASSWORD_FILE]")
    var databasePasswordFile: String?

    @Option(
        help: "File of certificates to verify the database server's with; turns TLS on. [SUBTRACKIT_DATABASE_CA_FILE]")
    var databaseCaFile: String?

    @Option(help: "Connections to the database, 1 to 1000. [SUBTRACKIT_DATABASE_CONNECTIONS] (default: 32)")
    var databaseConnections: Int?

    /// The settings that these options, the environment and the defaults give.
    func settings(listen: ListenAddress = .default) throws -> ServiceSettings {
        let environment = ProcessInfo.processInfo.environment
        func value(_ flag: String?, _ name: String) -> String? {
            flag ?? environment["SUBTRACKIT_\(name)"].flatMap { $0.isEmpty ? nil : $0 }
        }
        var settings = ServiceSettings(
            stateDirectory: URL(fileURLWithPath: value(stateDir, "STATE_DIR") ?? ".subtrackit", isDirectory: true),
            httpListen: listen)
        settings.database = try value(databaseUrl, "DATABASE_URL").map { try DatabaseURL($0) }
        if let path = value(databasePasswordFile, "DATABASE_PASSWORD_FILE") {
            guard let text = try? String(contentsOfFile: path, encoding: .utf8) else {
                throw SettingsError("the database's password file cannot be read: \(path)")
            }
            let password = text.trimmingCharacters(in: .newlines)
            settings.databasePassword = .init(password)
            settings.passwordText = password
        }
        settings.databaseCA = value(databaseCaFile, "DATABASE_CA_FILE")
        if let text = value(databaseConnections.map(String.init), "DATABASE_CONNECTIONS") {
            guard let connections = Int(text), (1...1000).contains(connections) else {
                throw SettingsError("the number of database connections must be from 1 to 1000, is \(text)")
            }
            settings.databaseConnections = connections
        }
        return settings
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
    /// The configuration cannot be used.
    static let configuration = ExitCode(78)

    /// Runs a command's body; an error is said on standard error and becomes an exit code.
    static func reporting<Result>(_ body: () async throws -> Result) async throws -> Result {
        do {
            return try await body()
        } catch let error as ExitCode {
            throw error
        } catch let error as SettingsError {
            say("subtrackd: \(error)")
            throw configuration
        } catch let error as CleanExit {
            throw error
        } catch {
            say("subtrackd: \(error)")
            throw unavailable
        }
    }

    /// Writes a line to standard error.
    static func say(_ line: String) { FileHandle.standardError.write(Data((line + "\n").utf8)) }
}
