import Foundation
import MariaDB
import NIOCore
import NIOHTTP1
import SubTrackAPI
import SubTrackCore

// One card: reading, writing, deleting.
extension DAVResponder {
    /// The problem of a card that is not there.
    static let noCard = Problem(.notFound, "There is no such card.")

    func get(_ name: String, _ user: UserID) async throws -> ServerResponse {
        let card = try await tenant.read { connection in
            let entry = try await CardQueries.entry(name, of: user, on: connection)
            return try await CardQueries.cards([entry].compactMap(\.self), of: user, on: connection).first
        }
        guard let card else { throw Self.noCard }
        var response = DAV.empty(.ok, ["etag": tag(card.version)])
        if let known = request.headers.first(name: "if-none-match"), Self.names(known, tag(card.version)) {
            response.status = .notModified
            return response
        }
        response.headers.add(name: "content-type", value: "text/vcard; charset=utf-8")
        response.body = ByteBuffer(string: try await work(card.size) { try card.text })
        return response
    }

    /// Whether a header of entity tags names one.
    private static func names(_ header: String, _ tag: String) -> Bool {
        header.split(separator: ",").contains { part in
            let part = part.trimmingCharacters(in: .whitespaces)
            return part == "*" || part == tag || part == "W/" + tag
        }
    }

    /// Holds a change to `If-Match` and `If-None-Match`.
    /// - Throws: 412.
    private func checkConditions(_ tag: String?) throws {
        let stale = Problem(.stale, "The card has changed meanwhile; read it again.")
        if let known = request.headers.first(name: "if-match") {
            guard let tag, Self.names(known, tag) else { throw stale }
        }
        if let known = request.headers.first(name: "if-none-match"), let tag, Self.names(known, tag) { throw stale }
    }

    func delete(_ name: String, _ user: UserID) async throws -> ServerResponse {
        try tenant.writes.take(call)
        try await tenant.write(scope: user) { connection in
            guard let entry = try await CardQueries.entry(name, of: user, on: connection) else { throw Self.noCard }
            try checkConditions(tag(entry.version))
            try await delete(entry.id, user, on: connection)
        }
        return DAV.empty(.noContent)
    }

    func put(_ name: String, _ user: UserID) async throws -> ServerResponse {
        let bytes = Array(request.body.readableBytesView)
        let country = try call.requireSession().country
        let card: CardContact
        switch try await work(bytes.count, { Self.read(bytes, country: country) }) {
        case .success(let contact): card = contact
        case .failure(let refusal): return Self.invalid(refusal.reason)
        }
        let uid = card.uid ?? name
        guard uid.unicodeScalars.count <= 255 else { return Self.invalid("Its UID has more than 255 characters.") }
        try tenant.writes.take(call)
        let outcome: Outcome
        do {
            outcome = try await tenant.write(scope: user) { connection in
                try await store(card, uid: uid, at: name, user, on: connection)
            }
        } catch let problem as Problem where problem.code == .inputInvalid {
            return Self.invalid(problem.detail)
        }
        switch outcome {
        case .conflict(let other):
            return DAV.refusal(
                .conflict, DAVProperties.card("no-uid-conflict"),
                content: "<d:href>\(DAV.escaped(href(other, user)))</d:href>",
                "Another card has this UID.")
        case .stored(let stored, let isNew):
            var response = DAV.empty(isNew ? .created : .noContent)
            // Without a tag the client reads the card again, which is right where it differs from the sent one.
            let isSame = try await work(bytes.count) { try stored.text.utf8.elementsEqual(bytes) }
            if stored.name == name, isSame {
                response.headers.add(name: "etag", value: tag(stored.version))
            }
            if stored.name != name { response.headers.add(name: "location", value: href(stored.name, user)) }
            return response
        }
    }

    /// Reads the one card of a request.
    private static func read(_ bytes: [UInt8], country: String) -> Result<CardContact, CardRefusal> {
        guard let text = String(validating: bytes, as: UTF8.self), !ClientText.hasTooManyMarks(text) else {
            return .failure(CardRefusal("It is not UTF-8, or has too many combining marks in a row."))
        }
        let read = VCardReader.read(text, country: country, fillNames: true)
        guard read.count == 1, let first = read.first else {
            return .failure(CardRefusal("It has \(read.count) cards; a request has one."))
        }
        return first.result
    }

