import Foundation

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// Keeps apart those who exchange rows for a user from who decides whose device it is, in all processes that share a store: two
/// that register at once would make two users, and a page of the former user would be taken for the new one's.
///
/// It is a lock on a file (`flock`), which ends with its process.
struct SessionLock: Sendable {
    /// The file; it is made, and stays.
    let path: String
    /// How long to wait for others.
    var patience = Duration.seconds(120)

    /// What it is taken for.
    enum Purpose {
        /// To send and pull for the present user; several may.
        case exchange
        /// To make or change the user; one alone may.
        case change
    }

    /// Does something while the lock is held.
    /// - Throws: ``KitError/store(_:)`` when others hold it for too long; what `body` throws.
    @discardableResult
    func held<Value: Sendable>(for purpose: Purpose, _ body: () async throws -> Value) async throws -> Value {
        let file = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw KitError.store("\(path) cannot be opened: \(String(cString: strerror(errno)))") }
        defer { close(file) }
        let kind = (purpose == .change ? LOCK_EX : LOCK_SH) | LOCK_NB
        let deadline = ContinuousClock.now + patience
        while flock(file, kind) != 0 {
            guard errno == EWOULDBLOCK || errno == EINTR else {
                throw KitError.store("\(path) cannot be locked: \(String(cString: strerror(errno)))")
            }
            guard ContinuousClock.now < deadline else {
                throw KitError.store("another program is using it; try again")
            }
            // There is no waiting for a file lock without holding up a thread.
            try await Task.sleep(for: .milliseconds(Int.random(in: 5...25)))
        }
        return try await body()
    }
}
