/// A reason why the embedded database is not there, with its remedy.
public enum EmbeddedServerError: Error, Equatable, CustomStringConvertible {
    /// A program of MariaDB's is not installed.
    case programMissing(name: String, searched: [String])
    /// Another process serves from this directory: its id, where it is known.
    case directoryInUse(path: String, process: Int32?)
    /// The directory cannot be made, read or written, or is not this user's alone.
    case directoryUnusable(path: String, reason: String)
    /// A mariadbd that an earlier process left behind on this directory did not end, even when killed.
    case leftoverServer(process: Int32, path: String)
    /// The tables that MariaDB itself needs could not be made.
    case installationFailed(output: [String])
    /// mariadbd was started and does not answer.
    case didNotStart(reason: String, logFile: String, lastLines: [String])
    /// The server was stopped while something waited for it.
    case stopped

    public var description: String {
        switch self {
        case .programMissing(let name, let searched):
            """
            \(name) was not found (looked in \(searched.joined(separator: ", "))). Install MariaDB 10.6 or newer \
            (Debian, Ubuntu: apt-get install mariadb-server-core mariadb-client-core; Fedora: dnf install \
            mariadb-server; macOS: brew install mariadb), or name a server with --database-url.
            """
        case .directoryInUse(let path, let process):
            """
            The database in \(path) is in use by \(process.map { "process \($0)" } ?? "another process"). Stop that \
            one first, or choose another directory with --state-dir.
            """
        case .directoryUnusable(let path, let reason):
            "The directory \(path) cannot hold the database: \(reason). Mend that, or choose another with --state-dir."
        case .leftoverServer(let process, let path):
            "A mariadbd that was left behind in \(path), process \(process), does not end. End it, then start again."
        case .installationFailed(let output):
            "MariaDB's own tables could not be made. Its last words:\n\(Self.indented(output))"
        case .didNotStart(let reason, let logFile, let lastLines):
            "mariadbd did not come up: \(reason). The last lines of \(logFile):\n\(Self.indented(lastLines))"
        case .stopped:
            "The embedded database was stopped."
        }
    }

    private static func indented(_ lines: [String]) -> String {
        lines.isEmpty ? "  (none)" : lines.map { "  " + $0 }.joined(separator: "\n")
    }
}
