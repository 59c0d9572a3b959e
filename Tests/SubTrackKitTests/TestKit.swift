import Foundation
import SubTrackAPI
import SubTrackTestSupport
import Synchronization

@testable import SubTrackKit

/// A day of a test, as it is written.
func day(_ text: String) -> CalendarDate {
    guard let day = CalendarDate(text) else { preconditionFailure("no day: \(text)") }
    return day
}

/// An amount of a test, as it is written.
func amount(_ text: String) -> Amount {
    guard let amount = Amount(text) else { preconditionFailure("no amount: \(text)") }
    return amount
}

/// What carries requests until a test lets it fail.
final class TestTransport: Transport {
    /// What becomes of a request.
    enum Fate: Sendable {
        /// It is answered.
        case answered
        /// It does not arrive.
        case lost
        /// It arrives, and its answer does not.
        case answerLost
        /// It arrives twice.
        case doubled
        /// Somebody else answers.
        case replaced(TransportResponse)
    }

    private let real = HTTPTransport()
    private let decide: Mutex<@Sendable (TransportRequest) -> Fate>
    private let hiding = Mutex(false)
    private let seen = Mutex<[(request: TransportRequest, response: TransportResponse)]>([])

    init(_ decide: @escaping @Sendable (TransportRequest) -> Fate = { _ in .answered }) { self.decide = Mutex(decide) }

    /// Decides otherwise from now on.
    func set(_ decide: @escaping @Sendable (TransportRequest) -> Fate) { self.decide.withLock { $0 = decide } }

    /// Whether nothing arrives.
    var isOffline: Bool {
        get { false }
        set { set { _ in newValue ? .lost : .answered } }
    }

    /// Whether answers are those of a service that does not give plans with changes of them.
    var hidesPlans: Bool {
        get { hiding.withLock { $0 } }
        set { hiding.withLock { $0 = newValue } }
    }

    /// An answer as it arrives.
    private func arriving(_ response: TransportResponse) -> TransportResponse {
        guard hidesPlans, var output = try? JSONDecoder().decode(PushChanges.Output.self, from: response.body) else {
            return response
        }
        for index in output.results.indices { output.results[index].plan = nil }
        return TransportResponse(status: response.status, body: (try? JSONEncoder().encode(output)) ?? response.body)
    }

    /// All that was answered, whether the answers arrived or not.
    var answered: [(request: TransportRequest, response: TransportResponse)] { seen.withLock { $0 } }

    func send(_ request: TransportRequest) async throws -> TransportResponse {
        let offline = KitError.offline(reason: "there is no network", retryAfter: nil)
        let fate = decide.withLock { $0 }(request)
        switch fate {
        case .lost: throw offline
        case .replaced(let response): return response
        case .answered, .answerLost, .doubled:
            if case .doubled = fate {
                let first = try await real.send(request)
                seen.withLock { $0.append((request, first)) }
            }
            let response = try await real.send(request)
            seen.withLock { $0.append((request, response)) }
            if case .answerLost = fate { throw offline }
            return arriving(response)
        }
    }
}

/// A device of a test.
struct TestDevice: Sendable {
    let kit: Kit
    let transport: TestTransport
    let folder: URL
    let tokens: MemoryTokenStore

    /// Ends the kit, as when a process ends, and opens its store anew.
    func reopened(_ service: TestService, clock: (@Sendable () -> Instant)? = nil) throws -> TestDevice {
        try service.device(folder: folder, tokens: tokens, clock: clock)
    }
}

extension TestService {
    /// A device that nobody knows yet.
    func device(
        folder: URL? = nil, tokens: MemoryTokenStore = .init(), country: String = "US", timeZone: String = "UTC",
        hasMoved: Bool = false, pageSize: Int? = nil, clock: (@Sendable () -> Instant)? = nil
    ) throws -> TestDevice {
        let folder = try folder ?? PrivateServer.temporaryFolder()
        let transport = TestTransport()
        let wall = self.clock
        var settings = Kit.Settings(
            server: client.baseURL, folder: folder, deviceName: "a test's device", country: country,
            timeZone: timeZone, tokens: tokens, transport: transport, clock: clock ?? { wall.now })
        settings.hasMoved = hasMoved
        settings.survivesPowerLoss = false
        if let pageSize { settings.pageSize = pageSize }
        let kit = try Kit(settings)
        return TestDevice(kit: kit, transport: transport, folder: folder, tokens: tokens)
    }

    /// Calls the service with a device's token, past its kit.
    func client(of device: TestDevice) throws -> APIClient {
        var client = client
        client.token = try device.kit.client.tokens.token()
        return client
    }

    /// Leaves a few countries and their currencies: what each device pulls first is hundreds of rows otherwise. For services on
    /// databases of their own.
    func withoutReference(but countries: [String]) async throws {
        let kept = countries.map { "'\($0)'" }.joined(separator: ", ")
        _ = try await database.run(
            """
            DELETE FROM Country WHERE Country_ID NOT IN (\(kept));
            DELETE FROM Currency WHERE Currency_code NOT IN (SELECT Currency_code FROM Country)
                AND Currency_code NOT IN ('USD', 'EUR');
            """)
    }

    /// Gives a user subscriptions by SQL, which takes less time than to send them.
    func addSubscriptions(_ count: Int, to user: UUID, plan: Int64) async throws {
        let rows = (0..<count).map { "(0x\(user.uuidString.replacing("-", with: "")), \(plan), '2026-01-31', '\($0)')" }
            .joined(separator: ", ")
        _ = try await database.run("INSERT INTO Subscription (User_ID, Plan_ID, Start_date, Note) VALUES \(rows)")
    }

    /// Two devices of one user, in step.
    func twoDevices() async throws -> (TestDevice, TestDevice) {
        let (one, other) = (try device(), try device())
        let email = "\(UUID().uuidString.lowercased())@example.org"
        try await one.kit.register(email: email, password: "correct horse battery")
        try await other.kit.signIn(email: email, password: "correct horse battery")
        return (one, other)
    }
}

extension Kit {
    /// What is here, by id.
    func held() throws -> [UUID: Subscription] {
        Dictionary(try subscriptions().map { ($0.id, $0.subscription) }, uniquingKeysWith: { $1 })
    }
}
