import Dispatch
import Metrics
import TestTraits
import Testing

@testable import SubTrackServer

/// Metrics as a scrape shows them; each test has a factory of its own.
@Suite(.ownTime) struct PrometheusMetricsTests {
    private func metrics(
        seriesLimit: Int = 2_000, seriesPerMetric: Int? = nil, help: [String: String] = [:]
    ) -> PrometheusMetrics {
        PrometheusMetrics(seriesLimit: seriesLimit, seriesPerMetric: seriesPerMetric, help: help, process: { nil })
    }

    /// The lines of a metric, without its comments.
    private func lines(_ metrics: PrometheusMetrics, _ prefix: String) -> [String] {
        metrics.text().split(separator: "\n").map(String.init).filter { $0.hasPrefix(prefix) }
    }

    @Test func everyKindIsShownAsTheFormatSays() {
        let metrics = metrics(help: ["http.requests": "Requests answered.\nBy \\ status."])
        Counter(label: "http.requests", dimensions: [("status", "2xx"), ("operation", "plans.list")], factory: metrics)
            .increment(by: 3)
        Counter(label: "http.requests", dimensions: [("operation", "me.get"), ("status", "2xx")], factory: metrics)
            .increment()
        FloatingPointCounter(label: "work_total", factory: metrics).increment(by: 0.25)
        Gauge(label: "pool-size", dimensions: [], factory: metrics).record(32)
        let meter = Meter(label: "queue", factory: metrics)
        meter.set(2.5)
        meter.increment(by: 1)
        meter.decrement(by: 3)
        let recorder = Recorder(label: "rows", factory: metrics)
        recorder.record(10)
        recorder.record(0.5)
        let timer = Timer(label: "http.duration", dimensions: [("operation", "me.get")], factory: metrics)
        timer.recordNanoseconds(500_000)
        timer.recordNanoseconds(500_001)
        timer.recordMilliseconds(30)
        timer.recordSeconds(11)
        timer.recordNanoseconds(-5)
        _ = Timer(label: "http.duration", dimensions: [("operation", "never")], factory: metrics)

        #expect(
            metrics.text() == """
                # HELP http_duration_seconds http.duration (histogram)
                # TYPE http_duration_seconds histogram
                http_duration_seconds_bucket{operation="me.get",le="0.0005"} 2
                http_duration_seconds_bucket{operation="me.get",le="0.001"} 3
                http_duration_seconds_bucket{operation="me.get",le="0.0025"} 3
                http_duration_seconds_bucket{operation="me.get",le="0.005"} 3
                http_duration_seconds_bucket{operation="me.get",le="0.01"} 3
                http_duration_seconds_bucket{operation="me.get",le="0.025"} 3
                http_duration_seconds_bucket{operation="me.get",le="0.05"} 4
                http_duration_seconds_bucket{operation="me.get",le="0.1"} 4
                http_duration_seconds_bucket{operation="me.get",le="0.25"} 4
                http_duration_seconds_bucket{operation="me.get",le="0.5"} 4
                http_duration_seconds_bucket{operation="me.get",le="1"} 4
                http_duration_seconds_bucket{operation="me.get",le="2.5"} 4
                http_duration_seconds_bucket{operation="me.get",le="5"} 4
                http_duration_seconds_bucket{operation="me.get",le="10"} 4
                http_duration_seconds_bucket{operation="me.get",le="+Inf"} 5
                http_duration_seconds_sum{operation="me.get"} 11.031000001
                http_duration_seconds_count{operation="me.get"} 5
                http_duration_seconds_bucket{operation="never",le="+Inf"} 0
                http_duration_seconds_sum{operation="never"} 0
                http_duration_seconds_count{operation="never"} 0
                # HELP http_requests_total Requests answered.\\nBy \\\\ status.
                # TYPE http_requests_total counter
                http_requests_total{operation="me.get",status="2xx"} 1
                http_requests_total{operation="plans.list",status="2xx"} 3
                # HELP metrics_overflow_total Recordings that were not kept, for there are too many series or the name \
                is another type's.
                # TYPE metrics_overflow_total counter
                metrics_overflow_total 0
                # HELP pool_size pool-size (gauge)
                # TYPE pool_size gauge
                pool_size 32
                # HELP queue queue (gauge)
                # TYPE queue gauge
                queue 0.5
                # HELP rows rows (summary)
                # TYPE rows summary
                rows_sum 10.5
                rows_count 2
                # HELP work_total work_total (counter)
                # TYPE work_total counter
                work_total 0.25

                """)
    }

    @Test func labelValuesAreEscapedSoThatNoneForgesALine() {
        let metrics = metrics()
        let hostile = "a\\b\"c\"} 9\r\nforged 1\n\u{2028}é"
        Counter(label: "c", dimensions: [("v", hostile)], factory: metrics).increment()
        #expect(
            metrics.text().unicodeScalars.split(separator: "\n").map(String.init)
                .contains("c_total{v=\"a\\\\b\\\"c\\\"} 9\r\\nforged 1\\n\u{2028}é\"} 1"))
        #expect(lines(metrics, "forged").isEmpty)
    }

    @Test(arguments: [
        ("9 lives", "_9_lives_total"), ("", "__total"), ("a:b", "a_b_total"), ("größe", "gr__e_total"),
        ("requests_total", "requests_total"), ("a\nb", "a_b_total"),
    ])
    func namesHoldOnlyWhatTheFormatAllows(label: String, shown: String) {
        let metrics = metrics()
        Counter(label: label, factory: metrics).increment()
        #expect(lines(metrics, shown) == ["\(shown) 1"])
    }

    @Test func labelNamesAreValidAndUnique() {
        let metrics = metrics()
        let dimensions = [("le", "1"), ("__name__", "2"), ("a.b", "3"), ("a_b", "4"), ("", "5"), ("1st", "6")]
        Counter(label: "c", dimensions: dimensions, factory: metrics).increment()
        #expect(
            lines(metrics, "c_total") == [
                #"c_total{_="5",_1st="6",_name__="2",a_b="3",a_b_="4",le_="1"} 1"#
            ])
    }

    @Test func theSameLabelAndDimensionsAreOneSeries() {
        let metrics = metrics()
        let first = metrics.makeCounter(label: "c", dimensions: [("a", "1"), ("b", "2")])
        let second = metrics.makeCounter(label: "c", dimensions: [("b", "2"), ("a", "1")])
        #expect(first === second)
        // Numbers of both kinds are one counter.
        Counter(label: "d", factory: metrics).increment(by: 2)
        FloatingPointCounter(label: "d", factory: metrics).increment(by: 0.5)
        #expect(lines(metrics, "d_total") == ["d_total 2.5"])
    }

    @Test func aCounterOnlyGrows() {
        let metrics = metrics()
        let whole = metrics.makeCounter(label: "c", dimensions: [])
        whole.increment(by: 5)
        whole.increment(by: -3)
        let fractions = metrics.makeFloatingPointCounter(label: "c", dimensions: [])
        for amount in [-1.5, .nan, .infinity] { fractions.increment(by: amount) }
        #expect(lines(metrics, "c_total") == ["c_total 5"])
        whole.reset()
        #expect(lines(metrics, "c_total") == ["c_total 0"])
    }

    @Test func specialNumbersAreWrittenAsTheFormatSays() {
        let values: [(Double, String)] = [
            (.nan, "NaN"), (.infinity, "+Inf"), (-.infinity, "-Inf"), (0, "0"), (-3, "-3"), (0.1, "0.1"),
            (1e300, "1e+300"),
            (9_007_199_254_740_992, "9007199254740992"), (-0.000_012_5, "-1.25e-05"),
        ]
        for (value, text) in values { #expect(PrometheusText.number(value) == text) }
    }

    @Test func manyThreadsAddUp() {
        let metrics = metrics()
        // Each records into one series in a tight loop, for what is lost is lost when two are at it at once.
        let counter = metrics.makeCounter(label: "c", dimensions: [])
        let fractions = metrics.makeFloatingPointCounter(label: "f", dimensions: [])
        let meter = metrics.makeMeter(label: "m", dimensions: [])
        let recorder = metrics.makeRecorder(label: "r", dimensions: [], aggregate: true)
        let timer = metrics.makeTimer(label: "t", dimensions: [])
        let recordings: [@Sendable () -> Void] = [
            { counter.increment(by: 1) }, { fractions.increment(by: 0.5) }, { meter.increment(by: 2) },
            { meter.decrement(by: 1) }, { recorder.record(1.0) }, { timer.recordNanoseconds(1_000_000_000) },
        ]
        for record in recordings {
            // Threads of their own: the tasks of this suite would often run one after the other.
            DispatchQueue.concurrentPerform(iterations: 4) { _ in
                for step in 0..<500_000 {
                    record()
                    // Readers see whole lines while others write.
                    if step % 100_000 == 0 { #expect(metrics.text().hasSuffix("\n")) }
                }
            }
        }
        #expect(lines(metrics, "c_total") == ["c_total 2000000"])
        #expect(lines(metrics, "f_total") == ["f_total 1000000"])
        #expect(lines(metrics, "m ") == ["m 2000000"])
        #expect(lines(metrics, "r_") == ["r_sum 2000000", "r_count 2000000"])
        #expect(
            lines(metrics, "t_seconds").suffix(3) == [
                #"t_seconds_bucket{le="+Inf"} 2000000"#, "t_seconds_sum 2000000", "t_seconds_count 2000000",
            ])
    }

    @Test func manyTasksMakeOneSeries() async {
        let metrics = metrics()
        await withTaskGroup { group in
            for _ in 0..<20 {
                group.addTask { for _ in 0..<200 { Counter(label: "c", factory: metrics).increment() } }
            }
        }
        #expect(lines(metrics, "c_total") == ["c_total 4000"])
    }

    @Test func hostileLabelsEatNoMemory() {
        let metrics = metrics(seriesLimit: 100, seriesPerMetric: 60)
        for index in 0..<10_000 {
            Counter(label: "guessed", dimensions: [("value", "\(index)")], factory: metrics).increment()
        }
        #expect(lines(metrics, "guessed_total").count == 60)
        #expect(lines(metrics, "metrics_overflow_total") == ["metrics_overflow_total 9940"])
        // One metric gone wild leaves room for others, but all together have their limit.
        for index in 0..<60 { Gauge(label: "other_\(index)", factory: metrics).record(1) }
        #expect(lines(metrics, "other_").count == 40)
        #expect(lines(metrics, "metrics_overflow_total") == ["metrics_overflow_total 9960"])
        // Each kind of handler has its stand-in.
        Timer(label: "late", factory: metrics).recordNanoseconds(1)
        Recorder(label: "late", factory: metrics).record(1)
        Meter(label: "late", factory: metrics).set(1)
        FloatingPointCounter(label: "late", factory: metrics).increment(by: 1.5)
        #expect(lines(metrics, "late").isEmpty)
        #expect(lines(metrics, "metrics_overflow_total") == ["metrics_overflow_total 9964"])
        // What is known already goes on.
        Counter(label: "guessed", dimensions: [("value", "0")], factory: metrics).increment()
        #expect(lines(metrics, "guessed_total{value=\"0\"}") == ["guessed_total{value=\"0\"} 2"])
    }

    @Test func aLongLabelIsCutBetweenCharacters() {
        let metrics = metrics()
        Counter(label: "c", dimensions: [("v", String(repeating: "€", count: 1_000_000))], factory: metrics).increment()
        #expect(lines(metrics, "c_total") == ["c_total{v=\"\(String(repeating: "€", count: 85))\"} 1"])
    }

    @Test func aNameBelongsToOneType() {
        let metrics = metrics()
        Timer(label: "x", factory: metrics).recordNanoseconds(1)
        Gauge(label: "x_seconds", factory: metrics).record(7)
        Gauge(label: "x_seconds_count", factory: metrics).record(7)
        Gauge(label: "process_open_fds", factory: metrics).record(7)
        Counter(label: "metrics_overflow", factory: metrics).increment()
        #expect(!metrics.text().contains(" 7\n"))
        #expect(lines(metrics, "metrics_overflow_total") == ["metrics_overflow_total 4"])
        #expect(lines(metrics, "x_seconds_count") == ["x_seconds_count 1"])
    }

    @Test func whatIsDestroyedMakesRoom() {
        let metrics = metrics(seriesLimit: 1)
        let timer = Timer(label: "x", factory: metrics)
        timer.recordNanoseconds(1)
        timer.destroy()
        #expect(lines(metrics, "x").isEmpty)
        Gauge(label: "x_seconds", factory: metrics).record(7)
        #expect(lines(metrics, "x_seconds") == ["x_seconds 7"])
        // Destroying what is gone takes nothing from who has the name now.
        timer.destroy()
        #expect(lines(metrics, "x_seconds") == ["x_seconds 7"])
    }
}
