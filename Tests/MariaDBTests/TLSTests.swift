import EmbeddedMariaDB
import Foundation
import SubTrackTestSupport
import TestTraits
import Testing

@testable import MariaDB

#if canImport(Glibc)
    import Glibc
#endif

/// The certificate is verified before the password is sent, and nothing is sent to a server that has none.
@Suite(.ownTime) struct TLSTests {
    /// Authorities and certificates, made by `openssl` for one test.
    private struct Certificates {
        let folder: URL
        func path(_ name: String) -> String { folder.appending(path: name).path }

        init() async throws {
            folder = try PrivateServer.temporaryFolder()
            for authority in ["ca", "stranger"] {
                try await openssl([
                    "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=\(authority)",
                    "-keyout", path("\(authority).key"), "-out", path("\(authority).pem"),
                ])
            }
            for (name, subject) in [("server", "DNS:localhost,IP:127.0.0.1"), ("elsewhere", "DNS:db.example")] {
                try await openssl([
                    "req", "-newkey", "rsa:2048", "-nodes", "-subj", "/CN=\(name)", "-keyout", path("\(name).key"),
                    "-out", path("\(name).csr"),
                ])
                try "subjectAltName=\(subject)".write(toFile: path("\(name).ext"), atomically: true, encoding: .utf8)
                try await openssl([
                    "x509", "-req", "-in", path("\(name).csr"), "-CA", path("ca.pem"), "-CAkey", path("ca.key"),
                    "-CAcreateserial", "-days", "2", "-extfile", path("\(name).ext"), "-out", path("\(name).pem"),
                ])
            }
        }

        func remove() { try? FileManager.default.removeItem(at: folder) }

        private func openssl(_ arguments: [String]) async throws { _ = try await Command.run("openssl", arguments) }
    }

    /// A port of the loopback that is free now.
    private static func freePort() throws -> Int {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(descriptor) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let result = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, length) == 0 ? getsockname(descriptor, $0, &length) : -1
            }
        }
        guard result == 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
        return Int(UInt16(bigEndian: address.sin_port))
    }

    private func withServer(
        certificate: String?, _ body: (MariaDBConfiguration, EmbeddedServer, Certificates) async throws -> Void
    ) async throws {
        let certificates = try await Certificates()
        defer { certificates.remove() }
        let port = try TLSTests.freePort()
        try await PrivateServer.own(configure: { configuration in
            configuration.extraArguments += ["--skip-networking=0", "--bind-address=127.0.0.1", "--port=\(port)"]
            if let certificate {
                configuration.extraArguments += [
                    "--ssl-ca=\(certificates.path("ca.pem"))", "--ssl-cert=\(certificates.path("\(certificate).pem"))",
                    "--ssl-key=\(certificates.path("\(certificate).key"))",
                ]
            } else {
                configuration.extraArguments.append("--skip-ssl")
            }
        }) { server in
            let admin = Server.configuration(server.socketPath, user: "root")
            try await Server.withClient(of: admin) { client in
                try await client.withConnection { connection in
                    try await connection.simpleQuery("CREATE USER app IDENTIFIED BY 'hunter2-in-clear'")
                    try await connection.simpleQuery("GRANT ALL ON *.* TO app")
                }
            }
            var configuration = MariaDBConfiguration(
                endpoint: .tcp(host: "localhost", port: port), user: "app", password: "hunter2-in-clear",
                tls: .required(ca: certificates.path("ca.pem")))
            configuration.database = "mysql"
            configuration.connectTimeout = .seconds(30)
            configuration.leaseTimeout = .seconds(60)
            try await body(configuration, server, certificates)
        }
    }

    @Test func aServerWithAGoodCertificateIsUsedAndTheConnectionIsEncrypted() async throws {
        try await withServer(certificate: "server") { configuration, _, _ in
            for host in ["localhost", "127.0.0.1"] {
                var configuration = configuration
                if case .tcp(_, let port) = configuration.endpoint {
                    configuration.endpoint = .tcp(host: host, port: port)
                }
                try await Server.withClient(of: configuration) { client in
                    try await client.withConnection { connection in
                        let cipher = try await connection.simpleQuery("SHOW STATUS LIKE 'Ssl_cipher'")
                        #expect(cipher.rows.first?.last??.isEmpty == false)
                        // All that works in clear works here: long values, many rows, and several at once.
                        let long = String(repeating: "x", count: 2_000_000)
                        let echoed = try await connection.query("SELECT \(long)").decode(String.self)
                        #expect(echoed == [long])
                        var count = 0
                        for try await _ in connection.stream("SELECT seq, REPEAT('y', 100) FROM seq_1_to_30000") {
                            count += 1
                        }
                        #expect(count == 30_000)
                    }
                    try await withThrowingTaskGroup(of: Bool.self) { group in
                        for number in 0..<100 {
                            group.addTask {
                                try await client.withConnection { connection in
                                    try await connection.query("SELECT \(number)").decode(Int.self) == [number]
                                }
                            }
                        }
                        for try await isRight in group { #expect(isRight) }
                    }
                }
            }
        }
    }

    @Test func aCertificateOfAnotherAuthorityIsRefused() async throws {
        try await withServer(certificate: "server") { configuration, _, certificates in
            var configuration = configuration
            for authority in [certificates.path("stranger.pem"), nil] {
                configuration.tls = .required(ca: authority)
                try await Server.withClient(of: configuration) { client in
                    let error = await mariaDBError { try await client.withConnection { _ in } }
                    #expect(error?.kind == .refused && error?.code == 2026)
                    #expect(error?.message.contains("hunter2") == false)
                }
            }
        }
    }

    @Test func aCertificateForAnotherHostIsRefused() async throws {
        try await withServer(certificate: "elsewhere") { configuration, _, _ in
            try await Server.withClient(of: configuration) { client in
                let error = await mariaDBError { try await client.withConnection { _ in } }
                #expect(error?.kind == .refused && error?.code == 2026)
            }
        }
    }

    @Test func aServerWithoutTLSNeverHearsOfUserOrPassword() async throws {
        try await withServer(certificate: nil) { configuration, server, certificates in
            try await Proxy.run(to: server.socketPath) { proxy in
                for tls in [MariaDBConfiguration.TLS.required(ca: certificates.path("ca.pem")), .required()] {
                    var configuration = configuration
                    configuration.endpoint = .unix(path: proxy.path)
                    configuration.tls = tls
                    try await Server.withClient(of: configuration) { client in
                        let error = await mariaDBError { try await client.withConnection { _ in } }
                        #expect(error?.kind == .refused && error?.code == 2026)
                    }
                    #expect(proxy.heard.isEmpty)
                }
            }
        }
    }
}
