import Foundation
import SubTrackAPI
import SubTrackCore
import SubTrackTestSupport
import TestTraits
import Testing

@testable import SubTrackServer

@Suite("Search of contacts", .ownTime)
struct ContactSearchTests {
    /// Words with letters that collations treat in their own ways.
    private static let words = [
        "José", "Jose", "ŁUKASZ", "Straße", "strasse", "ﬁsh", "fish", "Øre", "Ørsted", "İstanbul", "Иван", "Ёлка",
        "Йод", "ΣΟΦΟΣ",
        "がく", "かく", "각", "가", "小明", "南京市", "🎬🎵", "x\u{302}y", "１２３", "½", "100%", "a_b", "c\\d", "e!f", "O'Neil",
        "Ann-Marie",
        "naïve", "Ångström", "ñandú", "Ǆ", "²", "①", "Ａｄａ", "éé", "ß",
    ]

    private static func contact(_ random: inout SeededGenerator) -> StoredContact {
        func word() -> String { words.randomElement(using: &random) ?? "" }
        func digits(_ count: Int) -> String {
            (0..<count).map { _ in "\(Int.random(in: 0...9, using: &random))" }.joined()
        }
        func some<Part>(_ make: () -> Part) -> [Part] {
            (0..<Int.random(in: 0...2, using: &random)).map { _ in make() }
        }
        return StoredContact(
            firstName: word(), middleName: Bool.random(using: &random) ? word() : nil, lastName: "\(word()) \(word())",
            note: Bool.random(using: &random) ? "\(word())\n\(word())" : nil,
            phones: some {
                Bool.random(using: &random)
                    ? .init(area: digits(3), number: digits(7)) : .init(e164: "+4\(digits(9))")
            }, addresses: some { .init(street: word(), city: word(), country: word()) },
            emails: some { .init(email: "\(digits(2))@example.org") },
            dates: some { .init(date: "19\(digits(1))0-0\(Int.random(in: 1...9, using: &random))-1\(digits(1))") })
    }

    /// A part of something that a contact may have.
    private static func query(_ random: inout SeededGenerator) -> String {
        func term() -> String {
            let source = Int.random(in: 0...4, using: &random)
            let word =
                source == 0 ? "\(Int.random(in: 0...9_999, using: &random))" : words.randomElement(using: &random) ?? ""
            let letters = Array(word)
            let start = Int.random(in: 0..<letters.count, using: &random)
            let part = String(letters[start..<Int.random(in: start + 1...letters.count, using: &random)])
            return Bool.random(using: &random) ? part : part.uppercased()
        }
        return (0..<Int.random(in: 1...2, using: &random)).map { _ in term() }.joined(separator: " ")
    }

    @Test("The service finds what a device finds, in the same order, for random searches")
    func parity() async throws {
        let seed = TestSeed.first(of: "searches of contacts")
        var random = SeededGenerator(seed: seed)
        try await TestService.run { service in
            let ada = try await service.newUser()
            var stored: [(id: UUID, contact: StoredContact)] = []
            for _ in 0..<4 {
                let rows = (0..<50).map { _ in (UUID(), Self.contact(&random)) }
                let mutations = try rows.map { id, row in
                    guard case .object(let fields) = try AnyJSON(encoding: row) else {
                        throw NeverHappened(description: "a row is an object")
                    }
                    return PushChanges.Mutation(
                        entity: "contact", id: id.uuidString.lowercased(), op: .create, fields: fields)
                }
                let results = try await ada.call(PushChanges(mutations: mutations)).results
                for result in results where result.outcome != .applied { Issue.record("\(result), seed \(seed)") }
                stored += results.compactMap { result in
                    guard let id = UUID(uuidString: result.row?.id ?? ""),
                        let row = try? result.row?.row(StoredContact.self)
                    else { return nil }
                    return (id, row)
                }
            }
            #expect(stored.count == 200)
            let count = TestStage.full ? 1_000 : 200
            var hits = 0
            try await service.withTenant { tenant in
                for _ in 0..<count {
                    let text = Self.query(&random)
                    guard let search = ContactSearch(text) else { continue }
                    let user = UserID(uuid: ada.user.id)
                    let candidates = try await tenant.read {
                        try await ContactQueries.candidates(for: search, of: user, on: $0)
                    }
                    let found = Dictionary(
                        uniqueKeysWithValues: candidates.compactMap { one in search.rank(one.texts).map { (one.id, $0) }
                        })
                    let expected = Dictionary(
                        uniqueKeysWithValues: stored.compactMap { one in search.rank(one.contact).map { (one.id, $0) } }
                    )
                    #expect(found == expected, "\"\(text)\", seed \(seed)")
                    hits += found.count
                }
            }
            #expect(hits > 5 * count)
        }
    }

    @Test(
        "A search finds every field, in any part of a word, page by page, and no deleted contact or one of others")
    func fields() async throws {
        try await TestService.run { service in
            let ada = try await service.newUser()
            let made = try await ada.call(
                CreateContact(
                    firstName: "José", middleName: "Qadir", lastName: "Meda", note: "小明的朋友",
                    phones: [ContactPhone(area: "788", number: "6788768"), ContactPhone(e164: "+4922112345")],
                    addresses: [
                        ContactAddress(
                            street: "1 High Street", apt: "4B", city: "南京市", state: "CA", zip: "90210",
                            country: "Österreich")
                    ], emails: [ContactEmail(email: "jm@example.org")], dates: [ContactDate(date: "1995-06-25")]))
            try await ada.call(CreateContact(firstName: "Other", lastName: "Person"))
            for text in [
                "jose", "OSE", "qadir", "med", "朋友", "788", "8768", "(788) 678-8768", "0221", "high", "4b", "南京", "ca",
                "90210", "osterr", "jm@", "1995", "06-25", "jose 南京", "8768 meda",
            ] {
                #expect(try await ada.call(ListContacts(search: text)).contacts.map(\.id) == [made.id], "\(text)")
            }
            for text in ["%", "_", "\\", "jose other", "789"] {
                #expect(try await ada.call(ListContacts(search: text)).contacts.isEmpty, "\(text)")
            }
            for text in ["a b c d e f g h i", String(repeating: "a", count: 101)] {
                let problem = try await ada.client.refusal(of: ListContacts(search: text))
                #expect(problem.errors?.map(\.field) == ["search"] && problem.errors?.map(\.code) == [.range])
            }
            #expect(try await ada.call(ListContacts(search: " ")).contacts.count == 2)
            #expect(try await service.newUser().call(ListContacts(search: "jose")).contacts.isEmpty)
        }
    }

    @Test("The best comes first, and each contact on one page")
    func pages() async throws {
        try await TestService.run { service in
            let ada = try await service.newUser()
            for (first, last, note) in [
                ("Zoe", "Note", "about ann"), ("Bea", "Joann", nil), ("Mary Ann", "Word", nil), ("Ann", "Zulu", nil),
                ("Anna", "Alpha", nil),
            ] as [(String, String, String?)] {
                try await ada.call(CreateContact(firstName: first, lastName: last, note: note))
            }
            var (names, cursor): ([String], String?) = ([], nil)
            repeat {
                let page = try await ada.call(ListContacts(search: "ann", limit: 2, cursor: cursor))
                names += page.contacts.map(\.lastName)
                cursor = page.nextCursor
            } while cursor != nil
            #expect(names == ["Alpha", "Zulu", "Word", "Joann", "Note"])
        }
    }
}
