#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// The few calls on a connection's socket that libmariadb leaves to its caller.
enum Socket {
    static func makeNonBlocking(_ descriptor: Int32) {
        let flags = fcntl(descriptor, F_GETFL)
        if flags >= 0 { _ = fcntl(descriptor, F_SETFL, flags | O_NONBLOCK) }
    }

    /// Ends both directions at once, so that nothing that follows waits for the peer.
    static func shutDown(_ descriptor: Int32) {
        #if canImport(Glibc)
            Glibc.shutdown(descriptor, Int32(SHUT_RDWR))
        #else
            Darwin.shutdown(descriptor, SHUT_RDWR)
        #endif
    }
}
