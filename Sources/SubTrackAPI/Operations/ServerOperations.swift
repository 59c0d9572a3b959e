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
        /// The areas that are on for this tenant, by name: `subscriptions`. A client shows those of them that it knows.
        public var areas: [String]
        /// Whether the caller's token or cookie stands for a user. A page cannot see its cookie.
        public var signedIn: Bool
        /// Whether the service sends mails. Without them nobody can replace a forgotten password.
        public var sendsMails: Bool

        /// All that the server tells.
        public init(
            name: String, version: String, tenant: String, now: Instant, areas: [String], signedIn: Bool,
            sendsMails: Bool
        ) {
            self.name = name
            self.version = version
            self.tenant = tenant
            self.now = now
            self.areas = areas
            self.signedIn = signedIn
            self.sendsMails = sendsMails
        }

        /// Reads a server's answer. One of version 0.1.0 told neither its areas nor whether the caller is signed in. It did not
        /// tell of mails either, and may send them.
        public init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            name = try container.decode(String.self, forKey: .name)
            version = try container.decode(String.self, forKey: .version)
            tenant = try container.decode(String.self, forKey: .tenant)
            now = try container.decode(Instant.self, forKey: .now)
            areas = (try? container.decode([String].self, forKey: .areas)) ?? ["subscriptions"]
            signedIn = (try? container.decode(Bool.self, forKey: .signedIn)) ?? false
            sendsMails = (try? container.decode(Bool.self, forKey: .sendsMails)) ?? true
        }
    }

    /// No input.
    public init() {}
}
