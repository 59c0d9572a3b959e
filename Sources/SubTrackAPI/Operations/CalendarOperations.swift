import Foundation

/// A calendar of the user's days, which programs read at a secret address.
public struct CalendarFeed: Codable, Sendable, Hashable {
    /// The calendar's id.
    public var id: UUID
    /// The user's name for it.
    public var name: String
    /// When its address was made.
    public var createdAt: Instant

    /// A calendar with all its fields.
    public init(id: UUID, name: String, createdAt: Instant) {
        self.id = id
        self.name = name
        self.createdAt = createdAt
    }
}

/// Lists the user's calendars.
public struct ListCalendars: Operation {
    public static let name = "calendars.list"
    public static let endpoint = Endpoint.get("/v1/calendars")
    public static let access = Access.device
    public static let summary = "Lists the user's calendars, the newest first; their addresses are not shown again."

    /// The calendars.
    public struct Output: Codable, Sendable, Hashable {
        /// The calendars, at most 10.
        public var calendars: [CalendarFeed]

        /// Some calendars.
        public init(calendars: [CalendarFeed]) { self.calendars = calendars }
    }

    /// No input.
    public init() {}
}

/// Makes a calendar.
public struct CreateCalendar: Operation {
    public static let name = "calendars.create"
    public static let endpoint = Endpoint.post("/v1/calendars", status: 201)
    public static let access = Access.device
    public static let handlesSecrets = true
    public static let errors: [ErrorCode] = [.tooMany]
    public static let summary =
        "Makes a secret address at which calendar programs read the user's days (iCalendar, RFC 5545)."

    /// A calendar and its address.
    public struct Output: Codable, Sendable, Hashable {
        /// The calendar.
        public var calendar: CalendarFeed
        /// The address below that of the service or of the tenant: `/calendar/sub_….ics`. It is shown this once. It is the
        /// whole right to read the calendar.
        public var path: String

        /// A calendar with its address.
        public init(calendar: CalendarFeed, path: String) {
            self.calendar = calendar
            self.path = path
        }
    }

    /// The user's name for it; `SubTrackIt` unless given.
    public var name: String?

    /// A calendar by name.
    public init(name: String? = nil) { self.name = name }
}

/// Deletes a calendar.
public struct DeleteCalendar: Operation {
    public typealias Output = Empty

    public static let name = "calendars.delete"
    public static let endpoint = Endpoint.delete("/v1/calendars/{id}")
    public static let access = Access.device
    public static let summary = "Deletes a calendar: its address is 404 from now on."

    /// The calendar.
    public var id: UUID

    /// A calendar by its id.
    public init(id: UUID) { self.id = id }
}

extension CreateCalendar: FieldRules {
    public static let fieldRules: [String: FieldRule] = ["name": .text(0...100).example("My phone")]
}
