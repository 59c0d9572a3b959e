import MariaDB

/// An error of a server to which a tenant was to come. The doctor looks there only if the server is named.
struct OnServer: Error, CustomStringConvertible {
    /// `mysql://user@host:3306`.
    let server: String
    let error: any Error

    var description: String { "\(server): \(error)" }

    /// Runs a body that works on a server. An error that says that the server lets the account not in, or that it may not do
    /// something there, names the server.
    /// - Parameter server: nil: that of the control database, at which the doctor looks by itself.
    static func naming<Result>(_ server: String?, _ body: () async throws -> Result) async throws -> Result {
        do {
            return try await body()
        } catch  where server != nil && !(error is OnServer) && RightsAdvice.of(error) != nil {
            throw OnServer(server: server ?? "", error: error)
        }
    }
}
