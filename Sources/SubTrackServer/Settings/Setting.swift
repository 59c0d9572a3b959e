/// All settings of the service, each with its key in a configuration file. The flag and the environment variable follow
/// from the key: `httpListen` is `--http-listen` and `SUBTRACKIT_HTTP_LISTEN`.
public enum Setting: String, CaseIterable, Sendable {
    case configFile
    case stateDir
    case httpListen
    case socketListen
    case adminListen
    case publicMetrics
    case web
    case httpConnections
    case httpConnectionsPerNetwork
    case bodyMemory
    case tlsCertificateFile
    case tlsKeyFile
    case publicUrl
    case trustedProxies
    case forwardedHeader
    case defaultTenant
    case databaseUrl
    case databasePassword
    case databasePasswordFile
    case databaseCaFile
    case databaseConnections
    case databaseStatements
    case listMemory
    case serverPasswordsDir
    case migratorUrl
    case migratorPassword
    case migratorPasswordFile
    case sendmail
    case smtpUrl
    case smtpPassword
    case smtpPasswordFile
    case smtpTls
    case mailFrom
    case signInsPerMinute
    case tenantSignInsPerMinute
    case freeWrongPasswords
    case registrationsPerHour
    case devicesPerHour
    case mailsPerHour
    case writesPerHour
    case networkWritesPerHour
    case logFormat
    case logLevel

    /// The key in a configuration file.
    public var key: String { rawValue }

    /// The environment variable.
    public var variable: String { "SUBTRACKIT_" + words("_").uppercased() }

    /// The flag, with its dashes; nil where there is none: everybody on a machine can read the arguments of a process.
    public var flag: String? { isSecret ? nil : "--" + words("-").lowercased() }

    /// Whether the value is a secret, which is shown nowhere.
    public var isSecret: Bool { [.databasePassword, .migratorPassword, .smtpPassword].contains(self) }

    /// The default, for people.
    public var standard: String {
        switch self {
        case .stateDir: ".subtrackit"
        case .httpListen: "\(ListenAddress.default)"
        case .socketListen: "\(SocketListenAddress.default)"
        case .publicUrl: "the HTTP listener's"
        case .forwardedHeader: "x-forwarded"
        case .defaultTenant: "default while no tenant has a host, then none"
        case .databaseConnections: "\(StandardLimits.databaseConnections)"
        case .databaseStatements: "\(StandardLimits.databaseStatements)"
        case .listMemory: "\(StandardLimits.listMemoryMiB)"
        case .publicMetrics: "no"
        case .web: "on"
        case .httpConnections: "\(HTTPLimits().connections)"
        case .httpConnectionsPerNetwork: "\(HTTPLimits().connectionsPerNetwork)"
        case .bodyMemory: "\(HTTPLimits().bodyMemory >> 20)"
        case .migratorUrl, .migratorPassword, .migratorPasswordFile: "the service's"
        case .smtpTls: "required"
        case .mailFrom: "noreply@ and the public URL's host"
        case .signInsPerMinute: "\(AccountLimits().signInsPerMinute)"
        case .tenantSignInsPerMinute: "\(AccountLimits().tenantSignInsPerMinute)"
        case .freeWrongPasswords: "\(AccountLimits().freeWrongPasswords)"
        case .registrationsPerHour: "\(AccountLimits().registrationsPerHour)"
        case .mailsPerHour: "\(AccountLimits().mailsPerHour)"
        case .writesPerHour: "\(UserLimits().writesPerHour)"
        case .networkWritesPerHour: "\(UserLimits().networkWritesPerHour)"
        case .devicesPerHour: "\(AccountLimits().devicesPerHour)"
        case .logFormat: "auto"
        case .logLevel: "info"
        default: "none"
        }
    }

    /// The default, for people, beside other settings.
    /// - Parameter isSet: whether another setting is set.
    public func standard(isSet: (Setting) throws -> Bool) rethrows -> String {
        switch self {
        case .databasePassword: try isSet(.databasePasswordFile) ? "that of databasePasswordFile" : standard
        case .migratorPassword: try isSet(.migratorPasswordFile) ? "that of migratorPasswordFile" : standard
        case .smtpPassword: try isSet(.smtpPasswordFile) ? "that of smtpPasswordFile" : standard
        case .databasePasswordFile: try isSet(.databasePassword) ? "none, databasePassword is set" : standard
        case .migratorPasswordFile: try isSet(.migratorPassword) ? "none, migratorPassword is set" : standard
        case .smtpPasswordFile: try isSet(.smtpPassword) ? "none, smtpPassword is set" : standard
        default: standard
        }
    }

    private func words(_ separator: String) -> String {
        rawValue.reduce(into: "") { text, letter in
            if letter.isUppercase { text += separator }
            text.append(letter)
        }
    }
}
