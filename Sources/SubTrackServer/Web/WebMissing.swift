import NIOCore
import NIOHTTP1

/// The page of an address where nothing is, for people.
enum WebMissing {
    /// Whether a request comes from a person's browser, which shows pages and no problems.
    static func wantsPage(_ request: ServerRequest) -> Bool {
        guard request.method == .GET || request.method == .HEAD else { return false }
        return request.headers[canonicalForm: "accept"].contains { value in
            let type = value.prefix { $0 != ";" }
            return Substring(String(type).trimmingSpaces()).isASCIIWord("text/html")
        }
    }

    /// Returns the page.
    /// - Parameter base: the root of the tenant, which the page leads back to; nil: there is no app to lead to.
    static func page(_ request: ServerRequest, base: String?) -> ServerResponse {
        let language = MailLanguage(accepted: request.headers.first(name: "accept-language"), country: nil)
        let (title, text, back) =
            switch language {
            case .english: ("Not found", "There is nothing at this address.", "To your subscriptions")
            case .german: ("Nicht gefunden", "Unter dieser Adresse ist nichts.", "Zu deinen Abos")
            case .chinese: ("未找到", "此地址没有内容。", "前往您的订阅")
            }
        let link = base.map { "<p><a href=\"\($0)\">\(back)</a></p>\n" } ?? ""
        let html = """
            <!DOCTYPE html>
            <html lang="\(language.rawValue)"><head><meta charset="utf-8"><title>\(title) · SubTrackIt</title>
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <meta name="color-scheme" content="light dark"></head>
            <body><main><h1>\(title)</h1>
            <p>\(text)</p>
            \(link)</main></body></html>

            """
        var headers = WebHeaders.page
        headers.add(name: "content-type", value: "text/html; charset=utf-8")
        headers.add(name: "cache-control", value: "no-store")
        headers.add(name: "vary", value: "Accept, Accept-Language")
        return ServerResponse(status: .notFound, headers: headers, body: ByteBuffer(string: html))
    }
}
