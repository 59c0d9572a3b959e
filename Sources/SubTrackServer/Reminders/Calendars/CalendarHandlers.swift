import Foundation
import MariaDB
import Passwords
import SubTrackAPI
import SubTrackCore

/// The operations on calendars.
enum CalendarHandlers {
    /// The name of a calendar to which the user gave none.
    private static let usualName = "SubTrackIt"

    /// Registers the handlers.
    static func register(in registry: inout OperationRegistry) {
        registry.register(ListCalendars.self, handler: list)
        registry.register(CreateCalendar.self, handler: create)
        registry.register(DeleteCalendar.self, handler: delete)
    }

    @Sendable private static func list(
        _ input: ListCalendars, _ call: Call
    ) async throws -> Reply<ListCalendars.Output> {
        let user = try call.requireSession().user
        let calendars = try await call.tenant.read { try await CalendarQueries.list(of: user, on: $0) }
        return Reply(.init(calendars: calendars))
    }

    @Sendable private static func create(
        _ input: CreateCalendar, _ call: Call
    ) async throws -> Reply<CreateCalendar.Output> {
        let name = try InputText.optional(input.name, field: "name", maximum: 100)
        let session = try call.requireSession()
        let user = session.user
        return try await call.write(input) { connection in
            // A new password may have ended the session and the calendars while this waited for the user's lock.
            guard try await SessionQueries.isOpen(session, on: connection) else {
                throw Problem(.tokenEnded, "This session has ended; sign in again.")
            }
            try await UserLimit.calendars.check(call.tenant.limits, of: user, on: connection)
            let calendar = CalendarFeed(
                id: try UUIDv7.make(now: call.now), name: name ?? Self.usualName, createdAt: call.now)
            let token = try Token.generate()
            try await CalendarQueries.insert(calendar, try token.hash, of: user, on: connection)
            return Reply(.init(calendar: calendar, path: CalendarFiles.path(of: token)))
        }
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
