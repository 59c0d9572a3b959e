/// How much one user may have: enough for anybody, and little enough to be shown, summed, exported and deleted.
public struct UserLimits: Sendable {
    /// Tombstones. Beyond, the oldest give way, and a device that has not pulled since starts over.
    public var tombstones = 20_000
    /// Answers that are kept for writes with a key. Beyond, the oldest are forgotten.
    public var keptAnswers = 20_000
    /// Their size in bytes.
    public var keptAnswerBytes = 16 << 20
    /// Writes of one user in an hour, and at once after a rest. Each mutation of a push is one.
    public var writesPerHour = 15_000
    /// How long the service works on the changes of one push. The rest is to be sent again.
    public var pushTime = Duration.seconds(10)
    /// Writes from one network in an hour, and at once after a rest.
    public var networkWritesPerHour = 150_000

    /// The numbers of areas' limits that differ from the contract's, by name.
    private var numbers: [String: Int] = [:]

    /// The limits of the contract.
    public init() {}

    /// The number of an area's limit.
    subscript(limit: UserLimit) -> Int {
        get { self[limit.name, limit.standard] }
        set { self[limit.name, limit.standard] = newValue }
    }

    /// A number of an area by its name.
    /// - Parameter standard: the number of the contract.
    subscript(name: String, standard: Int) -> Int {
        get { numbers[name] ?? standard }
        set { numbers[name] = newValue }
    }
}
