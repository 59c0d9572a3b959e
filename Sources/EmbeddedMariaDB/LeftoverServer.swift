import Foundation
import Logging

/// A mariadbd, or an installer of one, that still runs on a directory although the process that started it is gone.
struct LeftoverServer: Sendable, Equatable {
    let process: pid_t
    /// Whether it makes a data directory. Its files are thrown away, so it need not be asked to stop.
    let isInstaller: Bool

    /// Processes that run on a directory.
    ///
    /// Asks the process table and not the pid file: a number in a file may long belong to another process.
    static func find(in directory: StateDirectory) -> [LeftoverServer] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
        return names.compactMap { name in
            guard let process = pid_t(name), process != getpid(),
                let bytes = FileManager.default.contents(atPath: "/proc/\(name)/cmdline")
            else { return nil }
            let arguments = bytes.split(separator: 0).map { String(decoding: $0, as: UTF8.self) }
            if arguments.first?.hasSuffix("mariadbd") == true, arguments.contains("--datadir=" + directory.data) {
                return LeftoverServer(process: process, isInstaller: false)
            }
            // An installer names its folder relative to where it runs.
            if arguments.contains(where: { $0.hasPrefix("--datadir=./" + Installation.prefix) }),
                let place = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\(name)/cwd"),
                (place + "/").hasPrefix(directory.path + "/")
            {
                return LeftoverServer(process: process, isInstaller: true)
            }
            return nil
        }
    }

    /// Stops processes that still run on a directory: asks first, and kills those that do not listen.
    ///
    /// Only for the holder of the directory's lock: a process found then is nobody's.
    /// - Throws: `EmbeddedServerError.leftoverServer` when one does not end.
    static func stop(in directory: StateDirectory, within limit: Duration, logger: Logger) async throws {
        let found = find(in: directory)
        guard !found.isEmpty else { return }
        for leftover in found {
            logger.warning(
                "A mariadbd was left behind in this directory. Stopping it.",
                metadata: ["process": "\(leftover.process)", "directory": "\(directory.path)"])
            kill(leftover.process, leftover.isInstaller ? SIGKILL : SIGTERM)
        }
        if try await areGone(found, in: directory, within: limit) { return }
        for leftover in find(in: directory) where found.contains(leftover) {
            logger.warning("It does not end: killing it.", metadata: ["process": "\(leftover.process)"])
            kill(leftover.process, SIGKILL)
        }
        if try await areGone(found, in: directory, within: .seconds(10)) { return }
        throw EmbeddedServerError.leftoverServer(process: found.first?.process ?? 0, path: directory.path)
    }

    private static func areGone(
        _ leftovers: [LeftoverServer], in directory: StateDirectory, within limit: Duration
    ) async throws -> Bool {
        let deadline = ContinuousClock.now + limit
        while find(in: directory).contains(where: leftovers.contains) {
            if ContinuousClock.now >= deadline { return false }
            // They are not this process's children: there is nothing to wait on.
            try await Task.sleep(for: .milliseconds(20))
        }
        return true
    }
}
