import SubTrackAPI

/// A contact made of the properties of a card. Values without room in a field go to the note, or stay in the card.
struct CardBuilder {
    /// A property with its parameters.
    struct Property {
        var line: ContentLine
        var parameters: [ContentLine.Parameter]
        /// Its place among the properties of the card.
        var place: Int

        /// The values of a parameter, which may be there several times.
        func values(_ name: String) -> [String] { parameters.filter { $0.name == name }.flatMap(\.values) }
    }

    /// The longest note, in characters.
    static let maximumNote = 2000
    /// The longest `UID`, in characters.
    static let maximumUID = 255
    /// The size of all properties without field, in bytes. A card with them, written anew, is within its own bound.
    static let maximumRest = 240 << 10
    /// How many adjustments are told of a card.
    private static let maximumTold = 50

    let country: String
    let fillNames: Bool
    private(set) var name: Property?
    private(set) var fullNames: [Property] = []
    private(set) var phones: [Property] = []
    private(set) var addresses: [Property] = []
    private(set) var emails: [Property] = []
    private(set) var dates: [Property] = []
    private var notes: [Property] = []
    private var uid: Property?
    private var labels: [Property] = []
    private var others: [Property] = []
    private var labelsByGroup: [String: String] = [:]
    private var labelledGroups: Set<String> = []
    private var kept: [(place: Int, text: String)] = []
    private var place = 0
    private var noteLines: [String] = []
    private var noteLength = 0
    private var adjusted: [String] = []
    private var untold = 0
    /// Whether the card is of version 2.1.
    private var isOld = false
    private var toldParameters: Set<String> = []

    init(country: String, fillNames: Bool) {
        self.country = country
        self.fillNames = fillNames
    }

    // MARK: Collecting

    /// Takes the next property of the card.
    mutating func take(_ line: ContentLine) throws(CardRefusal) {
        place += 1
        func property() -> Property { Property(line: line, parameters: line.parameters(), place: place) }
        switch line.name {
        // Facts of the file, not of the person.
        case "BEGIN", "END", "REV", "PRODID": break
        case "VERSION":
            let version = String(decoding: line.rawValue.prefix(20), as: UTF8.self).filter { !$0.isWhitespace }
            guard ["2.1", "3.0", "4.0"].contains(version) else {
                throw CardRefusal("line \(line.number): version \(version) is not known; 2.1, 3.0 and 4.0 are")
            }
            isOld = version == "2.1"
        case "N":
            guard name == nil else { return tell("a second N is not kept") }
            name = property()
        case "UID":
            guard uid == nil else { return tell("a second UID is not kept") }
            uid = property()
        case "FN": fullNames.append(property())
        case "TEL": phones.append(property())
        case "ADR": addresses.append(property())
        case "EMAIL": emails.append(property())
        case "NOTE": notes.append(property())
        case "BDAY", "ANNIVERSARY", "X-ANNIVERSARY", "X-EVOLUTION-ANNIVERSARY", "X-ABDATE": dates.append(property())
        case "X-ABLABEL" where line.group != nil: labels.append(property())
        default: others.append(Property(line: line, parameters: [], place: place))
        }
    }

    /// The contact.
    mutating func finish() throws(CardRefusal) -> CardContact {
        for label in labels {
            guard let group = label.line.group else { continue }
            labelsByGroup[group] = try text(of: label)
        }
        for note in notes {
            let text = VCardText.paragraph(try text(of: note)) ?? ""
            guard !text.isEmpty, !appendNote(text) else { continue }
            let all = noteLength + text.unicodeScalars.count
            keep(note, because: "a note of \(all) characters is in the card alone: a contact's has \(Self.maximumNote)")
        }
        let names = try takeNames()
        var contact = StoredContact(firstName: names.first, middleName: names.middle, lastName: names.last)
        contact.phones = try takePhones()
        contact.addresses = try takeAddresses()
        contact.emails = try takeEmails()
        contact.dates = try takeDates()
        contact.note = noteLines.isEmpty ? nil : noteLines.joined(separator: "\n")
        let rest = try takeRest()
        if untold > 0 { adjusted.append("and \(untold) more") }
        return CardContact(uid: try takeUID(), contact: contact, rest: rest, adjusted: adjusted)
    }

    private func takeUID() throws(CardRefusal) -> String? {
        guard let uid, let text = VCardText.line(try text(of: uid)) else { return nil }
        let count = text.unicodeScalars.count
        guard count <= Self.maximumUID else {
            throw CardRefusal("line \(uid.line.number): the UID has \(count) characters; may have \(Self.maximumUID)")
        }
        return text
    }

