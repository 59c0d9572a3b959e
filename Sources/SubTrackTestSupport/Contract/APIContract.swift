import Foundation
import SubTrackServer

/// Holds every answer that a test gets to the API description, so that the description is true.
public struct APIContract: Sendable {
    /// An answer that is not as the description says.
    public struct Violation: Error, CustomStringConvertible {
        public let description: String
    }

    /// The contract of the service that the tests are built with.
    public static var shared: APIContract { get throws { try made.get() } }

    private static let made = Result {
        try APIContract(document: JSON(Data(try SubTrackService.apiDescription())))
    }

    private struct Route: Sendable {
        let segments: [String]
        let methods: [String: JSON]

        func matches(_ path: [String]) -> Bool {
            segments.count == path.count && zip(segments, path).allSatisfy { $0.hasPrefix("{") || $0 == $1 }
        }
    }

    private let validator: JSONSchemaValidator
    private let routes: [Route]

    /// The contract that a description makes.
    public init(document: JSON) {
        validator = JSONSchemaValidator(document: document)
        // Where both fit, a literal goes before a parameter.
        routes = (document["paths"]?.members ?? [:]).map { path, methods in
            Route(segments: Self.segments(path), methods: methods.members)
        }.sorted { left, right in
            left.segments.count { $0.hasPrefix("{") } < right.segments.count { $0.hasPrefix("{") }
        }
    }

    private static func segments(_ path: String) -> [String] {
        path.dropFirst().split(separator: "/", omittingEmptySubsequences: false)
            .map { String($0).removingPercentEncoding ?? String($0) }
    }

    /// Checks an answer.
    /// - Parameters:
    ///   - path: the path that was asked for, with or without a query.
    /// - Throws: ``Violation``.
    public func check(_ method: String, _ path: String, _ response: APIResponse) throws {
        do {
            var segments = Self.segments(String(path.prefix { $0 != "?" }))
            // The operations' paths are below the tenant's; the paths of the service itself are not.
            if segments.first == "t", segments.count > 2, segments[2] == "v1" { segments.removeFirst(2) }
            try check(response, method: method, path: segments)
        } catch let error as JSONSchemaValidator.Violation {
            throw violation(method, path, response, error.description)
        } catch let error as Violation {
            throw violation(method, path, response, error.description)
        }
    }

    private func violation(_ method: String, _ path: String, _ response: APIResponse, _ reason: String) -> Violation {
        Violation(
            description: "not as /openapi.json says: \(reason) (\(method) \(path.prefix(200)) gave \(response.status) "
                + "\(response.text.prefix(600)))")
    }

    private func check(_ response: APIResponse, method: String, path: [String]) throws {
        let wanted = method == "HEAD" ? "get" : method.lowercased()
        guard let operation = routes.first(where: { $0.matches(path) })?.methods[wanted]
        else {
            // Pages are for people.
            let isPage = path.first != "v1" && !(path.first == "t" && path.dropFirst(2).first == "v1")
            if isPage, response.status < 400, method == "GET" || method == "HEAD" { return }
            // No operation: nothing but a problem can be the answer.
            guard response.status >= 400 else { throw Violation(description: "there is no such operation") }
            return try check(response, isHead: method == "HEAD", content: ["application/problem+json": problem])
        }
        guard let answer = try operation["responses"]?[String(response.status)].map(validator.resolve) else {
            throw Violation(description: "the status is not described")
        }
        for (name, header) in answer["headers"]?.members ?? [:]
        where try validator.resolve(header)["required"] == .bool(true) && response.header(name) == nil {
            throw Violation(description: "the header \(name) is missing")
        }
        try check(
            response, isHead: method == "HEAD",
            content: (answer["content"]?.members ?? [:]).compactMapValues { $0["schema"] })
        if method != "HEAD", let codes = answer["x-problem-codes"]?.elements {
            let body = try JSON(response.body)
            guard let code = body["code"], codes.contains(code) else {
                throw Violation(description: "the code is none of \(codes.compactMap(\.text))")
            }
            guard body["status"] == .integer(Int64(response.status)) else {
                throw Violation(description: "the problem has another status than the answer")
            }
        }
    }

    private var problem: JSON { .object(["$ref": .string("#/components/schemas/Problem")]) }

    private func check(_ response: APIResponse, isHead: Bool, content: [String: JSON]) throws {
        guard response.header("x-request-id") != nil else { throw Violation(description: "it has no X-Request-ID") }
        guard !content.isEmpty else {
            guard response.body.isEmpty else { throw Violation(description: "it has a body") }
            return
        }
        let type = String((response.header("content-type") ?? "").prefix { $0 != ";" })
        guard let schema = content[type] else { throw Violation(description: "the content is \"\(type)\"") }
        guard !isHead else {
            guard response.body.isEmpty else { throw Violation(description: "HEAD has a body") }
            return
        }
        guard type.hasSuffix("json") else { return }
        try validator.validate(try JSON(response.body), schema)
    }
}
