import Foundation
import NIOCore
import NIOHTTP1
import Passwords
import SubTrackWeb
import Synchronization
import WebSource

/// The files of one build of the web app, by the paths under which they are asked for. Nothing of a request reaches a file system.
final class WebFiles: Sendable {
    /// A hash over all files. Paths of a page's files contain it, so that files of two builds never mix.
    let build: String
    /// The files below `/app/BUILD/`.
    private let files: [String: WebFile]
    /// Icons and the manifest at paths that stay the same.
    private let fixed: [String: WebFile]
    /// The pages' paths.
    let routes: WebRoutes
    private let shell: WebShell
    private let worker: String
    /// The shells and workers that were made, by the tenant's path and name: one for each tenant that is there.
    private let made = Mutex<[String: WebFile]>([:])

    /// The most shells and workers that are kept.
    private static let maximumMade = 4096

    /// Files of a folder.
    /// - Parameters:
    ///   - source: the files by their paths below the folder.
    ///   - imports: the modules that each module imports.
    /// - Throws: ``SettingsError`` when the shell or the routes are not there or cannot be read.
    init(_ source: [String: [UInt8]], imports: [String: [String]]) throws {
        guard let page = source["index.html"] else { throw SettingsError("the web app has no index.html") }
        var source = source
        let index = Self.withOneSheet(String(decoding: page, as: UTF8.self), files: &source)
        var digest: [UInt8] = []
        for (path, bytes) in source.sorted(by: { $0.key < $1.key }) {
            digest += try Digest.sha256(Array(path.utf8)) + Digest.sha256(bytes)
        }
        build = try Digest.sha256(digest).prefix(8).hexadecimal
        var files: [String: WebFile] = [:]
        var fixed: [String: WebFile] = [:]
        for (path, bytes) in source where !Self.isServedOtherwise(path) {
            files[path] = try WebFile(bytes, path: path, caching: .immutable)
            if path.hasPrefix("icons/") { fixed[path] = try WebFile(bytes, path: path, caching: .day) }
        }
        if let manifest = source[Self.manifest] {
            fixed[Self.manifest] = try WebFile(manifest, path: Self.manifest, caching: .asks)
        }
        let favicons = ["favicon.ico", "icons/favicon.ico", "icons/favicon.svg", "icons/mark.svg", "icons/icon.svg"]
        if let (path, bytes) = favicons.lazy.compactMap({ path in source[path].map { (path, $0) } }).first {
            fixed["favicon.ico"] = try WebFile(bytes, path: path, caching: .day)
        }
        self.files = files
        self.fixed = fixed
        routes = try WebRoutes(source["routes.json"] ?? [])
        shell = WebShell(index, build: build, files: Set(files.keys), imports: imports)
        worker = String(decoding: source["sw.js"] ?? [], as: UTF8.self)
    }

    /// The style sheet that takes the place of all others.
    private static let sheet = "css/all.css"

    /// Puts the page's style sheets into one file, in their order. Over HTTP/1.1 each file costs the first visit a turn of one of
    /// the browser's six connections.
    /// - Parameters:
    ///   - page: `index.html`.
    ///   - files: the folder's files, which have the one sheet afterwards and the others no more.
    /// - Returns: the page, which asks for the one sheet.
    private static func withOneSheet(_ page: String, files: inout [String: [UInt8]]) -> String {
        var content: [UInt8] = []
        let joined = page.replacing(#/[ \t]*<link rel="stylesheet" href="(css/[^"]+)">\n/#) { match in
            guard let bytes = files.removeValue(forKey: String(match.output.1)) else { return String(match.output.0) }
            defer { content += bytes + [UInt8(ascii: "\n")] }
            return content.isEmpty ? "  <link rel=\"stylesheet\" href=\"\(sheet)\">\n" : ""
        }
        if !content.isEmpty { files[sheet] = content }
        return joined
    }

    private static let manifest = "manifest.webmanifest"

    private static func isServedOtherwise(_ path: String) -> Bool {
        ["index.html", "sw.js", manifest].contains(path)
    }

    /// The files that the binary carries; nil where there is no app among them.
    static func embedded() throws -> WebFiles? {
        let files = WebFolder.files
        return files["index.html"] == nil ? nil : try WebFiles(files, imports: WebFolder.imports)
    }

    /// A file of this build.
    /// - Parameter path: below `/app/BUILD/`.
    func file(_ path: some Collection<String>) -> WebFile? { files[path.joined(separator: "/")] }

    /// A file at a path that is the same in each build.
    func fixedFile(_ path: [String]) -> WebFile? { fixed[path.joined(separator: "/")] }

    /// The page that every address of the app is answered with.
    /// - Parameters:
    ///   - base: the tenant's root: `/` or `/t/SLUG/`.
    ///   - tenant: its name; empty where it is not known.
    func shell(base: String, tenant: String) throws -> WebFile {
        try made("\(base) \(tenant)") {
            try WebFile(Array(shell.text(base: base, tenant: tenant).utf8), path: "index.html", caching: .asks)
        }
    }

    /// The service worker of a tenant: `self.app` tells it the build, the root, and the paths of all files.
    func worker(base: String) throws -> WebFile {
        try made("worker \(base)") {
            let paths = files.keys.sorted().map { "\(base)app/\(build)/\($0)" }
            var writer = JSONWriter(capacity: 4096)
            writer.write([
                "build": .string(build), "base": .string(base), "files": .array(paths.map(JSONValue.string)),
            ])
            let text = "self.app = \(String(decoding: writer.bytes, as: UTF8.self));\n" + worker
            return try WebFile(
                Array(text.utf8), path: "sw.js", caching: .asks, extra: ["service-worker-allowed": base])
        }
    }

    private func made(_ key: String, _ make: () throws -> WebFile) throws -> WebFile {
        if let file = made.withLock({ $0[key] }) { return file }
        let file = try make()
        made.withLock { made in
            if made.count >= Self.maximumMade { made.removeAll() }
            made[key] = file
        }
        return file
    }
}

/// The paths of the app's pages, as `routes.json` has them: `/subscriptions/{id}`.
struct WebRoutes: Sendable {
    private struct Table: Decodable {
        struct Page: Decodable {
            let path: String
        }

        let pages: [Page]
    }

    private var patterns: [Int: [[String]]] = [:]

    /// Reads the table.
    /// - Throws: ``SettingsError``.
    init(_ json: [UInt8]) throws {
        guard let table = try? JSONDecoder().decode(Table.self, from: Data(json)) else {
            throw SettingsError("routes.json of the web app cannot be read")
        }
        for page in table.pages {
            let parts = page.path.split(separator: "/", omittingEmptySubsequences: false).dropFirst().map(String.init)
            patterns[parts.count, default: []].append(parts)
        }
    }

    /// Whether a page has a path.
    /// - Parameter path: the decoded segments after the tenant's.
    func has(_ path: [String]) -> Bool {
        (patterns[path.count] ?? []).contains { pattern in
            zip(pattern, path).allSatisfy { part, segment in
                part.hasPrefix("{") ? !segment.isEmpty : part == segment
            }
        }
    }
}
