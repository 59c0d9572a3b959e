import Foundation
import NIOCore
import NIOPosix
import SubTrackTestSupport
import Synchronization
import TestTraits
import Testing

@testable import SubTrackServer

/// Who is told of what.
@Suite(.ownTime) struct LiveConnectionsTests {
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
                    var texts = connection.takePokes().map { "\($0.scope) \($0.version)" }
                    for letter in connection.takeLetters() {
                        if case .close(let ending) = letter { texts.append("\(ending)") }
                    }
                    received.withLock { $0 += texts }
                }
            }.get()
        }
    }

    private let news = [Poke(scope: "user", version: 7)]

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
        #expect(connections.watching(of: [bob, UserID(uuid: UUID())], tenant: "a") == [bob])
        #expect(connections.watching(of: [bob], tenant: "b").isEmpty)

        connections.poke(news, tenant: "a", user: ada)
        try await eventually("two are told") { phone.texts == ["user 7"] && laptop.texts == ["user 7"] }
        connections.poke(news, tenant: "a", user: bob)
        try await eventually("one is told") { others.texts == ["user 7"] }
        connections.remove(laptop.connection)
        connections.setWatch(nil, of: others.connection)
        connections.setWatch(.init(tenant: "b", user: bob), of: silent.connection)
        for (tenant, user) in [("a", ada), ("a", bob), ("b", ada), ("b", bob)] {
            connections.poke(news, tenant: tenant, user: user)
        }
        try await eventually("one in each tenant, and the new one") {
            phone.texts.count == 2 && elsewhere.texts == ["user 7"] && silent.texts == ["user 7"]
        }
        #expect(laptop.texts.count == 1 && others.texts.count == 1)
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
        #expect(laptop.texts.count == 1)
    }

    /// What was not told yet is told once, however often it changed.
    @Test func whatWasNotToldIsToldOnce() async throws {
        let eventLoop = MultiThreadedEventLoopGroup.singleton.next()
        let connection = try await eventLoop.submit {
            LiveConnection(kind: .webSocket, origin: .local, identity: .init(), eventLoop: eventLoop)
        }.get()
        for version in 1...1000 {
            connection.poke([Poke(scope: "user", version: Int64(version)), Poke(scope: "reference", version: 3)])
        }
        #expect(
            connection.takePokes() == [Poke(scope: "reference", version: 3), Poke(scope: "user", version: 1000)])
        #expect(connection.takePokes().isEmpty)
    }
}
