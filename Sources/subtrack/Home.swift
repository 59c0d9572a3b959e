import ArgumentParser
import Foundation
import SubTrackKit

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// Where this person's data are, and how to show them: options of every command.
struct Home: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Folder of the data. [SUBTRACK_HOME] (default: $XDG_DATA_HOME/subtrack, else $HOME/.local/share/subtrack)",
            valueName: "folder"), completion: .directory)
    var home: String?

    @Option(
        help: ArgumentHelp(
            "Where the service is; remembered once it was reached. [SUBTRACK_SERVER] (default: http://127.0.0.1:8080)",
            valueName: "address"))
    var server: String?

    @Option(
        help: ArgumentHelp(
            "Trust the certificate authorities of this PEM file, and no others; remembered with the service, and an empty name "
                + "forgets it. [SUBTRACK_CA_FILE, SSL_CERT_FILE]", valueName: "file"), completion: .file())
    var caFile: String?

    @Flag(help: "Do not try to reach the service.")
    var offline = false

    @Flag(help: "Print JSON, for programs.")
    var json = false

    @Flag(help: "No colours. They are left out anyway unless the output is a terminal. [NO_COLOR]")
    var plain = false

    /// A variable of the environment, unless it is empty. (`ProcessInfo` copies all of them each time.)
    static func environment(_ name: String) -> String? {
        getenv(name).map { String(cString: $0) }.flatMap { $0.isEmpty ? nil : $0 }
    }

    /// Where the data are, and may have been.
    var place: DataFolder { DataFolder(option: home, variable: Self.environment) }

    /// The folder of the data.
    var folder: URL { place.url }

    private var serverFile: URL { folder.appendingPathComponent("server") }

    private var known: KnownServer? {
        FileManager.default.contents(atPath: serverFile.path).flatMap {
            KnownServer(String(decoding: $0, as: UTF8.self))
        }
    }

    /// The service that belongs to these data.
    var address: String { server ?? Self.environment("SUBTRACK_SERVER") ?? known?.address ?? "http://127.0.0.1:8080" }

    /// Makes sure that an address can be that of a service.
    /// - Parameter source: the place that it comes from.
    static func check(_ address: String, of source: String) throws {
        guard !Client.isAddress(address) else { return }
        throw Failure(
            "\(source): \"\(Terminal.clean(address))\" is no address of a service",
            hint: "give one such as https://subtrack.example.org", code: Exit.usage)
    }

    /// The place that the address comes from.
    private var addressSource: String {
        server != nil ? "--server" : Self.environment("SUBTRACK_SERVER") != nil ? "SUBTRACK_SERVER" : serverFile.path
    }

    /// The file of the authorities that was given for a service: now, or when it was reached last.
    private func givenAuthorities(for address: String) -> String? {
        if let given = caFile ?? Self.environment("SUBTRACK_CA_FILE") {
            return given.isEmpty ? nil : URL(fileURLWithPath: given).standardizedFileURL.path
        }
        return known.flatMap { $0.isAt(address) ? $0.authorities : nil }
    }

    /// Opens the data.
    /// - Parameter newAddress: where the service is now, if it has moved.
    func open(movedTo newAddress: String? = nil) throws -> Kit {
        let address = newAddress ?? address
        // Before anything is written: a mistyped address would be an outage that nobody mends.
        try Self.check(address, of: newAddress == nil ? addressSource : "the new address")
        forgetAuthorities(at: address)
        var settings = Kit.Settings(
            server: address, folder: folder, deviceName: Self.hostName,
            country: Self.environment("SUBTRACK_COUNTRY") ?? Self.country,
            timeZone: Self.environment("SUBTRACK_TIME_ZONE") ?? TimeZone.current.identifier,
            transport: transport(to: address))
        settings.hasMoved = newAddress != nil
        settings.isBrief = true
        return try Kit(settings)
    }

    /// The transport to a service, with the authorities that it is trusted by.
    /// - Parameter hasMoved: whether the known service is there now; it keeps its authorities.
    func transport(to address: String, hasMoved: Bool = false) -> HTTPTransport {
        let kept = hasMoved ? known?.authorities : nil
        return HTTPTransport(
            authorities: givenAuthorities(for: address)
                ?? (caFile == nil ? kept ?? Self.environment("SSL_CERT_FILE") : nil))
    }

    /// Forgets the file of a service's authorities where an empty name was given. This needs no answer of the service.
    private func forgetAuthorities(at address: String) {
        guard caFile?.isEmpty == true, let known, known.authorities != nil, known.isAt(address) else { return }
        try? Data(KnownServer(address: known.address).text.utf8).write(to: serverFile, options: .atomic)
    }

    /// Remembers the address of the service, and the file of its authorities.
    func rememberServer(_ newAddress: String? = nil) {
        let address = newAddress ?? address
        // A service that has moved keeps its authorities, unless others are given.
        let authorities =
            givenAuthorities(for: address) ?? (newAddress != nil && caFile == nil ? known?.authorities : nil)
        let fresh = KnownServer(address: address, authorities: authorities)
        guard fresh != known else { return }
        try? Data(fresh.text.utf8).write(to: serverFile, options: .atomic)
    }

    private static var hostName: String {
        let name = ProcessInfo.processInfo.hostName
        return name.isEmpty ? "terminal" : String(name.prefix(100))
    }

    /// The country of the locale, as in `de_AT.UTF-8` or `de_AT@euro`.
    private static var country: String? {
        for name in ["LC_ALL", "LC_MONETARY", "LANG"] {
            guard let locale = environment(name)?.split(whereSeparator: { ".@".contains($0) }).first else { continue }
            let parts = locale.split(separator: "_")
            if parts.count == 2, parts[1].count == 2, parts[1].allSatisfy({ $0.isASCII && $0.isUppercase }) {
                return String(parts[1])
            }
        }
        return nil
    }

    /// How to write to the standard output.
    var terminal: Terminal { Terminal(isPlain: plain || Self.environment("NO_COLOR") != nil) }
}
