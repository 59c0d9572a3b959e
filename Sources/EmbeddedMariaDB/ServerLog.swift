import Foundation

/// mariadbd's own log.
struct ServerLog: Sendable {
    /// The log file.
    let path: String

    /// How large it may be at a start before it is put aside, in bytes.
    static let limit = 1 << 20

    /// Opens it for the child to write, after putting a large one aside.
    ///
    /// - Returns: A descriptor that the caller closes.
    func openForAppending() throws -> Int32 {
        var info = stat()
        if stat(path, &info) == 0, info.st_size > Self.limit { rename(path, path + ".1") }
        let descriptor = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            throw EmbeddedServerError.directoryUnusable(path: path, reason: lastSystemError())
        }
        return descriptor
    }

    /// How many bytes it has.
    var size: UInt64 {
        var info = stat()
        return stat(path, &info) == 0 ? UInt64(info.st_size) : 0
    }

    /// Its last lines.
    ///
    /// - Parameters:
    ///   - count: How many at most.
    ///   - offset: Bytes that are not of interest, because they were there before.
    func lastLines(_ count: Int, after offset: UInt64 = 0) -> [String] {
        guard let file = FileHandle(forReadingAtPath: path) else { return [] }
        defer { try? file.close() }
        let end = (try? file.seekToEnd()) ?? 0
        let window: UInt64 = 16 * 1024
        let start = max(min(offset, end), end > window ? end - window : 0)
        guard (try? file.seek(toOffset: start)) != nil, let bytes = try? file.readToEnd() else { return [] }
        return String(decoding: bytes, as: UTF8.self).split(separator: "\n").suffix(count).map(String.init)
    }

    /// Whether lines of it complain of a full disk (28 is ENOSPC).
    static func complainsOfFullDisk(_ lines: some Sequence<String>) -> Bool {
        lines.contains { line in
            ["No space left", "out of disk space", "error 28", "rrcode: 28", "error: 28"].contains(where: line.contains)
        }
    }
}
