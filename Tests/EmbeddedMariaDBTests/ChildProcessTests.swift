import Foundation
import SubTrackTestSupport
import TestTraits
import Testing

@testable import EmbeddedMariaDB

@Suite(.ownTime) struct ChildProcessTests {
    private func shell(_ script: String, _ arguments: String...) throws -> ChildProcess {
        try ChildProcess.spawn("/bin/sh", ["-c", script, "sh"] + arguments, environment: ["PATH": "/usr/bin:/bin"])
    }

    @Test(arguments: [0, 1, 42, 255])
    func exitCodesAreRead(code: Int32) async throws {
        #expect(try await shell("exit $1", String(code)).exit() == .exited(code))
    }

    @Test(arguments: [SIGTERM, SIGKILL, SIGSEGV])
    func signalsAreRead(signal: Int32) async throws {
        #expect(try await shell("kill -$1 $$", String(signal)).exit() == .signalled(signal))
    }

    @Test func argumentsArriveAsTheyAre() async throws {
        let odd = ["", " ", "a b", "'", "\"", "\\", "$HOME", "*", "ü", "-x", "a\nb"]
        let script = "[ $# = 11 ] && [ \"$1\" = '' ] && [ \"$3\" = 'a b' ] && [ \"$7\" = '$HOME' ] && [ \"$9\" = 'ü' ]"
        let child = try ChildProcess.spawn(
            "/bin/sh", ["-c", script, "sh"] + odd, environment: ["PATH": "/usr/bin:/bin"])
        #expect(await child.exit() == .exited(0))
    }

    @Test func aProgramThatIsNotThereIsRefused() {
        #expect(throws: POSIXError.self) { try ChildProcess.spawn("/no/such/program", [], environment: [:]) }
    }

    @Test func manyWaitForOneEnd() async throws {
        let child = try shell("exec sleep 1000")
        await withTaskGroup(of: EmbeddedMariaDB.ExitStatus?.self) { group in
            for _ in 0..<100 { group.addTask { await child.exit() } }
            child.signal(SIGTERM)
            for await status in group { #expect(status == .signalled(SIGTERM)) }
        }
    }

    @Test func waitingCanBeCancelledAndEndsInTime() async throws {
        let child = try shell("exec sleep 1000")
        let waiting = Task { await child.exit() }
        waiting.cancel()
        #expect(await waiting.value == nil)
        #expect(await child.exit(within: .milliseconds(1)) == nil)
        #expect(child.isRunning)
        child.signal(SIGKILL)
        #expect(await child.exit(within: .seconds(60)) == .signalled(SIGKILL))
        #expect(!child.isRunning)
        #expect(!exists(child.pid))
        child.signal(SIGKILL)
    }

    @Test func aSignalReachesTheWholeGroup() async throws {
        try await withFolder { folder in
            let note = folder.path + "/pid"
            let child = try shell("sleep 1000 & echo $! >\"$1.new\"; mv \"$1.new\" \"$1\"; wait", note)
            try await eventually("the grandchild is there") { FileManager.default.fileExists(atPath: note) }
            let text = try String(contentsOfFile: note, encoding: .utf8)
            let grandchild = try #require(Int32(text.trimmingCharacters(in: .whitespacesAndNewlines)))
            #expect(runs(grandchild))
            child.signal(SIGKILL)
            try await eventually("the grandchild is gone") { !runs(grandchild) }
        }
    }

    @Test func inTheForegroundItSharesTheTerminalsGroup() async throws {
        let script = "read -r _ _ _ _ group _ </proc/$$/stat && [ \"$group\" = \"$1\" ]"
        for (group, expected) in [(getpgrp(), Int32(0)), (0, 1)] {
            let child = try ChildProcess.spawnInForeground(
                "/bin/sh", ["-c", script, "sh", String(group)], environment: ["PATH": "/usr/bin:/bin"])
            #expect(await child.exit() == .exited(expected))
        }
    }
}
