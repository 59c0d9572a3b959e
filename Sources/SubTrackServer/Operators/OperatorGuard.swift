import NIOCore
import NIOHTTP1
import Passwords
import SubTrackAPI

/// The conditions under which a request gets an operators' page, and under which a form of one is taken.
///
/// The listener has no passwords: everybody on this machine is an operator. So pages are for requests of this machine
/// alone, by an address that no other site's name can lead to. A form has to come from a page of this process.
struct OperatorGuard: Sendable {
    /// A secret of the process: in each form, and in the cookie of each browser that got a page.
    let token: String
    /// The host that the listener was told to listen at.
    private let host: String

    private static let cookie = "subtrack.operators"

    /// A guard with a token of its own.
    init(host: String) throws {
        self.host = host.lowercased()
        token = try SecureRandom.bytes(32).hexadecimal
    }

    /// Refuses a request from elsewhere.
    /// - Throws: `origin_refused`.
    func check(_ request: ServerRequest) throws(Problem) {
        let isForwarded = ["x-forwarded-for", "forwarded", "via"].contains { request.headers.contains(name: $0) }
        guard CallOrigin(peer: request.peer).isThisMachine, !isForwarded else {
            throw Problem(
                .originRefused,
                "These pages are for this machine alone. From another one use a tunnel: ssh -L 9090:127.0.0.1:9090 HOST."
            )
        }
        // A name that somebody lets lead here (DNS rebinding) would make these pages that site's own.
        guard Self.isOwn(request.authority ?? "", host: host) else {
            throw Problem(.originRefused, "Ask for these pages by an IP address or localhost.")
        }
    }

    private static func isOwn(_ authority: String, host: String) -> Bool {
        let authority = authority.lowercased()
        let name: String
        if authority.hasPrefix("[") {
            guard let end = authority.firstIndex(of: "]") else { return false }
            name = String(authority[..<end].dropFirst())
        } else {
            name = String(authority.prefix { $0 != ":" })
        }
        return name == "localhost" || name == host || (try? SocketAddress(ipAddress: name, port: 0)) != nil
    }

    /// Refuses a form that is no page's of this process.
    /// - Parameter token: the value of the form's field.
    /// - Throws: `origin_refused`.
    func checkForm(_ request: ServerRequest, token given: String?) throws(Problem) {
        let origin = WebOrigin(
            isTLS: request.isTLS, authority: request.authority, peer: nil, headers: request.headers, proxies: .none)
        try OriginRule(headers: request.headers, origin: origin).check(needsProof: true)
        let cookies = request.headers["cookie"].flatMap { $0.split(separator: ";") }.map { String($0).trimmingSpaces() }
        guard let given, constantTimeEqual(Array(given.utf8), Array(token.utf8)),
            cookies.contains("\(Self.cookie)=\(token)")
        else {
            throw Problem(.originRefused, "The form is not of this process: load the page again.")
        }
    }

    /// The value of `Set-Cookie` with the process's token.
    var header: String { "\(Self.cookie)=\(token); Path=/; HttpOnly; SameSite=Strict" }
}
