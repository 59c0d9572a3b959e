import Foundation
import SubTrackAPI
import SubTrackServer
import SubTrackTestSupport
import Synchronization
import Testing

/// What tests of plain sockets share.
enum PlainSocket {
    /// Lets a service listen for plain sockets at any free port.
    @Sendable static func listen(_ settings: inout ServiceSettings) {
        settings.socketListen = [.tcp(ListenAddress(host: "127.0.0.1", port: 0))]
    }

    /// A request as JSON.
    static func request(_ method: String, _ params: [String: Any] = [:], id: Any) throws -> String {
        var object: [String: Any] = ["jsonrpc": "2.0", "id": id, "method": method]
        if !params.isEmpty { object["params"] = params }
        let data = try JSONSerialization.data(withJSONObject: object, options: .sortedKeys)
        return String(decoding: data, as: UTF8.self)
    }

    /// One answer.
    struct Reply {
        let object: [String: Any]

        init(_ text: String) throws {
            let data = Data(text.utf8)
            guard let object = try JSONSerialization.jsonObject(with: data) as? [String: Any],
                object["jsonrpc"] as? String == "2.0"
            else { throw NeverHappened(description: "an answer, not \(text.prefix(300))") }
            self.object = object
        }

        var id: Any? { object["id"] }
        var isNull: Bool { object["result"] is NSNull }

        func result() throws -> [String: Any] {
            guard let result = object["result"] as? [String: Any], object["error"] == nil else {
                throw NeverHappened(description: "a result, not \(object)")
            }
            return result
        }

        func problem(code: Int) throws -> Problem {
            guard let error = object["error"] as? [String: Any], object["result"] == nil,
                error["code"] as? Int == code, error["message"] is String, let data = error["data"]
            else { throw NeverHappened(description: "an error \(code), not \(object)") }
            return try JSONDecoder().decode(Problem.self, from: JSONSerialization.data(withJSONObject: data))
        }
    }

    /// The file of a socket whose process is dead.
    static func leaveDeadSocket(at path: String) throws {
        let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(descriptor) }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        let bound = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        try #require(bound == 0)
    }

    static let counter = Atomic<Int>(1000)
}

/// An id as a test gives it.
enum ID {
    case integer(Int)
    case string(String)
    case null
}

extension RawSocket {
    /// The next answer or notification.
    func reply() async throws -> PlainSocket.Reply { try PlainSocket.Reply(try await line()) }

    /// The next answer, which must be that of a request.
    func reply(to id: ID) async throws -> PlainSocket.Reply {
        let reply = try await reply()
        switch id {
        case .integer(let number): #expect(reply.id as? Int == number)
        case .string(let text): #expect(reply.id as? String == text)
        case .null: #expect(reply.id is NSNull)
        }
        return reply
    }

    /// Sends a request and waits for its answer.
    func call(_ method: String, _ params: [String: Any] = [:]) async throws -> PlainSocket.Reply {
        let id = PlainSocket.counter.add(1, ordering: .relaxed).newValue
        try await send(line: try PlainSocket.request(method, params, id: id))
        return try await reply(to: .integer(id))
    }
}
