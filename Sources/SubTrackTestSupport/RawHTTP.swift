import Dispatch
import Foundation

/// HTTP as it is on the wire, for requests that no client library would send.
public enum RawHTTP {
    /// Sends bytes to 127.0.0.1 and reads answers until the other side closes, or says nothing for a while.
    /// - Parameters:
    ///   - bytes: what is sent, right or wrong.
    ///   - port: the service's.
    ///   - closesAfterwards: whether the sending side is closed once all is sent, as `Connection: close` asks for.
    ///   - patience: how long the other side may say nothing, in seconds.
    /// - Returns: all that came.
    public static func exchange(
        _ bytes: [UInt8], port: Int, closesAfterwards: Bool = false, patience: Int = 60
    ) async throws -> [UInt8] {
        try await withCheckedThrowingContinuation { continuation in
            // Blocking calls stay off Swift's cooperative threads.
            DispatchQueue.global().async {
                continuation.resume(
                    with: Result {
                        try blocking(bytes, port: port, closesAfterwards: closesAfterwards, patience: patience)
                    })
            }
        }
    }

    /// Sends a request with `Connection: close` and reads its answer.
    /// - Parameters:
    ///   - target: the request's target as it stands in the first line.
    ///   - headers: lines beside Host and Connection.
    public static func send(
        _ method: String, _ target: String, port: Int, host: String = "127.0.0.1", headers: [String] = [],
        body: [UInt8] = []
    ) async throws -> APIResponse {
        var lines = ["\(method) \(target) HTTP/1.1", "Host: \(host)", "Connection: close"] + headers
        if !body.isEmpty, !headers.contains(where: { $0.lowercased().hasPrefix("content-length:") }) {
            lines.append("Content-Length: \(body.count)")
        }
        let head = lines.joined(separator: "\r\n") + "\r\n\r\n"
        return try parse(try await exchange(Array(head.utf8) + body, port: port))
    }

    /// Reads an answer whose end is the connection's.
    public static func parse(_ bytes: [UInt8]) throws -> APIResponse {
        let text = String(decoding: bytes, as: UTF8.self)
        let end = bytes.firstRange(of: Array("\r\n\r\n".utf8))
        let head = String(decoding: bytes[..<(end?.lowerBound ?? bytes.count)], as: UTF8.self)
        let lines = head.components(separatedBy: "\r\n")
        guard let end, let status = lines.first?.split(separator: " ").dropFirst().first.flatMap({ Int($0) }) else {
            throw NeverHappened(description: "no HTTP answer: \(text.prefix(200))")
        }
        let headers = lines.dropFirst().compactMap { line -> (name: String, value: String)? in
            guard let colon = line.firstIndex(of: ":") else { return nil }
            return (
                line[..<colon].lowercased(),
                line[line.index(after: colon)...].trimmingCharacters(in: .whitespaces)
            )
        }
        return APIResponse(status: status, headers: headers, body: Data(bytes[end.upperBound...]))
    }

    private static func blocking(_ bytes: [UInt8], port: Int, closesAfterwards: Bool, patience: Int) throws -> [UInt8] {
        #if os(Linux)
            let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        #else
            let descriptor = socket(AF_INET, SOCK_STREAM, 0)
        #endif
        guard descriptor >= 0 else { throw failure() }
        defer { close(descriptor) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(port).bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let connected = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard connected == 0 else { throw failure() }
        var limit = timeval(tv_sec: patience, tv_usec: 0)
        for option in [SO_RCVTIMEO, SO_SNDTIMEO] {
            setsockopt(descriptor, SOL_SOCKET, option, &limit, socklen_t(MemoryLayout<timeval>.size))
        }
        var sent = 0
        while sent < bytes.count {
            let count = bytes[sent...].withUnsafeBytes { part in
                Foundation.send(descriptor, part.baseAddress, part.count, flags)
            }
            // The other side may have answered and closed before it took all: the answer is there to be read.
            guard count > 0 else { break }
            sent += count
        }
        if closesAfterwards { shutdown(descriptor, Int32(SHUT_WR)) }
        var received: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = recv(descriptor, &buffer, buffer.count, 0)
            guard count > 0 else { break }
            received += buffer[..<count]
        }
        return received
    }

    #if os(Linux)
        private static let flags = Int32(MSG_NOSIGNAL)
    #else
        private static let flags: Int32 = 0
    #endif

    private static func failure() -> POSIXError { POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
}
