import Metrics
import Synchronization

/// The identity of a series.
struct SeriesID: Hashable, Sendable {
    /// The metric's name as it is shown.
    let metric: String
    /// The labels as they are shown, without their braces.
    let labels: String
}

/// A series: recording and showing run concurrently.
protocol PrometheusSeries: AnyObject, Sendable {
    var id: SeriesID { get }
    /// Its present values.
    var sample: PrometheusText.Sample { get }
}

/// A sum that only grows. Negative, infinite and not-a-number amounts are ignored.
final class CounterSeries: PrometheusSeries, CounterHandler, FloatingPointCounterHandler {
    let id: SeriesID
    /// Wraps at 2^64, which to Prometheus is a restart.
    private let whole = Atomic<UInt64>(0)
    private let fractions = AtomicDouble()

    init(_ id: SeriesID) { self.id = id }

    func increment(by amount: Int64) {
        guard amount > 0 else { return }
        whole.wrappingAdd(UInt64(amount), ordering: .relaxed)
    }

    func increment(by amount: Double) {
        guard amount > 0, amount.isFinite else { return }
        fractions.add(amount)
    }

    func reset() {
        whole.store(0, ordering: .relaxed)
        fractions.set(0)
    }

    var sample: PrometheusText.Sample {
        let whole = whole.load(ordering: .relaxed)
        let fractions = fractions.value
        return fractions == 0 ? .integer(whole) : .value(Double(whole) + fractions)
    }
}

/// A value that goes up and down.
final class GaugeSeries: PrometheusSeries, MeterHandler, RecorderHandler {
    let id: SeriesID
    private let current = AtomicDouble()

    init(_ id: SeriesID) { self.id = id }

    func set(_ value: Int64) { current.set(Double(value)) }
    func set(_ value: Double) { current.set(value) }
    func record(_ value: Int64) { current.set(Double(value)) }
    func record(_ value: Double) { current.set(value) }
    func increment(by amount: Double) { current.add(amount) }
    func decrement(by amount: Double) { current.add(-amount) }

    var sample: PrometheusText.Sample { .value(current.value) }
}

/// How many values there were, and their sum.
final class SummarySeries: PrometheusSeries, RecorderHandler {
    private struct State {
        var count: UInt64 = 0
        var sum = 0.0
    }

    let id: SeriesID
    private let state = Mutex(State())

    init(_ id: SeriesID) { self.id = id }

    func record(_ value: Int64) { record(Double(value)) }

    func record(_ value: Double) {
        // One of these would make the sum useless for ever.
        guard value.isFinite else { return }
        state.withLock {
            $0.count += 1
            $0.sum += value
        }
    }

    var sample: PrometheusText.Sample {
        let state = state.withLock { $0 }
        return .summary(count: state.count, sum: state.sum)
    }
}

/// How long things took. A negative time, which a clock set back may give, counts as none.
final class HistogramSeries: PrometheusSeries, TimerHandler {
    /// Upper bounds in nanoseconds: half a millisecond is a request answered from memory, and no wait of the service
    /// exceeds ten seconds.
    private static let bounds: [Int64] = [
        500_000, 1_000_000, 2_500_000, 5_000_000, 10_000_000, 25_000_000, 50_000_000, 100_000_000, 250_000_000,
        500_000_000, 1_000_000_000, 2_500_000_000, 5_000_000_000, 10_000_000_000,
    ]
    private static let boundsInSeconds = bounds.map { Double($0) / 1e9 }

    private struct State {
        var buckets = [UInt64](repeating: 0, count: HistogramSeries.bounds.count + 1)
        /// Whole nanoseconds, so that nothing is lost by rounding however many there are; wraps after 584 years.
        var nanoseconds: UInt64 = 0
    }

    let id: SeriesID
    /// One lock rather than an atomic for each bucket: sum and buckets that are shown belong together.
    private let state = Mutex(State())

    init(_ id: SeriesID) { self.id = id }

    func recordNanoseconds(_ duration: Int64) {
        let duration = max(duration, 0)
        let bounds = Self.bounds
        // From below, for most times are short.
        var index = 0
        while index < bounds.count, duration > bounds[index] { index += 1 }
        state.withLock {
            $0.buckets[index] &+= 1
            $0.nanoseconds &+= UInt64(duration)
        }
    }

    var sample: PrometheusText.Sample {
        let state = state.withLock { $0 }
        return .histogram(
            bounds: Self.boundsInSeconds, buckets: state.buckets, sum: Double(state.nanoseconds) / 1e9)
    }
}

/// Replaces every series that may not be made, and counts its records.
final class OverflowSeries: CounterHandler, FloatingPointCounterHandler, MeterHandler, RecorderHandler, TimerHandler {
    private let recordings = Atomic<UInt64>(0)

    var count: UInt64 { recordings.load(ordering: .relaxed) }

    private func note() { recordings.wrappingAdd(1, ordering: .relaxed) }

    func increment(by _: Int64) { note() }
    func increment(by _: Double) { note() }
    func decrement(by _: Double) { note() }
    func set(_: Int64) { note() }
    func set(_: Double) { note() }
    func record(_: Int64) { note() }
    func record(_: Double) { note() }
    func recordNanoseconds(_: Int64) { note() }
    func reset() {}
}

/// A `Double` that many threads add to without a lock.
private struct AtomicDouble: ~Copyable, Sendable {
    private let bits = Atomic<UInt64>(0)

    var value: Double { Double(bitPattern: bits.load(ordering: .relaxed)) }

    func set(_ value: Double) { bits.store(value.bitPattern, ordering: .relaxed) }

    func add(_ amount: Double) {
        var old = bits.load(ordering: .relaxed)
        while true {
            let new = (Double(bitPattern: old) + amount).bitPattern
            let (exchanged, original) = bits.weakCompareExchange(expected: old, desired: new, ordering: .relaxed)
            if exchanged { return }
            old = original
        }
    }
}
