import Foundation
import Synchronization

/// The right to serve from a directory: an advisory lock on a file in it, and the holder's process id as its text.
///
/// The kernel frees the lock when its holder ends, however it ends; a file that is left behind locks nobody out.
final class DirectoryLock: Sendable {
    private let descriptor: Mutex<Int32>

    /// Takes the lock, at once or not at all.
    ///
    /// - Throws: `EmbeddedServerError.directoryInUse` with the holder's process id, `.directoryUnusable`.
    init(_ directory: StateDirectory) throws {
        let file = directory.lockFile
        let descriptor = open(file, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            throw EmbeddedServerError.directoryUnusable(path: directory.path, reason: lastSystemError())
        }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            let reason = errno
            let text = try? String(contentsOfFile: file, encoding: .utf8)
            close(descriptor)
            if reason == EWOULDBLOCK {
                let holder = text.flatMap { Int32($0.trimmingCharacters(in: .whitespacesAndNewlines)) }
                throw EmbeddedServerError.directoryInUse(path: directory.path, process: holder)
            }
            throw EmbeddedServerError.directoryUnusable(
                path: directory.path, reason: "it cannot be locked (\(systemError(reason)))")
        }
        let text = "\(getpid())\n"
        ftruncate(descriptor, 0)
        guard pwrite(descriptor, text, text.utf8.count, 0) == text.utf8.count else {
            let reason = lastSystemError()
            close(descriptor)
            throw EmbeddedServerError.directoryUnusable(path: directory.path, reason: reason)
        }
        self.descriptor = Mutex(descriptor)
    }

    deinit {
        release()
    }

    /// Gives the lock back. Harmless when that was done before.
    func release() {
        descriptor.withLock { descriptor in
            guard descriptor >= 0 else { return }
            // The text goes first: nobody shall read the number of a process that serves no longer.
            ftruncate(descriptor, 0)
            // Not by closing alone: a child that is just being started has the descriptor too, until it runs its program.
            flock(descriptor, LOCK_UN)
            close(descriptor)
            descriptor = -1
        }
    }
}

/// The error of the last failed system call of this thread.
func lastSystemError() -> String { systemError(errno) }

/// An error number in words.
func systemError(_ number: Int32) -> String {
    switch number {
    case EACCES, EPERM: "this user has no right to write there"
    case ENOSPC, EDQUOT: "the disk is full (a new database takes 200 MB)"
    case EROFS: "it is on a read-only file system"
    case ENOENT: "the directory that it lies in is not there and cannot be made"
    case ENOTDIR: "a part of its path is not a directory"
    default: String(cString: strerror(number))
    }
}
