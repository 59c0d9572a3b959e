import Foundation
import SubTrackAPI
import SubTrackTestSupport

@testable import SubTrackServer

extension TestService {
    /// Switches areas on in a tenant, and waits until the service knows. Nothing happens where they are on.
    func enable(_ areas: String..., in tenant: String = "default") async throws {
        try await enable(areas, in: tenant)
    }

    /// Switches all areas on in a tenant, and waits until the service knows.
    func enableAll(in tenant: String = "default") async throws {
        try await enable(SubTrackService.areas().filter { $0.presence != .always }.map(\.name), in: tenant)
    }

    private func enable(_ areas: [String], in tenant: String) async throws {
        func areOn() async throws -> Bool {
            let answer = try await client.send("GET", "/t/\(tenant)\(GetServerInfo.endpoint.path)")
            return try Set(areas).isSubset(of: answer.object()["areas"] as? [String] ?? [])
        }
        guard try await !areOn() else { return }
        try await withTenants { _ = try await $0.setAreas(tenant, enabling: areas) }
        try await eventually("\(areas) are on in \(tenant)") { try await areOn() }
    }

    /// Runs a service alone that looks at users soon.
    static func runWithReminders(
        at time: String, configure: (inout ServiceSettings) -> Void = { _ in },
        _ body: (TestService) async throws -> Void
    ) async throws {
        try await runAlone(
            at: time,
            configure: { settings in
                settings.sharedJobInterval = .milliseconds(30)
                configure(&settings)
            }
        ) { try await body($0) }
    }

    /// Waits until all users are planned as their rows are now, and nobody's look is due.
    func planned() async throws {
        let now = clock.now.description.replacing("T", with: " ").replacing("Z", with: "")
        try await eventually("everybody is planned") {
            try await number(
                """
                SELECT (SELECT COUNT(*) FROM Scope WHERE Stale = 1) + (SELECT COUNT(*) FROM Agenda WHERE Next_at <= '\(now)')
                """) == 0
        }
    }

    /// Moves the clock, and waits until everybody's look that is due then was made.
    func look(at time: String) async throws {
        clock.set(time)
        try await planned()
    }

    /// The reminders of a user, or of all, in the order of their days.
    func said(to user: TestUser? = nil) async throws -> [String] {
        let condition = user.map { " WHERE User_ID = \(hex($0.user.id))" } ?? ""
        return try await database.run(
            "SELECT CONCAT(Kind, ' ', Occurs_on, ' ', Lead_days) FROM Reminder\(condition) ORDER BY 1"
        ).split(separator: "\n").map(String.init)
    }

    /// Pushes a change of a row of a declared kind.
    @discardableResult
    func push(
        _ kind: SyncEntity, _ op: PushChanges.Mutation.Op, _ id: UUID, _ fields: [String: AnyJSON]? = nil,
        by user: TestUser
    ) async throws -> PushChanges.Result {
        try await DeclaredDevice(user, self, kind).push(op, id.uuidString.lowercased(), fields)
    }
}
