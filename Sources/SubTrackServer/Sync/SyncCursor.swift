import SubTrackAPI

/// How far a client's copy goes: for each scope the version up to which it has everything.
///
/// Its text is opaque to clients and authenticated (HMAC-SHA256, cut to 16 bytes) by a key in the tenant's database.
/// Every replica reads cursors of another, and nobody can make one up.
struct SyncCursor: Sendable, Equatable {
    /// A place among the changes of one version, in the order in which they are given.
    struct Place: Sendable, Equatable {
        /// See ``ChangeKey/rank``.
        var rank: Int
        /// The row's id, in bytes.
        var id: [UInt8]
    }

    /// How far one scope was read.
    struct Position: Sendable, Equatable {
        /// The scope.
        var scope: SyncScope
        /// All changes up to this version were given; of this one only those up to ``place``, if there is one.
        var version: Int64
        /// Where reading stopped within ``version``; nil: behind it.
        var place: Place?
        /// The counter when the scope was first read. The rows that were given are at least that new, so that older
        /// tombstones do not matter. 0 once ``version`` has come that far.
        var base: Int64
        /// In the middle of a long pull, up to where all was given when it began; nil: ``version``.
        var since: Int64?

        /// The version down to which tombstones are needed.
        var needed: Int64 { max(place == nil ? version : version - 1, base) }
    }

    /// Whose copy it is.
    var user: UserID
    /// The tenant's epoch.
    var epoch: [UInt8]
    /// The user's day on which all that renews by itself was in its period, at the user's version; nil: not known.
    var day: CalendarDate?
    /// The version of the user's scope for which ``positions`` has the scopes that the user sees.
    var known: Int64 = 0
    /// How many changes were left, in the middle of a long pull; 0 otherwise.
    var left = 0
    /// The scopes and how far they were read. The user's own is first.
    var positions: [Position]
    /// The kinds of rows that the copy has. An area that is switched on brings others.
    var coverage = CursorCoverage()

    /// Where the user's own scope stands.
    var userVersion: Int64 { positions.first { $0.scope.isUser }?.version ?? 0 }
}
