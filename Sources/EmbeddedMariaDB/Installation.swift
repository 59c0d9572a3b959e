import Foundation
import Logging

/// MariaDB's own tables (`mysql.*`), which a data directory needs before a server can start on it.
struct Installation: Sendable {
    let directory: StateDirectory
    let programs: Programs
    let environment: [String: String]
    /// Arguments that the server will be started with, too, where they decide the files' form.
    let arguments: [String]

    static let prefix = "data.installing-"

    /// Makes the data directory where there is none.
    ///
    /// It is made under another name and renamed when complete, so that a kill leaves no half of one. The next start
    /// removes the remains and begins again. Only for the holder of the directory's lock.
    /// - Throws: `EmbeddedServerError.installationFailed`, `.directoryUnusable`, `.programMissing`.
    func installIfNeeded(within limit: Duration, logger: Logger) async throws {
        for name in (try? FileManager.default.contentsOfDirectory(atPath: directory.path)) ?? []
        where name.hasPrefix(Self.prefix) {
            try directory.removeIfThere(directory.path + "/" + name)
        }
        if FileManager.default.fileExists(atPath: directory.data) { return }
        logger.info("First start: making the database.", metadata: ["data": "\(directory.data)"])

        // Another name each time: an installer that was left behind may still write under the last one.
        let name = Self.prefix + UUID().uuidString
        let folder = directory.path + "/" + name
        let log = ServerLog(path: directory.path + "/install.log")
        try directory.removeIfThere(log.path)
        let status = try await run(installing: name, log: log, limit: limit)
        guard status == .exited(0) else {
            // The script's further lines after a failure are advice for another situation.
            let output = log.lastLines(200).prefix { !$0.hasPrefix("Installation of system tables failed") }.suffix(12)
            try? directory.removeIfThere(folder)
            if Task.isCancelled { throw CancellationError() }
            if ServerLog.complainsOfFullDisk(output) {
                throw EmbeddedServerError.directoryUnusable(path: directory.path, reason: systemError(ENOSPC))
            }
            let end = status.map { "mariadb-install-db: \($0)" } ?? "mariadb-install-db did not end within \(limit)"
            throw EmbeddedServerError.installationFailed(output: Array(output) + [end])
        }
        guard rename(folder, directory.data) == 0 else {
            throw EmbeddedServerError.directoryUnusable(path: directory.path, reason: lastSystemError())
        }
        Self.synchronize(directory.path)
        try? directory.removeIfThere(log.path)
    }

    private func run(installing name: String, log: ServerLog, limit: Duration) async throws -> ExitStatus? {
        let installer = try programs.find("mariadb-install-db")
        let output = try log.openForAppending()
        defer { close(output) }
        // The installer is a script that quotes not all of its paths: a relative one has no blanks in it. Without
        // --user it leaves the owner of MariaDB's shared plugins alone, which as root it would change. --force means
        // that the machine's own name need not be known to its resolver, as in a bare container.
        let script = "cd -- \"$1\" && shift && exec \"$@\""
        let watched = try WatchedChild.start(
            "/bin/sh",
            [
                "-c", script, "sh", directory.path, installer, "--no-defaults", "--datadir=./\(name)",
                "--auth-root-authentication-method=normal", "--skip-test-db", "--skip-name-resolve", "--force",
            ] + arguments, environment: environment, output: output, patience: .zero)
        let child = watched.child
        let status = await child.exit(within: limit)
        if status == nil {
            child.signal(SIGKILL)
            await Task { _ = await child.exit() }.value
        }
        await Task { await watched.watchdog.release() }.value
        return status
    }

    /// Makes a rename last through a power cut.
    private static func synchronize(_ folder: String) {
        let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        fsync(descriptor)
        close(descriptor)
    }
}
