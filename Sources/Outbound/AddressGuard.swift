/// The addresses that the service may connect to for its users.
///
/// It is asked between the resolution of a name and `connect()`, for each connection. So a name that resolves to something
/// else later, or a number in another notation, leads no further.
public struct AddressGuard: Sendable, Hashable {
    /// A place that is refused though its address may be global: the database, for example.
    public struct Place: Sendable, Hashable {
        /// Its address.
        public let address: NetworkAddress
        /// Its port.
        public let port: Int

        /// A place.
        public init(address: NetworkAddress, port: Int) {
            self.address = address.unmapped
            self.port = port
        }
    }

    /// Networks that may be reached though they are not global, and by `http://` as well.
    public var allowed: [Network]
    /// Places that are refused. Their addresses are refused at all ports unless they lie in an allowed network.
    public var refused: [Place]

    /// A guard that admits global addresses alone.
    public init(allowed: [Network] = [], refused: [Place] = []) {
        self.allowed = allowed
        self.refused = refused
    }

    /// Why an address is not connected to; nil: it may be.
    /// - Parameter isEncrypted: whether it is by TLS.
    public func refusal(of address: NetworkAddress, port: Int, isEncrypted: Bool) -> String? {
        let plain = address.unmapped
        if refused.contains(where: { $0.address == plain && $0.port == port }) {
            return "\(plain) port \(port) is the service's own database"
        }
        if allowed.contains(where: { $0.contains(plain) }) { return nil }
        guard plain.isGlobal else { return "\(plain) is not a public address" }
        if refused.contains(where: { $0.address == plain }) { return "\(plain) is the host of the service's database" }
        guard isEncrypted else { return "\(plain) may be reached by https:// alone" }
        return nil
    }

    /// Why a request to a URL would be refused, as far as the URL itself shows it. A name is judged only once it is resolved.
    public func refusal(of url: OutboundURL) -> String? {
        if let address = NetworkAddress(url.host) {
            return refusal(of: address, port: url.port, isEncrypted: url.isEncrypted)
        }
        // No name can resolve to an allowed address then.
        if !url.isEncrypted, allowed.isEmpty { return "http:// is not encrypted: write https://" }
        return nil
    }
}
