import ArgumentParser
import Foundation
import Logging
import SubTrackServer

/// The settings of the service. `config check` and `doctor` take them as well, and are no `serve`: the parser would name that in
/// its usage.
struct ServeOptions: ParsableArguments {
    @OptionGroup var database: DatabaseOptions
    @OptionGroup var accounts: AccountOptions
    @OptionGroup var hosts: HostOptions

    @Option(help: .of(.httpListen)) var httpListen: String?
    @Option(help: .of(.socketListen)) var socketListen: String?
    @Option(help: .of(.adminListen)) var adminListen: String?
    @Option(help: .of(.publicMetrics)) var publicMetrics: String?
    @Option(help: .of(.web)) var web: String?

    #if DEBUG
        @Option(help: ArgumentHelp("Serves the web app from this folder, for work on its pages.", visibility: .hidden))
        var webDir: String?
    #endif

    @Option(help: .of(.httpConnections)) var httpConnections: Int?
    @Option(help: .of(.httpConnectionsPerNetwork)) var httpConnectionsPerNetwork: Int?
    @Option(help: .of(.bodyMemory)) var bodyMemory: Int?
    @Option(help: .of(.tlsCertificateFile)) var tlsCertificateFile: String?
    @Option(help: .of(.tlsKeyFile)) var tlsKeyFile: String?
    @Option(help: .of(.listMemory)) var listMemory: Int?
    @Option(help: .of(.logFormat)) var logFormat: LogFormat?
    @Option(help: .of(.logLevel)) var logLevel: Logger.Level?
}

extension ServeOptions {
    /// All settings: flags, environment, file and defaults.
    /// - Throws: `SettingsError` with all that is wrong.
    func settings() throws -> (service: ServiceSettings, logging: (format: LogFormat, level: Logger.Level)) {
        var problems = SettingsProblems()
        let sources = database.sources(&problems)
        let settings = try self.settings(sources, &problems)
        try problems.check()
        return settings
    }

    /// The settings, as far as they can be used.
    /// - Parameter problems: gets what is wrong with the others.
    func settings(
        _ sources: SettingSources, _ problems: inout SettingsProblems
    ) throws -> (service: ServiceSettings, logging: (format: LogFormat, level: Logger.Level)) {
        var databaseProblems = SettingsProblems()
        defer { problems.add(databaseProblems) }
        return try settings(sources, &problems, ofDatabase: &databaseProblems)
    }

    /// The settings, as far as they can be used.
    /// - Parameters:
    ///   - problems: gets what is wrong with the others.
    ///   - databaseProblems: gets what is wrong with the way to the database.
    func settings(
        _ sources: SettingSources, _ problems: inout SettingsProblems,
        ofDatabase databaseProblems: inout SettingsProblems
    ) throws -> (service: ServiceSettings, logging: (format: LogFormat, level: Logger.Level)) {
        var listen = ListenAddress.default
        try problems.collect {
            listen = try address(.httpListen, httpListen, "the address", example: "127.0.0.1:8080", sources) ?? listen
        }
        var settings = try database.settings(listen: listen, sources, &databaseProblems)
        try accounts.apply(to: &settings, sources, &problems)
        try hosts.apply(to: &settings, sources, &problems)
        try problems.collect {
            settings.adminListen = try address(
                .adminListen, adminListen, "the operators' address", example: "127.0.0.1:9090", sources)
        }
        try problems.collect {
            settings.socketListen =
                try sources.read(.socketListen, flag: socketListen) { try SocketListenAddress.list($0) }
                ?? SocketListenAddress.list("\(SocketListenAddress.default)")
        }
        try problems.collect {
            settings.tls = try tls(
                certificate: try sources.text(.tlsCertificateFile, flag: tlsCertificateFile),
                key: try sources.text(.tlsKeyFile, flag: tlsKeyFile), sources)
        }
        try problems.collect {
            settings.listMemoryMiB =
                try database.number(.listMemory, listMemory, 0...65_536, sources) ?? settings.listMemoryMiB
        }
        try problems.collect {
            settings.publicMetrics =
                try flag(.publicMetrics, publicMetrics, sources) ?? settings.publicMetrics
        }
        try problems.collect {
            settings.web =
                try sources.read(.web, flag: web) { text in
                    guard let setting: WebSetting = ["on": .on, "off": .off][text] else {
                        throw SettingsError("the web app can be on or off, is \"\(text)\"")
                    }
                    return setting
                } ?? settings.web
        }
        #if DEBUG
            if let webDir { settings.web = .folder(URL(fileURLWithPath: webDir)) }
        #endif
        try problems.collect {
            settings.httpLimits.connections =
                try database.number(.httpConnections, httpConnections, 1...1_000_000, sources)
                ?? settings.httpLimits.connections
        }
        try problems.collect {
            settings.httpLimits.connectionsPerNetwork =
                try database.number(.httpConnectionsPerNetwork, httpConnectionsPerNetwork, 1...1_000_000, sources)
                ?? settings.httpLimits.connectionsPerNetwork
        }
        try problems.collect {
            if let number = try database.number(.bodyMemory, bodyMemory, 2...65_536, sources) {
                settings.httpLimits.bodyMemory = number << 20
            }
        }
        var format = logFormat ?? .auto
        var level = logLevel ?? .info
        try problems.collect { format = try logFormat ?? read(.logFormat, from: sources) ?? format }
        try problems.collect { level = try logLevel ?? read(.logLevel, from: sources) ?? level }
        return (settings, (format, level))
    }

