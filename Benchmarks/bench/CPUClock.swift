import Foundation

/// The processor time that some servers and the ended children of this process use from now on.
struct CPUClock {
    /// RUSAGE_CHILDREN: an enumeration to Glibc, a number to Darwin.
    private static let rusageChildren: Int32 = -1

    private let servers: [pid_t]
    private let start: [Double]?

    /// Starts.
    init(servers: [pid_t]) {
        self.servers = servers
        start = Self.read(servers)
    }

    /// Seconds since the start, of the ended children and of each server; nil where the system does not tell.
    func elapsed() -> (children: Double, servers: [Double])? {
        guard let start, let end = Self.read(servers) else { return nil }
        let used = zip(end, start).map { $0 - $1 }
        return (used[0], Array(used.dropFirst()))
    }

    /// The children's time, then each server's.
    private static func read(_ servers: [pid_t]) -> [Double]? {
        var usage = rusage()
        guard getrusage(rusageChildren, &usage) == 0 else { return nil }
        func seconds(_ time: timeval) -> Double { Double(time.tv_sec) + Double(time.tv_usec) / 1_000_000 }
        var times = [seconds(usage.ru_utime) + seconds(usage.ru_stime)]
        for server in servers {
            // proc(5): the 14th and 15th field, in ticks; the name before them may have spaces.
            guard let text = try? String(contentsOfFile: "/proc/\(server)/stat", encoding: .utf8) else { return nil }
            let fields = text.split(separator: ")").last?.split(separator: " ") ?? []
            guard fields.count > 13, let user = Double(fields[11]), let system = Double(fields[12]) else { return nil }
            times.append((user + system) / Double(sysconf(Int32(_SC_CLK_TCK))))
        }
        return times
    }
}
