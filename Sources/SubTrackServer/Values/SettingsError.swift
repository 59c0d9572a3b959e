/// A setting that cannot be used.
public struct SettingsError: Error, CustomStringConvertible {
    /// What is wrong and what would be right.
    public let description: String

    /// A setting that cannot be used, with what is wrong.
    public init(_ description: String) { self.description = description }
}
