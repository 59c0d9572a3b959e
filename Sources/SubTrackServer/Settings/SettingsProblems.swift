/// All faults of some settings. This avoids a start of the service for each of them.
public struct SettingsProblems {
    private var found: [String] = []

    /// Nothing is wrong so far.
    public init() {}

    /// Reads a setting, or several that depend on each other, and goes on when they cannot be used.
    /// - Throws: any error but a ``SettingsError``.
    public mutating func collect(_ read: () throws -> Void) throws {
        do {
            try read()
        } catch let error as SettingsError {
            found.append(error.description)
        }
    }

    /// Notes a fault.
    public mutating func add(_ text: String) { found.append(text) }

    /// Notes the faults of other settings as well.
    public mutating func add(_ others: SettingsProblems) { found += others.found }

    /// Whether nothing is wrong so far.
    public var isEmpty: Bool { found.isEmpty }

    /// The faults, for a command that can go on without the settings.
    public var findings: [Finding] {
        found.map {
            .problem(
                "setting", $0,
                remedy: "subtrackd config check   -- with the same settings, says whether all can be used")
        }
    }

    /// - Throws: one ``SettingsError`` with all that was found, a line for each.
    public func check() throws {
        guard !found.isEmpty else { return }
        throw SettingsError(found.joined(separator: "\n"))
    }
}
