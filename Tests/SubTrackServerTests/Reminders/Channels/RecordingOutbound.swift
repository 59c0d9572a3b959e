import Foundation
import Passwords
import SubTrackAPI
import SubTrackTestSupport
import Synchronization

@testable import SubTrackServer

/// A way out that keeps messages and answers as a test says.
final class RecordingOutbound: OutboundHTTP {
    private struct State {
        var messages: [OutboundMessage] = []
        var answer: @Sendable (OutboundMessage) throws -> OutboundAnswer = { _ in OutboundAnswer(status: 200) }
    }

    private let state = Mutex(State())

    /// The messages that were posted.
    var messages: [OutboundMessage] { state.withLock { $0.messages } }

    /// Says how messages are answered from now on.
    func answer(_ answer: @escaping @Sendable (OutboundMessage) throws -> OutboundAnswer) {
        state.withLock { $0.answer = answer }
    }

    /// Says that all messages get a status from now on.
    func answer(_ status: Int, retryAfter: Int64? = nil) {
        answer { _ in OutboundAnswer(status: status, retryAfter: retryAfter) }
    }

    func post(_ message: OutboundMessage) async throws -> OutboundAnswer {
        let answer = state.withLock { state in
            state.messages.append(message)
            return state.answer
        }
        return try answer(message)
    }

    func refusal(of url: String) async -> String? { url.contains("://10.") ? "10.0.0.1 is not a public address" : nil }
}

extension OutboundMessage {
    /// The value of a header.
    func header(_ name: String) -> String? { headers.first { $0.name.lowercased() == name.lowercased() }?.value }

    /// A value of the body, which is a JSON object.
    func value(_ name: String) -> AnyJSON? {
        guard case .object(let members)? = try? JSONDecoder().decode(AnyJSON.self, from: Data(body)) else { return nil }
        return members[name]
    }
}

/// A browser as the tests have it: its keys, whose private half no service sees.
struct TestBrowser {
    let key: P256Key
    let auth: [UInt8]
    let scalar: [UInt8]

    init() throws {
        var (key, scalar): (P256Key?, [UInt8]) = (nil, [])
        while key == nil {
            scalar = try SecureRandom.bytes(32)
            key = try P256Key(scalar: scalar)
        }
        guard let key else { throw NeverHappened(description: "a key is made") }
        (self.key, self.scalar, auth) = (key, scalar, try SecureRandom.bytes(16))
    }

    var push: PushKeys {
        PushKeys(p256dh: Base64.urlSafe.encode(key.publicKey), auth: Base64.urlSafe.encode(auth))
    }
}

extension TestService {
    /// Runs a service at noon on 10 February with reminders, channels, and a monthly subscription that is told of on
    /// 26 February at nine.
    static func runWithChannels(
        autoRenew: Bool = false,
        _ body: (TestService, TestUser, RecordingOutbound, Subscription) async throws -> Void
    ) async throws {
        let outbound = RecordingOutbound()
        let key = SecretKey([UInt8](repeating: 7, count: SecretKey.count))
        try await runWithReminders(
            at: "2026-02-10T12:00:00Z",
            configure: { settings in
                settings.secretKey = key
                settings.outbound = outbound
            }
        ) { service, _ in
            let ada = try await service.newUser()
            let plan = try await service.addPlan(fee: "17.99")
            let held = try await ada.call(
                CreateSubscription(
                    planId: plan, startDate: CalendarDate("2026-02-05"), autoRenew: autoRenew, label: "Films"))
            try await service.planned()
            try await body(service, ada, outbound, held)
        }
    }

    /// Comes to the hour at which the subscription of ``runWithChannels(autoRenew:_:)`` is told of.
    func comeToReminder() async throws {
        clock.set("2026-02-26T09:00:00Z")
        try await planned()
    }

    /// The deliveries by channels, one to a line: their attempts, and whether they are dead.
    func deliveries() async throws -> [String] {
        try await database.run(
            """
            SELECT CONCAT(Attempts, IF(Dead_at IS NULL, '', ' dead'), IF(YEAR(Next_attempt_at) = 9999, ' paused', ''))
            FROM Delivery ORDER BY 1
            """
        ).split(separator: "\n").map(String.init)
    }
}
