import Foundation
import Logging

/// A mariadbd that still runs on a data directory although the process that started it is gone.
enum LeftoverServer {
    /// The processes that serve a data directory.
    ///
    /// Asks the process table and not the pid file: a number in a file may long belong to another process.
    static func processes(onData data: String) -> [pid_t] {
        let wanted = "--datadir=" + data
        let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
        return names.compactMap { pid_t($0) }.filter { pid in
            guard pid != getpid(), let bytes = FileManager.default.contents(atPath: "/proc/\(pid)/cmdline") else {
                return false
            }
            let arguments = bytes.split(separator: 0).map { String(decoding: $0, as: UTF8.self) }
            return arguments.first?.hasSuffix("mariadbd") == true && arguments.contains(wanted)
        }
    }

    /// Stops what still serves a data directory: asks first, and kills what does not listen.
    ///
    /// Only for the holder of the directory's lock: what is found then is nobody's.
    /// - Throws: `EmbeddedServerError.leftoverServer` when one does not end.
    static func stop(onData data: String, within limit: Duration, logger: Logger) async throws {
        let found = processes(onData: data)
        guard !found.isEmpty else { return }
        for pid in found {
            logger.warning(
                "A mariadbd was left behind on this data directory. Stopping it.",
                metadata: ["process": "\(pid)", "data": "\(data)"])
            kill(pid, SIGTERM)
        }
        if try await haveEnded(found, data: data, within: limit) { return }
        for pid in processes(onData: data) where found.contains(pid) {
            logger.warning("It does not end: killing it.", metadata: ["process": "\(pid)"])
            kill(pid, SIGKILL)
        }
        if try await haveEnded(found, data: data, within: .seconds(10)) { return }
        throw EmbeddedServerError.leftoverServer(process: found.first ?? 0, path: data)
    }

    private static func haveEnded(_ pids: [pid_t], data: String, within limit: Duration) async throws -> Bool {
        let deadline = ContinuousClock.now + limit
        while processes(onData: data).contains(where: pids.contains) {
            if ContinuousClock.now >= deadline { return false }
            // They are not this process's children: there is nothing to wait on.
            try await Task.sleep(for: .milliseconds(20))
        }
        return true
    }
}
