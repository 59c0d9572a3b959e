import Foundation
import MariaDB
import NIOCore
import NIOHTTP1
import Passwords
import SubTrackAPI
import SubTrackCore

/// The address at which the mails of reminders end: `/unsubscribe/<token>`.
///
/// A mail program ends them by one `POST` (RFC 8058). `GET` shows a page with a button and changes nothing, because programs
/// open links for their readers and press no button.
struct Unsubscribing: PathResponder {
    let name = "unsubscribe"
    let dispatcher: OperationDispatcher
    let proxies: TrustedProxies
    private let limits = AnswerGuard()

    /// The mails of the tenants that a dispatcher finds.
    init(dispatcher: OperationDispatcher, proxies: TrustedProxies) {
        self.dispatcher = dispatcher
        self.proxies = proxies
    }

    func has(_ target: RequestTarget) -> Bool {
        target.segments.count == 2 && target.segments[0] == "unsubscribe"
    }

    func refusal(of request: ServerRequest, _ target: RequestTarget) async throws -> ServerResponse? { nil }

    func respond(to request: ServerRequest, _ target: RequestTarget) async throws -> ServerResponse {
        let tenant = try await dispatcher.tenant(slug: target.slug, host: proxies.host(of: request))
        guard tenant.areas.has("reminders") else {
            throw Problem(.notFound, "There is nothing at this path.")
        }
        let page = UnsubscribePage(
            language: MailLanguage(accepted: request.headers.first(name: "accept-language"), country: nil))
        switch request.method {
        case .GET, .HEAD: return page.response(.question)
        case .POST: break
        default:
            var response = page.response(.failed, status: .methodNotAllowed)
            response.headers.add(name: "allow", value: "GET, HEAD, POST")
            return response
        }
        let now = dispatcher.clock.now()
        guard Self.isOneClick(request.body) else { return page.response(.failed, status: .badRequest) }
        do {
            try await end(try AnswerToken(target.segments[1], .unsubscribe), in: tenant, at: now)
            return page.response(.done)
        } catch let problem as Problem where problem.code == .inputInvalid {
            // Good tokens are not counted: a few networks send them for all readers of a mail service.
            try limits.count(proxies.origin(of: request), at: now)
            return page.response(.failed, status: .badRequest)
        } catch let error as MariaDBError {
            throw await dispatcher.error(error, in: tenant)
        }
    }

    /// Whether a body asks for the one thing that can be asked for, in either form of RFC 8058 §3.2.
    private static func isOneClick(_ body: ByteBuffer) -> Bool {
        guard body.readableBytes <= longestBody else { return false }
        let text = String(decoding: body.readableBytesView, as: UTF8.self)
        return text.contains("List-Unsubscribe") && text.contains("One-Click")
    }

    private static let longestBody = 4096

    private func end(_ token: AnswerToken, in tenant: Tenant, at now: Instant) async throws {
        let user = try await tenant.read { try await token.holder(now: now, on: $0) }.user
        try await tenant.write(scope: user) { connection in
            // Under the lock: the user may have gone, and the token with it.
            _ = try await token.holder(now: now, on: connection)
            try await SettingsWrites.set(["byMail": false], of: user, on: connection)
        }
    }
}

/// The page on which a person ends the mails. It is told nothing of a token.
struct UnsubscribePage {
    /// The state of the page.
    enum State { case question, done, failed }

    let language: MailLanguage

    /// The page as an answer.
    func response(_ state: State, status: HTTPResponseStatus = .ok) -> ServerResponse {
        ServerResponse(
            status: status,
            headers: [
                "content-type": "text/html; charset=utf-8", "cache-control": "no-store",
                "content-security-policy": Self.policy, "x-content-type-options": "nosniff",
                "referrer-policy": "no-referrer",
                "vary": "Accept-Language", "x-robots-tag": "noindex",
            ], body: ByteBuffer(string: html(state)))
    }

    /// Allows no script, nothing that is loaded, and no style but the page's own, whose hash it names.
    private static let policy: String = {
        let bytes = Array(UnsubscribePage.style.utf8)
        let hash = (try? Digest.sha256(bytes)).map { "'sha256-\(Data($0).base64EncodedString())'" }
        return "default-src 'none'; style-src \(hash ?? "'none'"); base-uri 'none'; form-action 'self'; "
            + "frame-ancestors 'none'"
    }()

    /// The colours of the web app, without a file of it: the app may be off.
    private static let style = """
        :root{color-scheme:light dark}
        body{margin:0;padding:12vh 1rem 2rem;background:#f6f3ea;color:#1c2924;font:1.0625rem/1.5 system-ui,sans-serif}
        main{max-width:26rem;margin:0 auto;padding:1.5rem;border:1px solid #e2dccb;border-radius:.875rem;\
        background:#fffdf8}
        h1{margin:0 0 .75rem;font-size:1.1875rem}
        p{margin:0}
        button{width:100%;margin:1.25rem 0 0;padding:.75rem;border:0;border-radius:.5rem;background:#14614f;color:#fff;\
        font:inherit;font-weight:600;cursor:pointer}
        button:focus-visible{outline:3px solid #1c2924;outline-offset:2px}
        @media(prefers-color-scheme:dark){
        body{background:#121714;color:#ece8dc}
        main{background:#1a211d;border-color:#2b352f}
        button{background:#84d3b6;color:#07241b}
        button:focus-visible{outline-color:#ece8dc}
        }
        """

    private func html(_ state: State) -> String {
        let form =
            state == .question
            ? """
            <form method="post"><input type="hidden" name="List-Unsubscribe" value="One-Click">
            <button>\(button)</button></form>

            """ : ""
        return """
            <!DOCTYPE html>
            <html lang="\(language.rawValue)"><head><meta charset="utf-8"><title>SubTrackIt</title>
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <meta name="color-scheme" content="light dark">
            <style>\(Self.style)</style></head>
            <body><main><h1>SubTrackIt</h1>
            <p>\(text(state))</p>
            \(form)</main></body></html>

            """
    }

    private func text(_ state: State) -> String {
        switch (language, state) {
        case (.english, .question): "Do you want no more reminders by mail?"
        case (.english, .done):
            "You get no more reminders by mail. The app still shows them, and you can switch mails on there."
        case (.english, .failed):
            "This link is too old, or was not complete. Switch the mails off in the settings of the app."
        case (.german, .question): "Möchtest du keine Erinnerungen per Mail mehr?"
        case (.german, .done):
            "Du bekommst keine Erinnerungen per Mail mehr. Die App zeigt sie weiter, und dort kannst du Mails einschalten."
        case (.german, .failed):
            "Der Link ist zu alt oder war nicht vollständig. Schalte die Mails in den Einstellungen der App aus."
        case (.chinese, .question): "您不想再收到邮件提醒吗？"
        case (.chinese, .done): "您将不再收到邮件提醒。应用仍会显示提醒，您也可以在应用中重新开启邮件。"
        case (.chinese, .failed): "此链接已过期或不完整。请在应用的设置中关闭邮件提醒。"
        }
    }

    private var button: String {
        switch language {
        case .english: "No more mails"
        case .german: "Keine Mails mehr"
        case .chinese: "不再接收邮件"
        }
    }
}
