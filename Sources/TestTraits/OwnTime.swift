import Foundation
import Testing

/// The own time of each test of a suite, which it prints.
///
/// Swift Testing counts from a test's place in the queue on. This time begins when the test does. `script/test` names the slowest at
/// its end, from these lines.
public struct OwnTime: SuiteTrait, TestTrait, TestScoping {
    public let isRecursive = true

    @concurrent
    public func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @concurrent @Sendable () async throws -> Void
    ) async throws {
        let began = ContinuousClock.now
        defer {
            let seconds = String(format: "%.3f", (ContinuousClock.now - began) / .seconds(1))
            // In one piece, so that no other test's line begins within it.
            FileHandle.standardOutput.write(Data("own time \(seconds) s: \(test.id)\n".utf8))
        }
        try await function()
    }
}

extension Trait where Self == OwnTime {
    /// Prints the own time of each test. Every suite has this trait.
    public static var ownTime: Self { Self() }
}
