import Foundation
import SubTrackAPI
import SubTrackTestSupport
import TestTraits

@testable import SubTrackServer

/// A client that works offline: a copy, an outbox, and a bad connection. It knows the contract and nothing else.
struct HistoryClient: Sendable {
    /// What the server acknowledged.
    struct Acknowledged: Sendable {
        var mutation: PushChanges.Mutation
        var result: PushChanges.Result
    }

    let user: TestUser
    /// Which of the clients it is.
    let number: Int
    var copy = SyncCopy()
    private(set) var outbox: [PushChanges.Mutation] = []
    private(set) var acknowledged: [Acknowledged] = []
    /// What was sent at some time, to be sent again by a network that repeats and reorders.
    private var sent: [[PushChanges.Mutation]] = []
    /// What the server may not answer.
    private(set) var faults: [String] = []
    /// Answers that never came.
    private(set) var lostAnswers = 0

    /// All that was answered for the first time, also what never arrived: what a history is judged by.
    private(set) var given: [HistoryLedger.Answer] = []
    /// When something happens.
    var step = 0
    /// Whether something was answered that nobody has seen.
    private(set) var isBlind = false
    private var count = 0

    init(user: TestUser, number: Int = 0) {
        self.user = user
        self.number = number
    }

    /// Whether the connection breaks and the answer is lost.
    private static func isLost(_ error: any Error) -> Bool {
        guard let problem = error as? Problem else { return !(error is UnexpectedAnswer) }
        return problem.status == 503 || problem.code == .keyInUse
    }

    /// Pulls a page, or all there is.
    /// - Parameter isLost: the answer does not arrive.
    mutating func pull(limit: Int, all: Bool, scopes: PullChanges.Scopes? = nil, isLost: Bool = false) async {
        do {
            if isLost {
                _ = try await user.client.response(to: PullChanges(cursor: copy.cursor, limit: limit, scopes: scopes))
                lostAnswers += 1
                return
            }
            if all {
                try await copy.pull(user, limit: limit, scopes: scopes)
            } else {
                try await copy.pullPage(user, limit: limit, scopes: scopes)
            }
        } catch {
            note(error, "pull")
        }
    }

    /// Pushes the first changes of the outbox.
    /// - Parameters:
    ///   - isLost: the answer does not arrive.
    ///   - isDoubled: the request arrives twice, at the same time.
    mutating func push(_ count: Int, isLost: Bool = false, isDoubled: Bool = false) async {
        let batch = Array(outbox.prefix(count))
        guard !batch.isEmpty else { return }
        sent.append(batch)
        do {
            let user = user
            async let twin: [PushChanges.Result]? = {
                isDoubled ? try await user.call(PushChanges(mutations: batch)).results : nil
            }()
            let results: [PushChanges.Result]
            do {
                results = try await user.call(PushChanges(mutations: batch)).results
            } catch {
                isBlind = true
                _ = try? await twin
                throw error
            }
            let other: [PushChanges.Result]?
            do {
                other = try await twin
            } catch {
                // Of two that come at the same time one may be told to come again; the other has done it all.
                other = nil
                isBlind = true
            }
            note(results, other, for: batch)
            if isLost {
                lostAnswers += 1
                return
            }
            take(results, for: batch)
        } catch {
            note(error, "push")
        }
    }

    /// Something that was sent long ago arrives once more.
    mutating func repeatOld(_ random: inout SeededGenerator) async {
        guard let batch = sent.randomElement(using: &random) else { return }
        do {
            let results = try await user.call(PushChanges(mutations: batch)).results
            note(results, nil, for: batch)
            for (mutation, result) in zip(batch, results) {
                guard let known = acknowledged.first(where: { $0.mutation.key == mutation.key }) else { continue }
                var again = result
                again.replayed = known.result.replayed
                // The row and the plan are given as they are now.
                again.row = known.result.row
                again.plan = known.result.plan
                if again != known.result, result.outcome != .unknown {
                    faults.append("another answer to the same change: \(result), was \(known.result)")
                }
            }
        } catch {
            note(error, "repeat")
        }
    }

