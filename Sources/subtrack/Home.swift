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
    @Option(help: "Folder of the data. [SUBTRACK_HOME] (default: ~/.local/share/subtrack)", completion: .directory)
    var home: String?

    @Option(
        help: "Where the service is; remembered once it was reached. [SUBTRACK_SERVER] (default: http://127.0.0.1:8080)"
    )
    var server: String?

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

    /// The folder of the data.
    var folder: URL {
        if let path = home ?? Self.environment("SUBTRACK_HOME") { return URL(fileURLWithPath: path) }
        if let data = Self.environment("XDG_DATA_HOME") { return URL(fileURLWithPath: data + "/subtrack") }
        return FileManager.default.homeDirectoryForCurrentUser.appendingPathComponent(".local/share/subtrack")
    }

    private var serverFile: URL { folder.appendingPathComponent("server") }

    /// The service that belongs to these data.
    var address: String {
        if let server = server ?? Self.environment("SUBTRACK_SERVER") { return server }
        let kept = FileManager.default.contents(atPath: serverFile.path).map { String(decoding: $0, as: UTF8.self) }
        return kept?.split(whereSeparator: \.isWhitespace).first.map(String.init) ?? "http://127.0.0.1:8080"
    }

    /// Opens the data.
    /// - Parameter newAddress: where the service is now, if it has moved.
    func open(movedTo newAddress: String? = nil) throws -> Kit {
        var settings = Kit.Settings(
            server: newAddress ?? address, folder: folder, deviceName: Self.hostName,
            country: Self.environment("SUBTRACK_COUNTRY") ?? Self.country,
            timeZone: Self.environment("SUBTRACK_TIME_ZONE") ?? TimeZone.current.identifier)
        settings.hasMoved = newAddress != nil
        settings.isBrief = true
        return try Kit(settings)
    }

    /// Remembers where the service is.
    func rememberServer(_ newAddress: String? = nil) {
        try? Data(((newAddress ?? address) + "\n").utf8).write(to: serverFile, options: .atomic)
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
