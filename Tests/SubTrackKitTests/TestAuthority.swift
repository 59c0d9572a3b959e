import Foundation
import SubTrackServer
import SubTrackTestSupport

/// A certificate authority of a test, made by `openssl`.
struct TestAuthority: Sendable {
    /// Where its files are.
    let folder: URL
    /// Its own certificate.
    var certificate: String { folder.path + "/ca.pem" }

    init(in folder: URL) async throws {
        self.folder = folder
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try await Command.run(
            "openssl",
            Self.key + [
                "-x509", "-days", "30", "-subj", "/CN=Authority of a test", "-keyout", folder.path + "/ca.key", "-out",
            ]
                + [folder.path + "/ca.pem"])
        let settings = """
            [ca]
            default_ca = here
            [here]
            database = \(folder.path)/index
            new_certs_dir = \(folder.path)
            default_md = sha256
            policy = any
            rand_serial = yes
            unique_subject = no
            copy_extensions = copy
            [any]
            commonName = supplied
            """
        try Data(settings.utf8).write(to: folder.appendingPathComponent("ca.conf"))
        try Data().write(to: folder.appendingPathComponent("index"))
    }

    private static let key = [
        "req", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes",
    ]

    /// Issues a certificate.
    /// - Parameters:
    ///   - names: its names, as openssl writes them: `IP:127.0.0.1`.
    ///   - days: when it is valid, in days from now.
    func issue(_ names: String = "IP:127.0.0.1", days: ClosedRange<Int> = -1...2) async throws -> TLSFiles {
        try await issue(names, from: Self.time(days.lowerBound), to: Self.time(days.upperBound))
    }

    /// Issues a certificate that is valid between two times, as openssl writes them: `20200109000000Z`.
    func issue(_ names: String = "IP:127.0.0.1", from start: String, to end: String) async throws -> TLSFiles {
        let path = folder.path + "/" + UUID().uuidString
        try await Command.run(
            "openssl",
            Self.key + ["-subj", "/CN=service", "-addext", "subjectAltName=\(names)"]
                + ["-keyout", path + ".key", "-out", path + ".csr"])
        try await Command.run(
            "openssl",
            [
                "ca", "-batch", "-notext", "-config", folder.path + "/ca.conf", "-cert", certificate, "-keyfile",
                folder.path + "/ca.key", "-in", path + ".csr", "-out", path + ".pem", "-startdate",
                start, "-enddate", end,
            ])
        return TLSFiles(certificate: path + ".pem", key: path + ".key")
    }

    /// So many days from now, as openssl writes times.
    private static func time(_ days: Int) -> String {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = .gmt
        let parts = calendar.dateComponents(
            [.year, .month, .day, .hour, .minute], from: Date(timeIntervalSinceNow: Double(days) * 86_400))
        func digits(_ number: Int?) -> String { (number ?? 0) < 10 ? "0\(number ?? 0)" : "\(number ?? 0)" }
        return digits(parts.year) + digits(parts.month) + digits(parts.day) + digits(parts.hour) + digits(parts.minute)
            + "00Z"
    }
}