    private static func invalid(_ reason: String) -> ServerResponse {
        DAV.refusal(.forbidden, DAVProperties.card("valid-address-data"), "The card cannot be read: \(reason)")
    }

    private enum Outcome {
        case conflict(name: String)
        case stored(StoredCard, isNew: Bool)
    }

    private func store(
        _ card: CardContact, uid: String, at name: String, _ user: UserID, on connection: Connection
    ) async throws -> Outcome {
        let held = try await CardQueries.entry(name, of: user, on: connection)
        try checkConditions(held.map { tag($0.version) })
        if let other = try await CardQueries.entry(uid, of: user, on: connection), other.id != held?.id {
            return .conflict(name: other.name)
        }
        let former = try await CardQueries.cards([held].compactMap(\.self), of: user, on: connection).first
        guard let former else {
            let id = try await create(card.contact, uid, card.rest, user, on: connection)
            return .stored(try await stored(id, user, on: connection), isNew: true)
        }
        let merge = CardMerge(card, into: try former.row.contact, rest: former.rest, mode: .replace)
        var id = former.id
        if CardIndex.haveSameNames(card.contact, merge.contact) {
            // A contact whose card came from here has no UID of its own, and needs none.
            let own = former.uid == nil && StoredCard.isID(uid, of: id) ? nil : uid
            try await update(former, to: merge, own, user, on: connection)
        } else {
            // Names never change: the card becomes another contact, and the former one can be restored.
            var contact = merge.contact
            (contact.firstName, contact.middleName) = (card.contact.firstName, card.contact.middleName)
            contact.lastName = card.contact.lastName
            try await delete(former.id, user, on: connection)
            id = try await create(contact, uid, merge.rest, user, on: connection)
        }
        return .stored(try await stored(id, user, on: connection), isNew: false)
    }

    private func create(
        _ contact: StoredContact, _ uid: String, _ rest: String?, _ user: UserID, on connection: Connection
    ) async throws -> UUID {
        let entity = ContactsArea.entity
        let id = try UUIDv7.make(now: call.now)
        guard case .object(let fields) = try AnyJSON(encoding: contact) else { throw Self.noCard }
        var edit = DeclaredEdit(fields, to: nil, of: entity.declaration)
        try await entity.make(.create, id, nil, &edit, call, on: connection)
        try await ContactQueries.setCard(uid, of: id, user, on: connection)
        if let rest { try await ContactQueries.setRest(rest, of: id, user, on: connection) }
        return id
    }

    private func update(
        _ former: StoredCard, to merge: CardMerge, _ uid: String?, _ user: UserID, on connection: Connection
    ) async throws {
        let entity = ContactsArea.entity
        guard case .object(let wanted) = try AnyJSON(encoding: merge.contact) else { throw Self.noCard }
        let difference = DeclaredEdit.difference(from: former.row.row, to: wanted, of: entity.declaration)
        var edit = DeclaredEdit(difference, to: former.row.row, of: entity.declaration)
        try await entity.make(.update, former.id, former.row, &edit, call, on: connection)
        guard former.rest != merge.rest || former.uid != uid else { return }
        if former.uid != uid { try await ContactQueries.setCard(uid, of: former.id, user, on: connection) }
        try await ContactQueries.setRest(merge.rest, of: former.id, user, on: connection)
    }

    private func delete(_ id: UUID, _ user: UserID, on connection: Connection) async throws {
        let entity = ContactsArea.entity
        let row = try await entity.find(id, of: user, on: connection)
        var edit = DeclaredEdit([:], to: row?.row, of: entity.declaration)
        try await entity.make(.delete, id, row, &edit, call, on: connection)
    }

    private func stored(_ id: UUID, _ user: UserID, on connection: Connection) async throws -> StoredCard {
        let entry = try await CardQueries.entry(id, of: user, on: connection)
        let cards = try await CardQueries.cards([entry].compactMap(\.self), of: user, on: connection)
        guard let card = cards.first else { throw Self.noCard }
        return card
    }
}
