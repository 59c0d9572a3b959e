import NIOCore
import Synchronization

/// A description of the API, as it is sent.
struct APIDescription: Sendable {
    private let bytes: ByteBuffer
    private let tag: EntityTag

    /// A description as JSON.
    init(_ bytes: [UInt8]) {
        self.bytes = ByteBuffer(bytes: bytes)
        var hash = StableHash()
        hash.combine(bytes)
        tag = EntityTag(hash: hash.value)
    }

    /// Answers a request for it.
    func response(to request: ServerRequest) -> ServerResponse {
        let isKnown = EntityTagCondition(header: request.headers.first(name: "if-none-match")).matches(tag)
        var response = HTTPReply.response(
            EncodedReply(body: isKnown ? nil : [], isUnchanged: isKnown, tag: tag, isShared: true), status: 200)
        // One copy for all, however many clients take it slowly.
        if !isKnown { response.body = bytes }
        return response
    }
}

/// The descriptions of the API: one for each set of areas that tenants have, made when it is first asked for.
final class APIDescriptions: Sendable {
    private let all: AreaSet
    private let make: @Sendable (AreaSet) throws -> [UInt8]
    private let made = Mutex<[AreaSet: APIDescription]>([:])

    /// Descriptions of sets of areas.
    /// - Parameters:
    ///   - all: all areas of the service.
    ///   - make: makes the description of a set, as JSON.
    init(all: AreaSet, make: @escaping @Sendable (AreaSet) throws -> [UInt8]) {
        self.make = make
        self.all = all
    }

    /// The description of all areas.
    /// - Throws: if JSON has no form for a type of an operation.
    func ofAll() throws -> APIDescription { try description(of: all) }

    /// The description of a set.
    /// - Throws: as ``ofAll()``.
    func description(of set: AreaSet) throws -> APIDescription {
        try made.withLock { made in
            if let known = made[set] { return known }
            let description = APIDescription(try make(set))
            made[set] = description
            return description
        }
    }
}
