// The headers behind this module bring the C library's thread types with them.
internal import CMariaDB

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// Threads outside Swift's cooperative pool, for what blocks.
enum Thread {
    private final class Start {
        let body: () -> Void
        init(_ body: @escaping () -> Void) { self.body = body }
    }

    /// Runs `body` on a thread of its own.
    ///
    /// - Throws: ``MariaDBError`` when the system has no thread left.
    static func start(_ body: @escaping @Sendable () -> Void) throws(MariaDBError) {
        let start = Unmanaged.passRetained(Start(body))
        var attributes = pthread_attr_t()
        pthread_attr_init(&attributes)
        defer { pthread_attr_destroy(&attributes) }
        pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
        pthread_attr_setstacksize(&attributes, 512 * 1024)
        #if canImport(Darwin)
            var thread: pthread_t?
        #else
            var thread = pthread_t()
        #endif
        let result = pthread_create(&thread, &attributes, entry, start.toOpaque())
        guard result == 0 else {
            start.release()
            throw MariaDBError(kind: .connection, message: "the system has no thread left (errno \(result))")
        }
    }

    #if canImport(Darwin)
        private static let entry: @convention(c) (UnsafeMutableRawPointer) -> UnsafeMutableRawPointer? = { argument in
            Unmanaged<Start>.fromOpaque(argument).takeRetainedValue().body()
            return nil
        }
    #else
        private static let entry: @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? = { argument in
            guard let argument else { return nil }
            Unmanaged<Start>.fromOpaque(argument).takeRetainedValue().body()
            return nil
        }
    #endif
}
