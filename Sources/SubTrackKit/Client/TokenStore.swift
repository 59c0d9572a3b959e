import Synchronization

/// Where the bearer token of a device is kept, in one line of text with the service and the user that it is for. It opens all
/// that its user has: keep it where nobody else reads.
public protocol TokenStore: Sendable {
    /// What was kept, as it was; nil when there is nothing. It is no header's value.
    func token() throws -> String?
    /// Keeps another token, or none.
    func set(_ token: String?) throws
}

/// Keeps a token for as long as the process runs.
public final class MemoryTokenStore: TokenStore {
    private let kept: Mutex<String?>

    /// Keeps a token, or none.
    public init(_ token: String? = nil) { kept = Mutex(token) }

    public func token() -> String? { kept.withLock { $0 } }
    public func set(_ token: String?) { kept.withLock { $0 = token } }
}
