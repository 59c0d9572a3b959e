import Foundation

/// The processes that serve a data directory, found by their command lines.
enum LeftoverProcesses {
    static func onData(_ data: String) -> [Int32] {
        commandLines().filter { $0.arguments.contains("--datadir=" + data) }.map(\.process)
    }
}

/// The watchdog shell of a server's process.
func watchdog(over process: Int32) -> Int32? {
    commandLines().first { line in
        line.arguments.contains("subtrackit-watchdog") && line.arguments.contains(String(process))
    }?.process
}

private func commandLines() -> [(process: Int32, arguments: [String])] {
    ((try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []).compactMap { name in
        guard let process = Int32(name), let bytes = FileManager.default.contents(atPath: "/proc/\(name)/cmdline")
        else {
            return nil
        }
        return (process, bytes.split(separator: 0).map { String(decoding: $0, as: UTF8.self) })
    }
}
