import Foundation
import SubTrackAPI
import SubTrackServer
import SubTrackTestSupport
import TestTraits
import Testing

/// What JSON-RPC 2.0 says of requests, notifications, batches and errors, over a real socket.
@Suite(.ownTime) struct JSONRPCTests {
    /// A message, and the answer's code and id.
    struct Case: Sendable, CustomTestStringConvertible {
        let message: String
        let code: Int
        let id: String
        var field: String?
        var testDescription: String { message }
    }

    static let faults: [Case] = [
        Case(message: "{", code: -32700, id: "null"),
        Case(message: "nonsense", code: -32700, id: "null"),
        Case(message: #"{"jsonrpc":"2.0","id":1,"method":"server.info"} {}"#, code: -32700, id: "null"),
        Case(message: #"{"jsonrpc":"2.0","id":1,"id":2,"method":"server.info"}"#, code: -32700, id: "null"),
        Case(message: #"{"jsonrpc":"2.0","id":1,"method":"server.info","params":{"a":NaN}}"#, code: -32700, id: "null"),
        Case(
            message: #"{"jsonrpc":"2.0","id":1,"method":"server.info","params":{"a":1e999}}"#, code: -32700, id: "1"),
        Case(message: #"{"jsonrpc":"2.0","id":1,"method":"foobar","params":{"a":[1e999]}}"#, code: -32700, id: "1"),
        Case(message: #"{"jsonrpc":"2.0","id":1,"method":"server.info","params":1e999}"#, code: -32700, id: "1"),
        Case(message: #"{"jsonrpc":"2.0","id":1,"method":1e999}"#, code: -32700, id: "1"),
        Case(message: "1e999", code: -32700, id: "null"),
        Case(message: #"{"jsonrpc":"2.0","id":9007199254740993,"method":"server.info"}"#, code: -32700, id: "null"),
        Case(message: #"{"jsonrpc":"2.0","id":"\ud800","method":"server.info"}"#, code: -32700, id: "null"),
        Case(message: String(repeating: "[", count: 10_000), code: -32700, id: "null"),
        Case(message: "1", code: -32600, id: "null"),
        Case(message: "null", code: -32600, id: "null"),
        Case(message: "[]", code: -32600, id: "null"),
        Case(message: "{}", code: -32600, id: "null", field: "jsonrpc"),
        Case(message: #"{"jsonrpc":"2.0","id":1}"#, code: -32600, id: "1", field: "method"),
        Case(message: #"{"jsonrpc":"2.0","id":1,"method":2}"#, code: -32600, id: "1", field: "method"),
        Case(
            message: #"{"jsonrpc":"1.0","id":"a","method":"server.info"}"#, code: -32600, id: "\"a\"", field: "jsonrpc"),
        Case(message: #"{"id":1,"method":"server.info"}"#, code: -32600, id: "1", field: "jsonrpc"),
        Case(message: #"{"jsonrpc":"2.0","id":true,"method":"server.info"}"#, code: -32600, id: "null", field: "id"),
        Case(message: #"{"jsonrpc":"2.0","id":{},"method":"server.info"}"#, code: -32600, id: "null", field: "id"),
        Case(
            message: #"{"jsonrpc":"2.0","id":1,"method":"server.info","parms":{}}"#, code: -32600, id: "1",
            field: "parms"),
        Case(
            message: #"{"jsonrpc":"2.0","id":1,"method":"server.info","params":5}"#, code: -32600, id: "1",
            field: "params"),
        Case(message: #"{"jsonrpc":"2.0","method":1,"params":"bar"}"#, code: -32600, id: "null", field: "method"),
        Case(message: #"{"jsonrpc":"2.0","id":1,"method":"foobar"}"#, code: -32601, id: "1"),
        Case(message: #"{"jsonrpc":"2.0","id":null,"method":"foobar"}"#, code: -32601, id: "null"),
        Case(message: #"{"jsonrpc":"2.0","id":1.5,"method":"foobar"}"#, code: -32601, id: "1.5"),
        Case(
            message: #"{"jsonrpc":"2.0","id":1,"method":"server.info","params":[]}"#, code: -32602, id: "1",
            field: "params"),
        Case(
            message: #"{"jsonrpc":"2.0","id":1,"method":"server.info","params":{"x":1}}"#, code: -32602, id: "1",
            field: "x"),
        Case(
            message: #"{"jsonrpc":"2.0","id":1,"method":"plans.get","params":{"id":"x"}}"#, code: -32602, id: "1",
            field: "id"),
        Case(message: #"{"jsonrpc":"2.0","id":1,"method":"plans.get"}"#, code: -32602, id: "1", field: "id"),
        Case(
            message: #"{"jsonrpc":"2.0","id":1,"method":"plans.list","params":{"country":"US","ifMatch":1}}"#,
            code: -32602,
            id: "1", field: "ifMatch"),
        Case(
            message: #"{"jsonrpc":"2.0","id":1,"method":"plans.get","params":{"id":9007199254740992}}"#, code: -32000,
            id: "1"),
        Case(message: #"{"jsonrpc":"2.0","id":-7,"method":"me.get"}"#, code: -32000, id: "-7"),
    ]

    @Test func faultyMessagesAreAnsweredByTheirCode() async throws {
        try await TestService.run(configure: PlainSocket.listen) { service in
            let socket = try await service.connectSocket()
            for fault in Self.faults {
                try await socket.send(line: fault.message)
                let line = try await socket.line()
                #expect(line.contains("\"id\":\(fault.id),"), "\(fault.message.prefix(100)): \(line)")
                let problem = try PlainSocket.Reply(line).problem(code: fault.code)
                #expect(problem.requestId != nil)
                if let field = fault.field { #expect(problem.errors?.first?.field == field, "\(fault.message)") }
            }
            // None of it has hurt the connection.
            #expect(try await socket.call("server.info").result()["name"] as? String == "SubTrackIt")
            await socket.close()
        }
    }

    @Test func invalidUTF8IsAParseErrorOfItsLine() async throws {
        try await TestService.run(configure: PlainSocket.listen) { service in
            let socket = try await service.connectSocket()
            let head = Array(#"{"jsonrpc":"2.0","id":1,"method":"server.info","params":{"a":""#.utf8)
            for bytes in [[0xFF], [0xC3], [0xED, 0xA0, 0x80], [0xF5, 0x80, 0x80, 0x80], [0xC0, 0x80]] as [[UInt8]] {
                try await socket.send(head + bytes + Array("\"}}\n".utf8))
                #expect(try await socket.reply(to: .null).problem(code: -32700).code == .inputInvalid)
            }
            await socket.close()
        }
    }

    /// Notifications get no answer, whatever becomes of them.
    @Test func notificationsAreNotAnswered() async throws {
        try await TestService.run(configure: PlainSocket.listen) { service in
            let ada = try await service.newUser()
            let socket = try await service.connectSocket()
            _ = try await socket.call("session.open", ["token": try #require(ada.client.token)])
            for message in [
                #"{"jsonrpc":"2.0","method":"foobar"}"#, #"{"jsonrpc":"2.0","method":"server.info","params":[1]}"#,
                #"{"jsonrpc":"2.0","method":"plans.get"}"#,
                #"{"jsonrpc":"2.0","method":"me.update","params":{"userName":"Ada"}}"#,
                #"[{"jsonrpc":"2.0","method":"server.info"},{"jsonrpc":"2.0","method":"foobar"}]"#, "", "\r",
            ] { try await socket.send(line: message) }
            // Carried out it was, and what comes next is the answer to the next request.
            #expect(try await socket.call("me.get").result()["userName"] as? String == "Ada")
            await socket.close()
        }
    }

    @Test func aBatchIsAnsweredInOrderAndAtOnce() async throws {
        try await TestService.run(configure: PlainSocket.listen) { service in
            let ada = try await service.newUser()
            let socket = try await service.connectSocket()
            let token = try #require(ada.client.token)
            let batch = [
                try PlainSocket.request("session.open", ["token": token], id: "a"),
                try PlainSocket.request("me.update", ["userName": "Ada"], id: 2), "1",
                #"{"jsonrpc":"2.0","method":"me.update","params":{"userName":"Countess"}}"#,
                try PlainSocket.request("foobar", id: 3), try PlainSocket.request("me.get", id: 4),
            ]
            try await socket.send(line: "[\(batch.joined(separator: ","))]")
            let line = try await socket.line()
            let replies = try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [[String: Any]])
            #expect(replies.map { "\($0["id"] ?? "")" } == ["a", "2", "<null>", "3", "4"])
            #expect(
                replies.map { ($0["error"] as? [String: Any])?["code"] as? Int } == [nil, nil, -32600, -32601, nil])
            #expect((replies.last?["result"] as? [String: Any])?["userName"] as? String == "Countess")
            await socket.close()
        }
    }

    @Test func aValueThatIsNeverTakenRefusesItsRequestOfABatchAlone() async throws {
        try await TestService.run(configure: PlainSocket.listen) { service in
            let socket = try await service.connectSocket()
            let batch = [
                #"{"jsonrpc":"2.0","id":1,"method":"server.info","params":{"a":1e999}}"#, "1e999",
                #"{"jsonrpc":"2.0","id":2,"method":"server.info"}"#,
            ]
            try await socket.send(line: "[\(batch.joined(separator: ","))]")
            let line = try await socket.line()
            let replies = try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [[String: Any]])
            #expect(replies.map { "\($0["id"] ?? "")" } == ["1", "<null>", "2"])
            #expect(replies.map { ($0["error"] as? [String: Any])?["code"] as? Int } == [-32700, -32700, nil])
            await socket.close()
        }
    }

    @Test func aBatchHoldsAHundred() async throws {
        try await TestService.run(configure: PlainSocket.listen) { service in
            let socket = try await service.connectSocket()
            let request = #"{"jsonrpc":"2.0","id":1,"method":"server.info"}"#
            try await socket.send(line: "[" + Array(repeating: request, count: 100).joined(separator: ",") + "]")
            let replies = try JSONSerialization.jsonObject(with: Data(try await socket.line().utf8))
            #expect((replies as? [Any])?.count == 100)
            try await socket.send(line: "[" + Array(repeating: request, count: 101).joined(separator: ",") + "]")
            #expect(try await socket.reply(to: .null).problem(code: -32600).code == .tooMany)
            await socket.close()
        }
    }

    @Test func anOperationWithoutOutputAnswersNull() async throws {
        try await TestService.run(configure: PlainSocket.listen) { service in
            let ada = try await service.newUser()
            let plan = try await service.addPlan()
            let subscription = try await ada.call(CreateSubscription(planId: plan))
            let socket = try await service.connectSocket()
            _ = try await socket.call("session.open", ["token": try #require(ada.client.token)])
            let reply = try await socket.call("subscriptions.delete", ["id": subscription.id.uuidString])
            #expect(reply.isNull)
            await socket.close()
        }
    }
}
