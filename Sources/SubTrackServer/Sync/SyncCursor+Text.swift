import Foundation
import Passwords
import SubTrackAPI

/// Why the text of a cursor is not taken.
enum CursorFailure: Error {
    /// It is no cursor of this service, or was changed.
    case malformed
    /// It can be read, but another key was used: of another tenant, or of data that are no more.
    case foreign(user: UserID, epoch: [UInt8])
}

extension SyncCursor {
    /// How positions are written.
    private enum Format: UInt8 {
        /// All parts of each position. Every version of the service reads it.
        case whole = 1
        /// With the entities that it covers, and without the parts that most positions do not have: hundreds of shared
        /// scopes are in it.
        case brief = 2
    }

    private static let codeLength = 16
    /// The longest text that is looked at. A place in each of all countries' catalogues fits in, and
    /// ``ScopeList/maximumShared`` shared scopes of 250 million versions.
    static let maximumLength = 14_000

    /// The text for the client.
    func text(key: [UInt8], _ registry: SyncRegistry) throws -> String {
        let isPlain = coverage.isOriginal && !positions.contains { $0.scope.kind.isShared }
        let format = isPlain ? Format.whole : .brief
        var bytes: [UInt8] = [format.rawValue]
        withUnsafeBytes(of: user.uuid.uuid) { bytes.append(contentsOf: $0) }
        bytes.append(contentsOf: epoch)
        bytes.append(number: day.map { UInt64(UInt32(bitPattern: $0.daysSince1970)) + 1 } ?? 0)
        bytes.append(number: UInt64(clamping: known))
        bytes.append(number: UInt64(clamping: left))
        for numbers in isPlain ? [] : [coverage.entities, coverage.left] {
            bytes.append(number: UInt64(numbers.count))
            for number in numbers.sorted() { bytes.append(number: UInt64(number)) }
        }
        bytes.append(number: UInt64(positions.count))
        for position in positions { position.write(to: &bytes, isBrief: format == .brief, registry) }
        bytes.append(contentsOf: try MessageAuthentication.sha256(bytes, key: key).prefix(Self.codeLength))
        return Base64.urlSafe.encode(bytes)
    }

    /// Reads a text of ``text(key:_:)``.
    /// - Throws: ``CursorFailure``.
    init(_ text: String, key: [UInt8], _ registry: SyncRegistry) throws {
        guard text.utf8.count <= Self.maximumLength, let bytes = Base64.urlSafe.decode(text),
            bytes.count > 1 + 16 + 16 + Self.codeLength, let format = Format(rawValue: bytes[0])
        else { throw CursorFailure.malformed }
        let signed = Array(bytes.dropLast(Self.codeLength))
        try self.init(signed: signed, isBrief: format == .brief, registry)
        let code = Array(try MessageAuthentication.sha256(signed, key: key).prefix(Self.codeLength))
        guard constantTimeEqual(code, Array(bytes.suffix(Self.codeLength))) else {
            throw CursorFailure.foreign(user: user, epoch: epoch)
        }
    }

    /// Reads all but the code.
    /// - Throws: ``CursorFailure/malformed``.
    private init(signed: [UInt8], isBrief: Bool, _ registry: SyncRegistry) throws {
        var reader = ByteReader(signed, from: 1)
        let user = UserID(uuid: try reader.uuid())
        self.user = user
        epoch = try reader.take(16)
        let dayNumber = try reader.number()
        day = dayNumber == 0 ? nil : CalendarDate(daysSince1970: Int32(truncatingIfNeeded: dayNumber - 1))
        known = Int64(clamping: try reader.number())
        left = Int(clamping: try reader.number())
        if isBrief { coverage = CursorCoverage(entities: try reader.numbers(), left: try reader.numbers()) }
        positions = []
        // Each takes several bytes, so that a number that was made up ends soon.
        for _ in 0..<(try reader.number()) {
            positions.append(try Position(from: &reader, isBrief: isBrief, of: user, registry))
        }
        guard reader.isAtEnd else { throw CursorFailure.malformed }
    }
}

extension SyncCursor.Position {
    /// The parts that a brief position has, beside the tag in its first byte.
    private struct Parts: OptionSet {
        let rawValue: UInt8
        static let base = Parts(rawValue: 0x20)
        static let since = Parts(rawValue: 0x40)
        static let place = Parts(rawValue: 0x80)
        static let all: Parts = [.base, .since, .place]
    }

    fileprivate func write(to bytes: inout [UInt8], isBrief: Bool, _ registry: SyncRegistry) {
        var parts = Parts.all
        if isBrief {
            if base == 0 { parts.remove(.base) }
            if since == nil { parts.remove(.since) }
            if place == nil { parts.remove(.place) }
        }
        bytes.append(isBrief ? scope.kind.tag | parts.rawValue : scope.kind.tag)
        bytes.append(contentsOf: registry.scopes(tag: scope.kind.tag)?.key(of: scope) ?? [])
        bytes.append(number: UInt64(clamping: version))
        if parts.contains(.base) { bytes.append(number: UInt64(clamping: base)) }
        if parts.contains(.since) { bytes.append(number: since.map { UInt64(clamping: $0) + 1 } ?? 0) }
        guard parts.contains(.place) else { return }
        bytes.append(number: place.map { UInt64($0.rank) + 1 } ?? 0)
        guard let place else { return }
        bytes.append(number: UInt64(place.id.count))
        bytes.append(contentsOf: place.id)
    }

    fileprivate init(
        from reader: inout ByteReader, isBrief: Bool, of user: UserID, _ registry: SyncRegistry
    ) throws {
        let first = try reader.byte()
        let parts = isBrief ? Parts(rawValue: first).intersection(.all) : .all
        let tag = isBrief ? first & ~Parts.all.rawValue : first
        if tag == ScopeKind.user.tag {
            scope = .user(user)
        } else {
            guard let source = registry.scopes(tag: tag),
                let known = source.scope(key: try reader.take(source.kind.keyLength))
            else { throw CursorFailure.malformed }
            scope = known
        }
        version = Int64(clamping: try reader.number())
        base = parts.contains(.base) ? Int64(clamping: try reader.number()) : 0
        let since = parts.contains(.since) ? try reader.number() : 0
        self.since = since == 0 ? nil : Int64(clamping: since - 1)
        let rank = parts.contains(.place) ? try reader.number() : 0
        place =
            rank == 0
            ? nil : .init(rank: Int(clamping: rank - 1), id: try reader.take(Int(clamping: try reader.number())))
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
