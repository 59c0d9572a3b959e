import ArgumentParser
import Foundation
import Logging
import Metrics
import SubTrackServer

/// `subtrackd serve`
struct Serve: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Runs the service until SIGINT or SIGTERM.",
        discussion: """
            With no database configured it starts a private MariaDB of its own, makes the tenant "default", loads the demo \
            catalogue and serves. Exit codes: 0 done, 64 usage, 69 something needed is unavailable, 78 configuration.
            """)

    @OptionGroup var options: ServeOptions

    func run() async throws {
        try await Exit.reporting {
            let (settings, logging) = try options.settings()
            let scheme = settings.tls == nil ? "http" : "https"
            LoggingSystem.bootstrap(
                { logging.format.handler(label: $0, level: logging.level, metadataProvider: $1) }, metadataProvider: nil
            )
            let metrics = PrometheusMetrics(help: MetricHelp.texts)
            MetricsSystem.bootstrap(metrics)
            Self.leaveNoCoreDump()
            // A closed log pipe or socket is an error of that write, not the end of the process.
            signal(SIGPIPE, SIG_IGN)
            Allocator.configure()
            OpenFiles.raiseLimit()
            for finding in settings.localFindings {
                Logger(label: "subtrackd").warning(
                    "\(finding.text)", metadata: ["file": "\(finding.subject)", "remedy": "\(finding.remedy ?? "")"])
            }
            let service = SubTrackService(
                settings: settings, logger: Logger(label: "subtrackd"), metricsText: { metrics.text() },
                onListening: { address in
                    Logger(label: "subtrackd").notice("SubTrackIt listens at \(scheme)://\(address)")
                },
                onSocketListening: { address in
                    Logger(label: "subtrackd").notice("SubTrackIt takes plain sockets at \(address)")
                },
                onAdminListening: { address in
                    Logger(label: "subtrackd").notice(
                        "Readiness, metrics and the operators' pages are at http://\(address)")
                })
            try await service.run()
        }
    }

    /// What is in memory, passwords and tokens too, is not to be left on disk when the process crashes, nor by a child.
    private static func leaveNoCoreDump() {
        var none = rlimit(rlim_cur: 0, rlim_max: 0)
        #if os(Linux)
            _ = setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &none)
        #else
            _ = setrlimit(RLIMIT_CORE, &none)
        #endif
    }
}
