import Foundation
import SubTrackAPI
import SubTrackServer
import SubTrackTestSupport
import TestTraits
import Testing

/// The same operations with the same answers, by HTTP, on plain sockets and on WebSockets.
@Suite(.ownTime) struct TransportParityTests {
    /// One user's way through all that changes something, the same on every transport.
    private static var story: [(name: String, params: (Memory) -> [String: Any])] {
        [
            ("server.info", { _ in [:] }),
            ("countries.list", { _ in ["limit": 3] }),
            ("providers.list", { _ in ["country": "US"] }),
            ("plans.list", { _ in ["country": "US"] }),
            ("plans.get", { ["id": $0.plan] }),
            ("devices.register", { _ in ["name": "another", "country": "DE", "timeZone": "Europe/Berlin"] }),
            ("me.get", { _ in [:] }),
            ("me.update", { _ in ["userName": "Ada", "timeZone": "Asia/Tokyo"] }),
            ("subscriptions.create", { ["planId": $0.plan, "startDate": "2026-01-31", "note": "ü\n\"x\""] }),
            ("subscriptions.list", { _ in [:] }),
            ("subscriptions.get", { ["id": $0.id("subscriptions.create")] }),
            ("subscriptions.update", { ["id": $0.id("subscriptions.create"), "label": "mine", "note": NSNull()] }),
            ("subscriptions.renew", { ["id": $0.id("subscriptions.create"), "period": 0] }),
            ("subscriptions.periods", { ["id": $0.id("subscriptions.create")] }),
            ("subscriptions.cancel", { ["id": $0.id("subscriptions.create")] }),
            ("subscriptions.resume", { ["id": $0.id("subscriptions.create")] }),
            ("dashboard.get", { _ in ["within": 60] }),
            ("subscriptions.delete", { ["id": $0.id("subscriptions.create")] }),
            ("subscriptions.get", { ["id": $0.id("subscriptions.create")] }),
            ("subscriptions.update", { ["id": $0.id("subscriptions.create"), "startDate": "2026-02-30", "x": 1] }),
            (
                "contacts.create",
                { _ in
                    [
                        "firstName": "José", "lastName": "Meda", "note": "a\n🎬",
                        "phones": [["id": phone, "area": "788", "number": "6788768", "type": "cell"]],
                        "dates": [["date": "--02-29"]],
                    ]
                }
            ),
            ("contacts.list", { _ in ["search": "jose 8768"] }),
            (
                "contacts.update",
                { ["id": $0.id("contacts.create"), "note": NSNull(), "phones": [phone: ["number": "6788769"]]] }
            ),
            ("contacts.get", { ["id": $0.id("contacts.create")] }),
            ("contacts.list", { _ in ["limit": 1] }),
            ("contacts.duplicates", { _ in [:] }),
            ("contacts.delete", { ["id": $0.id("contacts.create")] }),
            ("contacts.get", { ["id": $0.id("contacts.create")] }),
            ("contacts.restore", { ["id": $0.id("contacts.create")] }),
            ("contacts.update", { ["id": $0.id("contacts.create"), "phones": [phone: ["area": "78"]]] }),
            ("contacts.create", { _ in ["firstName": " ", "phones": [["area": "７８８", "number": "678876"]]] }),
            ("contacts.list", { _ in ["search": "a b c d e f g h i"] }),
        ]
    }

    /// The id of a part of a contact, which each user of the story gives.
    private static let phone = "01900000-0000-7000-8000-000000000001"

    @Test func aUsersStoryIsTheSameOnEveryTransport() async throws {
        try await TestService.runAlone(configure: PlainSocket.listen) { service in
            let plan = try await service.addPlan("Standard")
            var stories: [[String]] = []
            for kind in Caller.Kind.allCases {
                let user = try await service.newUser()
                let caller = try await Caller(kind, service, token: user.client.token)
                var memory = Memory(plan: Int(plan))
                var (told, refused): ([String], [String]) = ([], [])
                for (name, params) in Self.story {
                    let outcome = try await caller.call(name, params(memory))
                    memory.outcomes[name] = outcome
                    told.append("\(name): \(try outcome.canonical(&memory.names))")
                    if outcome.problem != nil { refused.append(name) }
                }
                await caller.close()
                #expect(
                    refused == ["subscriptions.get", "subscriptions.update"]
                        + ["contacts.get", "contacts.update", "contacts.create", "contacts.list"])
                stories.append(told)
            }
            for (index, line) in stories[0].enumerated() {
                #expect(stories[1][index] == line)
                #expect(stories[2][index] == line)
            }
        }
    }

    private static let names = OperationTable.all.map { $0.name }

    /// Every operation of the registry: without input, with input that is of no use, with and without a token.
    @Test(arguments: names)
    func refusalsAreTheSameOnEveryTransport(_ name: String) async throws {
        let inputs: [[String: Any]] = [
            [:], ["thereIsNoSuchField": "x"], ["id": "x", "limit": "x", "planId": [1, 2]],
            ["id": "00000000-0000-7000-8000-000000000000", "cursor": "x"],
        ]
        try await TestService.run(configure: PlainSocket.listen) { service in
            var told: [[String]] = []
            for kind in Caller.Kind.allCases {
                var lines: [String] = []
                for hasToken in [true, false] where hasToken || kind != .webSocket {
                    let user = try await service.newUser()
                    let caller = try await Caller(kind, service, token: hasToken ? user.client.token : nil)
                    var names: [String: String] = [:]
                    for input in inputs {
                        let outcome = try await caller.call(name, input)
                        // What succeeds is the story's to compare.
                        lines.append(outcome.problem == nil ? "done" : try outcome.canonical(&names))
                    }
                    await caller.close()
                }
                told.append(lines)
            }
            #expect(told[1] == told[0])
            #expect(told[2] == Array(told[0].prefix(inputs.count)))
        }
    }
}

