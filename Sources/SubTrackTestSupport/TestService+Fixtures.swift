import Foundation
import SubTrackAPI
import Synchronization

/// Somebody with a device, and a client that carries its token.
public struct TestUser: Sendable {
    /// The user as registered.
    public let user: User
    /// The device.
    public let device: Device
    /// Sends the device's token.
    public var client: APIClient

    /// Somebody on a device, with a client that carries its token.
    public init(user: User, device: Device, client: APIClient) {
        self.user = user
        self.device = device
        self.client = client
    }

    /// Calls an operation as this user.
    @discardableResult
    public func call<Definition: SubTrackAPI.Operation>(
        _ operation: Definition, headers: [(String, String)] = []
    ) async throws -> Definition.Output {
        try await client.call(operation, headers: headers)
    }

    /// Calls an operation as this user that must be refused.
    public func refusal<Definition: SubTrackAPI.Operation>(
        of operation: Definition, headers: [(String, String)] = []
    ) async throws -> Problem {
        try await client.refusal(of: operation, headers: headers)
    }
}

extension TestService {
    /// Registers a device, and with it a new user.
    public func newUser(country: String = "US", timeZone: String = "UTC") async throws -> TestUser {
        let made = try await client.call(RegisterDevice(name: "a test's device", country: country, timeZone: timeZone))
        var client = client
        client.token = made.token
        return TestUser(user: made.user, device: made.device, client: client)
    }

    /// Adds a plan to the catalogue, as an admin does: by SQL.
    /// - Parameters:
    ///   - fee: a period's, as it is written in SQL.
    ///   - duration: as in `1 month`.
    ///   - since: the day from which the fee holds.
    ///   - currency: nil: the country's.
    /// - Returns: the plan's number.
    @discardableResult
    public func addPlan(
        _ name: String? = nil, provider: String = "Testflix", fee: String = "17.99", duration: String = "1 month",
        country: String = "US", currency: String? = nil, since: String = "2020-01-01", trialDays: Int? = nil,
        noticeDays: Int = 0, type: String = "Standard"
    ) async throws -> Int64 {
        let parts = duration.split(separator: " ")
        let name = name ?? "Plan \(Self.counter.add(1, ordering: .relaxed).newValue)"
        func text(_ value: String?) -> String {
            value.map { "'\($0.replacing("\\", with: "\\\\").replacing("'", with: "''"))'" } ?? "NULL"
        }
        let printed = try await database.run(
            """
            SET autocommit = 1;
            INSERT INTO Plan (Provider, Plan_name, Subscription_type, Fee, Currency_code, Fee_since, Duration_value,
                              Duration_unit, Country_ID, Trial_days, Notice_days)
            VALUES (\(text(provider)), \(text(name)), \(text(type)), \(fee), \(text(currency ?? "")), \(text(since)),
                    \(parts[0]), \(text(String(parts[1]))), \(text(country)),
                    \(trialDays.map(String.init) ?? "NULL"), \(noticeDays));
            SELECT LAST_INSERT_ID();
            """)
        guard let id = Int64(printed.trimmingCharacters(in: .whitespacesAndNewlines)) else {
            throw CommandFailure(program: "mariadb", end: "no id", output: printed)
        }
        return id
    }

    private static let counter = Atomic<Int>(0)
}
