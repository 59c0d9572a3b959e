import Foundation
import SubTrackAPI

/// What happened to each row in a history, in the order of versions, and what should have been answered to each change.
///
/// It knows the rules from the contract and goes by values alone: which version changed which group is found by comparing a
/// row's states, not by what the database notes of its groups.
public struct HistoryLedger: Sendable {
    /// A row's fields; nil: it is gone.
    public typealias State = [String: AnyJSON]

    /// An answer that was given for the first time.
    public struct Answer: Sendable {
        public var client: Int
        /// When it came; what happened at the same time has the same.
        public var step: Int
        public var mutation: PushChanges.Mutation
        public var result: PushChanges.Result

        /// An answer to a client.
        public init(client: Int, step: Int, mutation: PushChanges.Mutation, result: PushChanges.Result) {
            self.client = client
            self.step = step
            self.mutation = mutation
            self.result = result
        }
    }

    /// What an admin's statement made of a row.
    public struct Typed: Sendable {
        public var step: Int
        public var row: String
        public var version: Int64
        public var state: State?
        /// Whether devices can see it: what was deleted may be changed in a way that shows when it is restored.
        public var isSeen: Bool
        /// Whether the row is gone for good; another one may be made with its id.
        public var isRemoval: Bool

        /// What a row has become.
        public init(
            step: Int, row: String, version: Int64, state: State?, isSeen: Bool = true, isRemoval: Bool = false
        ) {
            self.step = step
            self.row = row
            self.version = version
            self.state = state
            self.isSeen = isSeen
            self.isRemoval = isRemoval
        }
    }

    private struct Entry {
        var version: Int64
        var step: Int
        var state: State?
        /// Who wrote it: a client's number, or -1. Several where it cannot be told.
        var writers: Set<Int>
    }

    /// The day on which all of it happens, in the user's zone.
    public var today = "2026-02-10"
    public private(set) var answers: [Answer] = []
    public private(set) var typed: [Typed] = []

    /// Nothing has happened yet.
    public init() {}

    /// Takes note of an answer.
    public mutating func note(_ answer: Answer) { answers.append(answer) }
    /// Takes note of what a statement did.
    public mutating func note(_ statement: Typed) { typed.append(statement) }

    /// How many answers were judged, in which something was lost, or refused.
    public struct Judged: Sendable, Equatable {
        public var (all, merged, lost, refused, skipped) = (0, 0, 0, 0, 0)

        /// None.
        public init() {}

        public static func + (left: Judged, right: Judged) -> Judged {
            var sum = left
            sum.all += right.all
            sum.merged += right.merged
            sum.lost += right.lost
            sum.refused += right.refused
            sum.skipped += right.skipped
            return sum
        }
    }

    /// Whether an admin removed a row for good, then or later: what there is by its id afterwards is another one.
    public func isRemoved(_ mutation: PushChanges.Mutation, after step: Int) -> Bool {
        let row = Self.row(of: mutation)
        return typed.contains { $0.row == row && $0.isRemoval && $0.step >= step }
    }

