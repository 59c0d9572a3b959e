import Foundation
import Synchronization

/// How a process ended.
package enum ExitStatus: Sendable, Equatable, CustomStringConvertible {
    /// It returned this code.
    case exited(Int32)
    /// This signal ended it.
    case signalled(Int32)
    /// Somebody else collected its status.
    case unknown

    package var description: String {
        switch self {
        case .exited(let code): "exit code \(code)"
        case .signalled(let signal): "ended by signal \(signal)"
        case .unknown: "ended for an unknown reason"
        }
    }

    /// Reads the word that `waitpid(2)` gives (low seven bits: the signal; the next eight: the code).
    init(waitStatus: Int32) {
        let signal = waitStatus & 0x7f
        self = signal == 0 ? .exited((waitStatus >> 8) & 0xff) : .signalled(signal)
    }
}

/// A child process whose end can be awaited without blocking a cooperative thread.
///
/// By default it has a session of its own: Ctrl-C at the terminal reaches the parent alone, which decides in which order
/// things end. Nothing of the parent is inherited: no descriptor, no signal mask, no environment that is not given.
/// `Foundation.Process` offers neither.
package final class ChildProcess: Sendable {
    /// The child's process id; when it has a session of its own, the session's and the process group's too. After `exit()` has returned, the
    /// number may belong to another process.
    package let pid: pid_t

    private struct State {
        var status: ExitStatus?
        var waiters: [Int: CheckedContinuation<ExitStatus?, Never>] = [:]
        var nextWaiter = 0
    }

    private let state = Mutex(State())

    /// Whether it has a session, and so a process group, of its own.
    private let isDetached: Bool

    private init(pid: pid_t, isDetached: Bool) {
        self.pid = pid
        self.isDetached = isDetached
    }

    /// Starts a program in a session of its own.
    ///
    /// - Parameters:
    ///   - executable: The program's absolute path.
    ///   - arguments: Its arguments, without its own name.
    ///   - environment: All of its environment.
    ///   - input: A descriptor that becomes its standard input; `/dev/null` where nil.
    ///   - output: A descriptor that becomes its standard output and error; `/dev/null` where nil.
    /// - Throws: `POSIXError` when the system refuses.
    package static func spawn(
        _ executable: String, _ arguments: [String], environment: [String: String], input: Int32? = nil,
        output: Int32? = nil
    ) throws -> ChildProcess {
        try start(executable, arguments, environment, isDetached: true) { actions in
            if let input {
                posix_spawn_file_actions_adddup2(&actions, input, 0)
            } else {
                posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
            }
            if let output {
                posix_spawn_file_actions_adddup2(&actions, output, 1)
            } else {
                posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0)
            }
            posix_spawn_file_actions_adddup2(&actions, 1, 2)
        }
    }

    /// Starts a program that takes this one's place at the terminal. It shares the standard streams and the process
    /// group, so that it may read the typed text and get Ctrl-C.
    ///
    /// `Foundation.Process` makes a group of its own, which a terminal stops as soon as it reads.
    /// - Parameters:
    ///   - executable: The program's absolute path.
    ///   - arguments: Its arguments, without its own name.
    ///   - environment: All of its environment.
    /// - Throws: `POSIXError` when the system refuses.
    package static func spawnInForeground(
        _ executable: String, _ arguments: [String], environment: [String: String]
    ) throws -> ChildProcess {
        try start(executable, arguments, environment, isDetached: false) { _ in }
    }

    private static func start(
        _ executable: String, _ arguments: [String], _ environment: [String: String], isDetached: Bool,
        streams: (inout posix_spawn_file_actions_t) -> Void
    ) throws -> ChildProcess {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        streams(&actions)
        // A listening socket or a pipe that some library opened without O_CLOEXEC must not live on in the child.
        for descriptor in openDescriptors() where descriptor > 2 {
            posix_spawn_file_actions_addclose(&actions, descriptor)
        }

        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var signals = sigset_t()
        sigfillset(&signals)
        posix_spawnattr_setsigdefault(&attributes, &signals)
        sigemptyset(&signals)
        posix_spawnattr_setsigmask(&attributes, &signals)
        // POSIX_SPAWN_SETSID of <spawn.h>, which glibc shows to GNU sources alone.
        let newSession: Int32 = 0x80
        let flags = Int32(POSIX_SPAWN_SETSIGDEF) | Int32(POSIX_SPAWN_SETSIGMASK) | (isDetached ? newSession : 0)
        posix_spawnattr_setflags(&attributes, Int16(flags))

        var argv: [UnsafeMutablePointer<CChar>?] = ([executable] + arguments).map { strdup($0) } + [nil]
        var envp: [UnsafeMutablePointer<CChar>?] = environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
        defer { (argv + envp).forEach { free($0) } }
        var pid: pid_t = 0
        let code = posix_spawn(&pid, executable, &actions, &attributes, &argv, &envp)
        guard code == 0 else { throw POSIXError(POSIXErrorCode(rawValue: code) ?? .EIO) }

        let child = ChildProcess(pid: pid, isDetached: isDetached)
        // A thread that does nothing but wait: waitid(2) blocks, and a cooperative thread must not.
        let thread = Thread { child.collect() }
        thread.name = "wait \(pid)"
        thread.stackSize = 128 * 1024
        thread.start()
        return child
    }

    /// Whether the child has not ended yet.
    package var isRunning: Bool { state.withLock { $0.status == nil } }

    /// Sends a signal to the child, and to its children where it has a group of its own. Does nothing after its end, so that the number's next owner is safe.
    package func signal(_ number: Int32) {
        state.withLock { state in
            // The status is collected under this lock: until then the kernel keeps the number for this child.
            if state.status == nil { _ = kill(isDetached ? -pid : pid, number) }
        }
    }

    /// Waits for the child's end.
    ///
    /// - Returns: How it ended; nil when the calling task was cancelled before that.
    package func exit() async -> ExitStatus? {
        let id = state.withLock { state in
            state.nextWaiter += 1
            return state.nextWaiter
        }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let now: ExitStatus?? = state.withLock { state in
                    if let status = state.status { return .some(status) }
                    if Task.isCancelled { return .some(nil) }
                    state.waiters[id] = continuation
                    return nil
                }
                if let now { continuation.resume(returning: now) }
            }
        } onCancel: {
            state.withLock { $0.waiters.removeValue(forKey: id) }?.resume(returning: nil)
        }
    }

    /// Waits for the child's end, so long and no longer.
    ///
    /// - Returns: How it ended; nil when it has not, or when the calling task was cancelled.
    package func exit(within limit: Duration) async -> ExitStatus? {
        await withTaskGroup(of: ExitStatus?.self) { group in
            group.addTask { await self.exit() }
            group.addTask {
                try? await Task.sleep(for: limit)
                return nil
            }
            defer { group.cancelAll() }
            let first = await group.next() ?? nil
            // Both may have come before this task woke up: then the end counts.
            return first ?? state.withLock { $0.status }
        }
    }

    /// Blocks until the child has ended, collects its status (so that it leaves no zombie) and resumes waiting tasks.
    private func collect() {
        var info = siginfo_t()
        while waitid(P_PID, id_t(pid), &info, WEXITED | WNOWAIT) != 0 && errno == EINTR {}
        let (status, waiters) = state.withLock { state in
            var word: Int32 = 0
            var result: pid_t
            repeat { result = waitpid(pid, &word, 0) } while result == -1 && errno == EINTR
            let status = result == pid ? ExitStatus(waitStatus: word) : .unknown
            state.status = status
            defer { state.waiters = [:] }
            return (status, state.waiters.values)
        }
        for waiter in waiters { waiter.resume(returning: status) }
    }

    private static func openDescriptors() -> [Int32] {
        #if os(Linux)
            let folder = "/proc/self/fd"
        #else
            let folder = "/dev/fd"
        #endif
        return ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).compactMap { Int32($0) }
    }
}
