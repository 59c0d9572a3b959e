import Foundation
import TestTraits
import Testing

@testable import SubTrackServer

@Suite(.ownTime) struct ProcessMetricsTests {
    /// A program whose name is made to mislead.
    private let stat =
        "4711 (sub) R 1 (x)) S 1 4711 4711 0 -1 4194560 900 0 0 0 250 75 0 0 20 0 7 0 12345 123456789 2048 "
        + "18446744073709551615 1 1 0 0 0 0 0 0 0 0 0 0 17 1 0 0 0 0 0\n"
    private let system = "cpu  1 2 3\nintr 5\nbtime 1700000000\nprocesses 9\n"

    private func metrics(stat: String, system: String) -> ProcessMetrics? {
        ProcessMetrics(
            stat: stat, systemStat: system, ticksPerSecond: 100, pageSize: 4_096, openFileDescriptors: 12,
            fileDescriptorLimit: nil)
    }

    @Test func figuresAreReadFromProc() throws {
        let process = try #require(metrics(stat: stat, system: system))
        #expect(process.residentBytes == 2_048 * 4_096)
        #expect(process.virtualBytes == 123_456_789)
        #expect(process.cpuSeconds == 3.25)
        #expect(process.startTime == 1_700_000_123.45)
        #expect(process.threads == 7)
    }

    @Test func theyAreShownUnderTheirUsualNames() throws {
        let process = try #require(metrics(stat: stat, system: system))
        let text = PrometheusMetrics(process: { process }).text()
        let lines = text.split(separator: "\n").filter { $0.hasPrefix("process_") || $0.hasPrefix("# TYPE process_") }
        #expect(
            lines == [
                "# TYPE process_cpu_seconds_total counter", "process_cpu_seconds_total 3.25",
                "# TYPE process_open_fds gauge", "process_open_fds 12",
                "# TYPE process_resident_memory_bytes gauge", "process_resident_memory_bytes 8388608",
                "# TYPE process_start_time_seconds gauge", "process_start_time_seconds 1700000123.45",
                "# TYPE process_threads gauge", "process_threads 7",
                "# TYPE process_virtual_memory_bytes gauge", "process_virtual_memory_bytes 123456789",
            ])
    }

    @Test(arguments: ["", "1 (x", "1 (x)", "1 (x) S 1 2 3", "1 (x) S a b c d e f g h i j k l m n o p q r s t u v"])
    func whatIsNotAsExpectedGivesNothing(stat: String) {
        #expect(metrics(stat: stat, system: system) == nil)
        #expect(metrics(stat: self.stat, system: "cpu 1\n") == nil)
    }

    #if os(Linux)
        /// The same by another way.
        private func cpuSeconds() -> Double {
            var time = timespec()
            clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
            return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
        }

        @Test func thisProcessIsMeasured() throws {
            let cpuBefore = cpuSeconds()
            let process = try #require(ProcessMetrics.current())
            #expect(process.residentBytes > 1 << 20)
            #expect(process.virtualBytes >= process.residentBytes)
            // Either of its two parts is rounded down to a tick of 10 ms, and each thread that runs may lag behind by one.
            #expect(process.cpuSeconds > cpuBefore - 1)
            #expect(process.cpuSeconds < cpuSeconds() + 1)
            #expect(process.threads >= 1)
            #expect(process.openFileDescriptors >= 3)
            // By the kernel's own clock, which sets the times of files: this process may have that of another day.
            let file = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
            try Data().write(to: file)
            defer { try? FileManager.default.removeItem(at: file) }
            let made = try #require(FileManager.default.attributesOfItem(atPath: file.path)[.modificationDate] as? Date)
            // `btime` is a whole second, and may be one off.
            #expect(process.startTime < made.timeIntervalSince1970 + 2)
            #expect(process.startTime > made.timeIntervalSince1970 - 86_400)
        }
    #endif
}
