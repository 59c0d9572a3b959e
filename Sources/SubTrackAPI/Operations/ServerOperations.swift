/// The server's identity and time.
public struct GetServerInfo: Operation {
    public static let name = "server.info"
    public static let endpoint = Endpoint.get("/v1")
    public static let access = Access.public
    public static let summary = "Tells the server's name, version, tenant and time."

    /// The server's description of itself.
    public struct Output: Codable, Sendable, Hashable {
        /// `SubTrackIt`.
        public var name: String
        /// The service's version.
        public var version: String
        /// The tenant that was asked.
        public var tenant: String
        /// The server's time.
        public var now: Instant
        /// The areas of the service, by name: `subscriptions`. A client shows the areas that it knows.
        public var areas: [String]
        /// Whether the caller's token or cookie stands for a user. A page cannot see its cookie.
        public var signedIn: Bool

        /// All that the server tells.
        public init(
            name: String, version: String, tenant: String, now: Instant, areas: [String], signedIn: Bool
        ) {
            self.name = name
            self.version = version
            self.tenant = tenant
            self.now = now
            self.areas = areas
            self.signedIn = signedIn
        }
    }

    /// No input.
    public init() {}
}