    /// A setting that is `yes` or `no`; nil where it is not set.
    private func flag(_ setting: Setting, _ flag: String?, _ sources: SettingSources) throws -> Bool? {
        switch try sources.text(setting, flag: flag) {
        case nil: return nil
        case "yes": return true
        case "no": return false
        case .some(let text):
            throw SettingsError("\(sources.name(of: setting, flag: flag)) must be yes or no, is \"\(text)\"")
        }
    }

    /// A setting that is an address and a port; nil where it is not set.
    private func address(
        _ setting: Setting, _ flag: String?, _ what: String, example: String, _ sources: SettingSources
    ) throws -> ListenAddress? {
        try sources.read(setting, flag: flag) { text in
            guard let address = ListenAddress(text) else {
                throw SettingsError("\(what) must look like \(example), is \"\(text)\"")
            }
            return address
        }
    }

    /// Each setting with what its flag says; nil where it says nothing.
    var flags: [Setting: String] {
        let all: [(Setting, String?)] = [
            (.configFile, database.configFile), (.stateDir, database.stateDir), (.httpListen, httpListen),
            (.socketListen, socketListen), (.adminListen, adminListen),
            (.publicMetrics, publicMetrics), (.web, web), (.httpConnections, httpConnections.map(String.init)),
            (.httpConnectionsPerNetwork, httpConnectionsPerNetwork.map(String.init)),
            (.bodyMemory, bodyMemory.map(String.init)), (.tlsCertificateFile, tlsCertificateFile),
            (.tlsKeyFile, tlsKeyFile),
            (.publicUrl, accounts.publicUrl), (.trustedProxies, accounts.trustedProxies),
            (.forwardedHeader, accounts.forwardedHeader), (.defaultTenant, hosts.defaultTenant),
            (.databaseUrl, database.databaseUrl), (.databasePasswordFile, database.databasePasswordFile),
            (.databaseCaFile, database.databaseCaFile),
            (.databaseConnections, database.databaseConnections.map(String.init)),
            (.databaseStatements, database.databaseStatements.map(String.init)),
            (.listMemory, listMemory.map(String.init)),
            (.serverPasswordsDir, database.serverPasswordsDir), (.migratorUrl, database.migratorUrl),
            (.migratorPasswordFile, database.migratorPasswordFile), (.sendmail, accounts.sendmail),
            (.smtpUrl, accounts.smtpUrl), (.smtpPasswordFile, accounts.smtpPasswordFile), (.smtpTls, accounts.smtpTls),
            (.mailFrom, accounts.mailFrom), (.signInsPerMinute, accounts.signInsPerMinute.map(String.init)),
            (.tenantSignInsPerMinute, accounts.tenantSignInsPerMinute.map(String.init)),
            (.freeWrongPasswords, accounts.freeWrongPasswords.map(String.init)),
            (.registrationsPerHour, accounts.registrationsPerHour.map(String.init)),
            (.devicesPerHour, accounts.devicesPerHour.map(String.init)),
            (.mailsPerHour, accounts.mailsPerHour.map(String.init)),
            (.writesPerHour, accounts.writesPerHour.map(String.init)),
            (.networkWritesPerHour, accounts.networkWritesPerHour.map(String.init)), (.logFormat, logFormat?.rawValue),
            (.logLevel, logLevel?.rawValue),
        ]
        return all.reduce(into: [:]) { flags, pair in flags[pair.0] = pair.1 }
    }

    /// Both files, or neither.
    private func tls(certificate: String?, key: String?, _ sources: SettingSources) throws -> TLSFiles? {
        switch (certificate, key) {
        case (nil, nil): return nil
        case (let certificate?, let key?): return TLSFiles(certificate: certificate, key: key)
        default:
            let (there, flag) =
                key == nil ? (Setting.tlsCertificateFile, tlsCertificateFile) : (Setting.tlsKeyFile, tlsKeyFile)
            throw SettingsError(
                "--tls-certificate-file and --tls-key-file are needed together "
                    + "(\(sources.name(of: there, flag: flag)) is set alone)")
        }
    }

    /// A setting that is one of a few words; nil when it is not set.
    private func read<Value: RawRepresentable & CaseIterable>(
        _ setting: Setting, from sources: SettingSources
    ) throws -> Value? where Value.RawValue == String {
        guard let text = try sources.text(setting) else { return nil }
        guard let value = Value(rawValue: text) else {
            let known = Value.allCases.map(\.rawValue).joined(separator: ", ")
            throw SettingsError("\(sources.name(of: setting)) must be one of \(known), is \"\(text)\"")
        }
        return value
    }
}

extension LogFormat: ExpressibleByArgument {}
extension Logger.Level: @retroactive ExpressibleByArgument {}
