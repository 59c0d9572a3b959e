import Foundation

/// Parts of the tests that run only when asked for.
public enum TestStage {
    /// Whether tests that kill, freeze and race for minutes run: `script/test --faults`.
    ///
    ///     @Test(.enabled(if: TestStage.faults, "script/test --faults")) func …
    public static let faults = !(ProcessInfo.processInfo.environment["SUBTRACKIT_FAULTS"] ?? "").isEmpty
}
