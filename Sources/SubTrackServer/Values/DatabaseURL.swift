import Foundation
import MariaDB

/// Where a database server is: `mysql://user@host:3306/subtrackit`.
///
/// The last part is the control database and the prefix of the tenants'. For a Unix socket its path is given as
/// `?socket=/path`.
public struct DatabaseURL: Sendable, Hashable {
    /// How the server is reached.
    public let endpoint: MariaDBConfiguration.Endpoint
    /// The user to sign in as.
    public let user: String
    /// The control database.
    public let controlDatabase: String

    /// Where a server is.
    public init(endpoint: MariaDBConfiguration.Endpoint, user: String, controlDatabase: String = "subtrackit") {
        self.endpoint = endpoint
        self.user = user
        self.controlDatabase = controlDatabase
    }

    /// Reads a URL.
    /// - Throws: ``SettingsError`` that names the URL's fault.
    public init(_ text: String) throws {
        guard let url = URLComponents(string: text), url.scheme == "mysql" || url.scheme == "mariadb" else {
            throw SettingsError("the database URL must look like mysql://user@host:3306/subtrackit")
        }
        guard url.password == nil else {
            throw SettingsError("the database's password goes into a file (--database-password-file), not into the URL")
        }
        guard let user = url.user, !user.isEmpty else { throw SettingsError("the database URL names no user") }
        let name = String(url.path.dropFirst())
        // 30 bytes, `_` and a slug of 32 are a name that both servers take (64).
        guard name.utf8.count <= 30, !name.isEmpty, name.utf8.allSatisfy(Self.isNameByte) else {
            throw SettingsError(
                "the database URL must end in a name of small letters, digits and _, such as subtrackit")
        }
        let socket = url.queryItems?.first { $0.name == "socket" }?.value
        if let socket {
            endpoint = .unix(path: socket)
        } else {
            guard let host = url.host, !host.isEmpty else { throw SettingsError("the database URL names no host") }
            endpoint = .tcp(host: host, port: url.port ?? 3306)
        }
        self.user = user
        controlDatabase = name
    }

    /// The same server and user in text form, without the database, as in a tenant's row.
    public var serverText: String {
        switch endpoint {
        case .tcp(let host, let port): "mysql://\(user)@\(host.contains(":") ? "[\(host)]" : host):\(port)"
        case .unix(let path): "mysql://\(user)@localhost/?socket=\(path)"
        }
    }

    /// Reads the text of a tenant's row, whose control database is elsewhere: `mysql://user@host:3306`.
    /// - Throws: ``SettingsError`` that names the text's fault.
    init(server text: String, controlDatabase: String) throws {
        guard var url = URLComponents(string: text) else { throw SettingsError("\"\(text)\" is no URL of a server") }
        guard url.path.isEmpty || url.path == "/" else {
            throw SettingsError("the URL of a tenant's server names no database: mysql://user@host:3306")
        }
        url.path = "/" + controlDatabase
        try self.init(url.string ?? "")
    }

    private static func isNameByte(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "_") || (0x30...0x39).contains(byte) || (0x61...0x7A).contains(byte)
    }

    /// The name of a tenant's database.
    func tenantDatabase(_ slug: String) -> String { "\(controlDatabase)_\(slug)" }
}
