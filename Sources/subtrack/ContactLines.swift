import Foundation
import SubTrackAPI
import SubTrackCore
import SubTrackKit

/// All of a contact, in lines.
enum ContactLines {
    static func lines(_ tracked: TrackedContact, today: CalendarDate, on terminal: Terminal) -> [String] {
        let contact = tracked.row
        let width = 2 + (contact.dates.map { min($0.type.count, 14) }.max() ?? 0)
        let head = max(width, 9)
        func field(_ name: String, _ value: String?, _ style: Terminal.Style? = nil) -> [String] {
            guard let value else { return [] }
            let name = Terminal.cut(Terminal.clean(name), to: head - 1)
            return value.split(separator: "\n", omittingEmptySubsequences: false).flatMap { line in
                terminal.wrapped(Terminal.clean(String(line)), indent: head)
            }.enumerated().map { index, line in
                let title = index == 0 ? name : ""
                let space = String(repeating: " ", count: head - Terminal.columns(title))
                return terminal.styled(title, .dim) + space + terminal.styled(line, style)
            }
        }
        /// The values of a list, of which the first has the name before it.
        func list(_ name: String, _ values: [(String, type: String)]) -> [String] {
            values.enumerated().flatMap { field($0 == 0 ? name : "", "\($1.0) (\($1.type))") }
        }
        var lines = terminal.wrapped(Terminal.clean(contact.fullName)).map { terminal.styled($0, .bold) }
        lines += list("phone", contact.phones.map { ($0.shown, $0.type) })
        lines += list("e-mail", contact.emails.map { ($0.email, $0.type) })
        lines += list("address", contact.addresses.map { ($0.shown, $0.type) })
        for date in contact.dates { lines += field(date.type, words(date, today: today)) }
        lines += field("note", contact.note)
        lines += field("id", tracked.id.uuidString.lowercased(), .dim)
        lines += field("", tracked.isPending ? "changed here, not sent yet" : nil, .yellow)
        return lines
    }

    /// A day, how far away it is, and how many years it will be.
    private static func words(_ date: StoredContact.Occasion, today: CalendarDate) -> String {
        var words = [date.shown]
        if !date.yearly { words.append("once") }
        if let next = ContactDates.next(of: date, from: today) {
            words.append(days(today.days(to: next.day)))
            if let years = next.years, years > 0 {
                words.append(date.type == "birthday" ? "turns \(years)" : "\(years) years")
            }
        }
        if let days = date.reminderDays { words.append("reminder \(SubscriptionTable.days(days)) before") }
        return words.joined(separator: ", ")
    }

    /// How far a day is away.
    static func days(_ count: Int) -> String {
        switch count {
        case 0: "today"
        case 1: "tomorrow"
        default: "in \(count) days"
        }
    }
}
