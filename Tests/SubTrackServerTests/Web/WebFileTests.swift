import Foundation
import NIOCore
import NIOHTTP1
import SubTrackAPI
import SubTrackTestSupport
import SubTrackWeb
import TestTraits
import Testing

@testable import SubTrackServer

/// The files of the web app: what is where, how long it may be kept, and what is nowhere.
@Suite("The web app's files", .ownTime)
struct WebFileTests {
    private static let page = ["Accept: text/html,application/xhtml+xml"]

    private func get(
        _ path: String, _ service: TestService, _ headers: [String] = [], method: String = "GET"
    ) async throws -> APIResponse {
        try await RawHTTP.send(method, path, port: service.port, headers: headers)
    }

    @Test("Every page is the same shell, with the tenant's root, its name and the modules of the first view")
    func shell() async throws {
        try await TestService.run { service in
            let root = try await get("/", service)
            #expect(root.status == 200)
            #expect(root.header("content-type") == "text/html; charset=utf-8")
            #expect(root.header("cache-control") == "no-cache")
            let text = root.text
            #expect(text.contains("<base href=\"/\">"))
            #expect(text.contains("<meta name=\"tenant\" content=\"default\">"))
            #expect(text.components(separatedBy: "<base ").count == 2)
            let build = try #require(text.firstMatch(of: #/name="build" content="([0-9a-f]{16})"/#)).output.1
            #expect(text.contains("src=\"app/\(build)/js/app.js\""))
            #expect(text.contains("<link rel=\"modulepreload\" href=\"app/\(build)/js/app.js\">"))
            for match in text.matches(of: #/(?:src|href)="(app/[^"]+)"/#) {
                #expect(try await get("/\(match.output.1)", service).status == 200, "\(match.output.1)")
            }
            for path in ["/subscriptions", "/subscriptions/1/edit", "/add/Netflix%2FX/Standard", "/account/reset"] {
                #expect(try await get(path, service).text == text, "\(path)")
            }
            let other = try await get("/t/default/profile", service).text
            #expect(other == text.replacing("<base href=\"/\">", with: "<base href=\"/t/default/\">"))
            #expect(try await get("/t/default", service).header("location") == "/t/default/")
            #expect(try await get("/.well-known/change-password", service).header("location") == "/profile/password")
            #expect(
                try await get("/t/default/.well-known/change-password", service).header("location")
                    == "/t/default/profile/password")
        }
    }

    @Test("A page has one style sheet, with the folder's in their order")
    func oneSheet() async throws {
        try await TestService.run { service in
            let text = try await get("/", service).text
            let sheets = text.matches(of: #/<link rel="stylesheet" href="([^"]+)">/#).map { String($0.output.1) }
            #expect(sheets.count == 1)
            let sheet = try await get("/\(try #require(sheets.first))", service)
            #expect(sheet.header("content-type") == "text/css; charset=utf-8")
            var rest = sheet.text[...]
            for name in ["tokens", "base", "parts", "pages"] {
                let part = String(decoding: try #require(WebFolder.files["css/\(name).css"]), as: UTF8.self)
                #expect(!part.contains("@import") && !part.contains("url("), "\(name).css names another file")
                rest = rest[try #require(rest.firstRange(of: part), "\(name).css is out of order").upperBound...]
            }
            #expect(!(try await get("/sw.js", service).text.contains("/css/tokens.css")))
        }
    }

    @Test("Headers keep a page to itself, on every page and file")
    func headers() async throws {
        try await TestService.run { service in
            let build = try await build(service)
            for path in ["/", "/sw.js", "/manifest.webmanifest", "/routes", "/app/\(build)/js/app.js"] {
                let answer = try await get(path, service, Self.page)
                let policy = try #require(answer.header("content-security-policy"), "\(path)")
                for part in ["default-src 'none'", "script-src 'self'", "frame-ancestors 'none'", "form-action 'none'"]
                {
                    #expect(policy.contains(part), "\(path)")
                }
                #expect(!policy.contains("unsafe"))
                #expect(answer.header("x-content-type-options") == "nosniff", "\(path)")
                #expect(answer.header("referrer-policy") == "no-referrer", "\(path)")
                #expect(answer.header("cross-origin-opener-policy") == "same-origin", "\(path)")
                #expect(answer.header("cross-origin-resource-policy") == "same-origin", "\(path)")
                #expect(answer.header("permissions-policy")?.contains("camera=()") == true, "\(path)")
                #expect(answer.header("access-control-allow-origin") == nil, "\(path)")
                #expect(answer.header("set-cookie") == nil, "\(path)")
            }
        }
    }

    @Test("A file of this build may be kept for ever, one of another build is nowhere")
    func builds() async throws {
        try await TestService.run { service in
            let build = try await build(service)
            let file = try await get("/app/\(build)/js/app.js", service)
            #expect(file.status == 200)
            #expect(file.header("cache-control") == "public, max-age=31536000, immutable")
            #expect(file.header("content-type") == "text/javascript; charset=utf-8")
            #expect(Array(file.body) == WebFolder.files["js/app.js"])
            #expect(try await get("/t/default/app/\(build)/js/app.js", service).body == file.body)
            let other = try await get("/app/0123456789abcdef/js/app.js", service)
            #expect(other.status == 404)
            #expect(other.header("cache-control") == "no-store")
            let worker = try await get("/t/default/sw.js", service)
            #expect(worker.header("service-worker-allowed") == "/t/default/")
            #expect(worker.header("cache-control") == "no-cache")
            #expect(worker.text.hasPrefix("self.app = {\"build\":\"\(build)\",\"base\":\"/t/default/\",\"files\":["))
            #expect(worker.text.contains("\"/t/default/app/\(build)/js/app.js\""))
        }
    }

    @Test("Files are compressed once, for those who take it, and not sent again to those who have them")
    func representations() async throws {
        try await TestService.run { service in
            let path = "/app/\(try await build(service))/js/app.js"
            let plain = try await get(path, service)
            #expect(plain.header("content-encoding") == nil)
            #expect(plain.header("vary") == "Accept-Encoding")
            for coding in ["gzip", "deflate, gzip;q=0.5", "*", "GZIP", "br, *;q=0.1"] {
                let packed = try await get(path, service, ["Accept-Encoding: \(coding)"])
                #expect(packed.header("content-encoding") == "gzip", "\(coding)")
                #expect(packed.body.count < plain.body.count)
                #expect(packed.body.starts(with: [0x1F, 0x8B]))
                #expect(packed.header("etag") != plain.header("etag"))
            }
            for coding in ["identity", "br", "gzip;q=0", "gzip; q=0.0, *", "*;q=0"] {
                let answer = try await get(path, service, ["Accept-Encoding: \(coding)"])
                #expect(answer.header("content-encoding") == nil, "\(coding)")
            }
            let tag = try #require(plain.header("etag"))
            let known = try await get(path, service, ["If-None-Match: \"x\", \(tag)", "Accept-Encoding: gzip"])
            #expect(known.status == 304)
            #expect(known.body.isEmpty)
            #expect(try await get(path, service, ["If-None-Match: \"x\""]).status == 200)
            let head = try await get(path, service, method: "HEAD")
            #expect(head.status == 200 && head.body.isEmpty)
            #expect(head.header("content-length") == String(plain.body.count))
        }
    }

    @Test("No path leads out of the table of files")
    func traversal() async throws {
        try await TestService.run { service in
            let build = try await build(service)
            let names = [
                "../index.html", "..%2findex.html", "%2e%2e/index.html", "js/../index.html", "js//app.js", "js/app.js/",
                "js/app.js%00", "%00", "js/%61pp.js/..", "index.html", "sw.js", "types/app.d.ts", "", "js",
                "/etc/passwd", "..\\index.html", String(repeating: "a", count: 9_000), "js%2fapp.js%2f..",
            ]
            for name in names {
                let answer = try await get("/app/\(build)/\(name)", service)
                #expect(answer.status == 404, "\(name.prefix(60))")
            }
            for path in [
                "/../web/index.html", "/index.html", "/js/app.js", "/app", "/app/\(build)", "/t/A/", "/t/../", "//",
            ] {
                #expect(try await get(path, service).status == 404, "\(path)")
            }
            for method in ["POST", "PUT", "DELETE", "OPTIONS", "TRACE", "PATCH"] {
                let answer = try await get("/subscriptions", service, method: method)
                #expect(answer.status == 405, "\(method)")
                #expect(answer.header("allow") == "GET, HEAD")
            }
        }
    }

    @Test("Below a path of the public URL, which the proxy takes away, pages know it")
    func prefix() async throws {
        try await TestService.run(configure: { $0.mail.publicURL = "https://example.org/subs" }) {
            (service: TestService) async throws in
            #expect(try await get("/", service).text.contains("<base href=\"/subs/\">"))
            #expect(try await get("/t/default/", service).text.contains("<base href=\"/subs/t/default/\">"))
            #expect(try await get("/sw.js", service).header("service-worker-allowed") == "/subs/")
            #expect(try await get("/t/default", service).header("location") == "/subs/t/default/")
        }
        for (url, root) in [
            (nil, "/"), ("https://a.org", "/"), ("https://a.org/", "/"), ("https://a.org/x/y/", "/x/y/"),
            ("https://a.org/\"><b>", "/"), ("https://a.org/%22", "/"),
        ] {
            #expect(WebResponder.root(ofPublicURL: url) == root)
        }
    }

    @Test("What is nowhere is a page for people and a problem for programs")
    func missing() async throws {
        try await TestService.run { service in
            for path in ["/nothing", "/t/nobody/", "/t/default/nothing", "/%ff"] {
                let answer = try await get(path, service, Self.page + ["Accept-Language: de"])
                #expect(answer.status == 404, "\(path)")
                #expect(answer.header("content-type") == "text/html; charset=utf-8")
                #expect(answer.text.contains("<h1>Nicht gefunden</h1>"))
                #expect(answer.header("x-request-id") != nil)
                #expect(try await get(path, service).header("content-type") == "application/problem+json", "\(path)")
            }
            #expect(try await get("/t/default/nothing", service, Self.page).text.contains("href=\"/t/default/\""))
            // The API's answers are for programs, also where a page is accepted.
            for path in ["/v1/nothing", "/t/default/v1/nothing"] {
                let answer = try await get(path, service, Self.page)
                #expect(try answer.problem().code == .notFound, "\(path)")
            }
        }
    }

    @Test("Turned off, the app is nowhere, browsers forget it, and the pages of mails stay")
    func off() async throws {
        try await TestService.run(configure: { $0.web = .off }) { service in
            for path in ["/", "/subscriptions", "/manifest.webmanifest", "/t/default/", "/app/x/js/app.js"] {
                #expect(try await get(path, service).status == 404, "\(path)")
            }
            let worker = try await get("/sw.js", service)
            #expect(worker.status == 200)
            #expect(worker.header("content-type") == "text/javascript; charset=utf-8")
            #expect(worker.text.contains("registration.unregister()"))
            #expect(try await get("/t/default/sw.js", service).text == worker.text)
            for path in ["/account/verify", "/account/reset", "/account/account.js", "/account/account.css"] {
                #expect(try await get(path, service).status == 200, "\(path)")
            }
        }
    }

    @Test("A folder is read anew when one of its files changes, and only then")
    func folder() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "web-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        func write(_ name: String, _ text: String) throws {
            try text.write(to: folder.appending(path: name), atomically: true, encoding: .utf8)
        }
        let log = RecordedLog()
        #expect(throws: SettingsError.self) { try WebFolderReader(.folder(folder), logger: log.logger("web")) }
        try write("index.html", "<head></head>")
        try write("routes.json", "{\"pages\": [{\"path\": \"/\"}]}")
        try write("app.js", "1; // one")
        let reader = try #require(try WebFolderReader(.folder(folder), logger: log.logger("web")))
        let first = try reader.current()
        #expect(try reader.current() === first)
        try write("app.js", "12;")
        let second = try reader.current()
        #expect(second !== first)
        #expect(second.build != first.build)
        #expect(second.file(["app.js"])?.plain == ByteBuffer(string: "12;"))
        #expect(try WebFolderReader(.off, logger: log.logger("web")) == nil)
    }

    private func build(_ service: TestService) async throws -> String {
        let text = try await get("/", service).text
        return String(try #require(text.firstMatch(of: #/name="build" content="([0-9a-f]{16})"/#)).output.1)
    }
}
