import Foundation
import SubTrackAPI
import SubTrackTestSupport
import Testing

@testable import SubTrackServer

@Suite("Notifications go out by channels")
struct ChannelDeliveryTests {
    private let hook = CreateChannel(kind: .webhook, target: "https://hooks.example/a")

    @Test("Each channel that is not paused gets a notification once; a webhook learns what is due")
    func once() async throws {
        try await TestService.runWithChannels { service, ada, outbound, held in
            try await ada.call(hook)
            try await ada.call(CreateChannel(kind: .ntfy, target: "https://ntfy.example/topic", token: "tk_1"))
            let paused = try await ada.call(CreateChannel(kind: .webhook, target: "https://hooks.example/b")).channel
            _ = try await ada.call(UpdateChannel(id: paused.id, paused: .set(true)))
            try await service.comeToReminder()
            try await eventually("both were posted") { outbound.messages.count == 2 }
            try await eventually("nothing is left") { try await service.deliveries().isEmpty }
            let webhook = try #require(outbound.messages.first { $0.url == "https://hooks.example/a" })
            #expect(webhook.value("type") == .string("reminders.due"))
            guard case .object(let data)? = webhook.value("data"), case .array(let reminders)? = data["reminders"],
                case .object(let reminder)? = reminders.first
            else {
                Issue.record("the body has no reminders: \(String(decoding: webhook.body, as: UTF8.self))")
                return
            }
            #expect(reminders.count == 1)
            #expect(reminder["id"] == .string("renewal.\(held.id.uuidString.lowercased()).2026-03-05.7"))
            #expect(reminder["kind"] == .string("renewal") && reminder["occursOn"] == .string("2026-03-05"))
            #expect(reminder["leadDays"] == .integer(7) && reminder["title"] == .string("Films"))
            #expect(reminder["amount"] == .string("17.99") && reminder["currency"] == .string("USD"))
            let ntfy = try #require(outbound.messages.first { $0.url == "https://ntfy.example/" })
            #expect(ntfy.value("topic") == .string("topic") && ntfy.value("priority") == .integer(3))
            #expect(ntfy.header("Authorization") == "Bearer tk_1")
            guard case .array(let actions)? = ntfy.value("actions"), case .object(let action)? = actions.first else {
                Issue.record("ntfy has no buttons")
                return
            }
            #expect(actions.count == 2 && action["method"] == .string("POST"))
            service.clock.set("2026-02-27T09:00:00Z")
            try await service.planned()
            #expect(outbound.messages.count == 2)
        }
    }

    @Test("The token of a button answers the reminder")
    func button() async throws {
        try await TestService.runWithChannels { service, ada, outbound, held in
            try await ada.call(CreateChannel(kind: .ntfy, target: "https://ntfy.example/topic"))
            try await service.comeToReminder()
            try await eventually("it was posted") { outbound.messages.count == 1 }
            guard case .array(let actions)? = outbound.messages.first?.value("actions"),
                case .object(let action)? = actions.first, case .string(let body)? = action["body"]
            else {
                Issue.record("ntfy has no buttons")
                return
            }
            let give = try JSONDecoder().decode(GiveAnswer.self, from: Data(body.utf8))
            #expect(give.answer == .keep)
            #expect(try await service.client.call(give).reminder.answer == .keep)
        }
    }

    @Test("A failed message is tried again under the same id, not before the time that the server asks for")
    func again() async throws {
        try await TestService.runWithChannels { service, ada, outbound, _ in
            let channel = try await ada.call(hook).channel
            outbound.answer(429, retryAfter: 3600)
            try await service.comeToReminder()
            try await eventually("the failure is in the channel") {
                try await ada.call(ListChannels()).channels.first?.lastProblem == "the server answered 429"
            }
            #expect(try await ada.call(ListChannels()).channels.first?.failingSince == service.clock.now)
            service.clock.set("2026-02-26T09:59:00Z")
            try await service.planned()
            #expect(outbound.messages.count == 1)
            outbound.answer(204)
            service.clock.set("2026-02-26T10:00:00Z")
            try await eventually("it was posted again") { outbound.messages.count == 2 }
            try await eventually("the channel works") {
                try await ada.call(ListChannels()).channels.first?.failingSince == nil
            }
            #expect(Set(outbound.messages.map { $0.header("webhook-id") }).count == 1)
            #expect(outbound.messages.allSatisfy { $0.header("webhook-id")?.hasPrefix("msg_") == true })
            #expect(try await service.deliveries().isEmpty)
            #expect(try await ada.call(ListDeliveries(id: channel.id)).deliveries.isEmpty)
        }
    }

