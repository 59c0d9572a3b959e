import Foundation

/// An error, as `application/problem+json` (RFC 9457) and as `error.data` on sockets.
public struct Problem: Codable, Sendable, Hashable, Error {
    /// A URI reference that names the kind of problem: `/problems/<code>`.
    public var type: String
    /// The same for every problem of this code.
    public var title: String
    /// The HTTP status, on sockets too.
    public var status: Int
    /// A stable code that a program may decide by.
    public var code: ErrorCode
    /// The fault of this request and its remedy, for a person.
    public var detail: String
    /// The request's id, as in `X-Request-ID`; give it to the operator.
    public var requestId: String?
    /// The fault of each faulty field of the input.
    public var errors: [FieldProblem]?
    /// The row as it is now, where the caller's version was ``ErrorCode/stale``.
    public var current: Current?
    /// After how many seconds to try again, as in `Retry-After`; nil where nobody knows.
    public var retryAfter: Int?
    /// Why a client has to start over, where the code is ``ErrorCode/resync``.
    public var reason: ResyncReason?

    /// Why a cursor leads nowhere any more.
    public enum ResyncReason: String, Codable, Sendable, CaseIterable {
        /// The data went back in time: a backup was restored. Later acknowledged changes may be gone.
        case epoch
        /// The cursor is older than the kept tombstones.
        case floor
        /// The cursor is another user's.
        case user
    }

    /// The present state of the row that a caller wanted to change, in the form in which the operation answers it.
    public struct Current: Codable, Sendable, Hashable {
        private let row: any Codable & Hashable & Sendable

        /// The state of a row.
        public init(_ row: some Codable & Hashable & Sendable) { self.row = row }

        /// Reads a row of any kind as JSON.
        public init(from decoder: any Decoder) throws {
            row = try decoder.singleValueContainer().decode(AnyJSON.self)
        }

        public func encode(to encoder: any Encoder) throws { try row.encode(to: encoder) }

        /// The row as a type of the contract, ``Subscription`` for example.
        public func decode<Row: Decodable>(_ type: Row.Type) throws -> Row {
            if let row = row as? Row { return row }
            return try JSONDecoder().decode(type, from: JSONEncoder().encode(row))
        }

        public static func == (left: Current, right: Current) -> Bool {
            AnyHashable(left.row) == AnyHashable(right.row)
        }

        public func hash(into hasher: inout Hasher) { hasher.combine(AnyHashable(row)) }
    }

    /// A change that was meant for another version than the one that is there.
    /// - Parameter row: the row as it is now.
    public static func stale(_ row: some Codable & Hashable & Sendable) -> Problem {
        var problem = Problem(.stale, "It was changed since you read it; read it again and try again.")
        problem.current = Current(row)
        return problem
    }

    /// Too many requests of one kind.
    /// - Parameter seconds: after how long it may be tried again.
    public static func rateLimited(_ detail: String, retryAfter seconds: Int) -> Problem {
        var problem = Problem(.rateLimited, detail)
        problem.retryAfter = max(1, seconds)
        return problem
    }

    /// A cursor that leads nowhere any more: the client drops its copy and pulls without one.
    public static func resync(_ reason: ResyncReason) -> Problem {
        let detail =
            switch reason {
            case .epoch: "The data were restored from a backup"
            case .floor: "The copy is too old for the rows that were deleted since to be told"
            case .user: "The cursor is another user's"
            }
        var problem = Problem(
            .resync, detail + "; drop the copy, keep what was not sent yet, and pull without a cursor.")
        problem.reason = reason
        return problem
    }

    /// Reads a problem. A code that is not known, of a newer service, is one of its class by its status.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        type = try container.decode(String.self, forKey: .type)
        title = try container.decode(String.self, forKey: .title)
        status = try container.decode(Int.self, forKey: .status)
        code = (try? container.decode(ErrorCode.self, forKey: .code)) ?? ErrorCode(status: status)
        detail = try container.decode(String.self, forKey: .detail)
        requestId = try container.decodeIfPresent(String.self, forKey: .requestId)
        errors = try container.decodeIfPresent([FieldProblem].self, forKey: .errors)
        current = try container.decodeIfPresent(Current.self, forKey: .current)
        retryAfter = try container.decodeIfPresent(Int.self, forKey: .retryAfter)
        reason = try container.decodeIfPresent(ResyncReason.self, forKey: .reason)
    }

    /// A problem of a code with a text for this case.
    public init(_ code: ErrorCode, _ detail: String, errors: [FieldProblem]? = nil) {
        type = "/problems/\(code.rawValue)"
        title = code.title
        status = code.status
        self.code = code
        self.detail = detail
        self.errors = errors
    }

    /// Input that was refused because of one field.
    public static func input(_ field: String, _ code: FieldProblem.Code, _ message: String) -> Problem {
        input([FieldProblem(field: field, code: code, message: message)])
    }

    /// Input that was refused because of some fields.
    public static func input(_ errors: [FieldProblem]) -> Problem {
        let detail = errors.map { $0.field.isEmpty ? $0.message : "\($0.field): \($0.message)" }
        return Problem(.inputInvalid, detail.joined(separator: "; "), errors: errors)
    }
}

extension Problem: OmitsNilFields {}
