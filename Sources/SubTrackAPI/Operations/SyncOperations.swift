import Foundation

/// Changes since a cursor.
public struct PullChanges: Operation {
    public static let name = "changes.pull"
    public static let endpoint = Endpoint.get("/v1/changes")
    public static let access = Access.device
    public static let summary =
        "Gives the changes since a cursor, or everything, for a client that keeps a copy."
    public static let errors = [ErrorCode.resync]

    /// Which sets of rows are asked for.
    public enum Scopes: String, Codable, Sendable, CaseIterable {
        /// The user's own rows, countries, currencies and providers, and the catalogues that the user needs.
        case all
        /// The user's own rows alone; the cursor keeps its place in the others.
        case user
    }

    /// A page of changes.
    public struct Output: Codable, Sendable, Hashable {
        /// The sets of rows that this user no longer sees: drop all rows of these before applying the changes.
        public var dropped: [String]
        /// Changes, in the order in which to apply them: of each scope by version, periods behind their subscription.
        public var changes: [Change]
        /// The `cursor` for the next call.
        public var cursor: String
        /// Whether there is more: pull again at once.
        public var more: Bool
        /// About how many changes are left after these; 0 when there are none.
        public var total: Int

        /// A page.
        public init(dropped: [String], changes: [Change], cursor: String, more: Bool, total: Int) {
            self.dropped = dropped
            self.changes = changes
            self.cursor = cursor
            self.more = more
            self.total = total
        }
    }

    /// The cursor of the last answer; without it: everything.
    public var cursor: String?
    /// How many changes at most, 1…1000; 500 unless given.
    public var limit: Int?
    /// Which sets of rows; `all` unless given.
    public var scopes: Scopes?

    /// Changes since a cursor.
    public init(cursor: String? = nil, limit: Int? = nil, scopes: Scopes? = nil) {
        self.cursor = cursor
        self.limit = limit
        self.scopes = scopes
    }
}

/// Changes that were made offline, in their order.
public struct PushChanges: Operation {
    public static let name = "changes.push"
    public static let endpoint = Endpoint.post("/v1/changes")
    public static let access = Access.device
    public static let summary =
        "Applies changes that were made offline, each once and in its order, and gives the outcome of each."
    public static let errors = [ErrorCode.resync, .tooMany, .rateLimited]
    /// Each change has a key and a base of its own.
    public static let conditions: Conditions = []

    /// How many changes one request may carry.
    public static let maximumCount = 100

    /// One change that was made offline.
    public struct Mutation: Codable, Sendable, Hashable {
        /// The action.
        public enum Op: String, Sendable, CaseIterable {
            case create, update, delete, restore, renew, cancel, resume, answer
        }

        /// How many names ``fields`` may have: more than any row has fields.
        public static let maximumFields = 32
        /// How many values ``fields`` may hold, those inside of others included: each of 200 parts of a contact goes, and another
        /// one comes.
        public static let maximumValues = 2_000

        /// A UUID that stands for this change alone: sent again, it is answered again and not done twice.
        public var key: UUID
        /// The kind of row: `me`, `subscription`, or `plan` for one of the user's own.
        public var entity: String
        /// The row's id; of a new row the one that it is to have.
        public var id: String
        /// The action: `create`, `update`, `delete`, `restore`, `renew`, `cancel`, `resume`, `answer`.
        public var op: String
        /// The version of the row that the change was based on; without it later changes are overwritten.
        public var baseVersion: Int64?
        /// Where ``fields`` has `plan`, the version of the plan that was known; ``baseVersion`` stands for it else.
        public var planVersion: Int64?
        /// The key of the change of the same row on top of which this one was made, before that one was answered. Its
        /// writes do not count as somebody else's.
        public var after: UUID?
        /// The user's day on which the change was made; today unless given, and at the latest. Automatic renewals after
        /// that day, and after ``baseVersion``, are as if the change had been here before.
        public var madeOn: CalendarDate?
        /// The changed fields alone, by the names of the direct operation; a renewal names its `period`.
        /// At most 32 names, and 2,000 values with those inside of others.
        public var fields: [String: AnyJSON]?

