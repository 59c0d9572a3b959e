import Foundation
import SubTrackAPI

/// An answer of the service as it came over the wire.
public struct APIResponse: Sendable {
    /// The HTTP status.
    public var status: Int
    /// The header's fields in their order, names in small letters.
    public var headers: [(name: String, value: String)]
    /// The body.
    public var body: Data

    /// An answer with its parts.
    public init(status: Int, headers: [(name: String, value: String)], body: Data) {
        self.status = status
        self.headers = headers
        self.body = body
    }

    /// The first value of a field; nil when there is no such field.
    public func header(_ name: String) -> String? {
        headers.first { $0.name == name.lowercased() }?.value
    }

    /// The body as text.
    public var text: String { String(decoding: body, as: UTF8.self) }

    /// Reads the body as JSON of a type of the contract.
    public func decode<Value: Decodable>(_ type: Value.Type = Value.self) throws -> Value {
        do {
            return try JSONDecoder().decode(type, from: body)
        } catch {
            throw UnexpectedAnswer(response: self, reason: "the body is not a \(type): \(error)")
        }
    }

    /// The body as the problem that it must be.
    public func problem() throws -> Problem {
        guard header("content-type") == "application/problem+json" else {
            throw UnexpectedAnswer(response: self, reason: "it is not application/problem+json")
        }
        return try decode(Problem.self)
    }

    /// The body as a JSON object, without any type.
    public func object() throws -> [String: Any] {
        guard let object = try JSONSerialization.jsonObject(with: body) as? [String: Any] else {
            throw UnexpectedAnswer(response: self, reason: "the body is not an object")
        }
        return object
    }
}

/// An answer that is not what a test counted on.
public struct UnexpectedAnswer: Error, CustomStringConvertible {
    /// What came.
    public let response: APIResponse
    /// What is wrong with it.
    public let reason: String

    /// An answer with what is wrong with it.
    public init(response: APIResponse, reason: String) {
        self.response = response
        self.reason = reason
    }

    public var description: String {
        "\(reason): \(response.status) \(response.headers.map { "\($0.name): \($0.value)" }) \(response.text.prefix(600))"
    }
}
