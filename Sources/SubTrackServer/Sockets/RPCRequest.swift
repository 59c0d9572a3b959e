import NIOCore
import SubTrackAPI

/// The id of a JSON-RPC request (JSON-RPC 2.0 §4), given back as it came.
enum RPCID: Sendable, Equatable {
    case null
    case integer(Int64)
    /// A number with a fraction or an exponent, as it was written.
    case decimal(String)
    case string(String)

    /// Takes a string, a number or null; nil for anything else.
    init?(_ value: JSONValue) {
        switch value {
        case .null: self = .null
        case .integer(let number): self = .integer(number)
        case .decimal(let text): self = .decimal(text)
        case .string(let text): self = .string(text)
        case .bool, .array, .object, .text, .unfit: return nil
        }
    }
}

/// A call that came by a socket.
struct RPCRequest: Sendable, Equatable {
    /// What the answer carries; nil for a notification, which gets none.
    let id: RPCID?
    /// The operation's name.
    let method: String
    /// The named parameters.
    let params: [JSONValue.Member]
    /// Why one of their values is not taken; nil: all are. Some operations answer that themselves.
    let unfitReason: String?
}

/// Why there is no result (JSON-RPC 2.0 §5.1).
struct RPCFailure: Error, Sendable {
    /// The kinds of failure that JSON-RPC tells apart.
    enum Code: Int, Sendable {
        case parseError = -32700
        case invalidRequest = -32600
        case methodNotFound = -32601
        case invalidParams = -32602
        case internalError = -32603
        /// Everything that an operation refuses for another reason than its input.
        case refused = -32000
    }

    let code: Code
    /// The problem that goes into `error.data`.
    let problem: Problem

    init(_ code: Code, _ problem: Problem) {
        self.code = code
        self.problem = problem
    }

    /// The failure of a request with a value that is not taken.
    init(unfit reason: String) { self.init(.parseError, .input("", .json, reason)) }

    /// The failure of an operation.
    init(_ problem: Problem) {
        let code: Code =
            switch problem.code {
            case .inputInvalid: .invalidParams
            case .internalError: .internalError
            default: .refused
            }
        self.init(code, problem)
    }

    /// A short sentence; for the codes of JSON-RPC the one that it gives them.
    var message: String {
        switch code {
        case .parseError: "Parse error"
        case .invalidRequest: "Invalid Request"
        case .methodNotFound: "Method not found"
        case .invalidParams: "Invalid params"
        case .internalError: "Internal error"
        case .refused: problem.title
        }
    }
}

/// One message of a client: a request, a batch of them, or something else.
enum RPCMessage: Sendable {
    /// The largest number of requests in a batch.
    static let maximumBatch = 100
    /// The largest message, in bytes.
    static let maximumSize = 64 << 10

    /// A request, or what cannot be one.
    enum Element: Sendable {
        case request(RPCRequest)
        /// - Parameter id: the request's, where it could be read.
        case faulty(id: RPCID, RPCFailure)
        /// A notification that cannot be carried out: there is nobody to tell.
        case ignored
    }

    case single(Element)
    case batch([Element])

    /// Reads a message. What is wrong with it becomes a part of it, for it is answered like the rest.
    init(_ bytes: some Sequence<UInt8>) {
        let value: JSONValue
        do throws(JSONScanner.Failure) {
            value = try JSONScanner.scan(bytes, keepsUnfit: true)
        } catch {
            let code = error.isTooLarge ? RPCFailure.Code.invalidRequest : .parseError
            self = .single(.faulty(id: .null, RPCFailure(code, error.problem)))
            return
        }
        guard case .array(let elements) = value else {
            self = .single(Self.element(value))
            return
        }
        switch elements.count {
        case 0: self = .invalid(.input("", .malformed, "a batch must hold a request"))
        case ...Self.maximumBatch: self = .batch(elements.map(Self.element))
        default:
            self = .invalid(
                Problem(.tooMany, "A batch may hold \(Self.maximumBatch) requests, has \(elements.count)."))
        }
    }

    /// The answer to a message that is longer than ``maximumSize``.
    static let tooLarge = RPCMessage.invalid(
        Problem(.tooLarge, "A message may have \(maximumSize) bytes; larger ones go by HTTP."))

    /// The answer to a large message that nobody has the time to read.
    static let unreadable = RPCMessage.single(.faulty(id: .null, RPCFailure(LargeInputs.tooMany)))

    private static func invalid(_ problem: Problem) -> RPCMessage {
        .single(.faulty(id: .null, RPCFailure(.invalidRequest, problem)))
    }

    private static func element(_ value: JSONValue) -> Element {
        guard case .object(let members) = value else {
            if case .unfit(let reason) = value { return .faulty(id: .null, RPCFailure(unfit: reason)) }
            let problem = Problem.input("", .malformed, "a request must be an object, is \(value.kind)")
            return .faulty(id: .null, RPCFailure(.invalidRequest, problem))
        }
        var id: RPCID?
        var method: JSONValue?
        var params: JSONValue?
        var version: JSONValue?
        var fault: Problem?
        var unfitReason: String?
        for member in members {
            if member.name != "params" { unfitReason = unfitReason ?? member.value.unfitReason }
            switch member.name {
            case "jsonrpc": version = member.value
            case "method": method = member.value
            case "params": params = member.value
            case "id":
                id = RPCID(member.value)
                if id == nil { fault = fault ?? .input("id", .malformed, "must be a text, a number or null") }
            default:
                fault = fault ?? .input(member.name.excerpt(100), .unknown, "there is no such member")
            }
        }
        if let unfitReason { return .faulty(id: id ?? .null, RPCFailure(unfit: unfitReason)) }
        if version != .string("2.0") { fault = fault ?? .input("jsonrpc", .malformed, "must be \"2.0\"") }
        guard case .string(let name) = method, fault == nil else {
            let problem = fault ?? .input("method", method == nil ? .required : .malformed, "must be a text")
            return .faulty(id: id ?? .null, RPCFailure(.invalidRequest, problem))
        }
        switch params {
        case nil: return .request(RPCRequest(id: id, method: name, params: [], unfitReason: nil))
        case .object(let members):
            return .request(RPCRequest(id: id, method: name, params: members, unfitReason: params?.unfitReason))
        case .unfit(let reason): return .faulty(id: id ?? .null, RPCFailure(unfit: reason))
        case .array:
            guard let id else { return .ignored }
            let problem = Problem.input("params", .malformed, "must be an object: parameters have names here")
            return .faulty(id: id, RPCFailure(.invalidParams, problem))
        case .some(let other):
            let problem = Problem.input("params", .malformed, "must be an object, is \(other.kind)")
            return .faulty(id: id ?? .null, RPCFailure(.invalidRequest, problem))
        }
    }
}
