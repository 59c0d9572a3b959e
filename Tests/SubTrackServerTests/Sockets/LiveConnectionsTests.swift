import Foundation
import NIOCore
import NIOPosix
import SubTrackTestSupport
import Synchronization
import Testing

@testable import SubTrackServer

/// Who is told of what.
struct LiveConnectionsTests {
    /// A socket whose letters are kept.
    private final class Listener: Sendable {
        let connection: LiveConnection
        private let received = Mutex<[String]>([])

        var texts: [String] { received.withLock { $0 } }

        init(_ watch: LiveConnection.Watch?, kind: LiveConnection.Kind = .webSocket) async throws {
            let eventLoop = MultiThreadedEventLoopGroup.singleton.next()
            connection = try await eventLoop.submit {
                LiveConnection(kind: kind, origin: .local, identity: .init(watch: watch), eventLoop: eventLoop)
            }.get()
            try await eventLoop.submit { [self] in
                connection.open { [weak self] in
                    guard let self else { return }
                    for letter in connection.takeLetters() {
                        let text =
                            switch letter {
                            case .notification(let notification): String(decoding: notification.json, as: UTF8.self)
                            case .close(let ending): "\(ending)"
                            case .answer: "answer"
                            }
                        received.withLock { $0.append(text) }
                    }
                }
            }.get()
        }
    }

    private let news = RPCNotification("changes", params: Array(#"{"version":7}"#.utf8))
    private let text = #"{"jsonrpc":"2.0","method":"changes","params":{"version":7}}"#

    @Test func onlyThoseConcernedAreTold() async throws {
        let (ada, bob) = (UserID(uuid: UUID()), UserID(uuid: UUID()))
        let phone = try await Listener(.init(tenant: "a", user: ada))
        let laptop = try await Listener(.init(tenant: "a", user: ada))
        let others = try await Listener(.init(tenant: "a", user: bob))
        let elsewhere = try await Listener(.init(tenant: "b", user: ada))
        let silent = try await Listener(nil, kind: .plain)
        let connections = LiveConnections()
        let all = [phone, laptop, others, elsewhere, silent]
        for listener in all { connections.add(listener.connection) }
        #expect(connections.watchers.mapValues(Set.init) == ["a": [ada, bob], "b": [ada]])

        connections.notify(news, tenant: "a", user: ada)
        try await eventually("two are told") { phone.texts == [text] && laptop.texts == [text] }
        connections.notify(news, tenant: "a")
        try await eventually("three are told") {
            phone.texts.count == 2 && laptop.texts.count == 2 && others.texts == [text]
        }
        connections.remove(laptop.connection)
        connections.setWatch(nil, of: others.connection)
        connections.setWatch(.init(tenant: "b", user: bob), of: silent.connection)
        connections.notify(news, tenant: "a", users: [ada, bob])
        connections.notify(news, tenant: "b")
        try await eventually("one in each tenant, and the new one") {
            phone.texts.count == 3 && elsewhere.texts == [text] && silent.texts == [text]
        }
        #expect(laptop.texts.count == 2 && others.texts.count == 1)
        #expect(connections.watchers.mapValues(Set.init) == ["a": [ada], "b": [ada, bob]])
        // One that is closed does not come back by watching something.
        connections.setWatch(.init(tenant: "c", user: ada), of: laptop.connection)
        #expect(connections.watchers["c"] == nil)

        connections.close()
        let late = try await Listener(.init(tenant: "a", user: ada))
        connections.add(late.connection)
        try await eventually("all are told of the end, and who comes after it") {
            [phone, others, elsewhere, silent, late].allSatisfy { $0.texts.last == "serverClosing" }
        }
        #expect(laptop.texts.count == 2)
    }
}
