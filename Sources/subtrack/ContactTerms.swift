import ArgumentParser
import Foundation
import SubTrackAPI
import SubTrackKit

/// What can be said of a contact beside its names.
struct ContactTerms: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "A number: 788-6788768, or +49 30 123456 with its country; work=788-6788768 says which it is (default: cell). Repeat it for "
                + "more.", valueName: "number"))
    var phone: [String] = []
    @Option(
        help: ArgumentHelp(
            "An e-mail address; work=ada@example.org says which it is (default: home).", valueName: "address"))
    var email: [String] = []
    @Option(
        help: ArgumentHelp(
            "A postal address: street, city, state, zip, country between commas, such as \"12 Main St, Springfield, IL 62704\"; apt=4 for "
                + "an apartment, work=… for another one than home.", valueName: "address"))
    var address: [String] = []
    // A day without a year may begin with a minus, as options do.
    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "The birthday: 12-10, or 1995-06-25 with the year; an empty one takes it away.", valueName: "day"))
    var birthday: String?
    @Option(
        parsing: .unconditionalSingleValue,
        help: ArgumentHelp("Another day of each year: anniversary=2020-05-01.", valueName: "word=day"))
    var date: [String] = []
    @Option(
        parsing: .unconditionalSingleValue,
        help: ArgumentHelp("A day that comes once: graduation=2027-07-01.", valueName: "word=day"))
    var once: [String] = []
    @Option(
        help: ArgumentHelp(
            "Days ahead to be reminded of the day: 7, or anniversary=14 with the word for it, or usual as `subtrack remind` says.",
            valueName: "days"))
    var remind: [String] = []
    @Option(help: "A note; an empty one takes it away.") var note: String?

    /// Whether anything was said.
    var areGiven: Bool {
        !(phone + email + address + date + once + remind).isEmpty || birthday != nil || note != nil
    }

    /// The parts that were typed.
    /// - Parameters:
    ///   - country: ISO 3166-1, for numbers as they are dialled there.
    ///   - faults: takes those of parts that cannot be read.
    func parts(in country: String, _ faults: inout OptionFaults) -> TypedContactParts {
        var parts = TypedContactParts()
        for text in phone {
            let typed = TypedPart(text)
            parts.read("--phone", typed, into: \.phones, &faults) { () throws(TypedPartFault) in
                try StoredContact.Phone(typed, country: country)
            }
        }
        for text in email {
            let typed = TypedPart(text)
            parts.read("--email", typed, into: \.emails, &faults) { () throws(TypedPartFault) in
                StoredContact.Email(typed)
            }
        }
        for text in address {
            let typed = TypedPart(text, besides: StoredContact.Address.names)
            parts.read("--address", typed, into: \.addresses, &faults) { () throws(TypedPartFault) in
                try StoredContact.Address(typed)
            }
        }
        let days =
            [birthday].compactMap { $0 }.filter { !$0.isEmpty }.map { ("--birthday", $0, "birthday", true) }
            + date.map { ("--date", $0, "other", true) } + once.map { ("--once", $0, "other", false) }
        for (option, text, usual, yearly) in days {
            let typed = TypedPart(text)
            parts.read(option, typed, into: \.dates, &faults) { () throws(TypedPartFault) in
                try StoredContact.Occasion(typed, usual: usual, yearly: yearly)
            }
        }
        for text in remind { parts.readReminder(text, &faults) }
        return parts
    }
}

/// Parts of a contact that were typed.
struct TypedContactParts {
    var phones: [StoredContact.Phone] = []
    var emails: [StoredContact.Email] = []
    var addresses: [StoredContact.Address] = []
    var dates: [StoredContact.Occasion] = []
    /// The parts whose word was typed.
    private(set) var named: Set<UUID> = []
    /// The option and the value of each part.
    private var labels: [UUID: String] = [:]

    /// The first of the ids.
    private var id = UUID.v7(at: Instant(secondsSince1970: Int64(Date().timeIntervalSince1970))).uuid

