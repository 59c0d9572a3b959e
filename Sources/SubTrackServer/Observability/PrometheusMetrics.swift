import Metrics
import Synchronization

/// Keeps the metrics of the process and shows them in the text format of Prometheus (0.0.4).
///
/// Bootstrapped once, before the first metric is made, and read whenever `/metrics` is asked for:
///
///     let metrics = PrometheusMetrics()
///     MetricsSystem.bootstrap(metrics)
///     metrics.text()
///
/// | swift-metrics | Prometheus |
/// |---|---|
/// | `Counter`, `FloatingPointCounter` | counter, its name ending in `_total` |
/// | `Gauge`, `Meter`, `Recorder` that does not aggregate | gauge |
/// | `Recorder` that aggregates | summary of count and sum |
/// | `Timer` | histogram in seconds, its name ending in `_seconds`, buckets from 0.5 ms to 10 s |
///
/// Two metrics of the same label and dimensions, in any order, are one series. Recording takes an atomic operation or a
/// short lock of that series alone. Making a metric takes the lock of all, so it is made once and kept.
///
/// Memory is bounded. A metric beyond the limits, or under the name of a metric of another type, is not kept. Its
/// records are counted in `metrics_overflow_total`.
public final class PrometheusMetrics: MetricsFactory, Sendable {
    private struct Family {
        let kind: PrometheusText.Kind
        let help: String
        var series: [String: any PrometheusSeries] = [:]
    }

    private struct Registry {
        var families: [String: Family] = [:]
        /// The names that lines begin with, and the family of each.
        var owners: [String: String] = [:]
        var seriesCount = 0
    }

    private static let overflowName = "metrics_overflow_total"

    private let seriesLimit: Int
    private let seriesPerMetric: Int
    private let help: [String: String]
    private let process: @Sendable () -> ProcessMetrics?
    private let registry: Mutex<Registry>
    private let overflow = OverflowSeries()

    /// Metrics with nothing in them yet.
    ///
    /// - Parameters:
    ///   - seriesLimit: how many series are kept; a timer counts as one.
    ///   - seriesPerMetric: how many of them one metric may have, by default half of them. This leaves room for others
    ///     if a single one goes wild.
    ///   - help: the help text of each metric, by its label as the program gives it.
    ///   - process: reads the operating system's figures of the process; called at each `text()`.
    public init(
        seriesLimit: Int = 2_000, seriesPerMetric: Int? = nil, help: [String: String] = [:],
        process: @escaping @Sendable () -> ProcessMetrics? = ProcessMetrics.current
    ) {
        self.seriesLimit = seriesLimit
        self.seriesPerMetric = seriesPerMetric ?? max(seriesLimit / 2, 1)
        self.help = help
        self.process = process
        var registry = Registry()
        for name in ProcessMetrics.names + [Self.overflowName] { registry.owners[name] = name }
        self.registry = Mutex(registry)
    }

    /// All metrics as text, in a stable order; `text/plain; version=0.0.4; charset=utf-8`.
    public func text() -> String {
        // Only the references are copied under the lock; figures are read and written out outside of it.
        let families = registry.withLock { $0.families }
        var shown = families.map { name, family in
            PrometheusText.Family(
                name: name, kind: family.kind, help: family.help,
                series: family.series.map { (labels: $0.key, sample: $0.value.sample) })
        }
        shown.append(
            PrometheusText.Family(
                name: Self.overflowName, kind: .counter,
                help: "Recordings that were not kept, for there are too many series or the name is another type's.",
                series: [(labels: "", sample: .integer(overflow.count))]))
        if let process = process() { shown += process.families }
        return PrometheusText.render(shown)
    }

    /// The series of that label and those dimensions, made if it is new; nil if it may not be made.
    private func series<Series: PrometheusSeries>(
        _ label: String, _ dimensions: [(String, String)], kind: PrometheusText.Kind, make: (SeriesID) -> Series
    ) -> Series? {
        let id = SeriesID(
            metric: PrometheusText.name(label, kind: kind), labels: PrometheusText.labels(dimensions))
        return registry.withLock { registry in
            var family =
                registry.families.removeValue(forKey: id.metric)
                ?? Family(kind: kind, help: help[label] ?? "\(label) (\(kind.rawValue))")
            defer { if !family.series.isEmpty { registry.families[id.metric] = family } }
            if let known = family.series[id.labels] { return known as? Series }
            guard registry.seriesCount < seriesLimit, family.series.count < seriesPerMetric, family.kind == kind
            else { return nil }
            let lines = PrometheusText.lineNames(id.metric, kind: kind)
            guard lines.allSatisfy({ registry.owners[$0] == (family.series.isEmpty ? nil : id.metric) })
            else { return nil }
            let new = make(id)
            family.series[id.labels] = new
            registry.seriesCount += 1
            for line in lines { registry.owners[line] = id.metric }
            return new
        }
    }

    private func remove(_ handler: any Sendable) {
        guard let series = handler as? any PrometheusSeries else { return }
        registry.withLock { registry in
            guard var family = registry.families[series.id.metric], family.series[series.id.labels] === series
            else { return }
            family.series[series.id.labels] = nil
            registry.seriesCount -= 1
            registry.families[series.id.metric] = family.series.isEmpty ? nil : family
            guard family.series.isEmpty else { return }
            for line in PrometheusText.lineNames(series.id.metric, kind: family.kind) { registry.owners[line] = nil }
        }
    }
}

// The requirements of swift-metrics for a factory.
extension PrometheusMetrics {
    public func makeCounter(label: String, dimensions: [(String, String)]) -> any CounterHandler {
        series(label, dimensions, kind: .counter, make: CounterSeries.init) ?? overflow
    }

    public func makeFloatingPointCounter(
        label: String, dimensions: [(String, String)]
    ) -> any FloatingPointCounterHandler {
        series(label, dimensions, kind: .counter, make: CounterSeries.init) ?? overflow
    }

    public func makeMeter(label: String, dimensions: [(String, String)]) -> any MeterHandler {
        series(label, dimensions, kind: .gauge, make: GaugeSeries.init) ?? overflow
    }

    public func makeRecorder(
        label: String, dimensions: [(String, String)], aggregate: Bool
    ) -> any RecorderHandler {
        if aggregate { return series(label, dimensions, kind: .summary, make: SummarySeries.init) ?? overflow }
        return series(label, dimensions, kind: .gauge, make: GaugeSeries.init) ?? overflow
    }

    public func makeTimer(label: String, dimensions: [(String, String)]) -> any TimerHandler {
        series(label, dimensions, kind: .histogram, make: HistogramSeries.init) ?? overflow
    }

    public func destroyCounter(_ handler: any CounterHandler) { remove(handler) }
    public func destroyFloatingPointCounter(_ handler: any FloatingPointCounterHandler) { remove(handler) }
    public func destroyMeter(_ handler: any MeterHandler) { remove(handler) }
    public func destroyRecorder(_ handler: any RecorderHandler) { remove(handler) }
    public func destroyTimer(_ handler: any TimerHandler) { remove(handler) }
}
