import SubTrackAPI

/// Writer of a calendar (RFC 5545). Lines end by CR LF and have at most 75 bytes.
///
/// The same events on the same day are the same bytes.
public struct CalendarWriter: Sendable {
    /// The largest revision: an INTEGER of RFC 5545 has 32 bits.
    private static let greatestSequence = Int64(Int32.max)

    /// The bytes that nobody has taken yet.
    private var bytes: [UInt8] = []
    private var isEmpty = true
    private let stamp: String

    /// Begins a calendar.
    /// - Parameters:
    ///   - name: its title.
    ///   - day: the day of whose midnight in UTC the events are.
    public init(name: String, day: CalendarDate) {
        stamp = Self.written(day) + "T000000Z"
        append("BEGIN:VCALENDAR")
        append("VERSION:2.0")
        append("PRODID:-//SubTrackIt//SubTrackIt//EN")
        append("CALSCALE:GREGORIAN")
        append("METHOD:PUBLISH")
        append("X-WR-CALNAME:" + Self.text(name))
        append("REFRESH-INTERVAL;VALUE=DURATION:PT6H")
        append("X-PUBLISHED-TTL:PT6H")
    }

    /// Appends an event.
    public mutating func append(_ event: CalendarEvent) {
        isEmpty = false
        append("BEGIN:VEVENT")
        append("UID:" + Self.text(event.uid))
        append("DTSTAMP:" + stamp)
        append("SEQUENCE:\(min(event.sequence, Self.greatestSequence))")
        append("DTSTART;VALUE=DATE:" + Self.written(event.day))
        append("DTEND;VALUE=DATE:" + Self.written(event.day.adding(days: 1)))
        if let recurrence = event.recurrence { append("RRULE:" + recurrence.rawValue) }
        append("SUMMARY:" + Self.text(event.summary))
        // Nobody is busy because something renews.
        append("TRANSP:TRANSPARENT")
        append("END:VEVENT")
    }

    /// Ends the calendar. One without events has a time zone: a calendar has at least one component (RFC 5545 §3.6).
    public mutating func finish() {
        if isEmpty {
            for line in [
                "BEGIN:VTIMEZONE", "TZID:UTC", "BEGIN:STANDARD", "DTSTART:19700101T000000", "TZOFFSETFROM:+0000",
                "TZOFFSETTO:+0000", "END:STANDARD", "END:VTIMEZONE",
            ] {
                append(line)
            }
        }
        append("END:VCALENDAR")
    }

    /// Gives the bytes that were written since the last call.
    public mutating func take() -> [UInt8] {
        defer { bytes = [] }
        return bytes
    }

    private mutating func append(_ line: String) { VCardText.fold(line, into: &bytes) }

    /// A day as `20270301`.
    private static func written(_ day: CalendarDate) -> String { day.description.filter { $0 != "-" } }

    /// A text as a value, escaped as in a vCard. A value has no control characters, and some readers end a line at them.
    private static func text(_ text: String) -> String {
        guard !text.unicodeScalars.allSatisfy(isAllowed) else { return VCardText.escaped(text) }
        var kept = String.UnicodeScalarView()
        for scalar in text.unicodeScalars where isAllowed(scalar) { kept.append(scalar) }
        return VCardText.escaped(String(kept))
    }

    private static func isAllowed(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x0A: true
        case 0..<0x20, 0x7F..<0xA0, 0x2028, 0x2029: false
        default: true
        }
    }
}