    /// Notes what was answered for the first time, in the order in which it was done.
    private mutating func note(
        _ results: [PushChanges.Result], _ others: [PushChanges.Result]?, for batch: [PushChanges.Mutation]
    ) {
        for (index, mutation) in batch.enumerated() {
            let both = [results, others ?? []].compactMap { $0.indices.contains(index) ? $0[index] : nil }
            isBlind = isBlind || both.contains { $0.outcome == .unknown }
            for result in both where !result.replayed && result.outcome != .unknown {
                given.append(.init(client: number, step: step, mutation: mutation, result: result))
            }
        }
    }

    private mutating func take(_ results: [PushChanges.Result], for batch: [PushChanges.Mutation]) {
        guard results.map(\.key) == batch.map(\.key) else {
            faults.append("the answers are not those of the changes")
            return
        }
        for (mutation, result) in zip(batch, results) {
            guard result.outcome != .unknown else { return }
            outbox.removeFirst()
            acknowledged.append(Acknowledged(mutation: mutation, result: result))
            if let row = result.row { copy.apply(row) }
            if result.outcome == .refused, let problem = result.error, problem.status >= 500 {
                faults.append("\(mutation): \(problem)")
            }
        }
    }

    private mutating func note(_ error: any Error, _ what: String) {
        if Self.isLost(error) { lostAnswers += 1 } else { faults.append("\(what): \(error)") }
    }

    /// The change of a row that waits to be answered, if there is one.
    private func last(of id: String) -> UUID? { outbox.last { $0.id.lowercased() == id.lowercased() }?.key }

    /// The first row, or any: clients that all prefer the first one meet there, so that their changes are merged.
    private static func either(_ first: String?, _ any: String?, _ random: inout SeededGenerator) -> String? {
        random.next() % 2 == 0 ? first ?? any : any
    }

    /// Changes something offline.
    mutating func edit(plans: [Int64], _ random: inout SeededGenerator) {
        guard random.next() % 4 > 0 else { return editContact(&random) }
        let held = copy.data(.subscription).keys.sorted()
        let outstanding = outbox.filter { $0.entity == "subscription" && $0.op == "create" }.map(\.id)
        let gone = acknowledged.map(\.mutation).filter { $0.entity == "subscription" && $0.op == "delete" }.map(\.id)
        let id = Self.either(held.first, (held + outstanding).randomElement(using: &random), &random)
        // No two changes say the same, so that it can be told whose it was.
        count += 1
        let text = AnyJSON.string("\(number)-\(count)")
        func add(_ op: PushChanges.Mutation.Op, _ id: String, _ fields: [String: AnyJSON] = [:]) {
            let version = copy.rows[.init(scope: "user", entity: .subscription, id: id)]?.version
            outbox.append(
                .init(
                    entity: .subscription, id: id, op: op,
                    baseVersion: op == .create || random.next() % 5 == 0 ? nil : version, after: last(of: id),
                    fields: fields))
        }
        switch (Int.random(in: 0..<20, using: &random), id) {
        case (0..<4, _), (_, nil):
            var fields: [String: AnyJSON] = ["startDate": .string("2026-0\(random.next() % 9 + 1)-28"), "note": text]
            if random.next() % 4 == 0 {
                fields["plan"] = .object([
                    "provider": .string("Own \(random.next() % 3)"), "name": text, "fee": "3.00", "currency": "USD",
                    "duration": .object(["value": .integer(1), "unit": "month"]),
                ])
            } else {
                fields["planId"] = .integer(plans.randomElement(using: &random) ?? 1)
            }
            add(.create, UUID().uuidString.lowercased(), fields)
        case (4..<9, let id?):
            let field =
                ["note", "label", "reminderDays", "muted", "fee", "autoRenew", "planId"].randomElement(using: &random)
                ?? "note"
            let value: AnyJSON =
                switch field {
                case "reminderDays": .integer(Int64(number * 100 + count))
                case "fee": .string("\(number * 1000 + count).50")
                case "planId": .integer(plans.prefix(2).randomElement(using: &random) ?? 1)
                case "autoRenew": .bool(false)
                case "muted": .bool(count.isMultiple(of: 2))
                default: text
                }
            var fields = [field: value]
            if random.next() % 2 == 0 { fields["note"] = text }
            add(.update, id, fields)
        case (9..<13, let id?):
            guard case .subscription(let row) = copy.data(.subscription)[id] else { return }
            add(.renew, id, ["period": .integer(Int64(row.period))])
        case (13, let id?): add(.cancel, id)
        case (14, let id?): add(.resume, id)
        case (15..<17, let id?): add(.delete, id)
        case (17, _): if let id = gone.randomElement(using: &random) { add(.restore, id) }
        case (18, _):
            let me = copy.rows.first { $0.key.entity == .me }
            outbox.append(
                .init(
                    entity: .me, id: user.user.id.uuidString, op: .update, baseVersion: me?.value.version,
                    after: last(of: user.user.id.uuidString), fields: ["userName": text]))
        default:
            let own = copy.rows.filter {
                if case .plan(let plan) = $0.value.data { plan.private } else { false }
            }
            guard let plan = own.min(by: { $0.key < $1.key }) else { return }
            outbox.append(
                .init(
                    entity: .plan, id: plan.key.id, op: random.next() % 3 == 0 ? .delete : .update,
                    baseVersion: plan.value.version,
                    after: last(of: plan.key.id), fields: random.next() % 3 == 0 ? [:] : ["name": text]))
        }
    }

