// Parts that are no operations: headers, and the paths about the service itself.

extension OpenAPIDocument {
    /// A reference to a header of answers.
    static func headerReference(_ name: String) -> JSONValue { ["$ref": .string("#/components/headers/\(name)")] }

    /// The headers of answers.
    static let headers: JSONValue = [
        "X-Request-ID": [
            "required": true, "description": "The request's id, which the operator finds in the log.",
            "schema": ["type": "string"],
        ],
        "ETag": [
            "required": true, "description": "A row's version, or the state of a list.", "schema": ["type": "string"],
        ],
        "Set-Cookie": [
            "required": false, "description": "The token, where `Session-Delivery: cookie` asked for it.",
            "schema": ["type": "string"],
        ],
        "WWW-Authenticate": ["required": true, "schema": ["type": "string"]],
        "Retry-After": [
            "required": true, "description": "Seconds after which to try again.",
            "schema": ["type": "integer", "minimum": 1],
        ],
    ]

    /// The headers that a request may have, where its operation takes them.
    static let requestHeaders: [String: JSONValue] = [
        "If-None-Match": header(
            "If-None-Match", "Entity tags of answers that the caller has: one of them is answered by 304."),
        "If-Match": header(
            "If-Match", "The version that is to be changed, in quotes; another one is answered by 412.",
            example: "\"7\""),
        "Idempotency-Key": header(
            "Idempotency-Key", "1 to 128 visible ASCII characters, such as a UUID. The same key gets the same answer.",
            pattern: "^[!-~]{1,128}$", example: "2e6d9a4c-5a2f-4d3e-9d57-0b9f6f1f9f10"),
        "Session-Delivery": header(
            "Session-Delivery",
            "`cookie`: the token comes as a cookie and `token` is left out of the answer. For pages of the service itself.",
            pattern: "^cookie$"),
    ]

    private static func header(
        _ name: String, _ description: String, pattern: String? = nil, example: String? = nil
    ) -> JSONValue {
        let schema: JSONValue = ["type": "string"]
        return [
            "name": .string(name), "in": "header", "required": false, "description": .string(description),
            "schema": schema.with("pattern", pattern.map(JSONValue.string))
                .with("examples", example.map { [.string($0)] }),
        ]
    }

    /// The paths that tell of the service itself.
    static let systemPaths: [JSONValue.Member] = [
        path("/healthz", "health", "Tells whether the process lives.", ["200": text("It does.")]),
        path(
            "/readyz", "readiness", "Tells whether the service can do its work.",
            [
                "200": text("It can."),
                "503": text("It cannot; the body says why.", headers: ["X-Request-ID", "Retry-After"]),
            ]),
        path(
            "/metrics", "metrics", "Gives the metrics in the text format of Prometheus, where they are served here.",
            ["200": text("The metrics."), "404": problem("They are not served here.")]),
        path(
            "/openapi.json", "openapi", "Gives this description.",
            [
                "200": [
                    "description": "The description.",
                    "headers": ["X-Request-ID": headerReference("X-Request-ID"), "ETag": headerReference("ETag")],
                    "content": ["application/json": ["schema": ["type": "object"]]],
                ],
                "304": [
                    "description": "The caller has it already.",
                    "headers": ["X-Request-ID": headerReference("X-Request-ID"), "ETag": headerReference("ETag")],
                ],
            ], parameters: [requestHeaders["If-None-Match"]].compactMap(\.self)),
    ]

    private static func path(
        _ path: String, _ name: String, _ summary: String, _ responses: JSONValue, parameters: [JSONValue] = []
    ) -> JSONValue.Member {
        let operation: JSONValue = [
            "operationId": .string("system.\(name)"), "tags": ["system"], "summary": .string(summary), "security": [],
        ]
        return .init(
            name: path,
            value: [
                "get": operation.with("parameters", parameters.isEmpty ? nil : .array(parameters))
                    .with("responses", responses)
            ])
    }

    private static func text(_ description: String, headers: [String] = ["X-Request-ID"]) -> JSONValue {
        [
            "description": .string(description),
            "headers": .object(headers.map { .init(name: $0, value: headerReference($0)) }),
            "content": ["text/plain": ["schema": ["type": "string"]]],
        ]
    }

    private static func problem(_ description: String) -> JSONValue {
        [
            "description": .string(description),
            "content": ["application/problem+json": ["schema": ["$ref": "#/components/schemas/Problem"]]],
        ]
    }
}
