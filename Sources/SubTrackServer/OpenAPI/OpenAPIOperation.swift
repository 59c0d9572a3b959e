import SubTrackAPI

/// One operation in the API description.
struct OpenAPIOperation {
    private let entry: OperationRegistry.Entry
    private let input: SchemaObject
    /// The content of a successful answer; nil: none.
    private let output: SchemaShape?

    /// Looks at an operation.
    /// - Throws: ``SchemaRecorder/Unreadable``.
    init(_ entry: OperationRegistry.Entry) throws {
        self.entry = entry
        (input, output) = try Self.shapes(entry.operation)
    }

    private static func shapes<Definition: SubTrackAPI.Operation>(
        _ type: Definition.Type
    ) throws -> (SchemaObject, SchemaShape?) {
        guard case .object(let input) = try SchemaRecorder.shape(of: type) else {
            throw SchemaRecorder.Unreadable(description: "the input of \(type.name) is not an object")
        }
        guard type.endpoint.pathParameters.allSatisfy({ name in input.fields.contains { $0.name == name } }) else {
            throw SchemaRecorder.Unreadable(description: "the path of \(type.name) names a field that it does not have")
        }
        return (
            input, Definition.Output.self == Empty.self ? nil : try SchemaRecorder.shape(of: Definition.Output.self)
        )
    }

    /// The operation's entry under its path and method.
    func json(_ components: inout SchemaComponents, _ responses: inout ProblemResponses) -> JSONValue {
        var operation: JSONValue = [
            "operationId": .string(entry.name), "tags": [.string(OpenAPIDocument.tag(of: entry.name))],
            "summary": .string(entry.operation.summary), "security": security,
        ]
        let parameters = parameters(&components) + headers
        if !parameters.isEmpty { operation = operation.with("parameters", .array(parameters)) }
        operation = operation.with("requestBody", body(&components))
        var answers = [JSONValue.Member(name: String(entry.endpoint.status), value: success(&components))]
        if isList { answers.append(.init(name: "304", value: unchanged)) }
        for (status, codes) in problems {
            answers.append(.init(name: String(status), value: responses.reference(codes, status: status)))
        }
        return operation.with("responses", .object(answers))
    }

    private var security: JSONValue {
        switch entry.access {
        case .public: [[:], ["token": []], ["cookie": []]]
        case .device, .account: [["token": []], ["cookie": []]]
        }
    }

    /// A list's tag tells whether the answer is the same (``Reply``); a row's is its version.
    private var isList: Bool {
        guard case .object(let object) = output else { return false }
        return entry.endpoint.method == .get && object.fields.contains { $0.name == "nextCursor" }
    }

    private var isVersioned: Bool {
        guard case .object(let object) = output else { return false }
        return object.fields.contains { $0.name == "version" && $0.shape == .integer }
    }

    // MARK: What is sent

    private func parameters(_ components: inout SchemaComponents) -> [JSONValue] {
        let inPath = entry.endpoint.pathParameters
        var parameters: [JSONValue] = []
        for field in input.fields where inPath.contains(field.name) || entry.endpoint.method.readsQuery {
            let isInPath = inPath.contains(field.name)
            var parameter: JSONValue = [
                "name": .string(field.name), "in": isInPath ? "path" : "query",
                "required": .bool(isInPath || !field.isOptional),
            ]
            parameter = parameter.with("description", field.summary.map(JSONValue.string))
            parameters.append(
                parameter.with("schema", components.schema(of: field.shape, .input, rule: field.rule)))
        }
        return parameters
    }

    private var headers: [JSONValue] {
        var names: [String] = []
        if isList { names.append("If-None-Match") }
        if entry.conditions.contains(.ifMatch) { names.append("If-Match") }
        if entry.conditions.contains(.idempotencyKey) { names.append("Idempotency-Key") }
        if entry.givesToken { names.append("Session-Delivery") }
        return names.compactMap { OpenAPIDocument.requestHeaders[$0] }
    }

    private func body(_ components: inout SchemaComponents) -> JSONValue? {
        var object = input
        object.fields.removeAll { entry.endpoint.pathParameters.contains($0.name) }
        guard !entry.endpoint.method.readsQuery, !object.fields.isEmpty else { return nil }
        object.summary = nil
        return [
            "required": .bool(object.fields.contains { !$0.isOptional }),
            "content": ["application/json": ["schema": components.schema(of: .object(object), .input)]],
        ]
    }

