import Synchronization

/// Where the bearer token of a device is kept. It opens all that its user has: keep it where nobody else reads.
public protocol TokenStore: Sendable {
    /// The token; nil when there is none.
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
