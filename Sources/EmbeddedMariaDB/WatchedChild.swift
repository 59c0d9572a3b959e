import Foundation

/// A child process that never runs without its watchdog.
///
/// A process that is killed between the start of a child and the start of its watchdog would leave the child behind.
/// The child therefore begins as a shell that waits for a word, and becomes its program only when the watchdog is there.
/// A killed parent closes the pipe without the word: the shell then ends.
struct WatchedChild: Sendable {
    let child: ChildProcess
    let watchdog: Watchdog

    /// `$@`: the program and its arguments. The shell keeps the process id, since `exec` replaces it.
    private static let script = "IFS= read -r word && [ \"$word\" = go ] && exec \"$@\" </dev/null"

    /// Starts a program in a session of its own, with a watchdog over it.
    ///
    /// - Parameters:
    ///   - executable: The program's absolute path.
    ///   - arguments: Its arguments, without its own name.
    ///   - environment: All of its environment.
    ///   - output: A descriptor that becomes its standard output and error.
    ///   - patience: How long it may take to end after SIGTERM, when this process has ended. Zero: SIGKILL at once.
    ///   - folders: The folders that the watchdog removes after the child's end.
    ///   - whenSpawned: Runs while the child waits and no watchdog is there yet. For tests that end the process then.
    /// - Throws: `POSIXError` when the system refuses; no child is left then.
    static func start(
        _ executable: String, _ arguments: [String], environment: [String: String], output: Int32,
        patience: Duration, removing folders: [String] = [], whenSpawned: () -> Void = {}
    ) throws -> WatchedChild {
        var ends: [Int32] = [-1, -1]
        guard socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0, &ends) == 0 else {
            throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EMFILE)
        }
        let (ours, its) = (ends[0], ends[1])
        defer { close(ours) }
        let child: ChildProcess
        do {
            defer { close(its) }
            child = try ChildProcess.spawn(
                "/bin/sh", ["-c", script, "subtrackit-start", executable] + arguments, environment: environment,
                input: its, output: output)
        }
        do {
            whenSpawned()
            let watchdog = try Watchdog(over: child, patience: patience, removing: folders)
            guard send(ours, "go\n", 3, Int32(MSG_NOSIGNAL)) == 3 else {
                throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EPIPE)
            }
            return WatchedChild(child: child, watchdog: watchdog)
        } catch {
            child.signal(SIGKILL)
            throw error
        }
    }
}
