import CAllocator
import Foundation

/// The process's memory allocator. Only glibc's is set; others are left as they are.
public enum Allocator {
    /// Variables by which an operator sets glibc's allocator (mallopt(3)). They hold instead of what is set here.
    private static let variables = ["GLIBC_TUNABLES", "MALLOC_ARENA_MAX", "MALLOC_MMAP_THRESHOLD_"]

    /// Has the threads share a few heaps, and each large block go back to the system when it is freed.
    /// - Returns: whether the allocator took it.
    @discardableResult
    public static func configure(
        environment: [String: String] = ProcessInfo.processInfo.environment,
        processors: Int = ProcessInfo.processInfo.activeProcessorCount
    ) -> Bool {
        guard variables.allSatisfy({ environment[$0] == nil }) else { return false }
        // Eight for each processor is glibc's own bound, and each keeps what was freed in it.
        let areBound = subtrackit_bound_arenas(Int32(clamping: max(4, processors)))
        // glibc's own first threshold. To name it keeps it from growing to the largest block that was freed.
        return subtrackit_map_blocks_from(128 << 10) != 0 && areBound != 0
    }

    /// Gives free pages back to the system. Locks one heap after the other, so that no event loop calls it.
    static func trim() { _ = subtrackit_trim() }
}
