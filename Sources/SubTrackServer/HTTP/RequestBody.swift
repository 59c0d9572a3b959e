import NIOCore

/// The body of a request as it comes in, within the memory that there is for all of them.
struct RequestBody {
    /// Why a body is not taken in.
    enum Refusal: Error {
        case tooLarge
        /// There is no memory for it.
        case crowded
    }

    private let budget: BodyBudget
    private(set) var ticket: BodyBudget.Ticket?
    private var held = 0
    /// How many bytes came.
    private(set) var length = 0
    private var bytes = ByteBuffer()
    /// The length that its sender says; nil where that is not known.
    private let expected: Int?

    /// An empty body.
    init(budget: BodyBudget, expected: Int?) {
        self.budget = budget
        self.expected = expected
    }

    /// Takes in the next bytes.
    mutating func append(
        _ part: ByteBuffer, network: () -> String?, giveWay: () -> @Sendable () -> Void
    ) throws(Refusal) {
        length += part.readableBytes
        guard length <= ServerRequest.maximumBody else { throw .tooLarge }
        let ticket = self.ticket ?? budget.begin(network: network(), giveWay: giveWay())
        self.ticket = ticket
        if length > held {
            // As buffers grow: by powers of two, and not beyond the length that was said.
            let wanted = max(length, min(expected ?? .max, Self.powerOfTwo(length)))
            guard budget.take(wanted - held, for: ticket) else { throw .crowded }
            held = wanted
        }
        if bytes.readableBytes == 0, part.readableBytes == expected {
            bytes = part
        } else {
            if bytes.capacity < held { bytes.reserveCapacity(held) }
            bytes.writeImmutableBuffer(part)
        }
    }

    /// The whole body, which is given away.
    /// - Throws: when it had to give way at the last moment.
    mutating func finish() throws(Refusal) -> ByteBuffer {
        if let ticket, !budget.complete(ticket) { throw .crowded }
        defer { bytes = ByteBuffer() }
        return bytes
    }

    /// Forgets it.
    mutating func end() {
        bytes = ByteBuffer()
        if let ticket { budget.end(ticket) }
        ticket = nil
        held = 0
    }

    private static func powerOfTwo(_ count: Int) -> Int {
        var power = 1 << 12
        while power < count { power <<= 1 }
        return power
    }
}
