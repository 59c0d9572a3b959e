/// How long a request waits for things that others hold.
///
/// No operator sets them. Together they keep an answer within some twenty seconds, however busy the service is.
public struct RequestWaits: Sendable {
    /// For a connection of the pool.
    public var lease = Duration.seconds(2)
    /// For a row that another transaction has locked.
    public var lock = Duration.seconds(2)
    /// For the turn of a write of its user, or of its shared scope: as long as for the lock.
    public var write = Duration.seconds(2)
    /// For the turn of a read of its user.
    public var read = Duration.seconds(5)
    /// For the turn of its network.
    public var network = Duration.seconds(5)
    /// For a statement, which the server ends then.
    public var statement = Duration.seconds(8)
    /// For a server that does not end it, and is given up then.
    public var silence = Duration.seconds(12)

    /// The waits of the service.
    public init() {}

    /// The same time for everything.
    public init(all time: Duration) {
        (lease, lock, write, read, network, statement, silence) = (time, time, time, time, time, time, time)
    }
}
