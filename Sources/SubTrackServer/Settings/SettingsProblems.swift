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

    /// - Throws: one ``SettingsError`` with all that was found, a line for each.
    public func check() throws {
        guard !found.isEmpty else { return }
        throw SettingsError(found.joined(separator: "\n"))
    }
}
