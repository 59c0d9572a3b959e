import Foundation
import Passwords
import SubTrackAPI
import SubTrackTestSupport
import Testing

@testable import SubTrackServer

@Suite("The operations on channels")
struct ChannelOperationTests {
    @Test("A webhook's secret is shown when it is made and when it is changed, and never else")
    func secrets() async throws {
        try await TestService.runWithChannels { service, ada, _, _ in
            let made = try await ada.call(
                CreateChannel(kind: .webhook, name: "Mine", target: "https://hooks.example/a"))
            #expect(made.channel.kind == .webhook && made.channel.name == "Mine")
            #expect(made.channel.target == "https://hooks.example/a" && made.channel.pausedAt == nil)
            let secret = try #require(made.secret)
            #expect(secret.hasPrefix("whsec_"))
            // The same request again is the same channel.
            let again = try await ada.call(
                CreateChannel(id: made.channel.id, kind: .webhook, target: "https://hooks.example/a"))
            #expect(again.channel.id == made.channel.id && again.secret == secret)
            let rotated = try await ada.call(RotateChannelSecret(id: made.channel.id)).secret
            #expect(rotated.hasPrefix("whsec_") && rotated != secret)
            let dump = try await service.database.run("SELECT * FROM Channel")
            #expect(!dump.contains(secret.dropFirst(6)) && !dump.contains(rotated.dropFirst(6)))
            let other = CreateChannel(id: made.channel.id, kind: .ntfy, target: "https://ntfy.example/a")
            #expect(try await ada.refusal(of: other).code == .idTaken)
            let ntfy = try await ada.call(CreateChannel(kind: .ntfy, target: "https://ntfy.example/a"))
            #expect(ntfy.secret == nil)
            #expect(try await ada.refusal(of: RotateChannelSecret(id: ntfy.channel.id)).code == .statusConflict)
        }
    }

