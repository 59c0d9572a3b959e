import Foundation
import MariaDB
import NIOPosix
import SubTrackAPI
import SubTrackCore

/// The operation that takes vCards in. Each card is taken or refused by itself, and the same cards again change nothing.
struct ContactImport {
    /// How many cards are taken in one transaction.
    private static let batch = 50

    private let input: ImportContacts
    private let call: Call
    private let user: UserID
    private var output = ImportContacts.Output()
    /// The contacts as a trial has made them.
    private var tried = CardIndex()
    /// How many contacts a trial has added.
    private var added = 0

    /// Handles ``ImportContacts``.
    @Sendable static func handle(
        _ input: ImportContacts, _ call: Call
    ) async throws -> Reply<ImportContacts.Output> {
        var run = ContactImport(input: input, call: call, user: try call.requireSession().user)
        return Reply(try await run.output(country: try call.requireSession().country))
    }

    private init(input: ImportContacts, call: Call, user: UserID) {
        self.input = input
        self.call = call
        self.user = user
    }

    private mutating func output(country: String) async throws -> ImportContacts.Output {
        let (text, fillNames) = (input.cards, input.fillNames ?? false)
        // A text of a mebibyte takes longer than a loop may be kept.
        let cards = try await NIOThreadPool.singleton.runIfActive {
            Array(VCardReader(Array(text.utf8), country: country, fillNames: fillNames))
        }
        for start in stride(from: 0, to: cards.count, by: Self.batch) {
            let batch = Array(cards[start..<min(start + Self.batch, cards.count)])
            let before = self
            // A transaction may run again from the start.
            if input.dryRun == true {
                self = try await call.tenant.read { connection in try await before.taking(batch, on: connection) }
            } else {
                for _ in batch { try call.tenant.writes.take(call) }
                self = try await call.tenant.write(scope: user) { connection in
                    try await before.taking(batch, on: connection)
                }
            }
        }
        return output
    }

    /// The import with some cards more.
    private func taking(_ cards: [ReadCard], on connection: Connection) async throws -> ContactImport {
        var run = self
        var index = try await CardIndex.read(cards, of: user, on: connection)
        index.add(tried)
        let limit = ContactsArea.entity.limit
        var room = call.tenant.limits[limit] - (try await limit.used(by: user, on: connection)) - added
        for read in cards {
            switch read.result {
            case .failure(let refusal): run.refuse(read, refusal.reason)
            case .success(let card):
                do {
                    try await run.take(card, read, &index, &room, on: connection)
                } catch let problem as Problem where problem.code == .inputInvalid || problem.code == .tooMany {
                    run.refuse(read, problem.detail)
                }
            }
        }
        if input.dryRun == true { run.tried = index }
        return run
    }

    private mutating func refuse(_ read: ReadCard, _ reason: String) {
        output.refused.append(.init(index: read.index, name: read.name.isEmpty ? nil : read.name, reason: reason))
    }

    private mutating func take(
        _ card: CardContact, _ read: ReadCard, _ index: inout CardIndex, _ room: inout Int, on connection: Connection
    ) async throws {
        var told = card.adjusted
        if let held = index.contact(of: card) {
            let merge = CardMerge(card, into: held.contact, rest: held.rest, mode: .add)
            told += merge.adjusted
            if !CardIndex.haveSameNames(card.contact, held.contact) {
                // Names never change: the card is another contact from now on.
                try await replace(held, by: merge, named: card, &index, on: connection)
                output.updated += 1
            } else if merge.isChanged {
                var changed = held
                (changed.contact, changed.rest) = (merge.contact, merge.rest)
                try await update(held, to: changed, on: connection)
                index.add(changed)
                output.updated += 1
            } else {
                output.unchanged += 1
            }
        } else {
            guard room > 0 else {
                throw Problem(
                    .tooMany, ContactsArea.entity.limit.refusal(call.tenant.limits[ContactsArea.entity.limit]))
            }
            let new = CardIndex.Held(
                id: try UUIDv7.make(now: call.now), contact: card.contact, rest: card.rest, name: card.uid)
            try await create(new, on: connection)
            index.add(new)
            room -= 1
            if input.dryRun == true { added += 1 }
            output.created += 1
        }
        output.adjusted += told.map { ImportContacts.Adjusted(index: read.index, what: $0) }
    }

    // MARK: Writes

    private func create(_ new: CardIndex.Held, on connection: Connection) async throws {
        let entity = ContactsArea.entity
        var edit = try DeclaredEdit(new.contact, to: nil)
        try entity.checked(&edit)
        guard input.dryRun != true else { return }
        try await DeclaredWrites(entity: entity, user: user, id: new.id).insert(edit, call, on: connection)
        if let name = new.name { try await ContactQueries.setCard(name, of: new.id, user, on: connection) }
        if let rest = new.rest { try await ContactQueries.setRest(rest, of: new.id, user, on: connection) }
    }

    private func update(
        _ held: CardIndex.Held, to changed: CardIndex.Held, on connection: Connection
    ) async throws {
        let entity = ContactsArea.entity
        let row = try DeclaredEdit(held.contact, to: nil).applied()
        var edit = try DeclaredEdit(changed.contact, to: row)
        try entity.checked(&edit)
        guard input.dryRun != true else { return }
        try await DeclaredWrites(entity: entity, user: user, id: held.id).update(edit, call, on: connection)
        if changed.rest != held.rest {
            try await ContactQueries.setRest(changed.rest, of: held.id, user, on: connection)
        }
    }

    /// Puts another contact, with the names of a card, in the place of one that the card was. The former one can be restored.
    private func replace(
        _ held: CardIndex.Held, by merge: CardMerge, named card: CardContact, _ index: inout CardIndex,
        on connection: Connection
    ) async throws {
        var new = CardIndex.Held(
            id: try UUIDv7.make(now: call.now), contact: merge.contact, rest: merge.rest, name: card.uid ?? held.name)
        (new.contact.firstName, new.contact.middleName) = (card.contact.firstName, card.contact.middleName)
        new.contact.lastName = card.contact.lastName
        if input.dryRun != true {
            try await DeclaredWrites(entity: ContactsArea.entity, user: user, id: held.id)
                .setDeleted(true, on: connection)
            try await call.tenant.limits.boundTombstones(of: user, on: connection)
        }
        try await create(new, on: connection)
        if input.dryRun != true {
            try await ContactQueries.takeCards(of: [held.id], user, to: new.id, of: user, on: connection)
        }
        index.remove(held)
        index.add(new)
    }
}
