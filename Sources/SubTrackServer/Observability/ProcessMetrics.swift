import Foundation

/// The operating system's figures of this process, under the names that Prometheus' own clients use.
public struct ProcessMetrics: Sendable, Equatable {
    /// Memory in use that is in RAM, in bytes.
    public var residentBytes: UInt64
    /// Address space, in bytes.
    public var virtualBytes: UInt64
    /// Time of processors spent so far, in user and system mode, in seconds.
    public var cpuSeconds: Double
    /// Since when the process runs, in seconds since 1970.
    public var startTime: Double
    /// How many threads it has.
    public var threads: UInt64
    /// How many file descriptors it has open.
    public var openFileDescriptors: UInt64
    /// How many it may have open; nil if there is no limit.
    public var fileDescriptorLimit: UInt64?

    /// Reads the figures of this process from `/proc`; nil where there is none (another system than Linux).
    public static func current() -> ProcessMetrics? {
        #if os(Linux)
            guard let stat = text(of: "/proc/self/stat"), let system = text(of: "/proc/stat"),
                let descriptors = try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")
            else { return nil }
            var limit = rlimit()
            let isLimited =
                getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 && limit.rlim_cur != rlim_t.max
            return ProcessMetrics(
                stat: stat, systemStat: system, ticksPerSecond: sysconf(Int32(_SC_CLK_TCK)),
                pageSize: sysconf(Int32(_SC_PAGESIZE)),
                // One of them is the directory that is being read.
                openFileDescriptors: UInt64(max(descriptors.count - 1, 0)),
                fileDescriptorLimit: isLimited ? UInt64(limit.rlim_cur) : nil)
        #else
            return nil
        #endif
    }

    /// Takes the contents of `/proc/self/stat` and `/proc/stat` (proc(5)); nil if they are not as expected.
    init?(
        stat: String, systemStat: String, ticksPerSecond: Int, pageSize: Int, openFileDescriptors: UInt64,
        fileDescriptorLimit: UInt64?
    ) {
        // The second field is the program's name in parentheses, which may hold spaces and parentheses itself.
        guard ticksPerSecond > 0, pageSize > 0, let end = stat.lastIndex(of: ")") else { return nil }
        let fields = stat[stat.index(after: end)...].split(whereSeparator: \.isWhitespace)
        // proc(5) counts from one, and the first of these is its third.
        func field(_ number: Int) -> UInt64? { number - 3 < fields.count ? UInt64(fields[number - 3]) : nil }
        let boot = systemStat.split(separator: "\n").first { $0.hasPrefix("btime ") }
        guard let userTicks = field(14), let systemTicks = field(15), let threads = field(20),
            let startTicks = field(22), let virtual = field(23), let residentPages = field(24),
            let bootTime = boot.flatMap({ Double($0.dropFirst("btime ".count)) })
        else { return nil }
        let ticks = Double(ticksPerSecond)
        residentBytes = residentPages.multipliedReportingOverflow(by: UInt64(pageSize)).partialValue
        virtualBytes = virtual
        cpuSeconds = (Double(userTicks) + Double(systemTicks)) / ticks
        startTime = bootTime + Double(startTicks) / ticks
        self.threads = threads
        self.openFileDescriptors = openFileDescriptors
        self.fileDescriptorLimit = fileDescriptorLimit
    }

    private static func text(of path: String) -> String? {
        FileManager.default.contents(atPath: path).map { String(decoding: $0, as: UTF8.self) }
    }
}

extension ProcessMetrics {
    private static let definitions: [(name: String, kind: PrometheusText.Kind, help: String)] = [
        ("process_resident_memory_bytes", .gauge, "Memory in use that is in RAM, in bytes."),
        ("process_virtual_memory_bytes", .gauge, "Address space, in bytes."),
        ("process_cpu_seconds_total", .counter, "Time of processors spent, in user and system mode, in seconds."),
        ("process_start_time_seconds", .gauge, "Since when the process runs, in seconds since 1970."),
        ("process_threads", .gauge, "Threads of the process."),
        ("process_open_fds", .gauge, "Open file descriptors."),
        ("process_max_fds", .gauge, "File descriptors that may be open."),
    ]

    /// The names of the metrics, which no other may take.
    static var names: [String] { definitions.map(\.name) }

    /// The metrics; one whose value is not known is left out.
    var families: [PrometheusText.Family] {
        let samples: [PrometheusText.Sample?] = [
            .integer(residentBytes), .integer(virtualBytes), .value(cpuSeconds), .value(startTime), .integer(threads),
            .integer(openFileDescriptors), fileDescriptorLimit.map { .integer($0) },
        ]
        return zip(Self.definitions, samples).compactMap { definition, sample in
            sample.map {
                PrometheusText.Family(
                    name: definition.name, kind: definition.kind, help: definition.help, series: [("", $0)])
            }
        }
    }
}
