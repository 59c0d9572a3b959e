import Foundation

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// Keeps the token in a file that its owner alone may read (mode 0600).
public struct FileTokenStore: TokenStore {
    private let path: String

    /// Keeps it in a file; its folder must be there.
    public init(path: String) { self.path = path }

    public func token() throws -> String? {
        guard let data = try contents() else { return nil }
        guard data.count <= Self.mostBytes else { return nil }
        let token = String(decoding: data, as: UTF8.self).trimmed
        // Nothing that ends a header field may reach one.
        let isToken = !token.isEmpty && token.utf8.allSatisfy { (0x20...0x7E).contains($0) }
        return isToken ? token : nil
    }

    /// The most bytes of a file that may be a token.
    private static let mostBytes = 4096

    /// Reads the file, one byte more than a token may have at most; nil: there is none.
    ///
    /// One opening decides: another process may make the file between two looks at it.
    private func contents() throws -> [UInt8]? {
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else {
            guard errno == ENOENT else { throw unreadable() }
            return nil
        }
        defer { close(file) }
        var bytes = [UInt8](repeating: 0, count: Self.mostBytes + 1)
        var count = 0
        while count < bytes.count {
            let result = bytes.withUnsafeMutableBytes {
                read(file, $0.baseAddress?.advanced(by: count), $0.count - count)
            }
            if result < 0, errno == EINTR { continue }
            guard result >= 0 else { throw unreadable() }
            guard result > 0 else { break }
            count += result
        }
        return Array(bytes.prefix(count))
    }

    private func unreadable() -> KitError {
        .store("\(path) cannot be read: \(String(cString: strerror(errno)))")
    }

    public func set(_ token: String?) throws {
        guard let token else {
            guard unlink(path) == 0 || errno == ENOENT else { throw KitError.store("\(path) cannot be removed") }
            return
        }
        // A new file, made for its owner alone, takes the place of the old one as a whole.
        let fresh = path + ".\(getpid()).\(UInt32.random(in: 0...UInt32.max)).new"
        let file = open(fresh, O_WRONLY | O_CREAT | O_EXCL, 0o600)
        guard file >= 0 else { throw KitError.store("\(fresh) cannot be written: \(String(cString: strerror(errno)))") }
        let bytes = Array((token + "\n").utf8)
        let isWritten =
            bytes.withUnsafeBytes { write(file, $0.baseAddress, $0.count) } == bytes.count && fsync(file) == 0
        close(file)
        guard isWritten, rename(fresh, path) == 0 else {
            unlink(fresh)
            throw KitError.store("\(path) cannot be written: \(String(cString: strerror(errno)))")
        }
    }
}
