import SubTrackTestSupport
import Testing

@testable import SubTrackServer

/// What the doctor says of settings by which no server can be reached.
@Suite("The doctor and settings")
struct DoctorSettingsTests {
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
