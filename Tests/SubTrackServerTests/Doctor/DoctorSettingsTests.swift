import Foundation
import SubTrackAPI
import SubTrackTestSupport
import TestTraits
import Testing

@testable import SubTrackServer

/// What the doctor says of settings by which no server can be reached.
@Suite("The doctor and settings", .ownTime)
struct DoctorSettingsTests {
    @Test("It takes every setting of the service")
    func everySetting() async throws {
        let help = try await Command.run(try ServiceProcess.executable(), ["doctor", "--help"])
        for flag in Setting.allCases.compactMap(\.flag) { #expect(help.contains("\(flag) "), "\(flag)") }
    }

    @Test("The service's certificate is looked at: readable, with its own key")
    func ownCertificate() async throws {
        let server = try await PrivateServer.shared
        let program = try ServiceProcess.executable()
        try await ServiceProcess.withFolder { folder in
            let (one, two) = (folder.appending(path: "one"), folder.appending(path: "two"))
            for path in [one, two] {
                try FileManager.default.createDirectory(at: path, withIntermediateDirectories: true)
            }
            let (own, other) = (
                try await ServiceTLSTests.certificate(in: one), try await ServiceTLSTests.certificate(in: two)
            )
            try await TestDatabase.leaseControl { control in
                let database = ["--database-url", "mysql://root@localhost/\(control.name)?socket=\(server.socketPath)"]
                func doctor(_ certificate: String, _ key: String) async throws -> String {
                    let arguments = [
                        "doctor", "--no-proof", "--tls-certificate-file", certificate, "--tls-key-file", key,
                    ]
                    do {
                        return try await Command.run(program, arguments + database)
                    } catch let failure as CommandFailure {
                        return failure.output
                    }
                }
                let good = try await doctor(own.certificate, own.key)
                #expect(good.contains("ok      \(own.certificate): the certificate is valid until "), "\(good)")
                let foreign = try await doctor(own.certificate, other.key)
                #expect(
                    foreign.contains("problem \(own.certificate): the key in \(other.key) is not that"), "\(foreign)")
                let missing = try await doctor(folder.path + "/none.pem", own.key)
                #expect(
                    missing.contains("no certificate in PEM can be read from \(folder.path)/none.pem"), "\(missing)")
                // They hide nothing of the server.
                #expect([good, foreign, missing].allSatisfy { $0.contains("ok      sql_mode") })
            }
        }
    }

    @Test("A certificate that has ended, has not begun, or ends soon is told")
    func certificateDays() async throws {
        try await ServiceProcess.withFolder { folder in
            let files = try await ServiceTLSTests.certificate(in: folder)
            let now = WallClock.system.now().secondsSince1970
            func level(afterHours hours: Int64) throws -> Finding.Level {
                try files.validity(at: Instant(secondsSince1970: now + hours * 3600)).level
            }
            // It holds for two days.
            #expect(try level(afterHours: 1) == .ok && level(afterHours: 40) == .warning)
            #expect(try level(afterHours: 49) == .problem && level(afterHours: -1) == .problem)
        }
    }

    @Test("A file of certificates that is not there, or has none, is named")
    func certificates() async throws {
        try await TestService.run { service in
            try await service.withTenants { tenants in
                for (path, what) in [("/nonexistent/ca.pem", "cannot be read"), ("/etc/passwd", "has none")] {
                    var settings = tenants.access.settings
                    settings.databaseCA = path
                    let access = DatabaseAccess(url: tenants.access.url, embedded: nil, settings: settings)
                    let findings = await Doctor(access: access, logger: tenants.logger).findings()
                    #expect(
                        findings.contains {
                            $0.level == .problem && $0.text.contains(what) && $0.text.contains(path)
                        }, "\(findings)")
                }
            }
        }
    }
}
