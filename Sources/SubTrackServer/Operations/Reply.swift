import SubTrackAPI

/// What a handler answers: an output, and how it may be cached.
struct Reply<Output: Encodable & Sendable>: Sendable {
    /// The output; nil when the caller has it already.
    let output: Output?
    /// The entity tag, if the answer has one.
    let tag: EntityTag?
    /// Whether the answer is the same for everybody in the tenant.
    let isShared: Bool
    /// Whether the tag is to be made from the answer itself, for want of something that is known sooner.
    private(set) var isTaggedByContent = false

    /// An answer for this caller alone, not to be stored.
    init(_ output: Output, tag: EntityTag? = nil) {
        self.output = output
        self.tag = tag
        isShared = false
    }

    /// An answer that is the same for everybody and may be kept for a while.
    static func shared(_ output: Output, tag: EntityTag? = nil) -> Reply {
        Reply(output: output, tag: tag, isShared: true)
    }

    /// The same answer with a tag that is made from its content.
    func taggedByContent() -> Reply {
        var reply = self
        reply.isTaggedByContent = true
        return reply
    }

    /// The caller has the answer already.
    static func unchanged(_ tag: EntityTag, isShared: Bool = false) -> Reply {
        Reply(output: nil, tag: tag, isShared: isShared)
    }

    private init(output: Output?, tag: EntityTag?, isShared: Bool) {
        self.output = output
        self.tag = tag
        self.isShared = isShared
    }
}

/// A row answers with its version as the tag.
extension Reply where Output: Versioned {
    /// The answer of an operation on one row.
    static func row(_ output: Output) -> Reply { Reply(output, tag: EntityTag(version: output.version)) }
}

/// A handler's answer, encoded.
struct EncodedReply: Sendable {
    /// The JSON; nil when the caller has it already or there is none.
    let body: [UInt8]?
    /// Whether the caller has the answer already.
    let isUnchanged: Bool
    /// The entity tag, if the answer has one.
    let tag: EntityTag?
    /// Whether the answer is the same for everybody in the tenant.
    let isShared: Bool
}