    private mutating func takeRest() throws(CardRefusal) -> String? {
        for other in others { kept.append((other.place, try other.line.kept(isOld: isOld))) }
        for label in labels where !labelledGroups.contains(label.line.group ?? "") {
            kept.append((label.place, try label.line.kept(isOld: isOld)))
        }
        let rest = kept.sorted { $0.place < $1.place }.map(\.text).joined(separator: "\n")
        guard rest.utf8.count <= Self.maximumRest else {
            throw CardRefusal(
                "the properties without field have \(rest.utf8.count) bytes together; may have \(Self.maximumRest)")
        }
        return rest.isEmpty ? nil : rest
    }

    // MARK: Values

    /// The value of a property as UTF-8, still escaped.
    func value(of property: Property) throws(CardRefusal) -> [UInt8] { try property.line.value(property.parameters) }

    /// The value of a property as text.
    func text(of property: Property) throws(CardRefusal) -> String {
        VCardText.unescaped(try value(of: property)[...])
    }

    /// The type of a part, by the label of its group or by its types. A label that is too long goes to the note.
    mutating func type(of property: Property, _ value: String) -> String {
        let label = property.line.group.flatMap { labelsByGroup[$0] }
        if label != nil, let group = property.line.group { labelledGroups.insert(group) }
        // In quotes, one value may have several types as well.
        let types = property.values("TYPE").prefix(20).flatMap { $0.split(separator: ",").map(String.init) }
        let type = CardType.read(types, label: label)
        guard type.unicodeScalars.count > CardType.maximum else { return type }
        let line = VCardText.line("Label of \(value): \(type)") ?? ""
        if appendNote(line) {
            tell("the label \(Self.quoted(type)) is in the note: a label has at most \(CardType.maximum) characters")
        } else if let group = property.line.group, label != nil {
            labelledGroups.remove(group)
            tell("the label \(Self.quoted(type)) is in the card alone: it is too long, and the note is full")
        } else {
            tell("the type \(Self.quoted(type)) is not kept: it is too long, and the note is full")
        }
        return "other"
    }

    /// Tells of parameters that no field holds, each name once.
    mutating func tellParameters(of property: Property) {
        for parameter in property.parameters where !Self.silent.contains(parameter.name) {
            let name = "\(property.line.name);\(parameter.name)"
            guard toldParameters.insert(name).inserted else { continue }
            tell("the parameter \(parameter.name.prefix(40)) of \(property.line.name) is not kept")
        }
    }

    private static let silent: Set<String> = [
        "TYPE", "PREF", "VALUE", "CHARSET", "ENCODING", "CALSCALE", "PID", "INDEX", "X-APPLE-OMIT-YEAR",
        OwnParameter.yearly, OwnParameter.reminder,
    ]

    // MARK: The note and the rest

    /// Appends lines to the note.
    /// - Returns: whether they have room.
    mutating func appendNote(_ text: String) -> Bool {
        let length = text.unicodeScalars.count + (noteLines.isEmpty ? 0 : 1)
        guard noteLength + length <= Self.maximumNote else { return false }
        noteLines.append(text)
        noteLength += length
        return true
    }

    /// Moves a value into the note, as `Phone (cell): 110`. Where that has no room, the property stays in the card.
    mutating func move(_ what: String, _ type: String, _ value: String, of property: Property, because reason: String) {
        let value = VCardText.line(value) ?? ""
        if appendNote("\(what) (\(type)): \(value)") {
            tell("\(what.lowercased()) (\(type)) \(Self.quoted(value)) is in the note: \(reason)")
        } else {
            keep(
                property,
                because: "\(what.lowercased()) (\(type)) \(Self.quoted(value)) is in the card alone: \(reason)")
        }
    }

    /// Keeps a property as one without field.
    mutating func keep(_ property: Property, because told: String?) {
        if let group = property.line.group { labelledGroups.remove(group) }
        // The value was read before, so that nothing throws.
        if let text = try? property.line.kept(isOld: isOld) { kept.append((property.place, text)) }
        if let told { tell(told) }
    }

    /// Keeps a line before the properties without field.
    mutating func keepFirst(_ text: String) { kept.append((0, text)) }

    /// Notes an adjustment for the user.
    mutating func tell(_ what: String) {
        if adjusted.count < Self.maximumTold { adjusted.append(what) } else { untold += 1 }
    }

    /// A value for messages, at most 60 characters.
    static func quoted(_ value: String) -> String {
        let scalars = value.unicodeScalars
        return scalars.count <= 60 ? "\"\(value)\"" : "\"\(String(String.UnicodeScalarView(scalars.prefix(60))))…\""
    }
}

/// Parameters of this service. Other programs pass over them.
enum OwnParameter {
    /// `false`: the day comes once.
    static let yearly = "X-SUBTRACKIT-YEARLY"
    /// Days before the day on which its user is reminded.
    static let reminder = "X-SUBTRACKIT-REMIND"
}
