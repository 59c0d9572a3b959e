import Foundation
import SubTrackAPI
import SubTrackCore

/// Contacts: their declaration, changes of them, their rules, searches, duplicates, and the days that come round.
enum ContactCases {
    /// Cases that a person would think of.
    static var fixed: [RuleCase] {
        [declaration] + texts.map(folded)
            + ["--02-29", "1996-02-29", "2027-02-28", "2300-01-01", "1000-01-01", "2999-12-31", "2026-02-30", "x"]
            .flatMap { date in
                ["2026-02-28", "2026-03-01", "2028-02-29", "2999-12-31"].compactMap { CalendarDate($0) }.flatMap {
                    today in
                    [true, false].map { nextOf(.init(date: date, yearly: $0), from: today) }
                }
            }
    }

    // MARK: The declaration

    private static var declaration: RuleCase {
        let declaration = StoredContact.declaration
        return RuleCase(
            kind: "contactDeclaration", input: [:],
            expected: .object([
                "name": .string(declaration.name.rawValue), "title": .array(declaration.title.map { .string($0) }),
                "fields": .array(declaration.fields.map(field)),
                "parts": .array(
                    declaration.parts.map { part in
                        .object([
                            "name": .string(part.name), "maximum": .int(part.maximum),
                            "fields": .array(part.fields.map(field)),
                        ])
                    }),
            ]))
    }

    private static func field(_ field: EntityField) -> AnyJSON {
        var kind: AnyJSON = "flag"
        var bounds: [AnyJSON] = [.null, .null]
        switch field.kind {
        case .text(let range): (kind, bounds) = ("text", [.int(range.lowerBound), .int(range.upperBound)])
        case .integer(let range):
            (kind, bounds) = ("integer", [.integer(range.lowerBound), .integer(range.upperBound)])
        case .flag: break
        case .day: kind = "day"
        case .id: kind = "id"
        }
        return .object([
            "name": .string(field.name), "kind": kind, "minimum": bounds[0], "maximum": bounds[1],
            "isOptional": .bool(field.isOptional), "isImmutable": .bool(field.isImmutable),
            "isMultiline": .bool(field.isMultiline),
        ])
    }

    // MARK: Changes

    static func edit(_ random: inout CaseRandom) -> RuleCase {
        let row = random.once(in: 4) ? nil : members(of: contact(&random))
        var fields = changed(row ?? members(of: contact(&random)), &random)
        if let row, random.once(in: 2) {
            fields = DeclaredEdit.difference(
                from: row, to: members(of: contact(&random)), of: StoredContact.declaration)
        }
        return edit(fields, to: row)
    }

    private static func edit(_ fields: [String: AnyJSON], to row: [String: AnyJSON]?) -> RuleCase {
        var edit = DeclaredEdit(fields, to: row, of: StoredContact.declaration)
        let applied = edit.applied()
        var stored: AnyJSON = .null
        var faults: [FieldProblem] = []
        do {
            let row = try edit.check()
            stored = .object(row)
            faults = ContactRules.faults(row)
        } catch let problem as Problem { faults = problem.errors ?? [] } catch {}
        return RuleCase(
            kind: "contactEdit", input: ["row": row.map { .object($0) } ?? .null, "fields": .object(fields)],
            expected: .object([
                "applied": .object(applied), "stored": stored,
                "faults": .array(
                    faults.map { "\($0.field) \($0.code.rawValue) \($0.message)" }.sorted().map { .string($0) }),
                "difference": row.map {
                    .object(DeclaredEdit.difference(from: $0, to: applied, of: StoredContact.declaration))
                } ?? .null,
            ]))
    }

    /// A row with some values that may be wrong, as a client may send them.
    private static func changed(_ row: [String: AnyJSON], _ random: inout CaseRandom) -> [String: AnyJSON] {
        var fields: [String: AnyJSON] = [:]
        for (name, value) in row.sorted(by: { $0.key < $1.key }) where !random.once(in: 3) {
            guard case .array(let parts) = value else {
                fields[name] = random.once(in: 6) ? odd(&random) : value
                continue
            }
            var byID: [String: AnyJSON] = [:]
            var list: [AnyJSON] = []
            for part in parts {
                guard case .object(var members) = part, case .string(let id)? = members["id"] else { continue }
                if random.once(in: 5), let key = members.keys.sorted().first(where: { $0 != "id" }) {
                    members[key] = odd(&random)
                }
                list.append(.object(members))
                members["id"] = nil
                if random.once(in: 3) { members["new"] = true }
                byID[random.once(in: 8) ? "nonsense" : id.uppercased()] = random.once(in: 6) ? .null : .object(members)
            }
            fields[name] = random.pick([.array(list), .object(byID), random.once(in: 8) ? .null : .object(byID)])
        }
        if random.once(in: 10) { fields["nonsense"] = "x" }
        return fields
    }

    private static func odd(_ random: inout CaseRandom) -> AnyJSON {
        random.pick([
            .null, "", "   ", " a ", .int(7), .int(-1), .bool(true),
            .string(String(repeating: "x", count: random.int(9...12))),
            .string(String(repeating: "y", count: random.int(38...42))), "tab\tin", "two\nlines", "\u{200B}\u{AD}",
        ])
    }

    // MARK: Search

