import Foundation
import SubTrackAPI
import SubTrackKit
import SubTrackTestSupport
import TestTraits
import Testing

/// `subtrack contacts carddav`, as a process.
@Suite("The password of an address book", .ownTime)
struct ContactBookCommandTests {
    /// The status of a request for the contacts with a name and a password.
    private func status(_ service: TestService, _ name: String, _ password: String) async throws -> Int {
        let basic = Data("\(name):\(password)".utf8).base64EncodedString()
        return try await RawHTTP.send(
            "PROPFIND", "/dav/", port: service.port, headers: ["Authorization: Basic \(basic)", "Depth: 0"]
        ).status
    }

    @Test("A program gets a password of its own, is listed as a device, and is signed out like one")
    func password() async throws {
        try await TestService.run { service in
            try await ServiceProcess.withFolder { folder in
                let home = TerminalHome(home: folder.appendingPathComponent("home"), server: service.client.baseURL)
                try await home.run("contacts", "add", "Ada Lovelace")
                let alone = try await home.fail("contacts", "carddav")
                #expect(alone.contains("has no account") && alone.contains("subtrack register EMAIL"), "\(alone)")

                let email = "\(UUID().uuidString.lowercased())@example.org"
                let account = "correct horse battery"
                try await home.run("register", email, input: account + "\n")
                let token = try home.kit().client.tokens.token()
                let wrong = try await home.fail(["contacts", "carddav"], input: "not my password\n")
                #expect(wrong.contains("subtrack password --forgot \(email)"), "\(wrong)")
                #expect(try await home.fail("contacts", "carddav", "--offline").contains("leave out --offline"))
                #expect(
                    try await home.fail("contacts", "carddav", "--email", "eve@example.org").contains(
                        "there is \(email)"))

                let said = try await home.run(["contacts", "carddav", "My phone"], input: account + "\n")
                #expect(said.contains("Address    \(service.client.baseURL)/dav/\n"), "\(said)")
                #expect(said.contains("User name  \(email)\n") && !said.contains(account))
                let line = try #require(said.split(separator: "\n").first { $0.hasPrefix("Password   ") })
                let password = String(line.dropFirst(11))
                #expect(try await status(service, email, password) == 207)
                #expect(try await status(service, email, account) == 401)
                // This device is as it was.
                #expect(try home.kit().client.tokens.token() == token && token != password)
                #expect(try await home.run("contacts").contains("Ada Lovelace"))
                let json = try await home.run(
                    ["contacts", "carddav", "Mail", "--json", "--email", email.uppercased()], input: account + "\n")
                let mail = try JSONDecoder().decode(AddressBookAccess.self, from: Data(json.utf8))
                #expect(mail.device.name == "Mail" && mail.password != password)
                #expect(try await status(service, mail.userName, mail.password) == 207)

                let devices = try await home.run("contacts", "carddav", "--devices")
                #expect(devices.contains("My phone, last used on ") && devices.contains("Mail, last used"))
                #expect(devices.contains(" (this device)") && !devices.contains(password))
                #expect(try await home.fail("contacts", "carddav", "--sign-out", "nothing").contains("--devices"))
                #expect(
                    try await home.run("contacts", "carddav", "--sign-out", "phone").contains("Signed out My phone."))
                try await eventually("its password has ended") {
                    try await status(service, email, password) == 401
                }
                #expect(try await status(service, email, mail.password) == 207)
                #expect(try await !home.run("contacts", "carddav", "--devices").contains("My phone"))
            }
        }
    }
}
