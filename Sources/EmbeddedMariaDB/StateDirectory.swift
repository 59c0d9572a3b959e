import Foundation

/// The folder of an embedded server's files.
///
///     lock            the lock of the process that serves from here
///     data/           MariaDB's data
///     tmp/            its temporary files, emptied at each start
///     run/            socket and pid file, or a link to a folder with a short name
///     mariadbd.log    its log, and mariadbd.log.1 before it
///
/// `run/` can be entered by the current user alone (mode 0700, checked at each start). That protects the database: its
/// `root` has no password, and mariadbd makes its socket writable to everyone. An account that could pass that folder
/// could read the files of `data/` too. A password would guard nothing more.
struct StateDirectory: Sendable {
    /// The directory's absolute path, links resolved.
    let path: String

    var lockFile: String { path + "/lock" }
    var data: String { path + "/data" }
    var temporary: String { path + "/tmp" }
    var run: String { path + "/run" }
    var logFile: String { path + "/mariadbd.log" }
    var pidFile: String { path + "/mariadbd.pid" }

    /// The longest path of a Unix socket: `sun_path` of `sockaddr_un` has 108 bytes, one of them the final zero.
    static let longestSocketPath = 107
    static let socketName = "mariadbd.sock"

    /// Opens a state directory; makes it, for this user alone, where there is none.
    ///
    /// - Throws: `EmbeddedServerError.directoryUnusable`.
    init(creating directory: URL) throws {
        let wanted = directory.standardizedFileURL.path
        let parent = directory.standardizedFileURL.deletingLastPathComponent()
        // Foundation's errors hide the system's, and an operator needs those.
        try? FileManager.default.createDirectory(at: parent, withIntermediateDirectories: true)
        if mkdir(wanted, 0o700) != 0, errno != EEXIST {
            let reason = lastSystemError()
            throw EmbeddedServerError.directoryUnusable(path: wanted, reason: reason)
        }
        try self.init(existing: directory)
    }

    /// Opens a state directory that is there.
    init(existing directory: URL) throws {
        let wanted = directory.standardizedFileURL.path
        guard let resolved = realpath(wanted, nil) else {
            throw EmbeddedServerError.directoryUnusable(path: wanted, reason: lastSystemError())
        }
        defer { free(resolved) }
        path = String(cString: resolved)
        guard access(path, R_OK | W_OK | X_OK) == 0 else {
            throw EmbeddedServerError.directoryUnusable(path: path, reason: lastSystemError())
        }
    }

    /// Makes `run/` and `tmp/`, empty, and decides where the socket is.
    ///
    /// - Returns: The socket's path. If it would be too long inside the state directory, it lies in a private folder
    ///   elsewhere, to which `run` is a link.
    func prepare(environment: [String: String]) throws -> String {
        try removeIfThere(temporary)
        try Self.makePrivate(temporary)
        let inside = run + "/" + Self.socketName
        if inside.utf8.count <= Self.longestSocketPath {
            if (try? FileManager.default.destinationOfSymbolicLink(atPath: run)) != nil { try removeIfThere(run) }
            try Self.makePrivate(run)
            return inside
        }
        if let folder = shortRunFolder {
            return folder + "/" + Self.socketName
        }
        let folder = try Self.makeShortFolder(environment: environment)
        try removeIfThere(run)
        guard symlink(folder, run) == 0 else {
            throw EmbeddedServerError.directoryUnusable(path: path, reason: lastSystemError())
        }
        return folder + "/" + Self.socketName
    }

    /// The folder elsewhere that `run` links to, if it does and the folder is this user's alone.
    var shortRunFolder: String? {
        guard let folder = try? FileManager.default.destinationOfSymbolicLink(atPath: run),
            folder.utf8.count + 1 + Self.socketName.utf8.count <= Self.longestSocketPath,
            (try? Self.checkPrivate(folder)) != nil
        else { return nil }
        return folder
    }

    /// Removes the remains of a short folder outside.
    func removeShortRunFolder() {
        guard let folder = shortRunFolder else { return }
        try? FileManager.default.removeItem(atPath: folder)
        try? FileManager.default.removeItem(atPath: run)
    }

    /// Makes a folder with a short name that nobody else could have made before: `mkdtemp(3)` makes it 0700.
    private static func makeShortFolder(environment: [String: String]) throws -> String {
        var reason = "there is none"
        for parent in [environment["XDG_RUNTIME_DIR"], "/tmp"].compactMap({ $0 }) where parent.hasPrefix("/") {
            let pattern = parent + "/subtrackit-XXXXXX"
            guard pattern.utf8.count + 1 + socketName.utf8.count <= longestSocketPath else { continue }
            var bytes = Array(pattern.utf8CString)
            if mkdtemp(&bytes) != nil {
                return String(decoding: bytes.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
            }
            reason = lastSystemError()
        }
        throw EmbeddedServerError.directoryUnusable(
            path: "/tmp", reason: "no folder with a short name could be made for the socket (\(reason))")
    }

    private static func makePrivate(_ folder: String) throws {
        if mkdir(folder, 0o700) != 0 && errno != EEXIST {
            throw EmbeddedServerError.directoryUnusable(path: folder, reason: lastSystemError())
        }
        try checkPrivate(folder)
    }

    /// Makes sure that a folder is a real one, this user's, and closed to everybody else.
    private static func checkPrivate(_ folder: String) throws {
        var info = stat()
        guard lstat(folder, &info) == 0 else {
            throw EmbeddedServerError.directoryUnusable(path: folder, reason: lastSystemError())
        }
        guard info.st_mode & S_IFMT == S_IFDIR else {
            throw EmbeddedServerError.directoryUnusable(path: folder, reason: "it is not a directory")
        }
        guard info.st_uid == geteuid() else {
            throw EmbeddedServerError.directoryUnusable(path: folder, reason: "it belongs to another user")
        }
        if info.st_mode & 0o077 != 0, chmod(folder, 0o700) != 0 {
            throw EmbeddedServerError.directoryUnusable(path: folder, reason: lastSystemError())
        }
    }

    /// Removes a file or folder; that there is none is as good.
    func removeIfThere(_ path: String) throws {
        do {
            try FileManager.default.removeItem(atPath: path)
        } catch CocoaError.fileNoSuchFile {
        } catch {
            throw EmbeddedServerError.directoryUnusable(path: path, reason: Self.reason(error))
        }
    }

    /// The text of Foundation's error, in the system's words where it has some.
    private static func reason(_ error: any Error) -> String {
        switch error {
        case CocoaError.fileWriteNoPermission, CocoaError.fileReadNoPermission: systemError(EACCES)
        case CocoaError.fileWriteOutOfSpace: systemError(ENOSPC)
        case CocoaError.fileWriteVolumeReadOnly: systemError(EROFS)
        default: (error as NSError).localizedDescription
        }
    }
}
