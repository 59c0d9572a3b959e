import SubTrackAPI

/// The result of an import of cards.
public struct ContactImportReport: Codable, Sendable, Hashable {
    /// How many contacts were added.
    public var created = 0
    /// How many contacts that were here were changed.
    public var updated = 0
    /// How many cards say nothing new.
    public var unchanged = 0
    /// The cards that were not taken.
    public var refused: [ImportContacts.Refused] = []
    /// The values that had to move, to the note for example.
    public var adjusted: [ImportContacts.Adjusted] = []
    /// Whether the service did it. Else this device did, and sends the contacts with the next sync.
    public var isOfService = false
    /// How many cards lost properties without a field, such as a photo: the service alone keeps those.
    public var reduced = 0

    /// How many cards there were.
    public var count: Int { created + updated + unchanged + refused.count }

    /// Nothing yet.
    public init() {}

    /// Adds the outcome of a part of the file.
    /// - Parameter first: the place of its first card.
    mutating func add(_ outcome: ImportContacts.Output, from first: Int) {
        created += outcome.created
        updated += outcome.updated
        unchanged += outcome.unchanged
        refused += outcome.refused.map { .init(index: $0.index + first, name: $0.name, reason: $0.reason) }
        adjusted += outcome.adjusted.map { .init(index: $0.index + first, what: $0.what) }
    }
}
