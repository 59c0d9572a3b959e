/// The files of a web app as a folder has them, ready to be embedded or served.
public struct WebSource: Sendable {
    /// A file's content.
    public enum Content: Sendable, Hashable {
        /// Text in UTF-8.
        case text(String)
        /// Anything else.
        case bytes([UInt8])
    }

    /// The files by their paths below the folder: `js/app.js`.
    public private(set) var files: [String: Content] = [:]
    /// The modules that a module imports, by path: files of ``files`` alone.
    public private(set) var imports: [String: [String]] = [:]
    /// Faults that do not stop a build, for people: a script that was left as it was.
    public private(set) var warnings: [String] = []

    /// No files.
    public init() {}

    /// Whether a file belongs to the app: files for developers alone do not.
    public static func isServed(_ path: String) -> Bool {
        let parts = path.split(separator: "/")
        guard let name = parts.last, parts.first != "types", !parts.contains(where: { $0.hasPrefix(".") }) else {
            return false
        }
        return ["html", "css", "js", "json", "webmanifest", "svg", "png", "ico", "txt"].contains {
            name.hasSuffix(".\($0)")
        }
    }

    /// Whether a file is text.
    public static func isText(_ path: String) -> Bool { !path.hasSuffix(".png") && !path.hasSuffix(".ico") }

    /// Adds a file; comments of scripts and style sheets are left out.
    /// - Parameters:
    ///   - path: its path below the folder.
    ///   - bytes: its content.
    public mutating func add(_ path: String, _ bytes: [UInt8]) {
        guard Self.isText(path), let text = String(validating: bytes, as: UTF8.self) else {
            files[path] = .bytes(bytes)
            return
        }
        if path.hasSuffix(".css") {
            files[path] = .text(StyleSource.stripped(text))
        } else if path.hasSuffix(".js") {
            do {
                let script = try ScriptSource(text)
                files[path] = .text(script.stripped)
                imports[path] = script.imports.compactMap { Self.resolve($0, from: path) }
            } catch {
                files[path] = .text(text)
                warnings.append("\(path), \(error); its comments stay")
            }
        } else {
            files[path] = .text(text)
        }
    }

    /// The path that a relative specifier names; nil for any other one.
    static func resolve(_ specifier: String, from path: String) -> String? {
        guard specifier.hasPrefix("./") || specifier.hasPrefix("../") else { return nil }
        var parts = path.split(separator: "/").dropLast().map(String.init)
        for part in specifier.split(separator: "/") {
            switch part {
            case ".": continue
            case "..": guard parts.popLast() != nil else { return nil }
            default: parts.append(String(part))
            }
        }
        return parts.joined(separator: "/")
    }
}
