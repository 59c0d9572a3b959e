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
    private let file: (any ConfigSnapshot)?
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
        try problems.collect {
            let unknown = Self.unknown(in: variables)
            guard unknown.isEmpty else {
                let known = Setting.allCases.map(\.variable)
                throw SettingsError("unknown settings in the environment: \(Self.list(unknown, known: known))")
            }
        }
        environment = EnvironmentVariablesProvider(
            environmentVariables: variables.filter { $0.key.hasPrefix("SUBTRACKIT_") },
            secretsSpecifier: .specific(Set(Setting.allCases.filter(\.isSecret).map(\.variable)))
        ).snapshot()
        let named = variables[Setting.configFile.variable].flatMap { $0.isEmpty ? nil : $0 }
        let chosen = path ?? named
        var read: (any ConfigSnapshot)?
        try problems.collect { read = try chosen.map(Self.read) }
        try problems.check()
        self.path = chosen
        file = read
    }

    /// Names that nobody knows, each with what was probably meant.
    private static func list(_ unknown: [String], known: [String]) -> String {
        unknown.map { name in
            Setting.nearest(to: name, of: known).map { "\(name) (did you mean \($0)?)" } ?? name
        }.joined(separator: ", ")
    }

    /// The value of a setting; nil where it is not set.
    /// - Parameter flag: what its flag says.
    /// - Throws: ``SettingsError`` for a value of the file that is neither a text nor a number.
    public func text(_ setting: Setting, flag: String? = nil) throws -> String? { try value(setting, flag: flag)?.text }

    /// The value of a setting and where it was found.
    public func value(_ setting: Setting, flag: String? = nil) throws -> (text: String, origin: Origin)? {
        if let flag { return (flag, .flag) }
        let variable = try? environment.value(forKey: ["subtrackit", setting.key], type: .string).value?.content
        if case .string(let text)? = variable, !text.isEmpty { return (text, .environment) }
        guard let file, let text = try Self.text(setting.key, in: file, path ?? "") else { return nil }
        return (text, .file)
    }

    /// A value of a file as text.
    private static func text(_ key: String, in file: any ConfigSnapshot, _ path: String) throws -> String? {
        for type in [ConfigType.string, .int] {
            guard let found = try? file.value(forKey: [key], type: type) else { continue }
            switch found.value?.content {
            case .string(let text)?: return text.isEmpty ? nil : text
            case .int(let number)?: return String(number)
            case nil: return nil
            default: continue
            }
        }
        throw SettingsError("\(key) in \(path) must be a text or a whole number")
    }

    private static func read(_ path: String) throws -> any ConfigSnapshot {
        guard let data = FileManager.default.contents(atPath: path), data.count <= 1 << 20 else {
            throw SettingsError("the configuration file cannot be read: \(path)")
        }
        do throws(JSONScanner.Failure) {
            guard case .object(let members) = try JSONScanner.scan(Array(data)) else {
                throw JSONScanner.Failure(reason: "the file must be an object", offset: 0)
            }
            let allowed = Set(Setting.allCases.map(\.key)).subtracting([Setting.configFile.key])
            let unknown = members.map(\.name).filter { !allowed.contains($0) }
            guard unknown.isEmpty else {
                throw JSONScanner.Failure(
                    reason: "unknown settings: \(list(unknown, known: allowed.sorted()))", offset: 0)
            }
            for member in members {
                switch member.value {
                case .string, .integer: continue
                default:
                    throw JSONScanner.Failure(
                        reason: "\(member.name) must be a text or a whole number, is \(member.value.kind)", offset: 0)
                }
            }
        } catch {
            throw SettingsError("\(path): \(error.reason)\(error.offset > 0 ? ", at byte \(error.offset)" : "")")
        }
        let secrets = Set(Setting.allCases.filter(\.isSecret).map(\.key))
        do {
            return try JSONSnapshot(
                data: data.bytes, providerName: path, parsingOptions: .init(secretsSpecifier: .specific(secrets)))
        } catch {
            throw SettingsError("\(path) must have texts and whole numbers alone")
        }
    }

    /// What the names of tests and scripts begin with; they are not the service's.
    private static let others = [
        "TEST_", "FUZZ", "HISTOR", "EXPLORE_", "BENCH", "MYSQL_", "MAIL_SAMPLES", "FAULTS",
        "WRITE_GOLDEN", "BUILD_", "LIVE_",
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
