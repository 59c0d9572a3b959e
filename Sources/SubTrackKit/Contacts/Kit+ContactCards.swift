import Foundation
import GRDB
import SubTrackAPI
import SubTrackCore

/// Contacts from and to vCards.
extension Kit {
    /// How large a file of cards may be, in bytes.
    public static let maximumCards = 64 << 20

    /// How much of a file goes in one request, in bytes. JSON writes some characters by two.
    private static let batch = 400 << 10

    /// Takes the cards of a file on this device. The service gets the contacts with the next sync, without properties that have no field.
    /// - Parameters:
    ///   - fillNames: whether `?` stands for a missing first or last name.
    ///   - isTrial: change nothing, and tell what would be changed.
    /// - Throws: ``KitError/store(_:)``, and then nothing was changed.
    public func importCards(_ file: Data, fillNames: Bool = false, isTrial: Bool = false) throws -> ContactImportReport
    {
        try store.write { database in
            var report = ContactImportReport()
            try database.inSavepoint {
                let country = try LocalReading.overlayUser(in: database).country
                let type = StoredContact.self
                var cards = CardImport(
                    held: try DeclaredTexts(of: type.declaration, isDeleted: false, in: database).rows(
                        type, in: database),
                    deleted: try DeclaredTexts(of: type.declaration, isDeleted: true, in: database)
                        .rows(type, in: database))
                for read in VCardReader(Array(file), country: country, fillNames: fillNames) {
                    do {
                        let card = try read.result.get()
                        if cards.count >= type.declaration.limit { throw CardRefusal(Self.isFull) }
                        let (outcome, adjusted) = cards.take(card)
                        try make(outcome, in: database)
                        report.note(outcome)
                        report.adjusted += adjusted.map { .init(index: read.index, what: $0) }
                        if card.rest != nil, !outcome.isUnchanged { report.reduced += 1 }
                    } catch let refusal as CardRefusal {
                        report.refused.append(.init(index: read.index, name: read.name, reason: refusal.reason))
                    } catch let error as KitError {
                        // The store's own troubles are nobody's card.
                        if case .store = error { throw error }
                        report.refused.append(.init(index: read.index, name: read.name, reason: "\(error)"))
                    }
                }
                return isTrial ? .rollback : .commit
            }
            return report
        }
    }

    private static let isFull = "there is room for \(StoredContact.declaration.limit) contacts"

    private func make(_ outcome: CardImport.Outcome, in database: Database) throws {
        let kind = StoredContact.declaration.name
        func enqueue(_ op: PushChanges.Mutation.Op, _ id: UUID) throws {
            try Store.enqueue(kind, id: id.lowercased, op: op, today: try today(in: database), in: database)
        }
        switch outcome {
        case .unchanged: break
        case .create(let contact, let id): _ = try add(contact, id: id, in: database)
        case .update(let contact, let id, let isDeleted):
            if isDeleted { try enqueue(.restore, id) }
            try save(contact, id: id, in: database)
        case .replace(let former, let contact, let id):
            _ = try add(contact, id: id, in: database)
            try enqueue(.delete, former)
        }
    }

    /// Has the service take the cards of a file, and pulls the contacts. What waits has to be sent before: a contact that waits would be
    /// there twice.
    /// - Returns: nil: the service is an older one, which takes no cards.
    /// - Throws: ``KitError``. Cards that were taken before stay, and the same file again changes nothing of them.
    public func importCardsOnService(
        _ file: Data, fillNames: Bool = false, isTrial: Bool = false
    ) async throws -> ContactImportReport? {
        var report = ContactImportReport()
        report.isOfService = true
        for text in VCardReader.batches(Array(file), maximumBytes: Self.batch) {
            let part = ImportContacts(
                cards: String(decoding: text, as: UTF8.self), fillNames: fillNames, dryRun: isTrial)
            do {
                report.add(try await client.call(part), from: report.count)
            } catch KitError.refused(let problem) where problem.isOfMissingPath {
                return nil
            }
        }
        if !isTrial { try await syncIfReachable() }
        return report
    }

    /// All contacts as cards of the service, with what it keeps beside the fields. What waits has to be sent before.
    /// - Returns: nil: the service is an older one, which writes no cards.
    /// - Throws: ``KitError``.
    public func cardsOfService(version: VCardVersion = .v3) async throws -> String? {
        do {
            let file = try await client.answer(to: ExportContacts(version: version.rawValue))
            return String(decoding: file, as: UTF8.self)
        } catch KitError.refused(let problem) where problem.isOfMissingPath {
            return nil
        }
    }

    /// All contacts as cards, as far as this device has them: without properties that have no field.
    public func cards(version: VCardVersion = .v3) throws -> String {
        try contacts().map { VCardWriter.write($0.row, id: $0.id, version: version) }.joined()
    }
}

extension Problem {
    /// Whether the service has nothing at the path.
    fileprivate var isOfMissingPath: Bool { [.notFound, .methodNotAllowed].contains(code) }
}

extension CardImport.Outcome {
    fileprivate var isUnchanged: Bool { if case .unchanged = self { true } else { false } }
}

extension ContactImportReport {
    fileprivate mutating func note(_ outcome: CardImport.Outcome) {
        switch outcome {
        case .unchanged: unchanged += 1
        case .create, .replace: created += 1
        case .update: updated += 1
        }
    }
}
