import Foundation
import TestTraits
import Testing

@testable import Outbound

/// A web server that keeps what it is sent, run by `Tests/Python/web_sink.py`.
struct WebSink: Sendable {
    /// A request as it came.
    struct Request: Decodable {
        let path: String
        let headers: [String: String]
        /// In base64.
        let body: Data

        var text: String { String(decoding: body, as: UTF8.self) }
    }

    /// The Python of the tests; nil where there is none.
    static let python = PythonTools.python(with: "aiosmtpd")
    /// The reason of a test that is skipped.
    static let want: Comment = "wants .build-python (script/test makes it)"

    let folder: URL
    let port: String

    /// Lends a sink.
    static func with<Result: Sendable>(
        _ arguments: String..., body: (WebSink) async throws -> Result
    ) async throws -> Result {
        try await PythonServer.with("web_sink.py", by: try #require(python), arguments) { folder, port in
            try await body(WebSink(folder: folder, port: port))
        }
    }

    /// The requests that came, in their order.
    func requests() throws -> [Request] {
        try FileManager.default.contentsOfDirectory(atPath: folder.path)
            .filter { $0.hasSuffix(".request") && !$0.hasPrefix("part-") }.sorted()
            .map { try JSONDecoder().decode(Request.self, from: Data(contentsOf: folder.appending(path: $0))) }
    }

    /// The number of connections so far.
    var connections: Int { lines("connections").count }

    /// The lines of a file of the sink.
    func lines(_ name: String) -> [String] {
        (try? String(contentsOf: folder.appending(path: name), encoding: .utf8))?
            .split(separator: "\n").map(String.init) ?? []
    }

    /// A URL of the sink.
    func url(_ path: String, host: String = "127.0.0.1", scheme: String = "http") throws -> OutboundURL {
        try OutboundURL("\(scheme)://\(host):\(port)\(path)")
    }
}
