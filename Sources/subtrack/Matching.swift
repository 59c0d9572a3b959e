import Foundation
import SubTrackKit

/// How words lead to subscriptions.
enum Matching {
    /// Those that all words lead to, the best ones alone: an id or its last digits, or words that begin words of the name.
    static func best(_ text: String, among list: [TrackedSubscription]) -> [TrackedSubscription] {
        let text = text.lowercased()
        let words = text.split(whereSeparator: \.isWhitespace)
        guard !words.isEmpty else { return [] }
        if words.count == 1, words[0].count >= 4, words[0].allSatisfy({ $0.isHexDigit || $0 == "-" }) {
            let byID = list.filter { $0.id.uuidString.lowercased().hasSuffix(text) }
            if !byID.isEmpty { return byID }
        }
        let scored = list.compactMap { tracked -> (TrackedSubscription, Int)? in
            let plan = tracked.subscription.plan
            let names = [tracked.subscription.label ?? "", plan.provider, plan.name, plan.type].map { $0.lowercased() }
            if names.contains(text) || tracked.name.lowercased() == text { return (tracked, 0) }
            var score = 1
            for word in words {
                let starts = names.contains { name in
                    name.hasPrefix(word)
                        || name.split(whereSeparator: { !$0.isLetter && !$0.isNumber }).contains { $0.hasPrefix(word) }
                }
                if starts { continue }
                guard names.contains(where: { $0.contains(word) }) else { return nil }
                score += 1
            }
            return (tracked, score)
        }
        guard let best = scored.map(\.1).min() else { return [] }
        return scored.filter { $0.1 == best }.map(\.0)
    }
}

extension TrackedSubscription {
    /// The last digits of the id, which tell one from another: the first ones are its time.
    var shortID: String { String(id.uuidString.lowercased().suffix(6)) }
}
