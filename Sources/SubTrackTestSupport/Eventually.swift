/// A condition that did not come true in time.
public struct NeverHappened: Error, CustomStringConvertible {
    /// What was waited for, and for how long.
    public let description: String

    /// Says what was waited for in vain.
    public init(description: String) { self.description = description }
}

/// Waits until a condition holds: asks again and again, at most for so long. Nothing else in the tests waits by time.
///
/// - Parameters:
///   - limit: A deadline that is far off when all is well.
///   - what: What is waited for, in words, for the failure.
///   - condition: Asked every few milliseconds.
/// - Throws: `NeverHappened`, or what the condition throws.
public func eventually(
    within limit: Duration = .seconds(60), _ what: String, _ condition: () async throws -> Bool
) async throws {
    let deadline = ContinuousClock.now + limit
    var pause = Duration.milliseconds(1)
    while try await !condition() {
        guard ContinuousClock.now < deadline else { throw NeverHappened(description: "\(what): not within \(limit)") }
        try await Task.sleep(for: pause)
        pause = min(pause * 2, .milliseconds(50))
    }
}