/// What was answered so far, for what comes next.
private struct Memory {
    let plan: Int
    var outcomes: [String: Outcome] = [:]
    /// Names for what is different on every transport.
    var names: [String: String] = [:]

    init(plan: Int) { self.plan = plan }

    func id(_ name: String) -> String { (outcomes[name]?.output as? [String: Any])?["id"] as? String ?? "" }
}

/// What an operation answered.
private struct Outcome {
    var output: Any?
    var problem: [String: Any]?

    /// The answer as text, ids and tokens replaced by names in the order of their appearance.
    func canonical(_ names: inout [String: String]) throws -> String {
        guard var problem else { return Self.text(output ?? NSNull(), &names) }
        problem["requestId"] = nil
        // How a token is sent differs.
        if problem["code"] as? String == "token_missing" { problem["detail"] = nil }
        // Faults are told in the order of their fields, and what is sent here has none; the detail is made of them.
        if let errors = problem["errors"] as? [[String: Any]] {
            problem["detail"] = nil
            problem["errors"] = errors.sorted { "\($0["field"] ?? "")" < "\($1["field"] ?? "")" }
        }
        return Self.text(problem, &names)
    }

    private static func text(_ value: Any, _ names: inout [String: String]) -> String {
        switch value {
        case let object as [String: Any]:
            var parts: [String] = []
            for key in object.keys.sorted() { parts.append("\(key)=\(text(object[key] ?? NSNull(), &names))") }
            return "{\(parts.joined(separator: ", "))}"
        case let array as [Any]:
            var parts: [String] = []
            for element in array { parts.append(text(element, &names)) }
            return "[\(parts.joined(separator: ", "))]"
        case let string as String where UUID(uuidString: string) != nil || string.hasPrefix("sub_"):
            if names[string] == nil { names[string] = "#\(names.count)" }
            return names[string] ?? ""
        default: return "\(value)"
        }
    }
}

/// Calls operations by one of the transports.
private struct Caller {
    enum Kind: CaseIterable { case http, plain, webSocket }

    private let client: APIClient
    private var plain: RawSocket?
    private var webSocket: RawWebSocket?

    init(_ kind: Kind, _ service: TestService, token: String?) async throws {
        var client = service.client
        client.token = token
        self.client = client
        switch kind {
        case .http: break
        case .plain:
            let socket = try await service.connectSocket()
            if let token { _ = try await socket.call("session.open", ["token": token]).result() }
            plain = socket
        case .webSocket: webSocket = try await RawWebSocket.open(port: service.port, token: token)
        }
    }

    func close() async {
        await plain?.close()
        await webSocket?.socket.close()
    }

    func call(_ name: String, _ params: [String: Any]) async throws -> Outcome {
        let operation = try #require(OperationTable.all.first { $0.name == name })
        var params = params
        // A path cannot leave a name out.
        for name in operation.endpoint.pathParameters where params[name] == nil { params[name] = "x" }
        if let plain { return try Self.outcome(try await plain.call(name, params)) }
        if let webSocket { return try Self.outcome(try await webSocket.call(name, params)) }
        var path = operation.endpoint.path
        for name in operation.endpoint.pathParameters {
            let value = params.removeValue(forKey: name) ?? ""
            path = path.replacing("{\(name)}", with: APIClient.encoded("\(value)"))
        }
        var body: Data?
        if operation.endpoint.method.readsQuery {
            let query = params.sorted { $0.key < $1.key }.map { "\($0.key)=\(APIClient.encoded("\($0.value)"))" }
            if !query.isEmpty { path += "?" + query.joined(separator: "&") }
        } else if !params.isEmpty {
            body = try JSONSerialization.data(withJSONObject: params)
        }
        let response = try await client.send(operation.endpoint.method.rawValue, path, body: body)
        if response.status >= 400 { return Outcome(problem: try response.object()) }
        #expect(response.status == operation.endpoint.status)
        return Outcome(output: response.body.isEmpty ? nil : try response.object())
    }

    private static func outcome(_ reply: PlainSocket.Reply) throws -> Outcome {
        if let error = reply.object["error"] as? [String: Any] {
            return Outcome(problem: try #require(error["data"] as? [String: Any]))
        }
        return Outcome(output: reply.isNull ? nil : reply.object["result"])
    }
}
