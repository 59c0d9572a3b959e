import Foundation
import SubTrackTestSupport
import TestTraits
import Testing

@testable import EmbeddedMariaDB

/// A child that never runs without its watchdog.
@Suite(.ownTime) struct WatchedChildTests {
    private static let environment = ["PATH": "/usr/bin:/bin"]

    private static func start(
        _ script: String, in folder: String, whenSpawned: () -> Void = {}
    ) throws -> WatchedChild {
        let output = open(folder + "/output", O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
        defer { close(output) }
        return try WatchedChild.start(
            "/bin/sh", ["-c", script, "watched", folder], environment: environment, output: output, patience: .zero,
            whenSpawned: whenSpawned)
    }

    /// The parent is killed before the watchdog is there: the program never begins, and no process is left.
    @Test func aParentThatIsKilledBeforeTheWatchdogLeavesNothing() async throws {
        try await withFolder { folder in
            let path = folder.path
            await #expect(processExitsWith: .signal(SIGKILL)) { [path = path as String] in
                _ = try Self.start("cd -- \"$1\"; echo began >>began; exec sleep 60", in: path) {
                    kill(getpid(), SIGKILL)
                }
            }
            try await eventually("the waiting shell ends") { LeftoverProcesses.mentioning(path).isEmpty }
            #expect(!FileManager.default.fileExists(atPath: path + "/began"))
        }
    }

    /// The parent is killed afterwards: the watchdog ends the program.
    @Test func aParentThatIsKilledLaterTakesTheProgramAlong() async throws {
        try await withFolder { folder in
            let path = folder.path
            await #expect(processExitsWith: .signal(SIGKILL)) { [path = path as String] in
                let watched = try Self.start("cd -- \"$1\"; echo began >>began; exec sleep 60", in: path)
                try await eventually("it runs") { FileManager.default.fileExists(atPath: path + "/began") }
                // A watchdog that nobody holds ends the child at once.
                withExtendedLifetime(watched) { _ = kill(getpid(), SIGKILL) }
            }
            try await eventually("nothing is left") {
                LeftoverProcesses.mentioning(path).isEmpty && LeftoverProcesses.working(in: path).isEmpty
            }
        }
    }

    @Test func theProgramGetsItsArgumentsItsProcessIDAndNoInput() async throws {
        try await withFolder { folder in
            let watched = try Self.start(
                "printf '%s %s' \"$$\" \"$1\"; IFS= read -r word || echo ' end'", in: folder.path)
            #expect(await watched.child.exit() == .exited(0))
            await watched.watchdog.release()
            let output = try String(contentsOfFile: folder.path + "/output", encoding: .utf8)
            #expect(output == "\(watched.child.pid) \(folder.path) end\n")
        }
    }

    @Test func aProgramThatIsNotThereEndsWithTheShellsCode() async throws {
        try await withFolder { folder in
            let output = open("/dev/null", O_WRONLY | O_CLOEXEC)
            defer { close(output) }
            let watched = try WatchedChild.start(
                "/no/such/program", [], environment: Self.environment, output: output, patience: .zero)
            #expect(await watched.child.exit() == .exited(127))
            await watched.watchdog.release()
        }
    }
}
