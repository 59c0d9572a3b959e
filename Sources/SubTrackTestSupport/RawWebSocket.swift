import Foundation

/// A WebSocket to a service whose frames are made and read byte by byte, right or wrong (RFC 6455).
public struct RawWebSocket: Sendable {
    /// The bytes below it.
    public let socket: RawSocket

    /// A WebSocket on a socket that has become one.
    public init(socket: RawSocket) { self.socket = socket }

    /// What the server sent.
    public struct Frame: Sendable, Equatable {
        /// 1 text, 8 close, 9 ping, 10 pong.
        public let opcode: UInt8
        /// What it carries.
        public let payload: [UInt8]

        /// A frame of the server.
        public init(opcode: UInt8, payload: [UInt8]) {
            self.opcode = opcode
            self.payload = payload
        }

        /// The payload as text.
        public var text: String { String(decoding: payload, as: UTF8.self) }

        /// A closing frame's code; nil where there is none.
        public var code: Int? { payload.count >= 2 && opcode == 8 ? Int(payload[0]) << 8 | Int(payload[1]) : nil }
    }

    /// Opens a WebSocket.
    /// - Parameters:
    ///   - path: what follows the host.
    ///   - token: nil: none is sent.
    ///   - headers: lines beside those of RFC 6455.
    ///   - authority: the file with the certificate that the service's must come from; nil: no TLS.
    /// - Throws: ``RefusedUpgrade`` with the answer when it is not 101.
    public static func open(
        port: Int, path: String = "/v1/live", token: String?, headers: [String] = [], trusting authority: String? = nil
    ) async throws -> RawWebSocket {
        let socket = try await RawSocket.connect(port: port, trusting: authority)
        try await socket.send(Array(request(path: path, token: token, headers: headers).utf8))
        let end = Array("\r\n\r\n".utf8)
        try await eventually("an answer comes") { socket.bytes.firstRange(of: end) != nil || socket.isEnded }
        guard let range = socket.bytes.firstRange(of: end) else {
            throw NeverHappened(description: "an answer to the request to upgrade: the socket was closed")
        }
        guard socket.bytes.starts(with: "HTTP/1.1 101 ".utf8) else {
            try await socket.ends()
            throw RefusedUpgrade(response: try RawHTTP.parse(socket.bytes))
        }
        _ = try await socket.take(range.upperBound)
        return RawWebSocket(socket: socket)
    }

    /// The request that opens a WebSocket.
    public static func request(path: String = "/v1/live", token: String?, headers: [String] = []) -> String {
        var lines = [
            "GET \(path) HTTP/1.1", "Host: 127.0.0.1", "Connection: Upgrade", "Upgrade: websocket",
            "Sec-WebSocket-Version: 13", "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
        ]
        if let token { lines.append("Authorization: Bearer \(token)") }
        return (lines + headers).joined(separator: "\r\n") + "\r\n\r\n"
    }

    /// The bytes of a client's frame.
    /// - Parameters:
    ///   - first: its first byte: the opcode, and 0x80 where it is the last of its message.
    ///   - isMasked: a client's must be.
    ///   - length: the length that is said; nil: the true one.
    public static func frame(
        _ first: UInt8, _ payload: [UInt8], isMasked: Bool = true, length: UInt64? = nil
    ) -> [UInt8] {
        let length = length ?? UInt64(payload.count)
        let flag: UInt8 = isMasked ? 0x80 : 0
        var bytes = [first]
        switch length {
        case ...125: bytes.append(flag | UInt8(length))
        case ...0xFFFF: bytes += [flag | 126, UInt8(length >> 8), UInt8(length & 0xFF)]
        default: bytes += [flag | 127] + (0..<8).map { UInt8(truncatingIfNeeded: length >> (56 - 8 * $0)) }
        }
        guard isMasked else { return bytes + payload }
        let key: [UInt8] = [0x37, 0xFA, 0x21, 0x3D]
        return bytes + key + payload.enumerated().map { $1 ^ key[$0 % 4] }
    }

    /// Sends a text message in one frame.
    public func send(_ text: String) async throws { try await socket.send(Self.frame(0x81, Array(text.utf8))) }

    /// Takes the next frame.
    public func frame(within limit: Duration = .seconds(60)) async throws -> Frame {
        let head = try await socket.take(2, within: limit)
        var length = Int(head[1] & 0x7F)
        if length >= 126 {
            let more = try await socket.take(length == 126 ? 2 : 8, within: limit)
            length = more.reduce(0) { $0 << 8 | Int($1) }
        }
        return Frame(opcode: head[0] & 0x0F, payload: try await socket.take(length, within: limit))
    }

    /// Takes the next frame, which must be text.
    public func text(within limit: Duration = .seconds(60)) async throws -> String {
        let frame = try await frame(within: limit)
        guard frame.opcode == 1 else {
            throw NeverHappened(description: "a text frame: it is \(frame.opcode), code \(frame.code ?? 0)")
        }
        return frame.text
    }

    /// Waits for the server to close.
    /// - Returns: its code; nil where it closed without one.
    public func closeCode(within limit: Duration = .seconds(60)) async throws -> Int? {
        while true {
            do {
                let frame = try await frame(within: limit)
                if frame.opcode == 8 { return frame.code }
            } catch let error as NeverHappened {
                if socket.isEnded { return nil }
                throw error
            }
        }
    }

    /// Says that it closes.
    public func sendClose(code: UInt16 = 1000) async throws {
        try await socket.send(Self.frame(0x88, [UInt8(code >> 8), UInt8(code & 0xFF)]))
    }
}

/// A request to upgrade that was answered otherwise.
public struct RefusedUpgrade: Error {
    /// The answer.
    public let response: APIResponse
}
