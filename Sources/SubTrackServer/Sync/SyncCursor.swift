import Foundation
import Passwords
import SubTrackAPI

/// How far a client's copy goes: for each scope the version up to which it has everything.
///
/// Its text is opaque to clients and authenticated (HMAC-SHA256, cut to 16 bytes) by a key in the tenant's database.
/// Every replica reads cursors of another, and nobody can make one up.
struct SyncCursor: Sendable, Equatable {
    /// A place among the changes of one version, in the order in which they are given.
    struct Place: Sendable, Equatable {
        /// See ``ChangeKey/rank``.
        var rank: Int
        /// The row's id, in bytes.
        var id: [UInt8]
    }

    /// How far one scope was read.
    struct Position: Sendable, Equatable {
        /// The scope.
        var scope: SyncScope
        /// All changes up to this version were given; of this one only those up to ``place``, if there is one.
        var version: Int64
        /// Where reading stopped within ``version``; nil: behind it.
        var place: Place?
        /// The counter when the scope was first read. The rows that were given are at least that new, so that older
        /// tombstones do not matter. 0 once ``version`` has come that far.
        var base: Int64
        /// In the middle of a long pull, up to where all was given when it began; nil: ``version``.
        var since: Int64?

        /// The version down to which tombstones are needed.
        var needed: Int64 { max(place == nil ? version : version - 1, base) }
    }

    /// Whose copy it is.
    var user: UserID
    /// The tenant's epoch.
    var epoch: [UInt8]
    /// The user's day on which all that renews by itself was in its period, at the user's version; nil: not known.
    var day: CalendarDate?
    /// The version of the user's scope for which ``positions`` has the scopes that the user sees.
    var known: Int64 = 0
    /// How many changes were left, in the middle of a long pull; 0 otherwise.
    var left = 0
    /// The scopes and how far they were read. The user's own is first.
    var positions: [Position]
    /// The kinds of rows that the copy has. An area that is switched on brings others.
    var coverage = CursorCoverage()

    /// Where the user's own scope stands.
    var userVersion: Int64 { positions.first { $0.scope.isUser }?.version ?? 0 }
}

/// Why the text of a cursor is not taken.
enum CursorFailure: Error {
    /// It is no cursor of this service, or was changed.
    case malformed
    /// It can be read, but another key was used: of another tenant, or of data that are no more.
    case foreign(user: UserID, epoch: [UInt8])
}

extension SyncCursor {
    /// Cursors of the entities that every copy has always had are of the first.
    private static let (format, coveringFormat): (UInt8, UInt8) = (1, 2)
    private static let codeLength = 16
    /// The longest text that is looked at: a place in each of all countries' catalogues fits in.
    static let maximumLength = 8000

    /// The text for the client.
    func text(key: [UInt8], _ registry: SyncRegistry) throws -> String {
        var bytes: [UInt8] = [coverage.isOriginal ? Self.format : Self.coveringFormat]
        withUnsafeBytes(of: user.uuid.uuid) { bytes.append(contentsOf: $0) }
        bytes.append(contentsOf: epoch)
        bytes.append(number: day.map { UInt64(UInt32(bitPattern: $0.daysSince1970)) + 1 } ?? 0)
        bytes.append(number: UInt64(clamping: known))
        bytes.append(number: UInt64(clamping: left))
        if !coverage.isOriginal {
            for numbers in [coverage.entities, coverage.left] {
                bytes.append(number: UInt64(numbers.count))
                for number in numbers.sorted() { bytes.append(number: UInt64(number)) }
            }
        }
        bytes.append(number: UInt64(positions.count))
        for position in positions {
            let kind = position.scope.kind
            bytes.append(kind.tag)
            bytes.append(contentsOf: registry.scopes(tag: kind.tag)?.key(of: position.scope) ?? [])
            bytes.append(number: UInt64(clamping: position.version))
            bytes.append(number: UInt64(clamping: position.base))
            bytes.append(number: position.since.map { UInt64(clamping: $0) + 1 } ?? 0)
            bytes.append(number: position.place.map { UInt64($0.rank) + 1 } ?? 0)
            if let place = position.place {
                bytes.append(number: UInt64(place.id.count))
                bytes.append(contentsOf: place.id)
            }
        }
        bytes.append(contentsOf: try MessageAuthentication.sha256(bytes, key: key).prefix(Self.codeLength))
        return Base64.urlSafe.encode(bytes)
    }

