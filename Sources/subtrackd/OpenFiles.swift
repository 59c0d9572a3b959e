import Foundation

/// How many files and sockets the process may have open.
enum OpenFiles {
    /// Raises the limit as far as the system lets this user: a socket is a file, and many systems begin with a thousand.
    static func raiseLimit() {
        #if os(Linux)
            let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        #else
            let resource = RLIMIT_NOFILE
        #endif
        var limit = rlimit()
        guard getrlimit(resource, &limit) == 0 else { return }
        // Darwin refuses more than this, and more than a hundred thousand would never be used.
        limit.rlim_cur = max(limit.rlim_cur, min(limit.rlim_max, 65_536))
        setrlimit(resource, &limit)
    }
}
