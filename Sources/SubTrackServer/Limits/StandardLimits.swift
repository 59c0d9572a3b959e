/// Limits that a setting changes and that belong to no group of their own.
public enum StandardLimits {
    /// Connections to the database, for all tenants and servers together.
    public static let databaseConnections = 32
    /// Prepared statements over all connections.
    public static let databaseStatements = 8_000
    /// MiB for the cache of encoded lists.
    public static let listMemoryMiB = 16
}
