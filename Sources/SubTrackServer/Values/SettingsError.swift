/// A setting that cannot be used.
public struct SettingsError: Error, CustomStringConvertible {
    /// The fault and the remedy.
    public let description: String

    /// An error with its text.
    /// - Parameter description: the fault and the remedy.
    public init(_ description: String) { self.description = description }
}
