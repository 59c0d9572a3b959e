import Foundation
import MariaDB
import Passwords
import SubTrackAPI
import SubTrackCore

/// The operations on calendars.
struct CalendarHandlers: Sendable {
    /// The name of a calendar to which the user gave none.
    private static let usualName = "SubTrackIt"

    /// Knows the public address of the service.
    let mailer: Mailer

    /// Registers the handlers.
    func register(in operations: inout OperationRegistry) {
        operations.register(ListCalendars.self, handler: Self.list)
        operations.register(CreateCalendar.self) { try await create($0, $1) }
        operations.register(DeleteCalendar.self, handler: Self.delete)
    }

    @Sendable private static func list(
        _ input: ListCalendars, _ call: Call
    ) async throws -> Reply<ListCalendars.Output> {
        let user = try call.requireSession().user
        let calendars = try await call.tenant.read { try await CalendarQueries.list(of: user, on: $0) }
        return Reply(.init(calendars: calendars)).taggedByContent()
    }

    private func create(_ input: CreateCalendar, _ call: Call) async throws -> Reply<CreateCalendar.Output> {
        let name = try InputText.optional(input.name, field: "name", maximum: 100)
        let calendar = CalendarFeed(
            id: try UUIDv7.make(now: call.now), name: name ?? Self.usualName, createdAt: call.now)
        let token = try Token.generate()
        let hash = try token.hash
        let user = try call.requireSession().user
        try call.tenant.writes.take(call)
        // Its answer has a secret, and is not kept.
        try await call.tenant.write(scope: user) { connection in
            try await UserLimit.calendars.check(call.tenant.limits, of: user, on: connection)
            try await CalendarQueries.insert(calendar, hash, of: user, on: connection)
        }
        return Reply(.init(calendar: calendar, url: CalendarFeeds.url(token, base: mailer.base(of: call.tenant))))
    }

    @Sendable private static func delete(_ input: DeleteCalendar, _ call: Call) async throws -> Reply<Empty> {
        let user = try call.requireSession().user
        return try await call.write(input) { connection in
            guard try await CalendarQueries.delete(input.id, of: user, on: connection) else {
                throw Problem(.notFound, "There is no such calendar.")
            }
            return Reply(Empty())
        }
    }
}
