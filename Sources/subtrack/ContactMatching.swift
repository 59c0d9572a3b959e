import Foundation
import SubTrackAPI
import SubTrackCore
import SubTrackKit

/// How words lead to one contact.
enum ContactMatching {
    /// The fewest digits of an id. Fewer may be those of a number.
    private static let digitsOfID = 6

    /// Those that all words lead to, the best ones alone: the last digits of an id, the name, words that begin words of the name,
    /// or texts anywhere in the contact.
    static func best(_ text: String, among list: [TrackedContact]) -> [TrackedContact] {
        let text = ContactText.folded(text)
        let words = text.split(whereSeparator: \.isWhitespace)
        guard !words.isEmpty else { return [] }
        if words.count == 1, text.count >= digitsOfID, text.allSatisfy({ $0.isHexDigit || $0 == "-" }) {
            let byID = list.filter { $0.id.uuidString.lowercased().hasSuffix(text) }
            if !byID.isEmpty { return byID }
        }
        let names = list.map {
            (full: ContactText.folded($0.row.fullName), short: ContactText.folded($0.row.shortName))
        }
        func those(_ isMeant: ((full: String, short: String)) -> Bool) -> [TrackedContact] {
            zip(list, names).filter { isMeant($1) }.map(\.0)
        }
        for named in [those { $0.full == text }, those { $0.short == text }] where !named.isEmpty { return named }
        let begun = those { name in
            let parts = name.full.split(whereSeparator: \.isWhitespace)
            return words.allSatisfy { word in parts.contains { $0.hasPrefix(word) } }
        }
        if !begun.isEmpty { return begun }
        guard let search = ContactSearch(text) else { return [] }
        let ranked = list.compactMap { tracked in search.rank(tracked.row).map { (tracked, $0) } }
        guard let best = ranked.map(\.1).min() else { return [] }
        return ranked.filter { $0.1 == best }.map(\.0)
    }
}

extension TrackedContact {
    /// The last digits of the id, which tell one from another: the first ones are its time.
    var shortID: String { String(id.uuidString.lowercased().suffix(6)) }
}

extension Session {
    /// The one contact that some words lead to.
    /// - Parameter hint: the command that shows the list.
    func findContact(
        _ text: String, among list: [TrackedContact], hint: String = "subtrack contacts"
    ) throws -> TrackedContact {
        let found = ContactMatching.best(text, among: list)
        guard let first = found.first else {
            throw Failure("there is no contact like \"\(Terminal.clean(text))\"", hint: hint)
        }
        guard found.count == 1 else {
            let shown = found.prefix(8).map { one in
                let beside = [one.row.phones.first?.shown, one.row.emails.first?.email].compactMap { $0 }.first
                return
                    "  \(one.shortID)  \(Terminal.clean([one.row.fullName, beside].compactMap { $0 }.joined(separator: ", ")))"
            }
            throw Failure(
                "\"\(Terminal.clean(text))\" could be \(found.count) contacts; give more of the name, or the digits:\n"
                    + shown.joined(separator: "\n"),
                hint: TypedCommand().line(replacing: typed(text), with: [first.shortID]))
        }
        return first
    }

    /// The words as they were typed: one, or one for each.
    private func typed(_ text: String) -> [String] {
        CommandLine.arguments.contains(text) ? [text] : text.split(separator: " ").map(String.init)
    }
}
