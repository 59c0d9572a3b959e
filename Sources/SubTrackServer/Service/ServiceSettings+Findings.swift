import Foundation
import SubTrackAPI

extension ServiceSettings {
    /// The judgement of the certificate that the service shows; nil without TLS.
    public var certificateFinding: Finding? {
        guard let tls else { return nil }
        do {
            return try tls.validity(at: WallClock.system.now())
        } catch {
            return .problem(
                tls.certificate, "\(error)",
                remedy: "--tls-certificate-file and --tls-key-file   -- a certificate in PEM with its private key")
        }
    }

    /// Files with secrets that other accounts of this machine can read or change, settings that have no effect, and a certificate
    /// that has ended or ends soon.
    public var localFindings: [Finding] {
        var files = secretFiles
        if let tls { files.append(SecretFile(tls.key, what: "the private key of the certificate")) }
        if let folder = serverPasswords {
            let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
            files += names.filter { !$0.hasPrefix(".") }.sorted().map {
                SecretFile(folder.appending(path: $0).path, what: "the password of a database server")
            }
        }
        // A file that two settings name is said once.
        var seen: Set<String> = []
        // One that cannot be used is no finding here: the service does not start with it.
        let certificate = tls.flatMap { try? $0.validity(at: WallClock.system.now()) }.map { [$0] } ?? []
        return files.filter { seen.insert($0.path).inserted }.compactMap(\.finding) + sourceFindings
            + certificate.filter { $0.level != .ok }
    }
}
