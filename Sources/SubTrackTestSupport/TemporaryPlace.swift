import Foundation

/// The folder of the tests' temporary folders.
///
/// A database syncs its files at each statement that defines a table or a trigger. On a disk that takes up to forty times as
/// long as in memory.
enum TemporaryPlace {
    /// `SUBTRACKIT_TEST_FOLDER`, which `script/test` sets; else `/dev/shm` where a run fits into memory; else `/tmp`.
    static let path = ProcessInfo.processInfo.environment["SUBTRACKIT_TEST_FOLDER"] ?? inMemory ?? "/tmp"

    /// `/dev/shm` with 4 GiB of room on a machine with 8 GiB of free memory; nil where it has less. Tests run programs that they write.
    private static var inMemory: String? {
        #if os(Linux)
            var place = statvfs()
            // ST_NOEXEC, which glibc's headers keep from Swift.
            let noExec: UInt = 8
            let needed = (room: UInt(4) << 30, memoryKiB: 8 << 20)
            guard statvfs("/dev/shm", &place) == 0, place.f_bavail * place.f_bsize >= needed.room,
                place.f_flag & noExec == 0, access("/dev/shm", W_OK | X_OK) == 0,
                let memory = try? String(contentsOfFile: "/proc/meminfo", encoding: .utf8),
                let free = memory.firstMatch(of: #/MemAvailable: +(\d+) kB/#).flatMap({ Int($0.1) }),
                free >= needed.memoryKiB
            else { return nil }
            return "/dev/shm"
        #else
            return nil
        #endif
    }
}
