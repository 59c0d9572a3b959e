import CoreMetrics
import Logging
import Synchronization
import TestTraits
import Testing

@testable import MariaDB

/// What operators see of the client.
@Suite(.ownTime) struct MetricsTests {
    @Test func poolTimesRetriesAndErrorsAreCounted() async throws {
        let recorder = Recorder()
        try await Server.withClient { plain in
            let client = MariaDBClient(
                configuration: plain.configuration, logger: Logger(label: "quiet") { _ in SwiftLogNoOpLogHandler() },
                metrics: recorder)
            try await client.withConnection { connection in
                _ = try await connection.query("SELECT \("hunter2")")
                _ = await mariaDBError { try await connection.query("SELECT no_such_column") }
            }
            client.report()
            await client.shutdown()
        }
        #expect(recorder.values("mariadb_pool_connections").last == 1)
        #expect(recorder.values("mariadb_pool_waiting").last == 0)
        #expect(recorder.values("mariadb_lease_seconds").count == 1)
        #expect(recorder.values("mariadb_query_seconds").count == 1)
        #expect(recorder.values("mariadb_errors_total[client=default,kind=server,code=1054]") == [1])
        #expect(!recorder.names.contains { $0.contains("hunter2") })
    }
}

/// Keeps what is reported.
private final class Recorder: MetricsFactory, Sendable {
    private let recorded = Mutex<[String: [Int64]]>([:])

    func values(_ name: String) -> [Int64] { recorded.withLock { $0[name] ?? $0["\(name)[client=default]"] ?? [] } }

    var names: [String] { recorded.withLock { Array($0.keys) } }

    fileprivate func record(_ name: String, _ value: Int64) {
        recorded.withLock { $0[name, default: []].append(value) }
    }

    func makeCounter(label: String, dimensions: [(String, String)]) -> any CounterHandler {
        Handler(self, label, dimensions)
    }

    func makeRecorder(label: String, dimensions: [(String, String)], aggregate: Bool) -> any RecorderHandler {
        Handler(self, label, dimensions)
    }

    func makeTimer(label: String, dimensions: [(String, String)]) -> any TimerHandler {
        Handler(self, label, dimensions)
    }

    func destroyCounter(_ handler: any CounterHandler) {}
    func destroyRecorder(_ handler: any RecorderHandler) {}
    func destroyTimer(_ handler: any TimerHandler) {}
}

private final class Handler: CounterHandler, RecorderHandler, TimerHandler, Sendable {
    private let recorder: Recorder
    private let name: String

    init(_ recorder: Recorder, _ label: String, _ dimensions: [(String, String)]) {
        self.recorder = recorder
        name = "\(label)[\(dimensions.map { "\($0)=\($1)" }.joined(separator: ","))]"
    }

    func increment(by amount: Int64) { recorder.record(name, amount) }
    func reset() {}
    func record(_ value: Int64) { recorder.record(name, value) }
    func record(_ value: Double) { recorder.record(name, Int64(value)) }
    func recordNanoseconds(_ duration: Int64) { recorder.record(name, duration) }
}
