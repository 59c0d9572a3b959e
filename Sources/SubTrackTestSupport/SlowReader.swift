import Dispatch
import Foundation

/// A client that reads as slowly as it is told, by a blocking socket with a small buffer.
public struct SlowReader: Sendable {
    private let descriptor: Int32

    /// Connects to a port of this machine.
    public init(port: Int) async throws {
        #if os(Linux)
            let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        #else
            let descriptor = socket(AF_INET, SOCK_STREAM, 0)
        #endif
        var size: Int32 = 64 << 10
        setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &size, socklen_t(MemoryLayout<Int32>.size))
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(port).bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let connected = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard connected == 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
        self.descriptor = descriptor
    }

    /// Sends bytes.
    public func send(_ bytes: [UInt8]) async throws {
        guard bytes.withUnsafeBytes({ write(descriptor, $0.baseAddress, $0.count) }) == bytes.count else {
            throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO)
        }
    }

    /// Waits until an answer begins.
    /// - Returns: the status line of HTTP, or less where the answer ends before.
    public func statusLine() async -> String {
        await withCheckedContinuation { continuation in
            DispatchQueue.global().async {
                var line: [UInt8] = []
                var byte: UInt8 = 0
                while line.last != 10, recv(descriptor, &byte, 1, 0) == 1 { line.append(byte) }
                continuation.resume(returning: String(decoding: line, as: UTF8.self))
            }
        }
    }

    /// Goes away, whatever was not read.
    public func leave() { close(descriptor) }

    /// Reads to the end, with a pause after each so many bytes, and closes.
    /// - Returns: how many bytes came.
    public func readAll(chunk: Int, pause: Duration) async throws -> Int {
        await withCheckedContinuation { continuation in
            DispatchQueue.global().async {
                var buffer = [UInt8](repeating: 0, count: 64 << 10)
                var (total, sincePause) = (0, 0)
                while true {
                    let count = recv(descriptor, &buffer, buffer.count, 0)
                    guard count > 0 else { break }
                    total += count
                    sincePause += count
                    guard sincePause >= chunk else { continue }
                    sincePause = 0
                    usleep(UInt32(pause / .microseconds(1)))
                }
                close(descriptor)
                continuation.resume(returning: total)
            }
        }
    }
}