    /// Compares all answers with what they should have been.
    public func judge() -> (faults: [String], judged: Judged) {
        var (faults, judged) = ([String](), Judged())
        let byRow = Dictionary(grouping: answers) { Self.row(of: $0.mutation) }
        for (row, answers) in byRow where Self.isJudged(String(row.prefix { $0 != " " })) {
            let entries = timeline(row, answers, &faults)
            var hasWritten: Set<[Int64]> = []
            let hidden = typed.first { $0.row == row && !$0.isSeen }?.step ?? .max
            for answer in answers {
                judged.all += 1
                guard answer.step < hidden else {
                    judged.skipped += 1
                    continue
                }
                if answer.result.outcome == .refused {
                    judged.refused += 1
                    let before = entries.filter { $0.step < answer.step }.last
                    let meanwhile = entries.filter { $0.step == answer.step }
                    let states = [before?.state] + meanwhile.map(\.state)
                    if !states.contains(where: { Self.mayRefuse(answer.mutation, $0) }) {
                        faults.append("refused for nothing: \(answer.mutation) -> \(answer.result), was \(states)")
                    }
                    continue
                }
                guard let version = answer.result.row?.version,
                    let index = entries.firstIndex(where: { $0.version == version })
                else {
                    // A deletion of what was deleted before has the version of then, or of the scope.
                    judged.skipped += 1
                    continue
                }
                let entry = entries[index]
                guard entry.writers.count == 1 || !entry.writers.contains(answer.client) else {
                    judged.skipped += 1
                    continue
                }
                let wrote =
                    entry.writers == [answer.client] && hasWritten.insert([Int64(answer.client), version]).inserted
                let (past, now) = (entries[..<(wrote ? index : index + 1)], wrote ? entry.state : entries[index].state)
                if answer.result.outcome == .merged { judged.merged += 1 }
                if !answer.result.lost.isEmpty { judged.lost += 1 }
                faults += judge(answer, past: Array(past), now: now)
            }
        }
        return (faults, judged)
    }

    private func judge(_ answer: Answer, past: [Entry], now: State?) -> [String] {
        let (mutation, result) = (answer.mutation, answer.result)
        let before = past.last?.state
        func fault(_ text: String) -> [String] { ["\(text): \(mutation) -> \(result), was \(before ?? [:])"] }
        if mutation.op == "create" { return past.isEmpty ? [] : fault("made twice") }
        if mutation.op == "restore" { return now == nil ? fault("restored and gone") : [] }
        guard let before else {
            return mutation.op == "delete" ? [] : fault("a change of what is gone")
        }
        if mutation.op == "delete" { return now == nil ? [] : fault("deleted and there") }
        guard let now else { return fault("gone by a change") }
        // What somebody else has changed since the base.
        var (taken, isOpen) = (Set<String>(), false)
        if let base = mutation.baseVersion {
            for (index, entry) in past.enumerated() where entry.version > base {
                let changed = Self.changed(from: index == 0 ? nil : past[index - 1].state, to: entry.state)
                if !entry.writers.contains(answer.client) {
                    taken.formUnion(changed)
                } else if entry.writers.count > 1 {
                    isOpen = isOpen || !changed.isEmpty
                }
            }
        }
        guard !isOpen else { return [] }
        let (wanted, effects) = self.wanted(mutation, before)
        let lost = effects.keys.filter {
            taken.contains(Self.group($0)) && effects[$0] != before[$0] ?? .null && !Self.isForced(mutation)
        }
        var expected = before
        for (field, value) in effects where !lost.contains(field) { expected[field] = value }
        // What has ended and is resumed begins another period.
        if mutation.op == "resume", lost.isEmpty, before["cancelledOn"] != .null,
            case .string(let end)? = before["endDate"],
            end < today, case .integer(let period)? = before["period"]
        {
            expected["period"] = .integer(period + 1)
        }
        let told = Set(result.lost.map { wanted[$0.field] ?? $0.field })
        if told != Set(lost) { return fault("lost should be \(lost.sorted())") }
        for field in result.lost where before[wanted[field.field] ?? field.field] ?? .null != Self.value(field.kept) {
            return fault("not what is kept of \(field.field)")
        }
        for (field, value) in expected where !Self.isFollowing(field) && now[field] ?? .null != value {
            return fault("\(field) should be \(value), is \(now[field] ?? .null)")
        }
        if let more = now.keys.first(where: { expected[$0] == nil }) { return fault("nobody has made \(more)") }
        // A part that somebody else removed is no group of the row any more.
        guard !Self.hasParts(mutation.entity) else { return [] }
        let isMerged = !taken.isEmpty
        if (result.outcome == .merged) != isMerged { return fault("should be \(isMerged ? "merged" : "applied")") }
        return []
    }

