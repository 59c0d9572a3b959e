import Foundation

/// The processes that serve a data directory, found by their command lines.
enum LeftoverProcesses {
    static func onData(_ data: String) -> [Int32] {
        commandLines().filter { $0.arguments.contains("--datadir=" + data) }.map(\.process)
    }

    /// The processes with an argument that contains a text, such as a folder.
    static func mentioning(_ text: String) -> [Int32] {
        commandLines().filter { line in line.arguments.contains { $0.contains(text) } }.map(\.process)
    }

    /// The processes that work in a folder or below it, such as an installer.
    static func working(in folder: String) -> [Int32] {
        ((try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []).compactMap { Int32($0) }.filter {
            process in
            let place = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\(process)/cwd")) ?? ""
            return place == folder || place.hasPrefix(folder + "/")
        }
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