        /// A change with its fields.
        public init(
            key: UUID = UUID(), entity: SyncEntity, id: String, op: Op, baseVersion: Int64? = nil,
            planVersion: Int64? = nil, after: UUID? = nil, madeOn: CalendarDate? = nil, fields: [String: AnyJSON]? = nil
        ) {
            self.key = key
            self.entity = entity.rawValue
            self.id = id
            self.op = op.rawValue
            self.baseVersion = baseVersion
            self.planVersion = planVersion
            self.after = after
            self.madeOn = madeOn
            self.fields = fields
        }
    }

    /// The outcome of a change.
    public enum Outcome: String, Codable, Sendable, CaseIterable {
        /// It is done as it was sent.
        case applied
        /// It is done, on top of somebody else's later changes. The fields in ``Result/lost`` are not.
        case merged
        /// It is not done and never will be: ``Result/error`` says why.
        case refused
        /// It is not known whether it is done: send it again with the same key.
        case unknown
    }

    /// The answer to one change.
    public struct Result: Codable, Sendable, Hashable {
        /// The change's key.
        public var key: UUID
        /// Its outcome.
        public var outcome: Outcome
        /// Whether this was answered before.
        public var replayed: Bool
        /// The row as it is now.
        public var row: Change?
        /// Where ``Mutation/fields`` had `plan`, the plan as it is now: its version is the next change's ``Mutation/planVersion``.
        public var plan: Change?
        /// The fields of which somebody else's value was kept.
        public var lost: [LostField]
        /// Why it is refused or unknown.
        public var error: Problem?

        /// An answer.
        public init(
            key: UUID, outcome: Outcome, replayed: Bool = false, row: Change? = nil, plan: Change? = nil,
            lost: [LostField] = [], error: Problem? = nil
        ) {
            self.key = key
            self.outcome = outcome
            self.replayed = replayed
            self.row = row
            self.plan = plan
            self.lost = lost
            self.error = error
        }
    }

    /// The answers, in the order of the changes.
    public struct Output: Codable, Sendable, Hashable {
        /// The answers.
        public var results: [Result]

        /// The answers.
        public init(results: [Result]) { self.results = results }
    }

    /// The changes, at most 100.
    public var mutations: [Mutation]
    /// The client's cursor: where it leads nowhere any more, nothing is applied and the answer is 410 `resync`.
    public var cursor: String?

    /// Changes in their order.
    public init(mutations: [Mutation], cursor: String? = nil) {
        self.mutations = mutations
        self.cursor = cursor
    }
}

/// A field that somebody else changed first: theirs is kept.
public struct LostField: Codable, Sendable, Hashable {
    /// The field.
    public var field: String
    /// The stored value.
    public var kept: AnyJSON
    /// The sent value, which is not stored.
    public var yours: AnyJSON

    /// A field with both of its values.
    public init(field: String, kept: AnyJSON, yours: AnyJSON) {
        self.field = field
        self.kept = kept
        self.yours = yours
    }
}

extension PullChanges: FieldRules {
    public static let fieldRules: [String: FieldRule] = ["limit": .pageLimit, "cursor": .syncCursor]
}

extension PushChanges: FieldRules {
    public static let fieldRules: [String: FieldRule] = [
        "mutations": .list(upTo: PushChanges.maximumCount), "cursor": .syncCursor,
    ]
}

extension PushChanges.Mutation: FieldRules {
    public static let fieldRules: [String: FieldRule] = [
        "fields": .members(upTo: maximumFields, values: maximumValues)
    ]
}

extension FieldRule {
    /// How far a copy goes: a place in each of all countries' catalogues and in hundreds of shared scopes fits in.
    fileprivate static let syncCursor = text(0...14_000)
}
