import Foundation
import SubTrackAPI
import SubTrackTestSupport
import Synchronization
import TestTraits
import Testing

@testable import SubTrackServer

@Suite("Reading large inputs elsewhere", .ownTime)
struct LargeInputsTests {
    /// Holds the only thread of a reader until it is told to go on.
    private final class Gate: Sendable {
        private let semaphore = DispatchSemaphore(value: 0)

        /// Takes the thread.
        init(_ inputs: LargeInputs) {
            let began = DispatchSemaphore(value: 0)
            let semaphore = semaphore
            #expect(
                inputs.submit(of: "gate") {
                    began.signal()
                    semaphore.wait()
                })
            began.wait()
        }

        func open() { semaphore.signal() }
    }

    private static func reader(waiting: Int = 512, ofNetwork: Int = 256) -> LargeInputs {
        var bounds = LargeInputs.Bounds()
        (bounds.threads, bounds.waiting, bounds.waitingOfNetwork) = (1, waiting, ofNetwork)
        return LargeInputs(bounds: bounds)
    }

    @Test("Networks take turns: one that sends a hundred inputs delays another by one of them")
    func turns() async throws {
        let inputs = Self.reader()
        let gate = Gate(inputs)
        let order = Mutex<[String]>([])
        for _ in 0..<100 { #expect(inputs.submit(of: "many") { order.withLock { $0.append("many") } }) }
        #expect(inputs.submit(of: "one") { order.withLock { $0.append("one") } })
        gate.open()
        try await eventually("all jobs run") { order.withLock { $0.count } == 101 }
        #expect(order.withLock { $0.firstIndex(of: "one") } == 1)
    }

    @Test("So many may wait, and so many of one network; what is beyond that does not run")
    func bounds() async throws {
        let inputs = Self.reader(waiting: 6, ofNetwork: 4)
        let gate = Gate(inputs)
        let ran = Mutex(0)
        func submit(_ network: String) -> Bool { inputs.submit(of: network) { ran.withLock { $0 += 1 } } }
        #expect((0..<4).allSatisfy { _ in submit("a") } && !submit("a"))
        #expect(submit("b") && submit("b") && !submit("b") && !submit("c"))
        let place = try #require(inputs.place(size: 1 << 20, network: "c"))
        await #expect(throws: LargeInputs.tooMany) { try await place.run {} }
        gate.open()
        try await eventually("all jobs run") { inputs.waiting == 0 && ran.withLock { $0 } == 6 }
        try await place.run {}
    }

    @Test("What a body returns is returned, and what it throws is thrown")
    func results() async throws {
        let inputs = Self.reader()
        #expect(inputs.place(size: inputs.bounds.size, network: "a") == nil)
        let place = try #require(inputs.place(size: inputs.bounds.size + 1, network: "a"))
        #expect(try await place.run { 7 } == 7)
        await #expect(throws: Problem.input("a", .json, "b")) {
            try await place.run { throw Problem.input("a", .json, "b") }
        }
    }

    /// A push of one change that has as many bytes.
    private static func push(_ size: Int) -> String {
        let change =
            #"{"key":"\#(UUID())","entity":"subscription","id":"\#(UUID())","op":"update","fields":{"label":"x"}}"#
        return #"{"mutations":[\#(change)],"cursor":null\#(String(repeating: " ", count: size - change.utf8.count))}"#
    }

    @Test("A large input is scanned and decoded by the reader whichever way it comes, a small one is not")
    func transports() async throws {
        let inputs = LargeInputs()
        try await TestService.run(configure: Self.listen(inputs)) { service in
            let ada = try await service.newUser()
            let token = try #require(ada.client.token)
            let socket = try await service.connectSocket()
            _ = try await socket.call("session.open", ["token": token]).result()
            func read(_ work: () async throws -> Void) async throws -> Int {
                let before = inputs.begun
                try await work()
                return inputs.begun - before
            }
            for (size, expected) in [(1_000, 0), (20_000, 2)] {
                let byHTTP = try await read {
                    let answer = try await ada.client.send("POST", "/v1/changes", json: Self.push(size))
                    #expect(answer.status == 200, "\(answer.text)")
                }
                #expect(byHTTP == expected, "HTTP, \(size) bytes")
                let bySocket = try await read {
                    try await socket.send(line: Self.line(7, "changes.push", Self.push(size)))
                    let answer = try await socket.reply(to: .integer(7)).result()
                    #expect((answer["results"] as? [Any])?.count == 1)
                }
                #expect(bySocket == expected, "plain socket, \(size) bytes")
            }
            await socket.close()
        }
    }

    @Test("Requests of a socket keep their order where the first is read elsewhere, and others do not wait for it")
    func order() async throws {
        let inputs = Self.reader()
        try await TestService.run(configure: Self.listen(inputs)) { service in
            let ada = try await service.newUser()
            let token = try #require(ada.client.token)
            let (first, other) = (try await service.connectSocket(), try await service.connectSocket())
            for socket in [first, other] { _ = try await socket.call("session.open", ["token": token]).result() }
            let gate = Gate(inputs)
            try await first.send(line: Self.line(1, "changes.push", Self.push(20_000)))
            try await first.send(line: Self.line(2, "me.update", #"{"userName":"x"}"#))
            try await eventually("the large one waits") { inputs.waiting == 1 }
            _ = try await other.call("me.update", ["userName": "y"]).result()
            #expect(try await ada.client.send("GET", "/healthz").status == 200)
            gate.open()
            #expect(try await first.reply().id as? Int == 1)
            #expect(try await first.reply().id as? Int == 2)
            #expect(try await ada.call(GetMe()).userName == "x")
            for socket in [first, other] { await socket.close() }
        }
    }

    @Test("Where too many wait, a large input is 503, and small ones go on")
    func full() async throws {
        let inputs = Self.reader(waiting: 0)
        try await TestService.run(configure: Self.listen(inputs)) { service in
            let ada = try await service.newUser()
            let answer = try await ada.client.send("POST", "/v1/changes", json: Self.push(20_000))
            #expect(answer.status == 503)
            #expect(try answer.problem().code == .unavailable)
            let socket = try await service.connectSocket()
            _ = try await socket.call("session.open", ["token": try #require(ada.client.token)]).result()
            try await socket.send(line: Self.line(7, "changes.push", Self.push(20_000)))
            #expect(try await socket.reply().problem(code: -32000).code == .unavailable)
            _ = try await socket.call("me.get").result()
            await socket.close()
        }
    }

    private static func listen(_ inputs: LargeInputs) -> @Sendable (inout ServiceSettings) -> Void {
        { settings in
            PlainSocket.listen(&settings)
            settings.largeInputs = inputs
        }
    }

    private static func line(_ id: Int, _ method: String, _ params: String) -> String {
        #"{"jsonrpc":"2.0","id":\#(id),"method":"\#(method)","params":\#(params)}"#
    }
}
