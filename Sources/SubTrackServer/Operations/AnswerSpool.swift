import Foundation
import NIOCore
import NIOPosix
import SubTrackAPI
import Synchronization

/// An answer that was written before it is sent: in memory while it is small, else in a file without a name.
///
/// A reader takes it part by part, as slowly as it likes; the database was done with it before.
final class SpooledAnswer: Sendable {
    /// How many bytes it has.
    let length: Int
    private let memory: ByteBuffer
    private let file: SpoolFile?
    /// A ticket that is held for as long as the answer is.
    private let ticket: (any Sendable)?

    fileprivate init(memory: ByteBuffer, file: SpoolFile?, ticket: (any Sendable)?) {
        self.memory = memory
        self.file = file
        self.ticket = ticket
        length = file?.length ?? memory.readableBytes
    }

    /// The bytes from an offset on, some at the most. Reads the disk: not on an event loop.
    func read(from offset: Int, atMost count: Int) throws -> ByteBuffer {
        let count = min(count, length - offset)
        guard count > 0 else { return ByteBuffer() }
        if let file { return try file.read(from: offset, count: count) }
        return memory.getSlice(at: memory.readerIndex + offset, length: count) ?? ByteBuffer()
    }

    /// The bytes from an offset on, read on a thread that may wait for a disk.
    func part(from offset: Int, atMost count: Int) async throws -> ByteBuffer {
        guard file != nil else { return try read(from: offset, atMost: count) }
        return try await NIOThreadPool.singleton.runIfActive { try self.read(from: offset, atMost: count) }
    }

    /// Reads the whole answer, for a caller whose answers fit into memory.
    func whole() async throws -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(length)
        while bytes.count < length {
            let part = try await part(from: bytes.count, atMost: 256 << 10)
            guard part.readableBytes > 0 else { throw SpoolFile.Failure(errno: EIO) }
            bytes.append(contentsOf: part.readableBytesView)
        }
        return bytes
    }
}

/// Takes an answer in as it is made.
struct AnswerSpool {
    /// How much is kept in memory before it goes to the file.
    static let memory = 256 << 10

    private let budget: SpoolBudget
    private let ticket: (any Sendable)?
    private var buffer = ByteBuffer()
    private var file: SpoolFile?

    /// An empty answer.
    /// - Parameter ticket: the ticket to hold for as long as the answer is.
    init(budget: SpoolBudget, ticket: (any Sendable)? = nil) {
        self.budget = budget
        self.ticket = ticket
    }

    /// Adds bytes.
    /// - Throws: `unavailable` where there is no room for files; ``SpoolFile/Failure``.
    mutating func write(_ bytes: some Collection<UInt8>) async throws {
        buffer.writeBytes(bytes)
        if buffer.readableBytes >= Self.memory { try await flush() }
    }

    /// The answer, which takes no more bytes.
    func finished() async throws -> SpooledAnswer {
        guard file != nil else { return SpooledAnswer(memory: buffer, file: nil, ticket: ticket) }
        var rest = self
        try await rest.flush()
        return SpooledAnswer(memory: ByteBuffer(), file: rest.file, ticket: ticket)
    }

    private mutating func flush() async throws {
        guard buffer.readableBytes > 0 else { return }
        let (known, bytes, budget) = (file, buffer, self.budget)
        file = try await NIOThreadPool.singleton.runIfActive {
            let file = try known ?? SpoolFile(budget: budget)
            try file.append(bytes)
            return file
        }
        buffer.clear()
    }
}

/// How much disk the answers of this process may take together.
final class SpoolBudget: Sendable {
    /// One gibibyte: ten of the largest exports.
    static let standard = 1 << 30

    private let limit: Int
    private let used = Mutex(0)

    /// Nothing is used yet.
    init(bytes: Int = standard) { limit = bytes }

    /// How many bytes are used.
    var bytes: Int { used.withLock { $0 } }

    /// - Throws: `unavailable` where there is too little left.
    fileprivate func take(_ bytes: Int) throws {
        let isTaken = used.withLock { used -> Bool in
            guard used + bytes <= limit else { return false }
            used += bytes
            return true
        }
        guard isTaken else {
            var problem = Problem(.unavailable, "Too many exports are being read; try again in a minute.")
            problem.retryAfter = 60
            throw problem
        }
    }

    fileprivate func giveBack(_ bytes: Int) { used.withLock { $0 -= bytes } }
}

/// A file without a name, which is gone with the process at the latest.
private final class SpoolFile: Sendable {
    struct Failure: Error, CustomStringConvertible {
        let errno: Int32
        var description: String {
            "an answer cannot be kept in \(FileManager.default.temporaryDirectory.path): \(String(cString: strerror(errno)))"
        }
    }

    private let descriptor: Int32
    private let budget: SpoolBudget
    /// Grows while one writer adds; nobody reads before it has ended.
    private let size = Mutex(0)

    var length: Int { size.withLock { $0 } }

    init(budget: SpoolBudget) throws {
        self.budget = budget
        let path = FileManager.default.temporaryDirectory.appending(path: "subtrackd-\(UUID().uuidString)").path
        // Its owner alone may read it, for as long as it has a name; no program that is started inherits it.
        descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw Failure(errno: errno) }
        unlink(path)
    }

    deinit {
        close(descriptor)
        budget.giveBack(length)
    }

    func append(_ bytes: ByteBuffer) throws {
        try budget.take(bytes.readableBytes)
        let start = size.withLock { size in
            defer { size += bytes.readableBytes }
            return size
        }
        try bytes.withUnsafeReadableBytes { source in
            var done = 0
            while done < source.count {
                let written = pwrite(
                    descriptor, source.baseAddress?.advanced(by: done), source.count - done, off_t(start + done))
                if written < 0, errno == EINTR { continue }
                guard written > 0 else { throw Failure(errno: errno) }
                done += written
            }
        }
    }

    func read(from offset: Int, count: Int) throws -> ByteBuffer {
        var buffer = ByteBufferAllocator().buffer(capacity: count)
        var failure: Int32 = 0
        buffer.writeWithUnsafeMutableBytes(minimumWritableBytes: count) { target in
            while true {
                let read = pread(descriptor, target.baseAddress, count, off_t(offset))
                if read < 0, errno == EINTR { continue }
                if read <= 0 { failure = read < 0 ? errno : EIO }
                return max(0, read)
            }
        }
        guard failure == 0 else { throw Failure(errno: failure) }
        return buffer
    }
}
