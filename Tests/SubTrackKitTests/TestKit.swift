import Foundation
import SubTrackAPI
import SubTrackKit
import SubTrackTestSupport
import Synchronization

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
    private let seen = Mutex<[(request: TransportRequest, response: TransportResponse)]>([])

    init(_ decide: @escaping @Sendable (TransportRequest) -> Fate = { _ in .answered }) { self.decide = Mutex(decide) }

    /// Decides otherwise from now on.
    func set(_ decide: @escaping @Sendable (TransportRequest) -> Fate) { self.decide.withLock { $0 = decide } }

    /// Whether nothing arrives.
    var isOffline: Bool {
        get { false }
        set { set { _ in newValue ? .lost : .answered } }
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
            return response
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
        hasMoved: Bool = false, clock: (@Sendable () -> Instant)? = nil
    ) throws -> TestDevice {
        let folder = try folder ?? PrivateServer.temporaryFolder()
        let transport = TestTransport()
        let wall = self.clock
        var settings = Kit.Settings(
            server: client.baseURL, folder: folder, deviceName: "a test's device", country: country,
            timeZone: timeZone, tokens: tokens, transport: transport, clock: clock ?? { wall.now })
        settings.hasMoved = hasMoved
        let kit = try Kit(settings)
        return TestDevice(kit: kit, transport: transport, folder: folder, tokens: tokens)
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
