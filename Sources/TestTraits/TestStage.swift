import Foundation
import Testing

/// Parts of the tests that run only when asked for.
///
/// A suite or a test says itself to which part it belongs:
///
///     @Suite(.enabled(if: TestStage.full, "script/test --full: measures memory")) struct …
public enum TestStage {
    /// Whether tests run that measure seconds, rates or memory, wait for long, or repeat the proof of a quicker test:
    /// `script/test --full`.
    public static let full = isAskedFor("SUBTRACKIT_FULL") || faults

    /// Whether tests that kill, freeze and race for minutes run: `script/test --faults`.
    public static let faults = isAskedFor("SUBTRACKIT_FAULTS")

    private static func isAskedFor(_ name: String) -> Bool {
        !(ProcessInfo.processInfo.environment[name] ?? "").isEmpty
    }
}

extension Tag {
    /// Tests that `script/test` repeats on MySQL and on MariaDB 11.8: the schema's cases, sync's core, a tenant's life.
    @Tag public static var everyServer: Self
    /// Tests that `script/test --full` repeats on MySQL, on MariaDB 11.8 and on a private MariaDB on which the service is root.
    @Tag public static var otherServers: Self
    /// Tests of MariaDB itself, and of the schema on it, that `script/test --full` repeats on MariaDB 11.8.
    @Tag public static var otherMariaDB: Self
    /// Tests that `script/test --nightly` repeats on days on which a month, a year or a half of the year ends.
    @Tag public static var everyDay: Self
    /// Tests that want a private MariaDB on which the service is root. `script/test` runs them there.
    @Tag public static var ownServer: Self
}
