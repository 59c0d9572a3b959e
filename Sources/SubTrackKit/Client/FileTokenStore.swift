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
        guard let data = FileManager.default.contents(atPath: path) else {
            guard FileManager.default.fileExists(atPath: path) else { return nil }
            throw KitError.store("\(path) cannot be read")
        }
        guard data.count <= 4096 else { return nil }
        let token = String(decoding: data, as: UTF8.self).trimmed
        // Nothing that ends a header field may reach one.
        let isToken = !token.isEmpty && token.utf8.allSatisfy { (0x20...0x7E).contains($0) }
        return isToken ? token : nil
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
