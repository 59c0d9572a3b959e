import Foundation
import SubTrackAPI
import SubTrackTestSupport
import TestTraits

@testable import SubTrackServer

/// A client of teams that works offline: a copy, an outbox, and a bad connection to one of two replicas.
struct TeamClient: Sendable {
    /// A change with the answer that it got when it was done or refused.
    struct Answered: Sendable {
        var client: Int
        var mutation: TeamMutation
        var outcome: String
        /// The fields of which somebody else's value was kept, with that value.
        var lost: [String: String]
    }

    let user: TeamUser
    /// Which of the clients it is.
    let number: Int
    /// What its texts begin with, so that it can be told whose they are.
    let prefix: String
    var copy = TeamCopy()
    private(set) var outbox: [TeamMutation] = []
    /// What was sent at some time, to be sent again by a network that repeats and reorders.
    private var sent: [[TeamMutation]] = []
    private(set) var answered: [Answered] = []
    /// The teams of which something stood in answers since this was emptied.
    var seen: Set<String> = []
    /// What the server may not answer.
    private(set) var faults: [String] = []
    private var count = 0

    init(user: TeamUser, number: Int, prefix: String) {
        (self.user, self.number, self.prefix) = (user, number, prefix)
    }

    /// Changes something offline.
    /// - Parameter others: the users who may be added.
    mutating func edit(others: [TeamUser], _ random: inout SeededGenerator) {
        let teams = copy.rows("team")
        guard let team = teams.randomElement(using: &random), random.next() % 12 > 0 else {
            return add("team", UUID().uuidString.lowercased(), "create", nil, ["name": text()])
        }
        let (scope, id) = (team.key.scope, team.key.id)
        let item = copy.rows("teamItem", in: scope).randomElement(using: &random)
        let member = copy.rows("teamMember", in: scope).randomElement(using: &random)
        switch (Int.random(in: 0..<20, using: &random), item, member) {
        case (0..<5, _, _), (5..<12, nil, _):
            add(
                "teamItem", UUID().uuidString.lowercased(), "create", nil,
                ["teamId": id, "name": text(), "amount": text()])
        case (5..<12, let item?, _):
            var fields: [String: String] = [:]
            if random.next() % 2 == 0 { fields["name"] = text() }
            if fields.isEmpty || random.next() % 2 == 0 { fields["amount"] = text() }
            let base = random.next() % 8 == 0 ? nil : item.value.version
            add("teamItem", item.key.id, "update", base, fields)
        case (12, let item?, _): add("teamItem", item.key.id, "delete", item.value.version, [:])
        case (13, _, _): add("team", id, "update", team.value.version, ["name": text()])
        case (14..<18, _, _):
            guard let other = others.randomElement(using: &random) else { return }
            add("teamMember", UUID().uuidString.lowercased(), "create", nil, ["teamId": id, "userId": other.name])
        case (_, _, let member?): add("teamMember", member.key.id, "delete", member.value.version, [:])
        default: break
        }
    }

    /// No two changes say the same.
    private mutating func text() -> String {
        count += 1
        return "\(prefix)c\(number)-\(count)"
    }

    private mutating func add(
        _ entity: String, _ id: String, _ op: String, _ base: Int64?, _ fields: [String: String]
    ) {
        let after = outbox.last { $0.id == id }?.key
        outbox.append(TeamMutation(entity: entity, id: id, op: op, base: base, after: after, fields: fields))
    }

    /// Pulls a page, or all there is.
    mutating func pull(limit: Int, all: Bool, isLost: Bool = false, replica: Int) async {
        do {
            repeat {
                let page = try await user.page(copy.cursor, limit: limit, replica: replica)
                seen.formUnion(page.changes.map(\.key.scope))
                if isLost { return }
                copy.take(page)
                if !page.more { return }
            } while all
        } catch {
            note(error, "pull")
        }
    }

    /// Pushes the first changes of the outbox.
    mutating func push(_ count: Int, isLost: Bool = false, isDoubled: Bool = false, replica: Int) async {
        let batch = Array(outbox.prefix(count))
        guard !batch.isEmpty else { return }
        sent.append(batch)
        let user = user
        async let twin: [JSON]? = {
            isDoubled ? try? await user.push(batch, replica: replica + 1) : nil
        }()
        do {
            let results = try await user.push(batch, replica: replica)
            note(results, for: batch)
            if let other = await twin { note(other, for: batch) }
            if !isLost { take(results, for: batch) }
        } catch {
            if let other = await twin { note(other, for: batch) }
            note(error, "push")
        }
    }

    /// Something that was sent long ago arrives once more.
    mutating func repeatOld(_ random: inout SeededGenerator, replica: Int) async {
        guard let batch = sent.randomElement(using: &random) else { return }
        do {
            note(try await user.push(batch, replica: replica), for: batch)
        } catch {
            note(error, "repeat")
        }
    }

    /// Notes what was answered for the first time.
    private mutating func note(_ results: [JSON], for batch: [TeamMutation]) {
        for (mutation, result) in zip(batch, results) {
            if let scope = result["row"]?["scope"]?.text { seen.insert(scope) }
            guard result["replayed"] == .bool(false), let outcome = result["outcome"]?.text, outcome != "unknown"
            else { continue }
            let lost = (result["lost"]?.elements ?? []).map { ($0["field"]?.text ?? "", $0["kept"]?.text ?? "") }
            answered.append(
                Answered(
                    client: number, mutation: mutation, outcome: outcome,
                    lost: Dictionary(lost, uniquingKeysWith: { $1 })))
        }
    }

    private mutating func take(_ results: [JSON], for batch: [TeamMutation]) {
        guard results.map({ $0["key"]?.text }) == batch.map(\.key) else {
            faults.append("the answers are not those of the changes")
            return
        }
        for (mutation, result) in zip(batch, results) {
            guard result["outcome"] != .string("unknown") else { return }
            outbox.removeAll { $0.key == mutation.key }
            // A team that the cursor does not know yet comes with the next pull: it alone tells that one was lost.
            guard let row = result["row"], row != .null, let change = try? TeamCopy.Change(row) else { continue }
            if !change.key.scope.hasPrefix("team/") || copy.teams.contains(change.key.scope) { copy.take(change) }
        }
    }

    /// Notes an error that is no broken connection and no lock that others had.
    private mutating func note(_ error: any Error, _ action: String) {
        guard let problem = error as? Problem, problem.status == 503 || problem.code == .keyInUse else {
            faults.append("\(action) of client \(number): \(error)")
            return
        }
    }
}