    @Test("An input that no channel can have is refused with its fields")
    func faults() async throws {
        try await TestService.runWithChannels { _, ada, _, _ in
            func fields(_ input: CreateChannel) async throws -> [String] {
                let problem = try await ada.refusal(of: input)
                return (problem.errors ?? []).map { "\($0.field) \($0.code.rawValue)" }
            }
            for target in ["ftp://a/b", "https://", "example.org/x", "https://ada:pw@example.org/x", "https://a/b c"] {
                #expect(try await fields(.init(kind: .webhook, target: target)) == ["target malformed"], "\(target)")
            }
            #expect(try await fields(.init(kind: .webhook, target: "https://10.0.0.1/x")) == ["target range"])
            #expect(try await fields(.init(kind: .ntfy, target: "https://ntfy.example/")) == ["target malformed"])
            #expect(
                try await fields(.init(kind: .webhook, target: "https://a.example/x", token: "t")) == ["token unknown"])
            #expect(
                try await fields(.init(kind: .webpush, target: "https://push.example/1")) == ["push missing"])
            let browser = try TestBrowser()
            var push = browser.push
            push.auth = Base64.urlSafe.encode([UInt8](repeating: 1, count: 15))
            #expect(
                try await fields(.init(kind: .webpush, target: "https://push.example/1", push: push))
                    == ["push.auth malformed"])
            push = browser.push
            push.p256dh = Base64.urlSafe.encode([UInt8](repeating: 4, count: 65))
            #expect(
                try await fields(.init(kind: .webpush, target: "https://push.example/1", push: push))
                    == ["push.p256dh malformed"])
        }
    }

    @Test("A token goes to the server for which it was typed alone")
    func token() async throws {
        try await TestService.runWithChannels { service, ada, outbound, _ in
            let made = try await ada.call(
                CreateChannel(kind: .ntfy, target: "https://ntfy.example/a", token: "tk_secret")
            ).channel
            #expect(try await !service.database.run("SELECT Sealed FROM Channel").contains("tk_secret"))
            // By SQL, as by somebody with the database alone.
            try await service.database.run("UPDATE Channel SET Target = 'https://evil.example/a'")
            try await service.comeToReminder()
            try await eventually("the attempt failed") {
                try await ada.call(ListChannels()).channels.first?.lastProblem?.contains("enter them again") == true
            }
            #expect(outbound.messages.isEmpty)
            let moved = try await ada.call(
                UpdateChannel(id: made.id, name: .set("Other"), target: .set("https://other.example/a")))
            #expect(moved.target == "https://other.example/a" && moved.name == "Other")
            #expect(try await service.database.run("SELECT Sealed IS NULL FROM Channel") == "1\n")
        }
    }

    @Test("A browser that subscribes anew keeps its channel, and its URL is shown to nobody")
    func browser() async throws {
        try await TestService.runWithChannels { _, ada, _, _ in
            let first = CreateChannel(
                kind: .webpush, name: "Laptop", target: "https://push.example/1", push: try TestBrowser().push)
            let made = try await ada.call(first).channel
            #expect(made.target == nil && made.deviceId == ada.device.id)
            let again = try await ada.call(
                CreateChannel(kind: .webpush, target: "https://push.example/1", push: try TestBrowser().push)
            ).channel
            #expect(again.id == made.id && again.name == "Laptop")
            #expect(try await ada.call(ListChannels()).channels.count == 1)
        }
    }

    @Test("A user has 20 channels at the most, and sees no other user's")
    func bounds() async throws {
        try await TestService.runWithChannels { service, ada, _, _ in
            var last: ReminderChannel?
            for number in 0..<20 {
                last = try await ada.call(
                    CreateChannel(kind: .ntfy, target: "https://ntfy.example/\(number)")
                ).channel
            }
            let another = CreateChannel(kind: .ntfy, target: "https://ntfy.example/x")
            #expect(try await ada.refusal(of: another).code == .tooMany)
            let id = try #require(last?.id)
            let bob = try await service.newUser()
            #expect(try await bob.refusal(of: UpdateChannel(id: id, name: .set("Mine"))).code == .notFound)
            #expect(try await bob.refusal(of: DeleteChannel(id: id)).code == .notFound)
            #expect(try await bob.refusal(of: ListDeliveries(id: id)).code == .notFound)
            #expect(try await bob.call(ListChannels()).channels.isEmpty)
            _ = try await ada.call(DeleteChannel(id: id))
            _ = try await ada.call(another)
        }
    }

    @Test("A test arrives within seconds, and its end is in the channel")
    func test() async throws {
        try await TestService.runWithChannels { service, ada, outbound, _ in
            let channel = try await ada.call(CreateChannel(kind: .webhook, target: "https://hooks.example/a")).channel
            _ = try await ada.call(TestChannel(id: channel.id))
            try await eventually("the test arrived") {
                try await ada.call(ListChannels()).channels.first?.testedAt == service.clock.now
            }
            #expect(outbound.messages.first?.value("type") == .string("test"))
            outbound.answer(401)
            _ = try await ada.call(TestChannel(id: channel.id))
            try await eventually("its failure is told") {
                try await ada.call(ListChannels()).channels.first?.lastProblem == "the server answered 401"
            }
            #expect(try await ada.call(ListChannels()).channels.first?.failingSince == nil, "a test pauses nothing")
            for _ in 0..<8 { _ = try await ada.call(TestChannel(id: channel.id)) }
            #expect(try await ada.refusal(of: TestChannel(id: channel.id)).code == .rateLimited)
        }
    }

    @Test("Devices hold channels without secrets, and rename, pause and remove them offline")
    func sync() async throws {
        try await TestService.runWithChannels { service, ada, _, _ in
            let made = try await ada.call(
                CreateChannel(kind: .ntfy, target: "https://ntfy.example/a", token: "tk_secret")
            ).channel
            let page = try await ada.client.send("GET", "/v1/changes?limit=1000").body
            #expect(!String(decoding: page, as: UTF8.self).contains("tk_secret"))
            let pulled = try JSONDecoder().decode(PullChanges.Output.self, from: page)
            let change = try #require(pulled.changes.first { $0.entity == StoredChannel.entity })
            #expect(try change.row(StoredChannel.self) == made.row && change.id == made.id.uuidString.lowercased())
            func push(_ op: PushChanges.Mutation.Op, _ fields: [String: AnyJSON]?) async throws -> PushChanges.Result? {
                try await ada.call(
                    PushChanges(mutations: [
                        .init(
                            entity: "channel", id: change.id, op: op, baseVersion: made.version,
                            fields: fields)
                    ])
                ).results.first
            }
            _ = try await push(.update, ["name": .string("Phone"), "paused": .bool(true)])
            let row = try #require(try await ada.call(ListChannels()).channels.first)
            #expect(row.name == "Phone" && row.pausedAt == service.clock.now)
            let refused = try await push(.update, ["token": .string("tk_other")])
            #expect(refused?.error?.code == .inputInvalid)
            _ = try await push(.delete, nil)
            #expect(try await ada.call(ListChannels()).channels.isEmpty)
        }
    }

    @Test("Without a secret key there are no channels, and the refusal says so")
    func off() async throws {
        try await TestService.runWithReminders(at: "2026-02-10T12:00:00Z") { service, _ in
            let ada = try await service.newUser()
            let problem = try await ada.refusal(
                of: CreateChannel(kind: .webhook, target: "https://hooks.example/a"))
            #expect(problem.code == .statusConflict && problem.detail.contains("--secret-key-file"))
            #expect(try await service.client.refusal(of: GetPushKey()).code == .notFound)
        }
    }

    @Test("The push key is the tenant's, and the same each time")
    func pushKey() async throws {
        try await TestService.runWithChannels { service, _, _, _ in
            let key = try await service.client.call(GetPushKey())
            #expect(P256Key.isPublicKey(Base64.urlSafe.decode(key) ?? []))
            #expect(try await service.client.call(GetPushKey()) == key)
        }
    }
}
