import NIOCore
import NIOHTTP1
import SubTrackAPI

/// The pages behind the `type` of a problem (RFC 9457 §3.1.1): `/problems/CODE` for each code, and `/problems` as their list.
enum ProblemPages {
    /// Returns the page at a path; nil where there is none.
    /// - Parameter path: the decoded segments of the path, behind the tenant's where it names one.
    static func response(to request: ServerRequest, path: [String]) -> ServerResponse? {
        guard path.first == "problems", request.method == .GET || request.method == .HEAD else { return nil }
        switch path.count {
        case 1: return page("Problems", list)
        case 2: return ErrorCode(rawValue: path[1]).map { page("\($0.title) (\($0.rawValue))", article($0)) }
        default: return nil
        }
    }

    private static func article(_ code: ErrorCode) -> String {
        """
        <h1>\(code.title.escapedForHTML)</h1>
        <p><code>\(code.rawValue)</code>, HTTP status \(code.status)</p>
        <p>\(marked(code.advice))</p>
        <p><a href="../problems">All problems</a></p>
        """
    }

    private static var list: String {
        let rows = ErrorCode.allCases.map { code in
            "<dt><a href=\"problems/\(code.rawValue)\"><code>\(code.rawValue)</code></a> (\(code.status))</dt>"
                + "<dd>\(code.title.escapedForHTML)</dd>"
        }
        return "<h1>Problems</h1>\n<dl>\n\(rows.joined(separator: "\n"))\n</dl>"
    }

    private static func page(_ title: String, _ content: String) -> ServerResponse {
        let html = """
            <!DOCTYPE html>
            <html lang="en"><head><meta charset="utf-8"><title>\(title.escapedForHTML)</title>
            <meta name="viewport" content="width=device-width, initial-scale=1"></head>
            <body><main>
            \(content)
            </main></body></html>

            """
        return ServerResponse(
            status: .ok,
            headers: [
                "content-type": "text/html; charset=utf-8", "cache-control": "public, max-age=3600",
                "content-security-policy": "default-src 'none'; base-uri 'none'; frame-ancestors 'none'",
                "x-content-type-options": "nosniff",
            ], body: ByteBuffer(string: html))
    }

    /// Escapes a text and turns its backticks into `<code>` elements.
    private static func marked(_ text: String) -> String {
        text.escapedForHTML.split(separator: "`", omittingEmptySubsequences: false).enumerated()
            .map { $0.offset.isMultiple(of: 2) ? String($0.element) : "<code>\($0.element)</code>" }.joined()
    }
}
