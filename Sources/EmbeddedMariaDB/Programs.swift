import Foundation

/// Finds MariaDB's programs.
struct Programs: Sendable {
    /// Folders, in the order in which they are looked through.
    let searchPath: [String]

    /// `PATH`, then where distributions put servers, which is often not in an ordinary user's `PATH`.
    static func defaultSearchPath(environment: [String: String]) -> [String] {
        var seen = Set<String>()
        let folders =
            (environment["PATH"] ?? "").split(separator: ":").map(String.init)
            + [
                "/usr/sbin", "/usr/bin", "/usr/local/sbin", "/usr/local/bin", "/usr/libexec",
                "/opt/homebrew/opt/mariadb/bin", "/usr/local/opt/mariadb/bin",
            ]
        return folders.filter { $0.hasPrefix("/") && seen.insert($0).inserted }
    }

    /// A program's absolute path.
    ///
    /// - Throws: `EmbeddedServerError.programMissing`.
    func find(_ name: String) throws -> String {
        for folder in searchPath {
            let path = folder + "/" + name
            if FileManager.default.isExecutableFile(atPath: path) { return path }
        }
        throw EmbeddedServerError.programMissing(name: name, searched: searchPath)
    }

    /// The whole environment of a program of MariaDB's. It has none of this process's secrets, and no `NOTIFY_SOCKET`:
    /// by that mariadbd would tell systemd that *this* service is ready.
    ///
    /// Its temporary folder is its own: a starting mariadbd removes every temporary table that it finds in there.
    static func environment(from environment: [String: String], directory: StateDirectory) -> [String: String] {
        var result = [
            "PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "HOME": directory.path, "TMPDIR": directory.temporary,
            "LC_ALL": "C", "TZ": "UTC",
        ]
        // The loader of programs goes by these. Tests give another day by the last.
        for name in ["PATH", "LD_LIBRARY_PATH", "LD_PRELOAD"] {
            if let value = environment[name] { result[name] = value }
        }
        return result
    }
}