    /// Reads a text of ``text(key:_:)``.
    /// - Throws: ``CursorFailure``.
    init(_ text: String, key: [UInt8], _ registry: SyncRegistry) throws {
        guard text.utf8.count <= Self.maximumLength, let bytes = Base64.urlSafe.decode(text),
            bytes.count > 1 + 16 + 16 + Self.codeLength, bytes[0] == Self.format || bytes[0] == Self.coveringFormat
        else { throw CursorFailure.malformed }
        let signed = Array(bytes.dropLast(Self.codeLength))
        try self.init(signed: signed, registry)
        let code = Array(try MessageAuthentication.sha256(signed, key: key).prefix(Self.codeLength))
        guard constantTimeEqual(code, Array(bytes.suffix(Self.codeLength))) else {
            throw CursorFailure.foreign(user: user, epoch: epoch)
        }
    }

    /// Reads all but the code.
    /// - Throws: ``CursorFailure/malformed``.
    private init(signed: [UInt8], _ registry: SyncRegistry) throws {
        var reader = ByteReader(signed, from: 1)
        let user = UserID(uuid: try reader.uuid())
        self.user = user
        epoch = try reader.take(16)
        let dayNumber = try reader.number()
        day = dayNumber == 0 ? nil : CalendarDate(daysSince1970: Int32(truncatingIfNeeded: dayNumber - 1))
        known = Int64(clamping: try reader.number())
        left = Int(clamping: try reader.number())
        if signed[0] == Self.coveringFormat {
            coverage.entities = try reader.numbers()
            coverage.left = try reader.numbers()
        }
        positions = []
        // Each takes several bytes, so that a number that was made up ends soon.
        for _ in 0..<(try reader.number()) {
            let tag = try reader.byte()
            let scope: SyncScope
            if tag == ScopeKind.user.tag {
                scope = .user(user)
            } else {
                guard let source = registry.scopes(tag: tag),
                    let known = source.scope(key: try reader.take(source.kind.keyLength))
                else { throw CursorFailure.malformed }
                scope = known
            }
            let version = Int64(clamping: try reader.number())
            let base = Int64(clamping: try reader.number())
            let since = try reader.number()
            let rank = try reader.number()
            let place =
                rank == 0
                ? nil : Place(rank: Int(clamping: rank - 1), id: try reader.take(Int(clamping: try reader.number())))
            positions.append(
                Position(
                    scope: scope, version: version, place: place, base: base,
                    since: since == 0 ? nil : Int64(clamping: since - 1)))
        }
        guard reader.isAtEnd else { throw CursorFailure.malformed }
    }
}

extension [UInt8] {
    /// Appends a number, seven bits a byte, the lowest first (LEB128).
    fileprivate mutating func append(number: UInt64) {
        var rest = number
        while rest > 0x7F {
            append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        append(UInt8(truncatingIfNeeded: rest))
    }
}

/// Reads the parts of a cursor in their order.
private struct ByteReader {
    private let bytes: [UInt8]
    private var index: Int

    init(_ bytes: [UInt8], from index: Int) {
        self.bytes = bytes
        self.index = index
    }

    var isAtEnd: Bool { index == bytes.count }

    mutating func byte() throws -> UInt8 {
        guard index < bytes.count else { throw CursorFailure.malformed }
        defer { index += 1 }
        return bytes[index]
    }

    mutating func take(_ count: Int) throws -> [UInt8] {
        guard count >= 0, count <= bytes.count - index else { throw CursorFailure.malformed }
        defer { index += count }
        return Array(bytes[index..<index + count])
    }

    mutating func number() throws -> UInt64 {
        var value: UInt64 = 0
        for shift in stride(from: UInt64(0), to: 63, by: 7) {
            let byte = try byte()
            value |= UInt64(byte & 0x7F) << shift
            if byte & 0x80 == 0 { return value }
        }
        throw CursorFailure.malformed
    }

    /// Some numbers, each of which takes a byte at least.
    mutating func numbers() throws -> Set<Int> {
        var numbers: Set<Int> = []
        for _ in 0..<(try number()) { numbers.insert(Int(clamping: try number())) }
        return numbers
    }

    mutating func uuid() throws -> UUID {
        try take(16).withUnsafeBytes { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }
    }
}
