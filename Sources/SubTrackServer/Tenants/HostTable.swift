/// The tenants of hosts, as one reading of the control database has them.
struct HostTable: Sendable {
    /// The tenant of requests for hosts of nobody, where no host is in use and the operator names none.
    static let usual = "default"

    /// The tenant of each host, in small letters.
    private let slugs: [String: String]
    /// Hosts that belonged to a tenant. The tokens of their clients are nothing in another one.
    private let former: Set<String>
    /// The tenant that the operator names for hosts of nobody.
    private let named: String?

    init(slugs: [String: String] = [:], former: Set<String> = [], named: String? = nil) {
        (self.slugs, self.former, self.named) = (slugs, former, named)
    }

    /// Whether all hosts lead to the same tenant.
    var isTrivial: Bool { slugs.isEmpty && former.isEmpty }

    /// The tenant of requests that name no host, as on plain sockets.
    var withoutHost: String { named ?? Self.usual }

    /// Whether a tenant has a host.
    func knows(_ host: String) -> Bool { slugs[host] != nil }

    /// The tenant of a host; nil where it is nobody's, so that requests are refused.
    func slug(of host: String) -> String? {
        if let slug = slugs[host] { return slug }
        if former.contains(host) { return nil }
        return named ?? (slugs.isEmpty ? Self.usual : nil)
    }

    /// The host of an authority, in small letters and without its port.
    static func host(of authority: String) -> String { authority.prefix { $0 != ":" }.lowercased() }
}
