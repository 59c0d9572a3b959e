import Foundation
import Synchronization

/// A small shell that outlives this process by a moment, ends a child that this process left behind, and removes files.
///
/// It waits on a pipe whose other end only this process holds. The kernel closes that end when this process ends, by
/// SIGKILL too; then the shell ends the child's process group. Linux's parent-death signal would not do. It is sent
/// when the *thread* that spawned the child ends, and threads of a Swift program come and go.
package final class Watchdog: Sendable {
    private let shell: ChildProcess
    private let pipe: Mutex<Int32>

    /// `$1`: process group, or nothing. `$2`: the first signal. `$3`: tenths of a second until SIGKILL. The rest:
    /// folders to remove, tried again while a process still writes in there.
    private static let script = """
        IFS= read -r word
        if [ "$word" = released ]; then exit 0; fi
        if [ -n "$1" ]; then
            group=$1 left=$3
            kill -s "$2" -- "-$group" 2>/dev/null
            while [ "$left" -gt 0 ] && kill -s 0 -- "-$group" 2>/dev/null; do
                sleep 0.1
                left=$((left - 1))
            done
            kill -s KILL -- "-$group" 2>/dev/null
        fi
        shift 3
        if [ "$#" -eq 0 ]; then exit 0; fi
        left=50
        until rm -rf -- "$@" 2>/dev/null || [ "$left" -eq 0 ]; do
            sleep 0.2
            left=$((left - 1))
        done
        """

    /// Watches over a child.
    ///
    /// - Parameters:
    ///   - child: The leader of the process group to end.
    ///   - patience: How long it may take to end by itself after SIGTERM; SIGKILL follows. Zero: SIGKILL at once.
    ///   - folders: The folders to remove then.
    /// - Throws: `POSIXError` when the system refuses.
    package convenience init(over child: ChildProcess, patience: Duration, removing folders: [String] = []) throws {
        let tenths = patience.components.seconds * 10
        try self.init([String(child.pid), tenths > 0 ? "TERM" : "KILL", String(tenths)] + folders)
    }

    /// Removes folders when this process has ended, in any way.
    ///
    /// - Throws: `POSIXError` when the system refuses.
    package convenience init(removing folders: [String]) throws {
        try self.init(["", "", ""] + folders)
    }

    private init(_ arguments: [String]) throws {
        var ends: [Int32] = [-1, -1]
        guard socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0, &ends) == 0 else {
            throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EMFILE)
        }
        let (ours, its) = (ends[0], ends[1])
        defer { close(its) }
        do {
            shell = try ChildProcess.spawn(
                "/bin/sh", ["-c", Self.script, "subtrackit-watchdog"] + arguments,
                environment: ["PATH": "/usr/bin:/bin"], input: its)
        } catch {
            close(ours)
            throw error
        }
        pipe = Mutex(ours)
    }

    deinit {
        pipe.withLock { if $0 >= 0 { close($0) } }
    }

    /// Lets the child go: the watchdog ends by itself.
    package func release() async {
        pipe.withLock { pipe in
            guard pipe >= 0 else { return }
            // Without a SIGPIPE, should somebody have killed the shell.
            _ = send(pipe, "released\n", 9, Int32(MSG_NOSIGNAL))
            close(pipe)
            pipe = -1
        }
        if await shell.exit(within: .seconds(5)) == nil { shell.signal(SIGKILL) }
    }
}
