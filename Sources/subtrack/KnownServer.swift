import SubTrackKit

/// The service that belongs to a folder of data, as a small file there remembers it: a line with the address, and one with the
/// file of its certificate authorities where it has one of its own.
struct KnownServer: Equatable {
    var address: String
    var authorities: String?

    private static let prefix = "ca-file "

    init(address: String, authorities: String? = nil) {
        self.address = address
        self.authorities = authorities
    }

    /// Reads the file's text; nil where it names no address.
    init?(_ text: String) {
        let lines = text.split(whereSeparator: \.isNewline)
        guard let address = lines.first?.split(whereSeparator: \.isWhitespace).first else { return nil }
        self.address = String(address)
        authorities = lines.dropFirst().first { $0.hasPrefix(Self.prefix) }.map {
            String($0.dropFirst(Self.prefix.count))
        }
    }

    /// The file's text.
    var text: String { address + "\n" + (authorities.map { Self.prefix + $0 + "\n" } ?? "") }

    /// Whether an address is this service's.
    func isAt(_ other: String) -> Bool { Client.normalized(address) == Client.normalized(other) }
}
