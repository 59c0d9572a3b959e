/// The costs and deadlines of HTTP connections.
///
/// Each wait of a connection has an end: handshake, head, each part of a body, the taking of an answer, the silence between
/// requests. A minimum rate stands in for one long deadline where something large is under way.
public struct HTTPLimits: Sendable {
    /// How many connections there may be.
    public var connections = 10_000
    /// How many of them may come from one network: an IPv4 address, or the first 64 bits of an IPv6 address. Larger networks have
    /// more (``ClientNetworks``), half of all at the most. This machine and trusted proxies speak for many and are not counted.
    public var connectionsPerNetwork = 256
    /// How many requests of one HTTP/2 connection are worked on at the same time; others of its streams wait for them.
    public var streamsAtOnce = 16
    /// How many connections beyond the limit may still ask whether the service is alive.
    public var crowdedConnections = 64
    /// How long a connection waits for its first complete request, or for the rest of it, before a newer one may have its place.
    public var yielding = Duration.seconds(1)
    /// How many bytes all buffered bodies of requests may have together.
    public var bodyMemory = 64 << 20
    /// How many bytes of answers may wait in this process for clients that take them slowly, all together. Beyond it those that
    /// have waited longest are cut.
    public var answerMemory = 64 << 20
    /// How long an answer that is taken slowly has before it may be cut for others.
    public var answerPatience = Duration.seconds(2)
    /// How long an unfinished body may take before it may have to give way to others.
    public var bodyPatience = Duration.seconds(5)
    /// How long a TLS handshake may take, and the head of a request from its first byte.
    public var head = Duration.seconds(10)
    /// How long a connection may be silent between requests.
    public var idle = Duration.seconds(75)
    /// The time in which ``bodyPace`` must come, or a body's end.
    public var bodyWindow = Duration.seconds(10)
    /// How many bytes of a body must come in each ``bodyWindow``.
    public var bodyPace = 16 << 10
    /// The time in which ``answerPace`` must leave, or an answer's end.
    public var answerWindow = Duration.seconds(30)
    /// How many bytes of an answer must leave in each ``answerWindow``.
    public var answerPace = 16 << 10
    /// How many bytes of a long answer the other side takes in a second at the least, once ``idle`` has passed.
    public var rate = 16 << 10
    /// How long the other side may take to close its side after the last answer.
    public var closing = Duration.seconds(5)
    /// How much of a body that was refused is read over, in bytes, so that the answer to it can be read.
    public var drained = 64 << 20

    /// The limits of the service.
    public init() {}
}
