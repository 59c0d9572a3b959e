import Foundation
import SubTrackAPI
import SubTrackKit

/// Contacts as a table.
enum ContactTable {
    static func lines(_ list: [TrackedContact], on terminal: Terminal) -> [String] {
        var table = Table(columns: [
            .init(title: "NAME", minimum: 24, keepsEnd: true, staysApart: true), .init(title: "PHONE", rank: 1),
            .init(title: "E-MAIL", minimum: 12, keepsEnd: true, rank: 2), .init(title: "CITY", minimum: 6, rank: 3),
            .init(title: ""),
        ])
        let names = Dictionary(grouping: list, by: \.row.fullName)
        for tracked in list {
            let contact = tracked.row
            // Two people of one name differ by the digits that a command takes.
            let isAlone = names[contact.fullName]?.count == 1
            table.rows.append([
                .init(isAlone ? contact.fullName : "\(contact.fullName) (\(tracked.shortID))", .bold),
                .init(first(contact.phones.map(\.shown))), .init(first(contact.emails.map(\.email))),
                .init(contact.addresses.lazy.compactMap(\.city).first ?? "", .dim),
                .init(tracked.isPending ? "↑" : "", .dim),
            ])
        }
        return table.lines(on: terminal)
    }

    /// The first of some texts, and how many more there are.
    private static func first(_ texts: [String]) -> String {
        guard let first = texts.first else { return "" }
        return texts.count == 1 ? first : "\(first) +\(texts.count - 1)"
    }
}

/// A contact as programs read it: its members, the id, and whether something of it waits to be sent.
struct ShownContact: Encodable {
    private let tracked: TrackedContact

    private enum Member: String, CodingKey { case id, isPending }

    init(_ tracked: TrackedContact) { self.tracked = tracked }

    func encode(to encoder: any Encoder) throws {
        try tracked.row.encode(to: encoder)
        var members = encoder.container(keyedBy: Member.self)
        try members.encode(tracked.id, forKey: .id)
        try members.encode(tracked.isPending, forKey: .isPending)
    }
}
