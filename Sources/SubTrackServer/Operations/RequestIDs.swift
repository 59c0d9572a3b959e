import Synchronization

/// Ids of requests that come by a socket: different in every run of the service, short enough to need no memory of their own.
enum RequestIDs {
    private static let prefix = String(UInt32.random(in: 0x4000_0000...UInt32.max), radix: 36)
    private static let counter = Atomic<UInt64>(0)

    /// An id that this process has not given before.
    static func next() -> String {
        "\(prefix)-\(String(counter.add(1, ordering: .relaxed).newValue, radix: 36))"
    }
}
