import NIOCore
import SubTrackAPI

/// The answer to one request.
struct RPCReply: Sendable {
    /// The largest answer, in bytes of JSON.
    static let maximumSize = 1 << 20

    /// What is answered.
    enum Content: Sendable {
        /// An operation's output as JSON; nil, written as `null`, where it has none.
        case result([UInt8]?)
        case failure(RPCFailure)
    }

    let id: RPCID
    let content: Content
}

/// All answers to one message.
enum RPCAnswer: Sendable {
    /// The message held notifications alone.
    case none
    case single(RPCReply)
    case batch([RPCReply])

    /// Writes the answer as one JSON text without a line's end.
    func write(to buffer: inout ByteBuffer) {
        switch self {
        case .none: break
        case .single(let reply): reply.write(to: &buffer)
        case .batch(let replies):
            buffer.writeStaticString("[")
            for (index, reply) in replies.enumerated() {
                if index > 0 { buffer.writeStaticString(",") }
                reply.write(to: &buffer)
            }
            buffer.writeStaticString("]")
        }
    }

    /// About how many bytes ``write(to:)`` writes.
    var estimatedSize: Int {
        switch self {
        case .none: 0
        case .single(let reply): reply.estimatedSize
        case .batch(let replies): replies.reduce(2) { $0 + $1.estimatedSize + 1 }
        }
    }
}

extension RPCReply {
    /// About how many bytes the answer has; enough to reserve room and to keep within ``maximumSize``.
    var estimatedSize: Int {
        let body =
            switch content {
            case .result(let body): body?.count ?? 4
            case .failure(let failure): 512 + failure.problem.detail.utf8.count
            }
        let id =
            switch id {
            case .string(let text), .decimal(let text): text.utf8.count
            case .null, .integer: 20
            }
        return body + id + 48
    }

    fileprivate func write(to buffer: inout ByteBuffer) {
        buffer.writeStaticString("{\"jsonrpc\":\"2.0\",\"id\":")
        switch id {
        case .null: buffer.writeStaticString("null")
        case .integer(let number): buffer.writeString(String(number))
        case .decimal(let text): buffer.writeString(text)
        case .string(let text):
            var json = JSONWriter(capacity: text.utf8.count + 2)
            json.write(text)
            buffer.writeBytes(json.bytes)
        }
        switch content {
        case .result(let body):
            buffer.writeStaticString(",\"result\":")
            if let body { buffer.writeBytes(body) } else { buffer.writeStaticString("null") }
            buffer.writeStaticString("}")
        case .failure(let failure):
            buffer.writeStaticString(",\"error\":{\"code\":")
            buffer.writeString(String(failure.code.rawValue))
            buffer.writeStaticString(",\"message\":\"")
            // A message is one of ours: it has nothing that needs an escape.
            buffer.writeString(failure.message)
            buffer.writeStaticString("\",\"data\":")
            // The problem's fields can always be encoded; should that ever change, the code still says what matters.
            buffer.writeBytes((try? ProblemMapping.encode(failure.problem)) ?? Array("null".utf8))
            buffer.writeStaticString("}}")
        }
    }
}

/// What the server says without being asked (JSON-RPC 2.0 §4.1).
struct RPCNotification: Sendable {
    /// The whole message.
    let json: [UInt8]

    /// A notification.
    /// - Parameters:
    ///   - method: a name that needs no escape.
    ///   - params: an object as JSON; nil: none.
    init(_ method: StaticString, params: [UInt8]? = nil) {
        var json = Array("{\"jsonrpc\":\"2.0\",\"method\":\"".utf8)
        method.withUTF8Buffer { json.append(contentsOf: $0) }
        json.append(UInt8(ascii: "\""))
        if let params {
            json.append(contentsOf: ",\"params\":".utf8)
            json.append(contentsOf: params)
        }
        json.append(UInt8(ascii: "}"))
        self.json = json
    }

    /// The server is about to end: no further request is taken.
    static let serverClosing = RPCNotification("server.closing")
    /// The session that the socket was opened with has ended.
    static let sessionEnded = RPCNotification("session.ended")
}
