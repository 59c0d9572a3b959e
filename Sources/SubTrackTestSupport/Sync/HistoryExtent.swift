import Foundation
import TestTraits

/// How many random histories a test plays, in batches: the number that its judgements need.
///
/// With `script/test --full` it plays as many as 15 s allow, with `--faults` as many as 120 s. A batch that has begun is
/// finished. `SUBTRACKIT_HISTORY_SECONDS` is another time, `SUBTRACKIT_HISTORIES` a number in place of any time.
public struct HistoryExtent: Sendable {
    /// The number of histories that was asked for; nil: the time decides.
    public static let number = setting("SUBTRACKIT_HISTORIES")

    private let number: Int?
    private let time: Duration
    private let (batch, minimum): (Int, Int)
    private let began = ContinuousClock.now
    private var played = 0

    /// The extent that the environment gives.
    /// - Parameters:
    ///   - batch: The number of histories that are played together.
    ///   - minimum: The number without a time, and the least in any time. The judgements of a test need so many.
    public init(batch: Int, minimum: Int) {
        let seconds = Self.setting("SUBTRACKIT_HISTORY_SECONDS")
        let isTimed = seconds != nil || TestStage.full
        self.init(
            number: Self.number ?? (isTimed ? nil : minimum), seconds: seconds ?? (TestStage.faults ? 120 : 15),
            batch: batch, minimum: minimum)
    }

    /// An extent of so many histories, or of so many seconds.
    public init(number: Int?, seconds: Int, batch: Int, minimum: Int) {
        (self.number, self.batch, self.minimum) = (number, batch, minimum)
        time = .seconds(seconds)
    }

    /// Takes the next histories.
    /// - Returns: Their numbers from zero on; nil at the end.
    public mutating func next() -> Range<Int>? {
        let left = number.map { $0 - played } ?? batch
        let isOver = number == nil && played >= minimum && began.duration(to: .now) >= time
        guard left > 0, !isOver else { return nil }
        let range = played..<(played + min(left, batch))
        played = range.upperBound
        return range
    }

    /// A number of the environment.
    private static func setting(_ name: String) -> Int? {
        ProcessInfo.processInfo.environment[name].flatMap { Int($0) }
    }
}
