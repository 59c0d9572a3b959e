import Foundation

extension ServiceSettings {
    /// Files with secrets that other accounts of this machine can read or change, and settings that have no effect.
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
        return files.filter { seen.insert($0.path).inserted }.compactMap(\.finding) + sourceFindings
    }
}
