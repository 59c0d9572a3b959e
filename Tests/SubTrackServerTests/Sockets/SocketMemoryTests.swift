import Foundation
import SubTrackServer
import SubTrackTestSupport
import Testing

/// What a service keeps for those who are not fair; a process of its own, so that its memory is its own.
@Suite(.enabled(if: TestStage.faults, "script/test --faults"))
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
                for _ in 0..<50 {
                    // Readers that never read, lines that never end, and a thousand small messages at once.
                    let deaf = try await RawSocket.connect(to: address, reads: false)
                    deaf.sendWithoutWaiting(Array(String(repeating: list, count: 2000).utf8))
                    let endless = try await RawSocket.connect(to: address)
                    endless.sendWithoutWaiting([UInt8](repeating: UInt8(ascii: "["), count: 8 << 20))
                    sockets += [deaf, endless]
                }
                var highest = before
                try await eventually(within: .seconds(60), "all are closed") {
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
}
