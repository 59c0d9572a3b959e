import Foundation
import SubTrackAPI
import TestTraits
import Testing

@testable import SubTrackKit
@testable import enum subtrack.ContactLines
@testable import enum subtrack.ContactTable
@testable import struct subtrack.Terminal
@testable import struct subtrack.TypedContact

/// Contacts as a terminal shows them.
@Suite("Contacts as tables", .ownTime)
struct ContactTableTests {
    private let list = [
        StoredContact(
            firstName: "Ada", middleName: "King", lastName: "Lovelace", phones: [.init(area: "788", number: "6788768")],
            addresses: [.init(street: "12 St James's Square", city: "London", zip: "SW1Y 4LE")],
            emails: [.init(email: "ada.king.lovelace@analytical-engine.example.org")],
            dates: [.init(date: "1815-12-10"), .init(date: "2020-05-01", type: "wedding anniversary of both")]),
        StoredContact(firstName: "小明", lastName: "南京", phones: [.init(e164: "+8613800138000")]),
    ].map { TrackedContact(id: UUID(), row: $0, isPending: true) }

    @Test(
        "A list fits the terminal: at 80 columns with city, at 60 with number and mail, and a name is whole",
        arguments: [40, 60, 80])
    func widths(_ width: Int) {
        let lines = ContactTable.lines(list, on: Terminal(width: width, hasColours: false))
        #expect(lines.allSatisfy { Terminal.columns($0) <= width }, "\(lines)")
        #expect(lines[1].contains("(788) 678-8768") && lines[1].hasSuffix("↑"), "\(lines)")
        #expect(lines[2].contains("小明 南京"))
        if width >= 60 { #expect(lines[0].contains("E-MAIL") && lines[1].contains("Ada King Lovelace"), "\(lines)") }
        if width >= 80 { #expect(lines[1].contains("London"), "\(lines)") }
    }

    @Test(
        "All of a contact fits the terminal too, with the days that are left and the years that it will be",
        arguments: [40, 60, 80])
    func details(_ width: Int) throws {
        let today = try #require(CalendarDate("2026-12-01"))
        let lines = ContactLines.lines(list[0], today: today, on: Terminal(width: width, hasColours: false))
        #expect(
            lines.allSatisfy { Terminal.columns($0) <= width || $0.contains("example.org") || $0.hasPrefix("id ") },
            "\(lines)")
        let text = lines.joined(separator: " ")
        for word in ["1815-12-10, in 9 days, turns", "211", "2020-05-01", "7 years", "(788) 678-8768"] {
            #expect(text.split(separator: " ").joined(separator: " ").contains(word), "\(word) is in \(lines)")
        }
    }

    @Test("Two people of one name differ by the digits that a command takes")
    func sameNames() {
        let pair = [list[1], TrackedContact(id: UUID(), row: list[1].row, isPending: false)]
        let lines = ContactTable.lines(pair, on: Terminal(width: nil, hasColours: false))
        for (line, one) in zip(lines.dropFirst(), pair) { #expect(line.contains("(\(one.shortID))"), "\(lines)") }
    }

    @Test("A refused change of a contact is typed again with all that was typed")
    func typedAgain() {
        let part = UUID().uuidString.lowercased()
        let create = PushChanges.Mutation(
            entity: "contact", id: part, op: .create,
            fields: [
                "firstName": "Ada", "lastName": "von Neumann", "middleName": .null, "note": .null,
                "phones": .array([.object(["id": .string(part), "e164": "+4930123456", "type": "work"])]),
                "addresses": .array([.object(["id": .string(part), "city": "Bonn", "zip": "53111", "type": "home"])]),
                "dates": .array([.object(["id": .string(part), "date": "--12-10", "yearly": true, "type": "birthday"])]
                ),
            ])
        #expect(
            TypedContact(create, name: nil).words == [
                "contacts", "add", "--first", "Ada", "--last", "von Neumann", "--phone", "work=+4930123456",
                "--address", "home=city=Bonn; zip=53111", "--date", "birthday=--12-10",
            ])
        let update = PushChanges.Mutation(
            entity: "contact", id: part, op: .update,
            fields: [
                "note": .null,
                "phones": .object([part: .object(["area": "788", "number": "6788768", "new": true, "type": "cell"])]),
            ])
        #expect(
            TypedContact(update, name: "Ada von Neumann").words == [
                "contacts", "edit", "Ada von Neumann", "--phone", "cell=788-6788768", "--note", "",
            ])
    }
}

extension TrackedContact {
    fileprivate var shortID: String { String(id.uuidString.lowercased().suffix(6)) }
}
