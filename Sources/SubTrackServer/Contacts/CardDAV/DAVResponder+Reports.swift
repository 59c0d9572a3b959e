import Foundation
import MariaDB
import NIOHTTP1
import SubTrackAPI

// Questions about many cards: by their paths, by a filter, by a sync token.
extension DAVResponder {
    func report(_ user: UserID) async throws -> ServerResponse {
        guard let document = try await document() else { throw Problem(.inputInvalid, "A REPORT has a body of XML.") }
        switch (document.name.space, document.name.local) {
        case (DAV.cards, "addressbook-multiget"): return try await multiget(document, user)
        case (DAV.cards, "addressbook-query"): return try await query(document, user)
        case (DAV.space, "sync-collection"): return try await changes(document, user)
        default:
            return DAV.refusal(
                .forbidden, DAVProperties.dav("supported-report"), "There is no report \(document.name.local).")
        }
    }

    private func multiget(_ document: DAVElement, _ user: UserID) async throws -> ServerResponse {
        let properties = try DAVProperties(document)
        let hrefs = document.children.filter { $0.name == DAVProperties.dav("href") }.map(\.text)
        let entries = try await tenant.read { try await CardQueries.entries(of: user, on: $0) }
        let (wanted, missing) = try await work((entries.count + hrefs.count) * 200) {
            let known = Dictionary(entries.map { (href($0.name, user), $0) }) { first, _ in first }
            var wanted: [CardQueries.Entry] = []
            var missing = ""
            for text in hrefs {
                let path = DAVPath(href: text, slug: target.slug)
                if let path, let entry = known[path.href(base)] {
                    wanted.append(entry)
                } else {
                    missing += MultiStatus.missing(text)
                }
            }
            return (wanted, missing)
        }
        var answer = MultiStatus()
        answer.append(missing)
        try await append(wanted, properties, to: &answer, user)
        return answer.response()
    }

    private func query(_ document: DAVElement, _ user: UserID) async throws -> ServerResponse {
        let properties = try DAVProperties(document)
        guard let filter = CardFilter(document.child(DAV.cards, "filter")) else {
            return DAV.refusal(
                .forbidden, DAVProperties.card("supported-filter"),
                "A filter has at most \(CardFilter.maximumCount) properties with as many texts, and no parameters.")
        }
        let limit = document.child(DAV.cards, "limit")?.child(DAV.cards, "nresults").flatMap { Int($0.text) } ?? .max
        let entries = try await tenant.read { try await CardQueries.entries(of: user, on: $0) }
        var answer = MultiStatus()
        var count = 0
        for batch in Self.batches(entries) {
            let cards = try await tenant.read { try await CardQueries.cards(batch, of: user, on: $0) }
            let found = try await work(cards.reduce(0) { $0 + $1.size }) {
                try cards.compactMap { card -> String? in
                    let text = try card.text
                    guard filter.matches(text) else { return nil }
                    return resource(card.name, card.version, properties.needsText ? text : nil, properties, user)
                }
            }
            for resource in found {
                count += 1
                guard count <= limit, !answer.isFull else {
                    answer.append(MultiStatus.leftOut(DAVPath.collection(user.uuid).href(base)))
                    return answer.response()
                }
                answer.append(resource)
            }
        }
        return answer.response()
    }

    private func changes(_ document: DAVElement, _ user: UserID) async throws -> ServerResponse {
        let properties = try DAVProperties(document)
        let token = (document.child(DAV.space, "sync-token")?.text ?? "").trimmingSpaces()
        let read = try await tenant.read { connection -> (entries: [CardQueries.Entry], version: Int64)? in
            // Read before the cards: a change in between is told again, and none is left out.
            let counter = try await CardQueries.counter(of: user, on: connection)
            guard !token.isEmpty else {
                return (try await CardQueries.entries(of: user, on: connection), counter.version)
            }
            guard let known = version(of: token, upTo: counter.version),
                let changed = try await CardQueries.changes(after: known, of: user, on: connection),
                // Read behind the cards: tombstones may have been removed in between.
                try await CardQueries.counter(of: user, on: connection).floor <= known
            else { return nil }
            return (changed, counter.version)
        }
        guard let (entries, version) = read else {
            return DAV.refusal(
                .forbidden, DAVProperties.dav("valid-sync-token"),
                "The token is too old, or none of this collection; read the collection anew.")
        }
        let present = entries.filter { !$0.isDeleted }
        var answer = MultiStatus()
        answer.append(
            try await work(entries.count * 200) {
                let names = Set(present.map(\.name))
                return entries.filter { $0.isDeleted && !names.contains($0.name) }
                    .map { MultiStatus.missing(href($0.name, user)) }.joined()
            })
        try await append(present, properties, to: &answer, user)
        return answer.response(token: self.token(version))
    }

    /// The version of a sync token; nil for a token of elsewhere, or of before a backup was restored.
    private func version(of token: String, upTo newest: Int64) -> Int64? {
        guard token.hasPrefix(tokenPrefix), let version = Int64(token.dropFirst(tokenPrefix.count)),
            (0...newest).contains(version)
        else { return nil }
        return version
    }
}
