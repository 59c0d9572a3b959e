import Foundation
import SubTrackAPI
import SubTrackCore
import TestTraits
import Testing

@testable import SubTrackKit

/// Cards that become contacts on a device.
@Suite("Cards on a device", .ownTime)
struct CardImportTests {
    private func card(
        _ first: String, _ last: String, uid: String? = nil, number: String? = nil, email: String? = nil
    ) -> CardContact {
        CardContact(
            uid: uid,
            contact: StoredContact(
                firstName: first, lastName: last,
                phones: number.map { [.init(area: String($0.prefix(3)), number: String($0.suffix(7)))] } ?? [],
                emails: email.map { [.init(email: $0)] } ?? []))
    }

    /// The contacts after some cards.
    private func taken(_ cards: [CardContact], held: [TrackedContact] = []) -> (
        outcomes: [String], held: [TrackedContact]
    ) {
        var run = CardImport(held: held, deleted: [])
        var rows = Dictionary(held.map { ($0.id, $0) }) { first, _ in first }
        let outcomes = cards.map { card -> String in
            switch run.take(card).outcome {
            case .unchanged: return "unchanged"
            case .create(let contact, let id):
                rows[id] = TrackedContact(id: id, row: contact, isPending: false)
                return "create"
            case .update(let contact, let id, _):
                rows[id] = TrackedContact(id: id, row: contact, isPending: false)
                return "update"
            case .replace(let former, let contact, let id):
                rows[former] = nil
                rows[id] = TrackedContact(id: id, row: contact, isPending: false)
                return "replace"
            }
        }
        return (outcomes, rows.values.sorted { $0.id.uuidString < $1.id.uuidString })
    }

    @Test("The same cards make the same contacts on every device, ids of parts included, and a second time nothing")
    func isRepeatable() {
        let cards = [
            card("Ada", "Lovelace", uid: "one@example.org", number: "7886788768"), card("Grace", "Hopper"),
            card("Grace", "Hopper", number: "7885550100"),
            card("Alan", "Turing", uid: "urn:uuid:9f2c1111-1111-4111-8111-111111111111"),
        ]
        let (outcomes, held) = taken(cards)
        #expect(outcomes == ["create", "create", "create", "create"])
        #expect(taken(cards).held == held)
        #expect(held.contains { $0.id == UUID(uuidString: "9F2C1111-1111-4111-8111-111111111111") })
        let again = taken(cards, held: held)
        #expect(again.outcomes == ["unchanged", "unchanged", "unchanged", "unchanged"] && again.held == held)
    }

    @Test("A card is found by its names with an equal number or address of mail, and adds what is new")
    func isFound() throws {
        let held = [
            TrackedContact(
                id: UUID(), row: card("Ada", "Lovelace", number: "7886788768").contact, isPending: false)
        ]
        let (outcomes, rows) = taken(
            [
                card("Ada", "Lovelace", uid: "x", number: "7886788768", email: "ada@example.org"),
                card("Ada", "Lovelace", uid: "y", email: "ADA@example.org"),
                card("A.", "Lovelace", number: "7886788768"), card("Ada", "Lovelace", uid: "z", number: "7885550100"),
            ], held: held)
        #expect(outcomes == ["update", "unchanged", "create", "create"])
        let ada = try #require(rows.first { $0.id == held[0].id })
        #expect(ada.row.phones == held[0].row.phones && ada.row.emails.map(\.email) == ["ada@example.org"])
    }

    @Test("A card whose person has a new name takes the place of the former contact, with its parts, once")
    func isRenamed() throws {
        let (_, held) = taken([card("Ada", "Byron", uid: "x", number: "7886788768")])
        let renamed = card("Ada", "Lovelace", uid: "x", email: "ada@example.org")
        let (outcomes, rows) = taken([renamed], held: held)
        #expect(outcomes == ["replace"] && rows.map(\.row.lastName) == ["Lovelace"])
        #expect(rows[0].row.phones.count == 1 && rows[0].row.emails.count == 1)
        #expect(taken([renamed], held: rows).outcomes == ["unchanged"])
    }

    @Test("Ids that follow from texts differ where the texts do, and have the order of their places")
    func ids() {
        #expect(UUID(of: ["a", "b"]) == UUID(of: ["a", "b"]) && UUID(of: ["a", "b"]) != UUID(of: ["ab"]))
        let ids = (0..<300).map { UUID(of: ["x"], place: $0).uuidString }
        #expect(ids == ids.sorted() && Set(ids).count == 300)
        #expect(ids.allSatisfy { $0.dropFirst(14).first == "8" })
    }
}