    // MARK: What is answered

    private func success(_ components: inout SchemaComponents) -> JSONValue {
        var names = ["X-Request-ID"]
        if isList || isVersioned { names.append("ETag") }
        if entry.givesToken { names.append("Set-Cookie") }
        let headers = JSONValue.object(names.map { .init(name: $0, value: OpenAPIDocument.headerReference($0)) })
        guard let output else { return ["description": "Done.", "headers": headers] }
        return [
            "description": .string(entry.endpoint.status == 201 ? "Made." : "Done."), "headers": headers,
            "content": .object([
                .init(
                    name: entry.operation.mediaType ?? "application/json",
                    value: ["schema": components.schema(of: output, .output)])
            ]),
        ]
    }

    private var unchanged: JSONValue {
        [
            "description": "The caller has this answer already.",
            "headers": [
                "X-Request-ID": OpenAPIDocument.headerReference("X-Request-ID"),
                "ETag": OpenAPIDocument.headerReference("ETag"),
            ],
        ]
    }

    /// The codes of problems that it answers, by status.
    private var problems: [(Int, [ErrorCode])] {
        var codes: Set<ErrorCode> = [
            .inputInvalid, .tokenInvalid, .tenantSuspended, .tenantUnknown, .internalError, .unavailable,
            .tenantMigrating,
        ]
        if !entry.takesEndedTokens { codes.formUnion([.tokenEnded, .userDeleted]) }
        codes.formUnion(entry.operation.errors)
        if entry.mayBeOff { codes.insert(.areaOff) }
        if entry.access != .public { codes.insert(.tokenMissing) }
        if !entry.endpoint.pathParameters.isEmpty { codes.insert(.notFound) }
        if entry.endpoint.method != .get { codes.formUnion([.outcomeUnknown, .originRefused]) }
        if !entry.endpoint.method.readsQuery { codes.insert(.tooLarge) }
        if entry.conditions.contains(.idempotencyKey) { codes.formUnion([.keyReused, .keyInUse, .rateLimited]) }
        if entry.conditions.contains(.ifMatch) { codes.insert(.stale) }
        let sorted = ErrorCode.allCases.filter(codes.contains)
        let problems = Set(sorted.map(\.status)).map { status in (status, sorted.filter { $0.status == status }) }
        // A head that is too large is refused before its operation is known (RFC 6585 §5).
        return (problems + [(431, [.tooLarge])]).sorted { $0.0 < $1.0 }
    }
}

/// The problems that operations answer, each set of codes described once.
struct ProblemResponses {
    /// The schema of any problem.
    let schema: JSONValue
    /// The responses by name.
    private(set) var all: [JSONValue.Member] = []

    /// Problems of a schema.
    init(schema: JSONValue) { self.schema = schema }

    /// A reference to the answer with one of some codes.
    /// - Parameter status: the answer's, which need not be the codes' own.
    mutating func reference(_ codes: [ErrorCode], status: Int) -> JSONValue {
        var name = codes.map(\.rawValue).joined(separator: "-")
        if codes.contains(where: { $0.status != status }) { name += "-\(status)" }
        if !all.contains(where: { $0.name == name }) { all.append(.init(name: name, value: response(codes, status))) }
        return ["$ref": .string("#/components/responses/\(name)")]
    }

    private func response(_ codes: [ErrorCode], _ status: Int) -> JSONValue {
        var headers = ["X-Request-ID"]
        if status == 401 { headers.append("WWW-Authenticate") }
        if status == 429 || status == 503 { headers.append("Retry-After") }
        return [
            "description": .string(codes.map { "`\($0.rawValue)`: \($0.title)." }.joined(separator: " ")),
            "headers": .object(headers.map { .init(name: $0, value: OpenAPIDocument.headerReference($0)) }),
            // One schema without constants of this response: generators of clients cannot merge those by `allOf`.
            "content": ["application/problem+json": ["schema": schema]],
            "x-problem-codes": .array(codes.map { .string($0.rawValue) }),
        ]
    }
}
