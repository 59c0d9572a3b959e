import Foundation
import Logging
import Synchronization
import WebSource

/// The present files of the web app: those of the binary, or those of a folder. They are read anew when one of them
/// changes.
final class WebFolderReader: Sendable {
    private enum Origin {
        case embedded(WebFiles)
        case folder(URL)
    }

    private struct Reading {
        var files: WebFiles
        /// The files' paths with their sizes and dates.
        var state: [String]
    }

    private let origin: Origin
    private let logger: Logger
    private let reading = Mutex<Reading?>(nil)

    /// A reader; nil where the app is off.
    /// - Throws: ``SettingsError`` when the folder has no app.
    init?(_ setting: WebSetting, logger: Logger) throws {
        self.logger = logger
        switch setting {
        case .off: return nil
        case .on:
            guard let files = try WebFiles.embedded() else { return nil }
            origin = .embedded(files)
        case .folder(let folder):
            origin = .folder(folder.resolvingSymlinksInPath())
            _ = try current()
        }
    }

    /// The files as they are now.
    func current() throws -> WebFiles {
        switch origin {
        case .embedded(let files): return files
        case .folder(let folder):
            let paths = (FileManager.default.enumerator(atPath: folder.path)?.allObjects ?? [])
                .compactMap { $0 as? String }.filter(WebSource.isServed).sorted()
            let state = paths.map { path in
                let found = try? FileManager.default.attributesOfItem(atPath: folder.appending(path: path).path)
                return "\(path) \(found?[.size] ?? 0) \(found?[.modificationDate] ?? 0)"
            }
            if let known = reading.withLock({ $0 }), known.state == state { return known.files }
            var source = WebSource()
            for path in paths { source.add(path, Array(try Data(contentsOf: folder.appending(path: path)))) }
            for warning in source.warnings { logger.warning("\(warning)") }
            let files = try WebFiles(
                source.files.mapValues { content in
                    switch content {
                    case .text(let text): Array(text.utf8)
                    case .bytes(let bytes): bytes
                    }
                }, imports: source.imports)
            reading.withLock { $0 = Reading(files: files, state: state) }
            return files
        }
    }
}