    // MARK: The rules

    private static func isJudged(_ kind: String) -> Bool { ["subscription", "me"].contains(kind) || hasParts(kind) }

    /// Whether a kind of row is declared by its fields and parts.
    private static func hasParts(_ kind: String) -> Bool { EntityTable.declaration(of: .init(rawValue: kind)) != nil }

    /// Whether a change may be refused in a state.
    private static func mayRefuse(_ mutation: PushChanges.Mutation, _ state: State?) -> Bool {
        guard mutation.entity == "subscription" || Self.hasParts(mutation.entity) else { return false }
        if mutation.op == "create" { return state != nil }
        // Only what was deleted for good cannot be restored; nothing of it can be told apart here.
        if mutation.op == "restore" { return state == nil }
        guard let state else { return true }
        switch mutation.op {
        case "renew":
            guard case .integer(let period)? = mutation.fields?["period"], case .integer(let current)? = state["period"]
            else { return true }
            return period > current || period == current && state["cancelledOn"] != .null
        // An own fee is in the currency of the plan.
        case "update":
            return mutation.fields?["planId"] != nil && mutation.fields?["fee"] == nil && state["ownFee"] != .null
        default: return false
        }
    }

    /// What a change makes of the fields of a row, and the names of those fields in `lost`.
    private func wanted(
        _ mutation: PushChanges.Mutation, _ before: State
    ) -> (names: [String: String], effects: State) {
        var effects: State = [:]
        switch mutation.op {
        case "cancel":
            if before["cancelledOn"] == .null { effects["cancelledOn"] = .string(today) }
        case "resume": effects["cancelledOn"] = .null
        case "renew":
            if case .integer(let period)? = before["period"], mutation.fields?["period"] == before["period"] {
                effects["period"] = .integer(period + 1)
            }
        default:
            for (field, value) in mutation.fields ?? [:] {
                if Self.hasParts(mutation.entity), case .object(let parts) = value {
                    for (id, part) in parts { effects["\(field).\(id)"] = Self.value(part) }
                } else {
                    effects[field == "fee" ? "ownFee" : field] = Self.value(value)
                }
            }
        }
        return (["fee": "ownFee"], effects)
    }

    /// Whether it is done whoever was there.
    private static func isForced(_ mutation: PushChanges.Mutation) -> Bool { mutation.op == "renew" }

    /// Whether a field follows from others, and the database's rules for it are tested elsewhere.
    private static func isFollowing(_ field: String) -> Bool {
        ["startDate", "endDate", "freeTrial", "anchorDate", "anchorCount", "periodFee", "currency"].contains(field)
    }

    private static func group(_ field: String) -> String {
        switch field {
        case "planId", "ownFee": "terms"
        case "autoRenew", "cancelledOn", "reminderDays", "muted": "intent"
        case "label", "note": "notes"
        case "userName", "country", "timeZone": field
        // Each part of a row is a group of its own.
        case let part where part.contains("."): part
        default: "billing"
        }
    }

    /// The groups in which two states differ; all where one is gone.
    private static func changed(from old: State?, to new: State?) -> Set<String> {
        guard let old, let new else {
            return new.map { Set($0.keys.map(group)) } ?? []
        }
        var groups = Set(Set(old.keys).union(new.keys).filter { old[$0] != new[$0] }.map(group))
        // Another plan is another calendar.
        if groups.contains("terms") { groups.insert("billing") }
        return groups
    }

    // MARK: Rows

