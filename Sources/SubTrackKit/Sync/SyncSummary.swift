/// What a sync did.
public struct SyncSummary: Sendable, Hashable, Codable {
    /// How many changes of this device were done with.
    public var sent = 0
    /// How many of them were refused or done in part: see ``Kit/reports()``.
    public var reported = 0
    /// How many changes were taken in.
    public var received = 0
    /// Whether the rows were pulled anew, for the old copy led nowhere any more.
    public var startedOver = false

    /// Nothing yet.
    public init() {}
}
