import SubTrackAPI

/// The API description, `/openapi.json`: an OpenAPI 3.1 document made from the operations themselves.
///
/// Its description of a type comes from the coding (``SchemaRecorder``), the rules (``SubTrackAPI/FieldRules``) and the
/// doc comments. Its description of an operation comes from the definition. Nothing has to be described a second time.
struct OpenAPIDocument: Sendable {
    /// The document.
    let json: JSONValue

    /// Describes the operations of a registry.
    /// - Throws: when the coding of an operation's type does not show its JSON.
    init(_ registry: OperationRegistry) throws {
        var components = SchemaComponents()
        let problem = components.schema(of: try SchemaRecorder.shape(of: Problem.self), .output)
        var responses = ProblemResponses(schema: problem)
        var paths: [JSONValue.Member] = []
        for entry in registry.entries {
            let operation = try OpenAPIOperation(entry).json(&components, &responses)
            let method = JSONValue.Member(name: entry.endpoint.method.rawValue.lowercased(), value: operation)
            if let index = paths.firstIndex(where: { $0.name == entry.endpoint.path }) {
                paths[index].value = paths[index].value.with(method.name, method.value)
            } else {
                paths.append(.init(name: entry.endpoint.path, value: .object([method])))
            }
        }
        paths += Self.systemPaths
        json = [
            "openapi": "3.1.0",
            "info": [
                "title": "SubTrackIt", "version": .string(ServiceVersion.text),
                "summary": "Tracks subscriptions and warns people before they renew.",
                "description": .string(Self.conventions),
            ],
            "servers": [
                [
                    "url": "/",
                    "description":
                        "The tenant that has the host, else the default one; 404 `tenant_unknown` where there is none.",
                ],
                [
                    "url": "/t/{tenant}", "description": "A tenant by its name.",
                    "variables": ["tenant": ["default": "default"]],
                ],
            ],
            "tags": .array(Self.tags(registry)),
            "paths": .object(paths),
            "components": [
                "schemas": .object(components.schemas),
                "responses": .object(responses.all),
                "headers": Self.headers,
                "securitySchemes": [
                    "token": [
                        "type": "http", "scheme": "bearer",
                        "description": "The token that registering a device or signing in gives.",
                    ],
                    "cookie": [
                        "type": "apiKey", "in": "cookie", "name": "__Host-subtrack.default",
                        "description": .string(Self.cookie),
                    ],
                ],
            ],
        ]
    }

    /// The document as it is sent.
    var bytes: [UInt8] {
        var writer = JSONWriter(capacity: 128 << 10)
        writer.write(json)
        return writer.bytes
    }

    /// The group of an operation: `subscriptions` of `subscriptions.renew`.
    static func tag(of operation: String) -> String { String(operation.prefix { $0 != "." }) }

    private static func tags(_ registry: OperationRegistry) -> [JSONValue] {
        var names: [String] = []
        for tag in registry.entries.map({ tag(of: $0.name) }) + ["system"] where !names.contains(tag) {
            names.append(tag)
        }
        return names.map { ["name": .string($0)] }
    }

    private static let cookie = """
        The token in a cookie that no script can read, for the service's own pages: `Session-Delivery: cookie` asks for it. Its \
        name ends in the tenant's; over plain HTTP from another machine it has no `__Host-` before it. `Authorization` goes before \
        it. With it, and with the wish for it, everything but GET and HEAD, and a WebSocket, has to come from a page of the service: \
        by `Sec-Fetch-Site: same-origin` or, without that, by an `Origin` that is the service's. Else the answer is 403 \
        `origin_refused`. GET with `Sec-Fetch-Site: cross-site` or `same-site` is answered as without it.
        """

    private static let conventions = """
        Dates are `2026-01-31`; instants RFC 3339 in UTC. Amounts are decimal strings with their currency beside them. \
        Ids of subscriptions and devices are UUIDs that a client may make itself.

        Input: unknown fields are refused. A PATCH is a merge patch (RFC 7396). Output: ignore members that you do not know.

        Limits of input: a body has at most \(ServerRequest.maximumBody) bytes, a message on a socket \(RPCMessage.maximumSize). \
        In its JSON an object has at most \(JSONLimits.request.names) names of \
        \(JSONLimits.request.nameLength) bytes, a list \(JSONLimits.request.elements) elements, a number \
        \(JSONLimits.numberLength) characters. Nesting ends at \(JSONLimits.request.depth) levels, and there are at most \
        \(JSONLimits.request.values) values in all. A text has at most \(ClientText.maximumMarks) combining marks in a row (UAX #15 §13). \
        A query has at most \(RequestTarget.maximumParts) parts. Beyond a limit the answer is 400 `input_invalid`, beyond a size, \
        the elements of a list or the values in all 413 `too_large`. A problem names at most \(InputDecoder.maximumFaults) faults. Large inputs are read in turn for each network; beyond \
        \(LargeInputs.Bounds().waiting) that wait the answer is 503.

        Lists take `limit` and `cursor` and give `nextCursor`; with `If-None-Match` they may answer 304. A row's `ETag` is \
        its version, for `If-Match`. A write under an `Idempotency-Key` can be sent again: the same key and input get the \
        first answer again for 90 days.

        Errors are `application/problem+json` (RFC 9457) with a stable `code`. Every answer has an `X-Request-ID`.
        """
}
