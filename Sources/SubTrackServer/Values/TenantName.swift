/// The names by which a tenant is found.
public enum TenantName {
    /// Reads a tenant's name.
    /// - Throws: ``SettingsError`` that names the right form.
    public static func checked(slug: String) throws -> String {
        guard (1...32).contains(slug.utf8.count),
            slug.utf8.allSatisfy({ (0x30...0x39).contains($0) || (0x61...0x7A).contains($0) })
        else {
            throw SettingsError("a tenant's name has 1 to 32 small letters and digits, \"\(slug)\" has not")
        }
        return slug
    }

    /// Reads a host name (RFC 1123 §2.1), in small letters.
    /// - Throws: ``SettingsError`` that names the right form.
    public static func checked(host: String) throws -> String {
        let host = host.lowercased()
        let areLabels = host.split(separator: ".", omittingEmptySubsequences: false).allSatisfy { label in
            (1...63).contains(label.utf8.count) && !label.hasPrefix("-") && !label.hasSuffix("-")
                && label.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x7A).contains($0) || $0 == 0x2D }
        }
        guard areLabels, host.utf8.count <= 253 else {
            throw SettingsError("a host must look like acme.example.org, without port, is \"\(host)\"")
        }
        return host
    }
}
