/// The limits of sockets. The numbers are constants of the service; tests set smaller ones.
public struct SocketLimits: Sendable {
    /// How many sockets there may be, of both kinds together.
    public var connections = 20_000
    /// How many of them may come from one IPv4 address or IPv6 /64. An IPv6 /56 may have four times as many, a /48 sixteen
    /// times. Those from this machine, where a proxy speaks for many, are not counted.
    public var connectionsPerAddress = 256
    /// How many requests of one socket are worked on at the same time.
    public var running = 32
    /// How many requests of all sockets together are worked on at the same time. A user has an eighth of them at most,
    /// and a network has half.
    public var runningTogether = 64
    /// How many messages of one socket may wait; it is not read from meanwhile.
    public var waiting = 64
    /// How many bytes they may have together before the socket is not read from any more.
    public var waitingBytes = 128 << 10
    /// How long a plain socket may take to say something at all, and to end a line or a message that it has begun.
    public var messageDeadline = Duration.seconds(10)
    /// How long a plain socket may be silent that speaks for nobody. One with a session lasts as long as the session does.
    public var idle = Duration.seconds(75)
    /// How long a socket may take none of the bytes that wait for it.
    public var drainDeadline = Duration.seconds(10)
    /// How many bytes of notifications may wait for a socket that takes none.
    public var waitingNotifications = 64 << 10
    /// How often a WebSocket is asked whether it is still there; one that has not answered by the next time is closed.
    public var pingInterval = Duration.seconds(30)
    /// How often it is looked whether the sessions of open sockets have ended.
    public var sessionCheckInterval = Duration.seconds(2)
    /// How often counters are read for changes of other replicas and of admins.
    public var changeCheckInterval = Duration.seconds(1)
    /// How long requests under way may take once the service was told to stop.
    public var closingDeadline = Duration.seconds(10)

    /// The limits of the service.
    public init() {}
}
