import Configuration
import Foundation

/// Where settings come from: flags first, then the environment, then the configuration file.
///
/// A name that is no setting's is an error: a mistyped one would otherwise hold its default, and nobody would know.
public struct SettingSources: Sendable {
    /// Where a value was found.
    public enum Origin: String, Sendable, Encodable {
        case flag
        case environment
        case file
        case standard = "default"
    }

    private let environment: any ConfigSnapshot
    /// The values of the file, by key: texts and whole numbers.
    private let file: [String: String]
    /// The keys of the file that have an empty text.
    private let empty: [Setting]
    /// The file that was read.
    private let path: String?

    /// Reads the environment and, where one is named, the file.
    /// - Parameters:
    ///   - path: the file that a flag names; nil: the one that the environment names.
    ///   - variables: the environment.
    /// - Throws: ``SettingsError`` that names all keys that are not known, or what is wrong with the file.
    public init(
        configFile path: String? = nil, environment variables: [String: String] = ProcessInfo.processInfo.environment
    ) throws {
        var problems = SettingsProblems()
        self.init(configFile: path, environment: variables, collecting: &problems)
        try problems.check()
    }

    /// Reads the environment and the file as far as they can be used.
    /// - Parameter problems: gets what is wrong with them, so that no fault hides the others.
    public init(
        configFile path: String? = nil, environment variables: [String: String] = ProcessInfo.processInfo.environment,
        collecting problems: inout SettingsProblems
    ) {
        let unknown = Self.unknown(in: variables)
        if !unknown.isEmpty {
            let known = Setting.allCases.map(\.variable)
            problems.add("unknown settings in the environment: \(Self.list(unknown, known: known))")
        }
        environment = EnvironmentVariablesProvider(
            environmentVariables: variables.filter { $0.key.hasPrefix("SUBTRACKIT_") },
            secretsSpecifier: .specific(Set(Setting.allCases.filter(\.isSecret).map(\.variable)))
        ).snapshot()
        let named = variables[Setting.configFile.variable].flatMap { $0.isEmpty ? nil : $0 }
        let chosen = path ?? named
        self.path = chosen
        let found = chosen.map { Self.read($0, &problems) } ?? [:]
        file = found.filter { !$0.value.isEmpty }
        empty = Setting.allCases.filter { found[$0.key]?.isEmpty == true }
    }

    /// Settings that have no effect, where another one was probably meant.
    /// - Parameter hasDatabase: whether a database server is named; else the service has an embedded one.
    public func findings(hasDatabase: Bool) -> [Finding] {
        var findings = empty.map { setting in
            Finding.warning(
                "setting \(setting.key)",
                "it is empty in \(path ?? "the configuration file"), so that its default holds",
                remedy: "Remove the key, or write a value.")
        }
        let ofServers: [Setting] = [
            .databasePassword, .databasePasswordFile, .databaseCaFile, .serverPasswordsDir, .migratorPassword,
            .migratorPasswordFile,
        ]
        let unused = ofServers.filter { (try? text($0)) != nil }
        if !hasDatabase, !unused.isEmpty {
            findings.append(
                .warning(
                    "setting databaseUrl",
                    "it is missing, so that the service runs a database of its own, which has no use for "
                        + unused.map { name(of: $0) }.joined(separator: ", "),
                    remedy: "--database-url mysql://user@host:3306/subtrackit"))
        }
        // Everybody who can change the file can name a program that the service runs. A file with secrets is looked at as such.
        let hasSecrets = Setting.allCases.contains { $0.isSecret && file[$0.key] != nil }
        if let path, !hasSecrets, let finding = SecretFile(path, what: "the configuration", isSecret: false).finding {
            findings.append(finding)
        }
        return findings
    }

    /// Names that nobody knows, each with what was probably meant.
    private static func list(_ unknown: [String], known: [String]) -> String {
        unknown.map { name in
            Setting.nearest(to: name, of: known).map { "\(name) (did you mean \($0)?)" } ?? name
        }.joined(separator: ", ")
    }

    /// The value of a setting; nil where it is not set.
    /// - Parameter flag: what its flag says.
    /// - Throws: ``SettingsError``.
    public func text(_ setting: Setting, flag: String? = nil) throws -> String? { try value(setting, flag: flag)?.text }

    /// The value of a setting and where it was found.
    public func value(_ setting: Setting, flag: String? = nil) throws -> (text: String, origin: Origin)? {
        if let flag { return (flag, .flag) }
        let variable = try? environment.value(forKey: ["subtrackit", setting.key], type: .string).value?.content
        if case .string(let text)? = variable, !text.isEmpty { return (text, .environment) }
        return file[setting.key].map { ($0, .file) }
    }

