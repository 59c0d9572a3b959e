import Foundation
import NIOCore
import NIOSSL
import Synchronization

/// The files of the certificate that the service shows.
public struct TLSFiles: Sendable, Hashable {
    /// The certificate, then those that vouch for it, in PEM.
    public let certificate: String
    /// Its private key in PEM.
    public let key: String

    /// Two paths.
    public init(certificate: String, key: String) {
        self.certificate = certificate
        self.key = key
    }
}

/// The certificate that the service shows, as new connections take it: it may be replaced while the service runs.
final class TLSIdentity: Sendable {
    private struct Contexts {
        /// HTTP: agrees by ALPN (RFC 7301) on what is spoken.
        let http: NIOSSLContext
        /// Plain sockets.
        let socket: NIOSSLContext
    }

    private let files: TLSFiles
    private let contexts: Mutex<Contexts>

    /// Reads the files.
    /// - Throws: ``SettingsError`` that says which of them cannot be used.
    init(_ files: TLSFiles) throws {
        self.files = files
        contexts = Mutex(try Self.read(files))
    }

    /// Reads the files again. Connections that are open keep what they have.
    /// - Throws: ``SettingsError``; then everything stays as it was.
    func reload() throws {
        let new = try Self.read(files)
        contexts.withLock { $0 = new }
    }

    /// The handler of a new connection for HTTP.
    func httpHandler() -> NIOSSLServerHandler { NIOSSLServerHandler(context: contexts.withLock { $0.http }) }

    /// The handler of a new plain socket.
    func socketHandler() -> NIOSSLServerHandler { NIOSSLServerHandler(context: contexts.withLock { $0.socket }) }

    /// Suites of TLS 1.2 with forward secrecy and authenticated encryption (AEAD), and no others (RFC 9325 §4.2).
    private static let suites: [NIOTLSCipher] = [
        .TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256, .TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256,
        .TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384, .TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384,
        .TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256, .TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256,
    ]

    private static func read(_ files: TLSFiles) throws -> Contexts {
        let chain: [NIOSSLCertificate]
        do {
            chain = try NIOSSLCertificate.fromPEMFile(files.certificate)
        } catch {
            throw SettingsError("no certificate in PEM can be read from \(files.certificate)")
        }
        guard !chain.isEmpty else { throw SettingsError("there is no certificate in \(files.certificate)") }
        let key: NIOSSLPrivateKey
        do {
            key = try NIOSSLPrivateKey(file: files.key, format: .pem)
        } catch {
            throw SettingsError("no private key in PEM can be read from \(files.key)")
        }
        var configuration = TLSConfiguration.makeServerConfiguration(
            certificateChain: chain.map { .certificate($0) }, privateKey: .privateKey(key))
        configuration.minimumTLSVersion = .tlsv12
        // Those of TLS 1.3 are of this kind by themselves.
        configuration.cipherSuiteValues = Self.suites
        do {
            let socket = try NIOSSLContext(configuration: configuration)
            configuration.applicationProtocols = ["h2", "http/1.1"]
            return Contexts(http: try NIOSSLContext(configuration: configuration), socket: socket)
        } catch {
            throw SettingsError("the key in \(files.key) is not that of the certificate in \(files.certificate)")
        }
    }
}