    @Test("After the eighth attempt a message is dead, and is sent once more when the user says so")
    func dead() async throws {
        try await TestService.runWithChannels { service, ada, outbound, _ in
            let channel = try await ada.call(hook).channel
            outbound.answer { _ in throw OutboundFailure(description: "the server did not answer within 15 s") }
            try await service.comeToReminder()
            for attempt in 1...8 {
                try await eventually("attempt \(attempt) is noted") {
                    // The waits take more than a day. A row that is marked late is moved by the next look.
                    try await service.database.run(
                        """
                        UPDATE Delivery SET Next_attempt_at = '2026-02-26'
                        WHERE Dead_at IS NULL AND Attempts = \(attempt - 1)
                        """)
                    let row = try await service.deliveries()
                    return row == ["\(attempt)\(attempt == 8 ? " dead" : "")"] && outbound.messages.count == attempt
                }
            }
            let deliveries = try await ada.call(ListDeliveries(id: channel.id)).deliveries
            #expect(deliveries.count == 1 && deliveries.first?.attempts == 8)
            #expect(deliveries.first?.problem == "the server did not answer within 15 s")
            outbound.answer(200)
            #expect(try await ada.call(ResendDeliveries(id: channel.id)).resent == 1)
            try await eventually("it arrived") { try await service.deliveries().isEmpty }
            #expect(outbound.messages.count == 9)
            #expect(try await ada.call(ResendDeliveries(id: channel.id)).resent == 0)
        }
    }

    @Test("A push service that knows a browser no more ends its channel; a webhook that is gone is paused")
    func gone() async throws {
        try await TestService.runWithChannels { service, ada, outbound, _ in
            let browser = try TestBrowser()
            try await ada.call(
                CreateChannel(kind: .webpush, target: "https://push.example/1", push: browser.push))
            try await ada.call(hook)
            outbound.answer(410)
            try await service.comeToReminder()
            try await eventually("the browser's channel is gone, the webhook's paused") {
                let channels = try await ada.call(ListChannels()).channels
                return channels.map(\.kind) == [.webhook] && channels.first?.pausedAt != nil
            }
            #expect(try await service.deliveries() == ["1 paused"])
            #expect(try await service.database.run("SELECT COUNT(*) FROM Tombstone WHERE Entity = 10") == "1\n")
        }
    }

    @Test("A channel that fails for five days is paused, and gets what still holds when it is resumed")
    func pause() async throws {
        try await TestService.runWithChannels { service, ada, outbound, _ in
            let channel = try await ada.call(hook).channel
            outbound.answer(302)
            try await service.database.run("UPDATE Channel SET Failing_since = '2026-02-21 08:00:00'")
            try await service.comeToReminder()
            try await eventually("it is paused") { try await ada.call(ListChannels()).channels.first?.pausedAt != nil }
            let row = try #require(try await ada.call(ListChannels()).channels.first)
            #expect(row.lastProblem == "the server answered 302: redirects are not followed")
            try await eventually("its message waits") { try await service.deliveries() == ["1 paused"] }
            outbound.answer(200)
            let resumed = try await ada.call(UpdateChannel(id: channel.id, paused: .set(false)))
            #expect(resumed.pausedAt == nil && resumed.failingSince == nil && resumed.lastProblem == nil)
            try await eventually("it arrived") { try await service.deliveries().isEmpty }
            #expect(outbound.messages.count == 2)
        }
    }

    @Test("What was answered while a message waited is not sent")
    func stale() async throws {
        try await TestService.runWithChannels { service, ada, outbound, held in
            try await ada.call(hook)
            outbound.answer(500)
            try await service.comeToReminder()
            try await eventually("the first attempt failed") {
                try await ada.call(ListChannels()).channels.first?.lastProblem == "the server answered 500"
            }
            try await ada.call(CancelSubscription(id: held.id))
            outbound.answer(200)
            service.clock.set("2026-02-26T09:00:30Z")
            try await eventually("nothing is left") { try await service.deliveries().isEmpty }
            #expect(outbound.messages.count == 1)
        }
    }

    @Test("A browser whose device was signed out is told no more")
    func signedOut() async throws {
        try await TestService.runWithChannels { service, ada, outbound, _ in
            let browser = try TestBrowser()
            try await ada.call(
                CreateChannel(kind: .webpush, target: "https://push.example/1", push: browser.push))
            try await ada.call(hook)
            try await service.database.run("DELETE FROM Session")
            try await service.comeToReminder()
            try await eventually("the webhook was told") { outbound.messages.count == 1 }
            try await eventually("nothing is left") { try await service.deliveries().isEmpty }
            #expect(outbound.messages.first?.url == "https://hooks.example/a")
        }
    }
}