    /// The states of a row, in their order.
    private func timeline(_ row: String, _ answers: [Answer], _ faults: inout [String]) -> [Entry] {
        var entries: [Int64: Entry] = [:]
        for statement in typed where statement.row == row && statement.isSeen {
            entries[statement.version] = Entry(
                version: statement.version, step: statement.step, state: statement.state, writers: [-1])
        }
        let given = answers.filter { $0.result.row != nil && $0.result.outcome != .refused }
        for answer in given {
            guard let change = answer.result.row else { continue }
            let state = change.data.map(Self.state)
            if var entry = entries[change.version] {
                if entry.state != state {
                    faults.append("two states of one version: \(row) \(change.version): \(entry), \(answer)")
                }
                if !entry.writers.contains(-1) {
                    entry.writers.insert(answer.client)
                    entry.step = min(entry.step, answer.step)
                    entries[change.version] = entry
                }
            } else {
                entries[change.version] = Entry(
                    version: change.version, step: answer.step, state: state, writers: [answer.client])
            }
        }
        var sorted = entries.values.sorted { $0.version < $1.version }
        // Of two who were answered with the same version at the same time, the one whose change it shows wrote it.
        for index in sorted.indices where sorted[index].writers.count > 1 {
            let before = index == 0 ? nil : sorted[index - 1].state
            let first = given.filter {
                $0.result.row?.version == sorted[index].version && $0.step == sorted[index].step
            }
            let writers = Set(first.map(\.client))
            let likely = Set(
                first.filter { answer in
                    guard let before, let now = sorted[index].state else { return true }
                    return wanted(answer.mutation, before).effects.contains {
                        before[$0.key] ?? .null != $0.value && now[$0.key] ?? .null == $0.value
                    }
                }.map(\.client))
            sorted[index].writers = likely.isEmpty ? writers : likely
        }
        return sorted
    }

    /// A row's name among those of its user.
    static func row(of mutation: PushChanges.Mutation) -> String { "\(mutation.entity) \(mutation.id.lowercased())" }

    /// The fields of a row.
    public static func state(_ data: Change.Data) -> State {
        switch data {
        case .subscription(let row):
            [
                "planId": .integer(row.planId), "label": text(row.label), "startDate": text(row.startDate.description),
                "endDate": text(row.endDate.description), "freeTrial": .bool(row.freeTrial),
                "anchorDate": text(row.anchorDate.description), "anchorCount": .integer(Int64(row.anchorCount)),
                "period": .integer(Int64(row.period)), "periodFee": value(.string(row.fee.description)),
                "currency": text(row.currency),
                "ownFee": row.ownFee.map { value(.string($0.description)) } ?? .null,
                "autoRenew": .bool(row.autoRenew), "cancelledOn": text(row.cancelledOn?.description),
                "reminderDays": row.reminderDays.map { .integer(Int64($0)) } ?? .null, "muted": .bool(row.muted),
                "note": text(row.note),
            ]
        case .me(let row):
            ["userName": text(row.userName), "country": text(row.country), "timeZone": text(row.timeZone)]
        case .other(.object(let row)): parted(row)
        default: [:]
        }
    }

    /// The fields of a row with lists of parts: each part stands beside them, as `phones.0190…`. What is null is left out.
    private static func parted(_ row: [String: AnyJSON]) -> State {
        row.reduce(into: [:]) { state, field in
            guard case .array(let parts) = field.value else {
                if field.value != .null { state[field.key] = field.value }
                return
            }
            for part in parts {
                guard case .object(let members) = part, case .string(let id)? = members["id"] else { continue }
                state["\(field.key).\(id.lowercased())"] = value(part)
            }
        }
    }

    private static func text(_ text: String?) -> AnyJSON { text.map { .string($0) } ?? .null }

    /// An amount without the digits that say nothing, and a part without its id and null members; anything else as it is.
    private static func value(_ value: AnyJSON) -> AnyJSON {
        if case .object(let members) = value {
            return .object(members.filter { $0.value != .null && !["id", "new"].contains($0.key) })
        }
        guard case .string(let text) = value, text.contains("."), let amount = Amount(text) else { return value }
        var digits = amount.description
        while digits.last == "0" { digits.removeLast() }
        if digits.last == "." { digits.removeLast() }
        return .string(digits)
    }
}
