import Foundation
import MariaDB
import NIOPosix
import SubTrackTestSupport
import TestTraits
import Testing

@testable import SubTrackServer

/// The user and the network that a socket's requests are counted for.
@Suite("Applicants for turns of sockets", .ownTime)
struct SocketApplicantTests {
    private func connection(from origin: CallOrigin) async throws -> LiveConnection {
        let loop = MultiThreadedEventLoopGroup.singleton.next()
        return try await loop.submit {
            LiveConnection(kind: .webSocket, origin: origin, identity: .init(), eventLoop: loop)
        }.get()
    }

    @Test("A socket asks as itself, then as the user of its session in the tenant, from its network")
    func asksAsItsUser() async throws {
        let (ada, bob) = (UserID(uuid: UUID()), UserID(uuid: UUID()))
        let (first, other) = (try await connection(from: .local), try await connection(from: .local))
        #expect(first.applicant.socket == first.id && first.applicant.member == .socket(first.id))
        #expect(first.applicant.member != other.applicant.member)
        for (socket, user, slug) in [(first, ada, "a"), (other, ada, "a"), (first, bob, "a"), (first, bob, "b")] {
            socket.update { identity in
                identity.user = user
                identity.slug = slug
            }
            #expect(socket.applicant.member == .user(user, tenant: slug) && socket.applicant.socket == socket.id)
        }
        // A proxy on this machine speaks for many.
        #expect(first.applicant.network == nil)
        let remote = try await connection(from: CallOrigin(address: "203.0.113.7", languages: nil))
        #expect(remote.applicant.network == ClientNetworks(address: "203.0.113.7").region)
    }

    @Test("Ten sockets of a user whose changes wait for a lock have an eighth of the turns; another user is served")
    func othersAreServed() async throws {
        try await TestService.runAlone(configure: { $0.socketLimits.runningTogether = 8 }) { service in
            let (ada, bob) = (try await service.newUser(), try await service.newUser())
            let theirs = try await RawWebSocket.open(port: service.port, token: bob.client.token)
            var own: [RawWebSocket] = []
            for _ in 0..<10 { own.append(try await RawWebSocket.open(port: service.port, token: ada.client.token)) }
            try await service.withAdmin { connection in
                // An admin holds the user's scope.
                try await connection.simpleQuery("START TRANSACTION")
                try await connection.simpleQuery(
                    SQL(unsafeText: "SELECT Ver FROM Scope WHERE Scope_ID = \(hex(ada.user.id)) FOR UPDATE"))
                for (number, socket) in own.enumerated() {
                    try await socket.send(try PlainSocket.request("me.update", ["userName": "Ada"], id: number))
                }
                try await eventually("one of them waits for the lock") { try await service.waitingForScopes() == 1 }
                // With a turn for each socket, all eight would be Ada's until the first gives up.
                #expect(try await theirs.call("me.get").result()["id"] != nil)
                let texts = own.map { String(decoding: $0.socket.bytes, as: UTF8.self) }
                #expect(texts.allSatisfy { !$0.contains("\"result\"") && !$0.contains("\"error\"") })
                try await connection.simpleQuery("ROLLBACK")
            }
        }
    }
}
