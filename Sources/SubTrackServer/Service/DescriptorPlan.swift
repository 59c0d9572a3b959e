import Foundation

/// How the files and sockets that the process may have open are shared: so many stay for the database's connections, for
/// operators and for files, and clients get the rest.
struct DescriptorPlan: Equatable, Sendable {
    /// What stays for listeners, the operators' connections, those that are refused, pipes, logs and mails.
    static let reserve = 160

    /// How many HTTP connections there may be.
    let http: Int
    /// How many sockets there may be.
    let sockets: Int
    /// What an operator should know; nil where there is enough for all.
    let warning: String?

    /// Shares so many descriptors.
    /// - Parameters:
    ///   - limit: how many there are.
    ///   - http: how many HTTP connections the settings allow.
    ///   - sockets: how many sockets they allow.
    init(limit: Int, http: Int, sockets: Int, databaseConnections: Int) {
        let left = max(16, limit - Self.reserve - databaseConnections)
        guard http + sockets > left else {
            (self.http, self.sockets, warning) = (http, sockets, nil)
            return
        }
        // Each gets half, and what the other one does not want.
        self.http = min(http, max(left / 2, left - sockets))
        self.sockets = max(1, min(sockets, left - self.http))
        // A limit that is as high as most systems let it be is no reason to say anything.
        warning =
            self.http < min(http, 4_096) || self.sockets < min(sockets, 4_096)
            ? "The process may have \(limit) files open, which is enough for \(self.http) HTTP connections and "
                + "\(self.sockets) sockets alone; raise it (ulimit -n, LimitNOFILE)"
            : nil
    }

    /// How many the system lets this process have.
    static var limit: Int {
        #if os(Linux)
            let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        #else
            let resource = RLIMIT_NOFILE
        #endif
        var limit = rlimit()
        guard getrlimit(resource, &limit) == 0 else { return 1_024 }
        return Int(clamping: limit.rlim_cur)
    }
}
