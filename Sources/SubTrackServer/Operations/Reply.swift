import SubTrackAPI

/// A handler's answer: an output, and how it may be cached.
struct Reply<Output: Encodable & Sendable>: Sendable {
    private enum Content: Sendable {
        case output(Output)
        /// The JSON of an output; nil where there is none.
        case encoded([UInt8]?)
        /// The JSON, too large to be held in memory perhaps.
        case spooled(SpooledAnswer)
        /// The caller has it already.
        case unchanged
    }

    private var content: Content
    /// The entity tag, if the answer has one that is known before it is encoded.
    private(set) var tag: EntityTag?
    /// Whether the answer is the same for everybody in the tenant.
    private(set) var isShared = false
    /// Whether the tag is to be made from the answer itself, for want of something that is known sooner.
    private(set) var isTaggedByContent = false
    /// Whether the tag tells that the whole answer is the same. A row's does not: it is the row's version, and values
    /// that depend on the day change without it.
    private var isTagOfAnswer = true

    /// An answer for this caller alone, not to be stored.
    init(_ output: Output, tag: EntityTag? = nil) {
        content = .output(output)
        self.tag = tag
    }

    /// An answer that was given before.
    init(replaying answer: [UInt8]?, tag: EntityTag?) {
        content = .encoded(answer)
        self.tag = tag
    }

    /// An answer that was written as JSON already, in parts.
    init(spooled answer: SpooledAnswer) {
        content = .spooled(answer)
        tag = nil
    }

    private init(content: Content, tag: EntityTag?, isShared: Bool) {
        self.content = content
        self.tag = tag
        self.isShared = isShared
    }

    /// An answer that is the same for everybody and may be kept for a while.
    static func shared(_ output: Output, tag: EntityTag? = nil) -> Reply {
        Reply(content: .output(output), tag: tag, isShared: true)
    }

    /// The caller has the answer already.
    static func unchanged(_ tag: EntityTag, isShared: Bool = false) -> Reply {
        Reply(content: .unchanged, tag: tag, isShared: isShared)
    }

    /// The same answer with a tag that is made from its content.
    func taggedByContent() -> Reply {
        var reply = self
        reply.isTaggedByContent = true
        return reply
    }

    /// The JSON, once it is encoded; nil where there is none.
    var body: [UInt8]? {
        if case .encoded(let body) = content { body } else { nil }
    }

    /// The same answer, its output written as JSON.
    func encoded() throws -> Reply {
        guard case .output(let output) = content else { return self }
        var reply = self
        reply.content = .encoded(Output.self == Empty.self ? nil : try OutputEncoder.encode(output))
        return reply
    }

    /// The answer for a caller who has the answers with some tags already.
    func encoded(unless condition: EntityTagCondition) throws -> EncodedReply {
        if let tag, isUnchanged || (isTagOfAnswer && condition.matches(tag)) { return unchanged(tag) }
        if case .spooled(let answer) = content {
            return EncodedReply(body: nil, isUnchanged: false, tag: tag, isShared: isShared, spooled: answer)
        }
        let reply = try encoded()
        var tag = tag
        if isTaggedByContent, let body = reply.body {
            var hash = StableHash()
            hash.combine(body)
            let content = EntityTag(hash: hash.value)
            if condition.matches(content) { return unchanged(content) }
            tag = content
        }
        return EncodedReply(body: reply.body, isUnchanged: false, tag: tag, isShared: isShared)
    }

    private var isUnchanged: Bool {
        if case .unchanged = content { true } else { false }
    }

    private func unchanged(_ tag: EntityTag) -> EncodedReply {
        EncodedReply(body: nil, isUnchanged: true, tag: tag, isShared: isShared)
    }
}

/// A row answers with its version as the tag.
extension Reply where Output: Versioned {
    /// The answer of an operation on one row. Its tag serves `If-Match` alone.
    static func row(_ output: Output) -> Reply {
        var reply = Reply(output, tag: EntityTag(version: output.version))
        reply.isTagOfAnswer = false
        return reply
    }
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
    /// The JSON in place of ``body``, where it is to be sent in parts.
    var spooled: SpooledAnswer?
}
