import Foundation
import NIOSSL

/// The certificate authorities that a client trusts: the system's, or those of a file alone.
public struct TLSTrust: Sendable, Hashable {
    /// The file of the authorities; nil: the system's are trusted.
    public let file: String?
    private let certificates: [NIOSSLCertificate]

    /// The authorities of the system.
    public static let system = TLSTrust(file: nil, certificates: [])

    private init(file: String?, certificates: [NIOSSLCertificate]) {
        self.file = file
        self.certificates = certificates
    }

    /// Trusts the authorities of a file, and no others.
    /// - Parameter file: a PEM file with one certificate or more, as `curl --cacert` takes it.
    /// - Throws: ``KitError/authorities(file:isReadable:)`` when it cannot be read or has no certificate.
    public init(file: String) throws {
        guard FileManager.default.isReadableFile(atPath: file) else {
            throw KitError.authorities(file: file, isReadable: false)
        }
        guard let certificates = try? NIOSSLCertificate.fromPEMFile(file), !certificates.isEmpty else {
            throw KitError.authorities(file: file, isReadable: true)
        }
        self.init(file: file, certificates: certificates)
    }

    /// The settings of a connection that verifies the certificate and the name of its server.
    var configuration: TLSConfiguration {
        var configuration = TLSConfiguration.makeClientConfiguration()
        if file != nil { configuration.trustRoots = .certificates(certificates) }
        return configuration
    }
}