    /// Changes a contact offline: its note, or one of its numbers.
    private mutating func editContact(_ random: inout SeededGenerator) {
        count += 1
        let text = AnyJSON.string("\(number)-\(count)")
        // No two changes say the same.
        let phone: [String: AnyJSON] = [
            "area": .null, "number": .null, "e164": .string("+49221\(10_000 * (number + 1) + count)"), "type": "work",
        ]
        let new = UUID().uuidString.lowercased()
        let gone = acknowledged.map(\.mutation).filter { $0.entity == "contact" && $0.op == "delete" }.map(\.id)
        func add(_ op: PushChanges.Mutation.Op, _ id: String, _ fields: [String: AnyJSON] = [:]) {
            outbox.append(
                .init(
                    entity: "contact", id: id, op: op,
                    baseVersion: copy.rows[.init(scope: "user", entity: "contact", id: id)]?.version,
                    after: last(of: id), fields: fields))
        }
        let choice = Int.random(in: 0..<12, using: &random)
        let held = copy.data("contact").keys.sorted()
        guard choice > 1, let id = Self.either(held.first, held.randomElement(using: &random), &random) else {
            let parts: AnyJSON = .array([.object(phone.merging(["id": .string(new)]) { $1 })])
            return add(.create, UUID().uuidString.lowercased(), ["firstName": "F", "lastName": text, "phones": parts])
        }
        let waiting = outbox.filter { $0.id == id }.compactMap { $0.fields?["phones"] }.flatMap { value -> [String] in
            if case .object(let parts) = value { Array(parts.keys) } else { [] }
        }
        var known: [String] = []
        if case .other(.object(let row))? = copy.data("contact")[id], case .array(let parts)? = row["phones"] {
            known = parts.compactMap { part in
                guard case .object(let members) = part, case .string(let id)? = members["id"] else { return nil }
                return waiting.contains(id) ? nil : id
            }
        }
        switch (choice, Self.either(known.min(), known.sorted().randomElement(using: &random), &random)) {
        case (2..<4, _): add(.update, id, ["note": text])
        case (4..<6, _): add(.update, id, ["phones": .object([new: .object(phone.merging(["new": true]) { $1 })])])
        case (6..<8, let part?): add(.update, id, ["phones": .object([part: .object(phone)]), "note": text])
        case (8, let part?): add(.update, id, ["phones": .object([part: .null])])
        case (9, _): add(.delete, id)
        default: if let id = gone.randomElement(using: &random) { add(.restore, id) }
        }
    }
}
