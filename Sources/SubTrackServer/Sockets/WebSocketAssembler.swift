import NIOCore
import NIOWebSocket

/// Makes messages of a client's WebSocket frames and holds them to RFC 6455, as far as the decoder of frames does not.
struct WebSocketAssembler {
    /// What a frame amounts to.
    enum Event: Equatable {
        /// A part of a message, or nothing to do.
        case nothing
        /// A whole message: valid UTF-8.
        case message(ByteBuffer)
        case ping(ByteBuffer)
        case pong
        /// The other side closes.
        /// - Parameter code: its reason; nil when it gave none.
        case close(code: UInt16?)
        /// The other side broke a rule; the connection must be closed with this code.
        case fault(code: UInt16, reason: String)
    }

    /// The largest number of frames that a message may come in.
    static let maximumFragments = 1_024

    private let maximumSize: Int
    private var message: ByteBuffer?
    private var fragments = 0

    /// An assembler of messages of up to so many bytes, fragments counted together.
    init(maximumSize: Int) { self.maximumSize = maximumSize }

    /// Whether a message was begun that has not ended.
    var isInMessage: Bool { message != nil }

    /// Takes the next frame.
    mutating func receive(_ frame: WebSocketFrame) -> Event {
        guard !frame.rsv1, !frame.rsv2, !frame.rsv3 else { return Self.fault(1002, "a reserved bit is set") }
        guard frame.maskKey != nil else { return Self.fault(1002, "a frame of a client must be masked") }
        switch frame.opcode {
        case .text:
            guard message == nil else { return Self.fault(1002, "a message began inside of another") }
            return append(frame)
        case .continuation:
            guard message != nil else { return Self.fault(1002, "there is no message to continue") }
            return append(frame)
        case .binary: return Self.fault(1003, "messages are text")
        case .ping: return .ping(frame.unmaskedData)
        case .pong: return .pong
        case .connectionClose: return Self.close(frame.unmaskedData)
        default: return Self.fault(1002, "there is no such opcode")
        }
    }

    private mutating func append(_ frame: WebSocketFrame) -> Event {
        var data = frame.unmaskedData
        fragments += 1
        guard (message?.readableBytes ?? 0) + data.readableBytes <= maximumSize else {
            return Self.fault(1009, "a message may have \(maximumSize) bytes")
        }
        guard fragments <= Self.maximumFragments else {
            return Self.fault(1008, "a message may have \(Self.maximumFragments) fragments")
        }
        if message == nil { message = data } else { message?.writeBuffer(&data) }
        guard frame.fin, let whole = message else { return .nothing }
        message = nil
        fragments = 0
        guard Self.isUTF8(whole) else { return Self.fault(1007, "a message is not UTF-8") }
        return .message(whole)
    }

    private static func close(_ payload: ByteBuffer) -> Event {
        guard payload.readableBytes > 0 else { return .close(code: nil) }
        var reason = payload
        guard let code = reason.readInteger(as: UInt16.self) else { return fault(1002, "a code has two bytes") }
        // RFC 6455 §7.4: what may stand in a frame.
        switch code {
        case 1000...1003, 1007...1014, 3000...4999: break
        default: return fault(1002, "there is no such code")
        }
        guard isUTF8(reason) else { return fault(1007, "the reason is not UTF-8") }
        return .close(code: code)
    }

    private static func isUTF8(_ buffer: ByteBuffer) -> Bool {
        buffer.withUnsafeReadableBytes { String(validating: $0, as: UTF8.self) != nil }
    }

    private static func fault(_ code: UInt16, _ reason: String) -> Event { .fault(code: code, reason: reason) }
}
