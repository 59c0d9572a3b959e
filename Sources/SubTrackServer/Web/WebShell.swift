/// The page that every address of the app is answered with. The folder's `index.html` names files relative to itself; here they
/// get the path of their build, and the page learns its tenant's root and name.
struct WebShell: Sendable {
    /// The text before the place where the tenant's lines go, and the text behind it.
    private let parts: (String, String)

    /// A shell.
    /// - Parameters:
    ///   - page: `index.html`.
    ///   - files: the paths of all files: `js/app.js`.
    ///   - imports: the modules that each module imports, for the preloads.
    init(_ page: String, build: String, files: Set<String>, imports: [String: [String]]) {
        var page = page
        let scripts = page.matches(of: #/<script\b[^>]*\btype="module"[^>]*\bsrc="([^"]+)"/#).map {
            String($0.output.1)
        }
        page = page.replacing(#/\b(href|src)="([^"]+)"/#) { match in
            let (name, path) = (match.output.1, String(match.output.2))
            return files.contains(path) ? "\(name)=\"app/\(build)/\(path)\"" : String(match.output.0)
        }
        let preloads = Self.reached(from: scripts, imports).map {
            "<link rel=\"modulepreload\" href=\"app/\(build)/\($0)\">\n"
        }
        // The elements of the file itself serve a browser that opens it from disk. The service sets its own.
        page = page.replacing(#/[ \t]*<(base|meta name="(tenant|build)")\b[^>]*>\n?/#, with: "")
        let head = page.firstRange(of: "<head>")?.upperBound ?? page.startIndex
        let end = page.firstRange(of: "</head>")?.lowerBound ?? head
        parts = (
            String(page[..<head]),
            "<meta name=\"build\" content=\"\(build)\">" + page[head..<end] + preloads.joined() + page[end...]
        )
    }

    /// The modules that are reached from some by static imports, those included, in the order in which they are met.
    static func reached(from scripts: [String], _ imports: [String: [String]]) -> [String] {
        var found: [String] = []
        var next = scripts
        while !next.isEmpty {
            let script = next.removeFirst()
            guard !found.contains(script), script.hasSuffix(".js") else { continue }
            found.append(script)
            next += imports[script] ?? []
        }
        return found
    }

    /// The page of a tenant.
    func text(base: String, tenant: String) -> String {
        // Both are made of small letters, digits and slashes: nothing of them can end an attribute.
        "\(parts.0)\n<base href=\"\(base)\">\n<meta name=\"tenant\" content=\"\(tenant)\">\n\(parts.1)"
    }
}
