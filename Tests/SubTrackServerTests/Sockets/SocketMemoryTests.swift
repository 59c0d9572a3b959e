import Foundation
import SubTrackAPI
import SubTrackServer
import SubTrackTestSupport
import TestTraits
import Testing

/// What a service keeps for those who are not fair; a process of its own, so that its memory is its own.
@Suite(.enabled(if: TestStage.faults, "script/test --faults"), .ownTime)
struct SocketMemoryTests {
    @Test func memoryStaysFlatWhateverSocketsDo() async throws {
        try await ServiceProcess.withFolder { folder in
            let path = folder.path + "/s"
            let arguments = [
                "serve", "--state-dir", folder.path + "/state", "--http-listen", "127.0.0.1:0", "--socket-listen",
                "unix:\(path)",
            ]
            try await ServiceProcess.run(arguments, in: folder) { process in
                _ = try await process.becomesReady()
                let address = SocketListenAddress.unix(path: path)
                let reader = try await RawSocket.connect(to: address)
                _ = try await reader.call("plans.list", ["country": "US", "limit": 200])
                let before = try #require(process.residentMiB)
                var sockets: [RawSocket] = []
                let list = try PlainSocket.request("plans.list", ["country": "US", "limit": 200], id: 1) + "\n"
                // Readers that never read, and lines that never end.
                for number in 0..<100 {
                    if number < 20 {
                        let deaf = try await RawSocket.connect(to: address, reads: false)
                        deaf.sendWithoutWaiting(Array(String(repeating: list, count: 2000).utf8))
                        sockets.append(deaf)
                    } else {
                        let endless = try await RawSocket.connect(to: address)
                        endless.sendWithoutWaiting([UInt8](repeating: UInt8(ascii: "["), count: 8 << 20))
                        sockets.append(endless)
                    }
                }
                var highest = before
                try await eventually(within: .seconds(240), "all are closed") {
                    highest = max(highest, process.residentMiB ?? 0)
                    _ = try await reader.call("server.info").result()
                    return sockets.allSatisfy(\.isEnded)
                }
                print("memory: \(before) MiB before, \(highest) MiB at most with 100 bad sockets")
                #expect(highest - before < 100)
                await reader.close()
            }
        }
    }

    /// Half of them on the HTTP port, half on the plain socket; each goes on sending a little, and never ends what it began.
    @Test func fiveThousandSlowSendersAreClosedAndTheOthersAreServed() async throws {
        Self.raiseOpenFiles()
        try await ServiceProcess.withFolder { folder in
            let arguments = [
                "serve", "--state-dir", folder.path + "/state", "--http-listen", "127.0.0.1:0", "--socket-listen",
                "127.0.0.1:0",
            ]
            try await ServiceProcess.run(arguments, in: folder) { process in
                let client = try await process.becomesReady()
                let port = try #require(URL(string: client.baseURL)?.port)
                let plainPort = try #require(
                    process.output.firstMatch(of: #/plain sockets at [0-9.]+:(\d+)/#).flatMap { Int($0.1) })
                func latencies(_ count: Int) async throws -> [Duration] {
                    var latencies: [Duration] = []
                    for _ in 0..<count {
                        let start = ContinuousClock.now
                        _ = try await client.call(GetServerInfo())
                        latencies.append(.now - start)
                    }
                    return latencies.sorted()
                }
                _ = try await latencies(50)
                let before = try await latencies(300)
                let memoryBefore = try #require(process.residentMiB)
                let header = Array("GET /v1 HTTP/1.1\r\nHost: x\r\nX-Slow: ".utf8)
                var sockets: [RawSocket] = []
                for _ in 0..<50 {
                    sockets += try await withThrowingTaskGroup(of: RawSocket.self) { group in
                        for number in 0..<100 {
                            group.addTask {
                                let isHTTP = number % 2 == 0
                                let socket = try await RawSocket.connect(port: isHTTP ? port : plainPort)
                                socket.sendWithoutWaiting(isHTTP ? header : Array("{\"jsonrpc\":".utf8))
                                return socket
                            }
                        }
                        return try await group.reduce(into: []) { $0.append($1) }
                    }
                }
                let opened = ContinuousClock.now
                var during: [Duration] = []
                var memory = memoryBefore
                var round = 0
                while sockets.contains(where: { !$0.isEnded }), .now - opened < .seconds(60) {
                    // A byte every few seconds is no sign of life.
                    for index in stride(from: round % 20, to: sockets.count, by: 20) where !sockets[index].isEnded {
                        sockets[index].sendWithoutWaiting([UInt8(ascii: " ")])
                    }
                    round += 1
                    during += try await latencies(50)
                    memory = max(memory, process.residentMiB ?? 0)
                }
                let closed = ContinuousClock.now - opened
                during.sort()
                let (p99, honest) = (during[during.count * 99 / 100], before[before.count * 99 / 100])
                print(
                    "5,000 slow senders: closed \(closed) after the last was opened; p99 of others \(honest) before, "
                        + "\(p99) meanwhile; memory \(memoryBefore) MiB before, \(memory) MiB at most")
                #expect(closed < .seconds(15))
                #expect(p99 < max(honest * 5, .milliseconds(100)))
                #expect(memory - memoryBefore < 200)
            }
        }
    }

    private static func raiseOpenFiles() {
        #if os(Linux)
            let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        #else
            let resource = RLIMIT_NOFILE
        #endif
        var limit = rlimit()
        guard getrlimit(resource, &limit) == 0 else { return }
        limit.rlim_cur = max(limit.rlim_cur, min(limit.rlim_max, 65_536))
        setrlimit(resource, &limit)
    }
}