    /// A new id. It sorts behind those before it: parts keep the order in which they were typed.
    fileprivate mutating func nextID() -> UUID {
        defer { id.15 &+= 1 }
        return UUID(uuid: id)
    }

    fileprivate init() { id.15 = 0 }

    /// Reads a part, and notes where it was typed.
    fileprivate mutating func read<Part: ContactPart>(
        _ option: String, _ typed: TypedPart, into list: WritableKeyPath<Self, [Part]>, _ faults: inout OptionFaults,
        _ body: () throws(TypedPartFault) -> Part
    ) {
        let label = "\(option) \(typed.text.count > 40 ? typed.text.prefix(40) + "…" : typed.text)"
        do throws(TypedPartFault) {
            var part = try body()
            part.id = nextID()
            labels[part.id] = label
            if typed.type != nil { named.insert(part.id) }
            self[keyPath: list].append(part)
        } catch {
            faults.note("\(label): \(error.message)")
        }
    }

    /// Days ahead of a reminder, and the word for the day that they are of; nil: that which was typed.
    private var reminders: [(word: String?, days: Int?, label: String)] = []

    fileprivate mutating func readReminder(_ text: String, _ faults: inout OptionFaults) {
        let typed = TypedPart(text)
        let (value, label) = (typed.value.trimmingCharacters(in: .whitespaces), "--remind \(text.prefix(40))")
        let days = Int(value)
        guard days.map({ (0...365).contains($0) }) ?? (value.lowercased() == "usual") else {
            return faults.note("\(label): \"\(value.prefix(40))\" is no number of days from 0 to 365, and not usual")
        }
        reminders.append((typed.type, days, label))
    }

    /// Gives the typed days their reminders.
    mutating func remind(_ faults: inout OptionFaults) {
        var dates = dates
        remind(of: &dates, &faults)
        self.dates = dates
    }

    /// Gives the days of a contact their reminders. Without a word they are for the days that were typed, else for the only day, or
    /// for the birthday.
    func remind(of dates: inout [StoredContact.Occasion], _ faults: inout OptionFaults) {
        for (word, days, label) in reminders {
            func places(_ isMeant: (StoredContact.Occasion) -> Bool) -> [Int] {
                dates.indices.filter { isMeant(dates[$0]) }
            }
            let found: [Int]
            if let word {
                found = places { $0.type.lowercased() == word.lowercased() }
            } else {
                let typed = places { labels[$0.id] != nil }
                found = !typed.isEmpty ? typed : dates.count == 1 ? [0] : places { $0.type == "birthday" }
            }
            guard !found.isEmpty else {
                let words = dates.map(\.type).joined(separator: ", ")
                let there =
                    dates.isEmpty
                    ? "the contact has no day" : "say of which day, such as anniversary=7; there is \(words)"
                faults.note("\(label): \(there)")
                continue
            }
            for place in found { dates[place].reminderDays = days }
        }
    }

    /// The part takes the place of another one, and its id.
    mutating func rename(_ id: UUID, to other: UUID) {
        labels[other] = labels.removeValue(forKey: id)
        if named.remove(id) != nil { named.insert(other) }
    }

    /// A fault of the contact, with the option and the value that it is of.
    func text(_ error: KitError) -> String {
        guard case .invalid(let field, let message) = error else { return FieldNames.contact.text(error) }
        let path = field.split(separator: ".").map(String.init)
        guard path.count > 1, let id = UUID(uuidString: path[1]), let label = labels[id] else {
            return FieldNames.contact.text(error)
        }
        let isOfField = path.count > 2 && !message.hasPrefix("at least")
        let words = isOfField ? Self.fields[path[2]].map { "\($0) " } ?? "" : ""
        return "\(label): \(words)\(message.replacing("; needs", with: " and needs"))"
    }

    /// The fields of parts in a sentence.
    private static let fields = [
        "area": "the area code", "number": "the number", "e164": "a number with its country",
        "type": "the word for it",
        "street": "the street", "apt": "the apartment", "city": "the city", "state": "the state", "zip": "the zip",
        "country": "the country", "date": "the day", "reminderDays": "the days ahead of its reminder",
    ]
}
