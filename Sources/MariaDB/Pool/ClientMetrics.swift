internal import CoreMetrics

/// What a client reports by swift-metrics. Names follow Prometheus, times are in nanoseconds as swift-metrics has them.
struct ClientMetrics: Sendable {
    private let client: String
    private let factory: any MetricsFactory
    private let size: Gauge
    private let idle: Gauge
    private let waiting: Gauge
    /// From asking for a connection to having it.
    private let leaseTime: Timer
    /// From the first byte of a statement to its last row.
    private let queryTime: Timer
    /// Transactions run again after a deadlock or the like.
    private let retries: Counter

    init(client: String, factory: any MetricsFactory) {
        self.client = client
        self.factory = factory
        let dimensions = [("client", client)]
        size = Gauge(label: "mariadb_pool_connections", dimensions: dimensions, factory: factory)
        idle = Gauge(label: "mariadb_pool_idle_connections", dimensions: dimensions, factory: factory)
        waiting = Gauge(label: "mariadb_pool_waiting", dimensions: dimensions, factory: factory)
        leaseTime = Timer(label: "mariadb_lease_seconds", dimensions: dimensions, factory: factory)
        queryTime = Timer(label: "mariadb_query_seconds", dimensions: dimensions, factory: factory)
        retries = Counter(label: "mariadb_transaction_retries_total", dimensions: dimensions, factory: factory)
    }

    func record(_ statistics: PoolStatistics) {
        size.record(statistics.size)
        idle.record(statistics.idle)
        waiting.record(statistics.waiting)
    }

    func leased(after duration: Duration) { leaseTime.recordNanoseconds(duration.nanoseconds) }

    func queried(for duration: Duration) { queryTime.recordNanoseconds(duration.nanoseconds) }

    func retried() { retries.increment() }

    /// Counts an error by its kind and number.
    func count(_ error: MariaDBError) {
        Counter(
            label: "mariadb_errors_total",
            dimensions: [("client", client), ("kind", error.kind.rawValue), ("code", "\(error.code)")],
            factory: factory
        ).increment()
    }
}
