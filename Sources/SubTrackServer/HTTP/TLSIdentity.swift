import Foundation
import NIOCore
import NIOSSL
import SubTrackAPI
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

    /// The certificates of a file, the service's own first.
    fileprivate static func chain(_ files: TLSFiles) throws -> [NIOSSLCertificate] {
        let chain: [NIOSSLCertificate]
        do {
            chain = try NIOSSLCertificate.fromPEMFile(files.certificate)
        } catch {
            throw SettingsError("no certificate in PEM can be read from \(files.certificate)")
        }
        guard !chain.isEmpty else { throw SettingsError("there is no certificate in \(files.certificate)") }
        return chain
    }

    private static func read(_ files: TLSFiles) throws -> Contexts {
        let chain = try Self.chain(files)
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

extension TLSFiles {
    /// The longest time before the end of a certificate for which a renewal counts as due, in seconds.
    private static let soon: Int64 = 14 * 86_400

    /// The judgement of the days on which the certificate is valid, and those that vouch for it.
    /// - Throws: ``SettingsError`` where the files cannot be used together.
    func validity(at now: Instant) throws -> Finding {
        _ = try TLSIdentity(self)
        let days = try TLSIdentity.chain(self).map { (begin: Int64($0.notValidBefore), end: Int64($0.notValidAfter)) }
        let begin = days.map(\.begin).max() ?? 0
        let end = days.map(\.end).min() ?? 0
        let (first, last) = (Instant(secondsSince1970: begin), Instant(secondsSince1970: end))
        let remedy = "Renew it; then systemctl reload subtrackd, or SIGHUP for the process."
        if end <= now.secondsSince1970 {
            return .problem(certificate, "the certificate ended at \(last): clients refuse it", remedy: remedy)
        }
        if begin > now.secondsSince1970 {
            return .problem(
                certificate, "the certificate begins at \(first): clients refuse it until then",
                remedy: "Is this machine's clock right? timedatectl set-ntp true")
        }
        // Short-lived ones are renewed after two thirds of their time.
        guard end - now.secondsSince1970 > min(Self.soon, (end - begin) / 3) else {
            return .warning(certificate, "the certificate ends at \(last)", remedy: remedy)
        }
        return .ok(certificate, "the certificate is valid until \(last), and the key is its own")
    }
}