    static func search(_ random: inout CaseRandom) -> RuleCase {
        let contact = contact(&random)
        let all =
            [contact.firstName, contact.lastName, contact.note ?? "", contact.dates.first?.date ?? "1995"]
            + contact.phones.map(ContactText.digits) + contact.emails.map(\.email)
            + contact.addresses.compactMap(\.street)
        let terms = (0..<random.int(1...3)).map { _ -> String in
            let text = Array(random.once(in: 4) ? random.pick(texts) : random.pick(all))
            guard text.count > 2 else { return String(text) }
            let from = random.once(in: 2) ? 0 : random.int(0...text.count - 1)
            return String(text[from..<min(from + random.int(1...5), text.count)])
        }
        let text = random.pick([terms.joined(separator: " "), terms[0].uppercased(), terms[0], "(788) \(terms[0])"])
        return RuleCase(
            kind: "contactSearch", input: ["contact": .object(members(of: contact)), "text": .string(text)],
            expected: ContactSearch(text).map { $0.rank(contact).map { .int($0) } ?? "no match" } ?? .null)
    }

    private static func folded(_ text: String) -> RuleCase {
        RuleCase(kind: "contactFolded", input: ["text": .string(text)], expected: .string(ContactText.folded(text)))
    }

    // MARK: Days and duplicates

    static func nextOf(_ random: inout CaseRandom) -> RuleCase {
        nextOf(occasion(&random), from: CalendarDate(daysSince1970: Int32(random.int(-200_000...376_000))))
    }

    private static func nextOf(_ date: StoredContact.Occasion, from today: CalendarDate) -> RuleCase {
        RuleCase(
            kind: "contactDate",
            input: ["date": .string(date.date), "yearly": .bool(date.yearly), "today": .day(today)],
            expected: ContactDates.next(of: date, from: today).map {
                .object(["day": .day($0.day), "years": $0.years.map { .int($0) } ?? .null])
            } ?? .null)
    }

    static func duplicates(_ random: inout CaseRandom) -> RuleCase {
        let contacts = (0..<random.int(2...6)).map { number in
            (id: "\(number)", contact: contact(&random))
        }
        let pairs = ContactDuplicates.pairs(contacts)
        return RuleCase(
            kind: "contactDuplicates",
            input: [
                "contacts": .array(
                    contacts.map { .object(["id": .string($0.id), "row": .object(members(of: $0.contact))]) })
            ],
            expected: .array(
                pairs.map { pair in
                    .object([
                        "first": .string(pair.first), "second": .string(pair.second),
                        "reasons": .array(
                            pair.reasons.map {
                                .object(["kind": .string($0.kind.rawValue), "value": .string($0.value)])
                            }),
                    ])
                }))
    }

    // MARK: Values

    private static let texts = [
        "José", "Jose\u{301}", "Ada", "O'Hara", "Jean-Luc", "Straße", "STRASSE", "小明", "王", "Łukasz", "Ångström",
        "İpek", "Σίσυφος",
        "ﬁve", "½", "Ⅳ", "Zoë Ann", "de la Cruz", "Ñandú", "ÅÄÖ", "ǅ", "한글", "𝕏y", "ـعربي", "é e\u{301}",
        "Müller & Co.", "x", "",
    ]

    private static func contact(_ random: inout CaseRandom) -> StoredContact {
        let names = texts.filter { !$0.isEmpty }
        return StoredContact(
            firstName: random.pick(names), middleName: random.once(in: 3) ? random.pick(names) : nil,
            lastName: random.pick(names),
            note: random.once(in: 3) ? "Met in \(random.pick(names))\n(788)" : nil,
            phones: (0..<random.int(0...2)).map { _ in
                random.once(in: 2)
                    ? .init(
                        id: id(&random), area: random.pick(["788", "030"]), number: random.pick(["6788768", "1234567"]))
                    : .init(
                        id: id(&random), e164: random.pick(["+17886788768", "+491605550142", "+112"]), type: "work")
            },
            addresses: (0..<random.int(0...1)).map { _ in
                .init(
                    id: id(&random), street: random.pick(["12  Main Street", "12 main street", nil]),
                    city: random.pick(names),
                    zip: random.pick(["12047", nil]))
            },
            emails: (0..<random.int(0...2)).map { _ in
                .init(id: id(&random), email: random.pick(["ada@example.org", "ADA@example.org", "jose@example.com"]))
            },
            dates: (0..<random.int(0...1)).map { _ in occasion(&random) })
    }

    private static func occasion(_ random: inout CaseRandom) -> StoredContact.Occasion {
        let year = random.pick(["1995", "2000", "2024", "2031", "1000", "2999", "0999", "-"])
        let day = random.pick(["02-29", "02-28", "06-25", "12-31", "01-01", "13-01", "04-31"])
        return .init(
            id: id(&random), date: "\(year)-\(day)", yearly: !random.once(in: 3),
            reminderDays: random.once(in: 3) ? random.int(0...365) : nil,
            type: random.pick(["birthday", "Birthday", "other"]))
    }

    private static func id(_ random: inout CaseRandom) -> UUID {
        // A few ids, so that parts of two rows are the same ones.
        UUID(uuid: (0, 0, 0, 0, 0, 0, 0x40, 0, 0x80, 0, 0, 0, 0, 0, 0, UInt8(random.int(0xA0...0xA9))))
    }

    /// A row as its JSON has it.
    private static func members(of contact: StoredContact) -> [String: AnyJSON] {
        guard case .object(let members)? = try? AnyJSON(encoding: contact) else { return [:] }
        return members
    }
}
