import Logging
import SubTrackAPI

/// The circumstances of one call of an operation, by any transport.
struct Call: Sendable {
    /// The tenant that was addressed.
    let tenant: Tenant
    /// The caller's session; nil for a caller without a token.
    var session: Session?
    /// The time at which the call came in.
    let now: Instant
    /// The version that the caller knows of the row it wants to change.
    var ifMatch: VersionCondition
    /// The entity tags that the caller has an answer for.
    var ifNoneMatch: EntityTagCondition
    /// The key by which the caller may send the same write again.
    var idempotencyKey: IdempotencyKey?
    /// The request's id, in logs and problems.
    let requestID: String
    /// A logger that carries the request's id and tenant.
    let logger: Logger
    /// The version of the row that a pushed change was based on.
    var baseVersion: Int64?
    /// Whether it is a change of a push, whose device tells on which day it was made.
    var isPushed = false
    /// Where the call comes from.
    var origin = CallOrigin.local
    /// The input fields of columns that triggers check.
    private(set) var fields = ColumnFields()

    /// The smallest of the caller's networks, as a key of queues.
    var addressKey: String { origin.networks.client.description }

    /// The session of an operation that needs one.
    /// - Throws: `token_missing` when there is none.
    func requireSession() throws(Problem) -> Session {
        guard let session else {
            throw Problem(.tokenMissing, "Send the header \"Authorization: Bearer <token>\".")
        }
        return session
    }

    /// Refuses a user who has no account.
    /// - Throws: `status_conflict`; `token_missing` when there is no session at all.
    func requireAccount() throws(Problem) {
        guard try requireSession().hasAccount else {
            throw Problem(.statusConflict, "This user has no account yet; register one first (POST /v1/accounts).")
        }
    }

    /// The version that the caller has of a row: the base of a pushed change, or the value of `If-Match`.
    /// - Parameter version: the row's, which the condition allows.
    func knownVersion(of version: Int64) -> Int64? {
        if case .versions = ifMatch { return baseVersion ?? version }
        return baseVersion
    }

    /// The same call of an operation whose input has these fields.
    func naming(_ fields: ColumnFields) -> Call {
        var call = self
        call.fields = fields
        return call
    }

    /// The same call without the conditions of its request as a whole: its parts have keys and versions of their own.
    func forPart() -> Call {
        var call = self
        call.ifMatch = .any
        call.ifNoneMatch = .none
        call.idempotencyKey = nil
        return call
    }
}

/// Which version of a row a change is meant for (`If-Match`, RFC 9110 §13.1.1).
enum VersionCondition: Sendable, Equatable {
    /// Whichever is there: the last writer wins.
    case any
    /// One of these. None of them, where the tags are such as no row of ours ever had.
    case versions(Set<Int64>)

    /// Reads the header's value; nil means that there is no such header.
    init(header: String?) {
        guard let header = header?.trimmingSpaces(), header != "*" else {
            self = .any
            return
        }
        let versions = header.split(separator: ",", maxSplits: 32).compactMap { part -> Int64? in
            let tag = String(part).trimmingSpaces()
            // Without its quotes a version is no entity tag, but its meaning is clear.
            guard tag.count >= 3, tag.hasPrefix("\""), tag.hasSuffix("\"") else { return Int64(tag) }
            return Int64(tag.dropFirst().dropLast())
        }
        self = .versions(Set(versions))
    }

    /// Whether a row of this version may be changed.
    func allows(_ version: Int64) -> Bool {
        switch self {
        case .any: true
        case .versions(let wanted): wanted.contains(version)
        }
    }
}

/// The answers that a caller has already (`If-None-Match`, RFC 9110 §13.1.2).
struct EntityTagCondition: Sendable, Equatable {
    private let tags: [Substring]
    private let isAny: Bool

    /// No condition.
    static let none = EntityTagCondition(header: nil)

    /// Reads the header's value.
    init(header: String?) {
        guard let header else {
            isAny = false
            tags = []
            return
        }
        isAny = header.trimmingSpaces() == "*"
        tags = header.split(separator: ",", maxSplits: 32).map { part in
            let tag = Substring(String(part).trimmingSpaces())
            return tag.hasPrefix("W/") ? tag.dropFirst(2) : tag
        }
    }

    /// Whether the caller has the answer with this tag. Comparison is weak, as for `If-None-Match`.
    func matches(_ tag: EntityTag) -> Bool { isAny || names(tag) }

    /// Whether the caller named this tag, and did not merely ask for anything that is new to them.
    func names(_ tag: EntityTag) -> Bool { tags.contains { $0 == tag.quoted } }

    /// Whether any tag was named.
    var namesAny: Bool { !tags.isEmpty }
}

/// The entity tag of an answer (RFC 9110 §8.8.3).
struct EntityTag: Sendable, Hashable {
    /// The tag with its quotes.
    let quoted: String

    /// A tag that was made before.
    init(quoted: String) { self.quoted = quoted }

    /// The tag of a row: its version.
    init(version: Int64) { quoted = "\"\(version)\"" }

    /// The tag of a list, from a hash of its parts.
    init(hash: UInt64) { quoted = "\"l-\(String(hash, radix: 36))\"" }
}

extension String {
    /// Without spaces and tabs at its ends.
    func trimmingSpaces() -> String {
        func isSpace(_ byte: UInt8?) -> Bool { byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }
        guard isSpace(utf8.first) || isSpace(utf8.last) else { return self }
        var part = Substring(self).utf8
        while isSpace(part.first) { part.removeFirst() }
        while isSpace(part.last) { part.removeLast() }
        return String(Substring(part))
    }
}