    /// The configuration file that a setting stands in; nil where it does not stand there.
    public func file(of setting: Setting) -> String? { file[setting.key] == nil ? nil : path }

    /// The name of a setting at the place where its value was found, for messages: an operator looks for that name.
    public func name(of setting: Setting, flag: String? = nil) -> String {
        switch (try? value(setting, flag: flag))?.origin {
        case .file: "\(setting.key) in \(path ?? "the configuration file")"
        case .flag: setting.flag.map { "\($0) or \(setting.variable)" } ?? setting.variable
        case .environment, .standard, nil: setting.variable
        }
    }

    /// Reads the value of a setting; a fault names the setting at the place where its value was found.
    /// - Returns: what the body makes of the value; nil where the setting is not set.
    /// - Throws: ``SettingsError``.
    public func read<Value>(_ setting: Setting, flag: String? = nil, _ body: (String) throws -> Value) throws -> Value?
    {
        guard let text = try self.text(setting, flag: flag) else { return nil }
        let name = self.name(of: setting, flag: flag)
        do {
            return try body(text)
        } catch let error as SettingsError {
            throw error.description.contains(name) ? error : SettingsError("\(error.description) (\(name))")
        }
    }

    /// The file's values by key, without those that cannot be used.
    private static func read(_ path: String, _ problems: inout SettingsProblems) -> [String: String] {
        guard let data = FileManager.default.contents(atPath: path) else {
            problems.add("the configuration file cannot be read\(reason(ofUnreadable: path)): \(path)")
            return [:]
        }
        guard data.count <= 1 << 20 else {
            problems.add("the configuration file has more than 1 MiB: \(path)")
            return [:]
        }
        var bytes = Array(data)
        // The byte order mark that some editors write (RFC 8259 §8.1 lets a reader pass over it).
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { bytes.removeFirst(3) }
        let members: [JSONValue.Member]
        do throws(JSONScanner.Failure) {
            guard case .object(let found) = try JSONScanner.scan(bytes, within: .file) else {
                throw JSONScanner.Failure(reason: "the file must be an object", offset: 0)
            }
            members = found
        } catch {
            let before = bytes.prefix(error.offset)
            let line = before.count { $0 == UInt8(ascii: "\n") } + 1
            let column = before.count - (before.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0) + 1
            problems.add("\(path): line \(line), column \(column): \(error.reason); nothing of the file is used")
            return [:]
        }
        let allowed = Set(Setting.allCases.map(\.key)).subtracting([Setting.configFile.key])
        let unknown = members.map(\.name).filter { !allowed.contains($0) }
        if !unknown.isEmpty {
            problems.add("\(path): unknown settings: \(list(unknown, known: allowed.sorted()))")
        }
        var values: [String: String] = [:]
        for member in members where allowed.contains(member.name) {
            switch member.value {
            case .string(let text): values[member.name] = text
            case .integer(let number): values[member.name] = "\(number)"
            default: problems.add("\(path): \(member.name) must be a text or a whole number, is \(member.value.kind)")
            }
        }
        return values
    }

    /// The reason for which a file cannot be read, in parentheses; empty where it is not known.
    private static func reason(ofUnreadable path: String) -> String {
        var status = stat()
        guard stat(path, &status) == 0 else { return " (\(String(cString: strerror(errno))))" }
        if status.st_mode & S_IFMT == S_IFDIR { return " (it is a folder)" }
        return access(path, R_OK) == 0 ? "" : " (\(String(cString: strerror(errno))))"
    }

    /// What the names of tests and scripts begin with; they are not the service's.
    private static let others = [
        "TEST_", "FUZZ", "HISTOR", "EXPLORE_", "BENCH", "MYSQL_", "MARIADB_", "SERVERS_", "MAIL_SAMPLES", "FAULTS",
        "WRITE_GOLDEN", "BUILD_", "LIVE_", "WARNINGS",
    ]

    /// The variables of the environment that look like settings and are none.
    static func unknown(in variables: [String: String]) -> [String] {
        let prefix = "SUBTRACKIT_"
        let known = Set(Setting.allCases.map(\.variable))
        return variables.keys.filter { name in
            guard name.hasPrefix(prefix), !known.contains(name) else { return false }
            let rest = name.dropFirst(prefix.count)
            // Kubernetes sets these for a service called "subtrackit": SUBTRACKIT_SERVICE_HOST, SUBTRACKIT_PORT_8080_TCP.
            let isOfKubernetes = rest == "PORT" || rest.hasPrefix("PORT_") || rest.hasPrefix("SERVICE_")
            return !isOfKubernetes && !others.contains { rest.hasPrefix($0) }
        }.sorted()
    }
}
