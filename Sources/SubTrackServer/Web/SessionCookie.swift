import Foundation
import NIOHTTP1
import Passwords
import SubTrackAPI

/// The cookie that holds a browser's session.
///
/// Its value is the token, the day on which it was set, and the device. No script can read it (`HttpOnly`), and no
/// other site's page sends it (`SameSite=Strict`). With the prefix `__Host-` no other host can set it (RFC 6265bis
/// §4.1.3).
struct SessionCookie: Sendable, Equatable {
    /// The token's text as it came or was given.
    let token: String
    /// The day on which it was set, as days since 1970.
    let day: Int64
    /// The device that it was given to; nil where the value does not say.
    let device: UUID?

    /// As long as a token that is not used lasts.
    static let maximumAge = SessionQueries.daysUnused * 86_400

    /// A cookie for a token that was just given.
    init(token: String, day: Int64, device: UUID?) {
        self.token = token
        self.day = day
        self.device = device
    }

    /// Reads a value; any other text gives a token that nobody has.
    init(value: String) {
        let parts = value.split(separator: ".", omittingEmptySubsequences: false)
        token = parts.first.map(String.init) ?? ""
        day = parts.count > 1 ? Int64(parts[1]) ?? 0 : 0
        device = parts.count > 2 ? UUID(uuidString: String(parts[2])) : nil
    }

    /// The value of the cookie.
    var value: String { "\(token).\(day)" + (device.map { ".\($0.uuidString.lowercased())" } ?? "") }

    /// The days since 1970 at an instant.
    static func day(at now: Instant) -> Int64 { now.secondsSince1970 / 86_400 }

    /// Where a tenant's cookie is: its name, and whether it is `Secure`.
    struct Place: Sendable, Equatable {
        let name: String
        let isSecure: Bool

        /// The place of a tenant's cookie under an origin.
        init(tenant slug: String, origin: WebOrigin) {
            isSecure = origin.isSecure
            name = (isSecure ? "__Host-" : "") + "subtrack.\(slug)"
        }

        /// The cookie of a request. Two of one name that differ are none: one of them was put there by somebody else.
        func cookie(in headers: HTTPHeaders) -> SessionCookie? {
            var found: Substring?
            // HTTP/2 may send each pair in a field of its own (RFC 9113 §8.2.3).
            for header in headers["cookie"] {
                for pair in header.split(separator: ";") {
                    let pair = pair.drop { $0 == " " || $0 == "\t" }
                    guard let sign = pair.firstIndex(of: "="), pair[..<sign] == name else { continue }
                    let value = pair[pair.index(after: sign)...]
                    if let found, found != value { return nil }
                    found = value
                }
            }
            return found.map { SessionCookie(value: String($0).trimmingSpaces()) }
        }

        /// The value of `Set-Cookie` that stores a cookie.
        func header(setting cookie: SessionCookie) -> String { header(cookie.value, age: SessionCookie.maximumAge) }

        /// The value of `Set-Cookie` that removes the cookie.
        var clearing: String { header("", age: 0) }

        private func header(_ value: String, age: Int) -> String {
            "\(name)=\(value); Path=/; Max-Age=\(age); HttpOnly; SameSite=Strict" + (isSecure ? "; Secure" : "")
        }
    }
}
