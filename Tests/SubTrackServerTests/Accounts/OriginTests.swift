import Foundation
import SubTrackAPI
import SubTrackTestSupport
import TestTraits
import Testing

@testable import SubTrackServer

@Suite("Where calls come from, and the pages that mails lead to", .ownTime)
struct OriginTests {
    @Test("A proxy is believed whom it speaks for only when it is trusted, and only what it wrote itself")
    func proxies() async throws {
        func registrations(_ service: TestService, from forwarded: String) async throws -> Int {
            var done = 0
            for _ in 0..<4 {
                let answer = try await service.newUser().client.response(
                    to: RegisterAccount(email: service.newEmail(), password: goodPassword),
                    headers: [("X-Forwarded-For", forwarded)])
                if answer.status == 201 { done += 1 } else { #expect(answer.status == 429) }
            }
            return done
        }
        try await TestService.run(configure: { $0.accountLimits = AccountLimits(registrationsPerHour: 2) }) {
            (service: TestService) async throws in
            #expect(try await registrations(service, from: "192.0.2.1") == 2)
            #expect(try await registrations(service, from: "192.0.2.2") == 0, "nobody is believed")
        }
        let proxies = try TrustedProxies("127.0.0.1, 10.0.0.1")
        try await TestService.run(
            configure: {
                $0.accountLimits = AccountLimits(registrationsPerHour: 2)
                $0.trustedProxies = proxies
            }
        ) { (service: TestService) async throws in
            #expect(try await registrations(service, from: "192.0.2.1") == 2)
            #expect(try await registrations(service, from: "192.0.2.2") == 2)
            #expect(
                try await registrations(service, from: "192.0.2.9, 192.0.2.2") == 0,
                "what the client wrote is not looked at")
            #expect(try await registrations(service, from: "192.0.2.3, 10.0.0.1") == 2)
            #expect(try await registrations(service, from: "192.0.2.3") == 0)
        }
        #expect(throws: SettingsError.self) { try TrustedProxies("example.org") }
        #expect(proxies.client(peer: "192.0.2.7", headers: ["x-forwarded-for": "192.0.2.1"]) == "192.0.2.7")
        #expect(proxies.client(peer: "127.0.0.1", headers: ["x-forwarded-for": "rubbish"]) == "127.0.0.1")
        #expect(proxies.client(peer: "127.0.0.1", headers: [:]) == "127.0.0.1")
        // As IPv4 looks to who listens for IPv6 too.
        #expect(proxies.client(peer: "::ffff:127.0.0.1", headers: ["x-forwarded-for": "192.0.2.1"]) == "192.0.2.1")
        let mapped = "::ffff:192.0.2.1, ::ffff:127.0.0.1"
        #expect(proxies.client(peer: "10.0.0.1", headers: ["x-forwarded-for": mapped]) == "192.0.2.1")
    }

    @Test("What a client writes before its proxy's own line is not believed either")
    func severalLines() async throws {
        let proxies = try TrustedProxies("127.0.0.1")
        try await TestService.run(
            configure: {
                $0.accountLimits.devicesPerHour = 1
                $0.trustedProxies = proxies
            }
        ) { (service: TestService) async throws in
            func register(claiming address: String) async throws -> Int {
                try await RawHTTP.send(
                    "POST", "/v1/devices", port: service.port,
                    headers: ["X-Forwarded-For: \(address)", "X-Forwarded-For: 203.0.113.9"],
                    body: Array(#"{"name":"phone"}"#.utf8)
                ).status
            }
            #expect(try await register(claiming: "192.0.2.1") == 201)
            #expect(try await register(claiming: "192.0.2.2") == 429)
        }
    }

    @Test("Pages, script and style come with a policy that allows no script but our own, below a tenant's path too")
    func pages() async throws {
        // Where the web app is served, these are pages of it.
        try await TestService.run(configure: { $0.web = .off }) { service in
            for (path, type) in [
                ("/account/verify", "text/html"), ("/account/reset", "text/html"),
                ("/t/default/account/reset", "text/html"),
                ("/account/account.js", "text/javascript"), ("/account/account.css", "text/css"),
            ] {
                let page = try await service.client.send("GET", path)
                #expect(page.status == 200 && page.header("content-type")?.hasPrefix(type) == true, "\(path)")
                let policy = page.header("content-security-policy") ?? ""
                #expect(
                    policy.contains("default-src 'none'") && policy.contains("script-src 'self'")
                        && !policy.contains("unsafe"))
                #expect(
                    page.header("referrer-policy") == "no-referrer"
                        && page.header("x-content-type-options") == "nosniff")
                #expect(!page.text.contains("<script>") && !page.text.contains("onclick"))
            }
            #expect(try await service.client.send("HEAD", "/account/verify").body.isEmpty)
            for path in ["/account/other", "/account", "/account/..%2f", "/account/verify/x"] {
                #expect(try await service.client.send("GET", path).status == 404, "\(path)")
            }
            #expect(try await service.client.send("POST", "/account/verify").status == 404)
        }
    }

    @Test("The language is the first that the reader has and mails have, else the country's")
    func languages() {
        for (accepted, country, language) in [
            (nil, nil, MailLanguage.english), (nil, "DE", .german), (nil, "CN", .chinese), (nil, "FR", .english),
            ("de", "US", .german), ("fr, de;q=0.5, en;q=0.9", "DE", .english), ("zh-Hant-TW", nil, .chinese),
            ("fr", "AT", .german), ("de;q=0", "US", .english), ("*", "CH", .german), (";;;,,q=1,en;q=x", nil, .english),
        ] {
            #expect(
                MailLanguage(accepted: accepted, country: country) == language, "\(accepted ?? "-") \(country ?? "-")")
        }
    }

    @Test("A sender, a mail program and a header's text are what they must be")
    func mailParts() throws {
        for bad in ["", "x", "a@b\r\nBcc: c@d", "Name <x>", "<script> <a@b.c>", "Näme\u{0} <a@b.c>"] {
            #expect(throws: SettingsError.self, "\(bad)") { try MailSender(bad) }
        }
        for bad in ["", "sendmail", "/nonexistent/sendmail", "/etc/passwd -t"] {
            #expect(throws: SettingsError.self, "\(bad)") { try MailProgram(bad) }
        }
        #expect(MailMessage.encoded("Plain text") == "Plain text")
        let long = MailMessage.encoded("Passwort für 用户 " + String(repeating: "ä🦄", count: 40))
        #expect(long.components(separatedBy: "\r\n ").allSatisfy { $0.hasPrefix("=?utf-8?B?") && $0.utf8.count <= 75 })
        let words = long.components(separatedBy: "\r\n ").map { word in
            String(decoding: Data(base64Encoded: String(word.dropFirst(10).dropLast(2))) ?? Data(), as: UTF8.self)
        }
        #expect(words.joined() == "Passwort für 用户 " + String(repeating: "ä🦄", count: 40))
        #expect(MailMessage.formatted(Instant(secondsSince1970: 0)) == "Thu, 1 Jan 1970 00:00:00 +0000")
        #expect(MailMessage.formatted(Instant(secondsSince1970: 1_769_851_800)) == "Sat, 31 Jan 2026 09:30:00 +0000")
        #expect(MailProgram.withoutTokens("x sub_\(String(repeating: "A", count: 43)) y") == "x sub_… y")
    }

    @Test("A long mail does not wait for a program that reads nothing: the program is ended, and the mail refused")
    func deafProgram() async throws {
        try await MailFolder.with { mails in
            let file = mails.folder.appending(path: "deaf")
            try Data("#!/bin/sh\nexec sleep 3000\n".utf8).write(to: file)
            try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: file.path)
            var hasty = try MailProgram(file.path)
            hasty.limit = .seconds(1)
            let program = hasty
            let message = MailMessage(
                from: try MailSender("noreply@subs.example"), to: try EmailAddress("ada@example.org"), subject: "x",
                text: String(repeating: "订", count: 200_000), html: "<p>x</p>", date: .init(secondsSince1970: 0),
                id: UUID())
            await #expect(throws: MailFault.self) { try await program.send(message) }
        }
    }

    @Test("Whom mails are from must be known at the start: a public URL without a name does not tell")
    func sender() async throws {
        for (url, sender) in [
            ("https://subs.example.org/app", "noreply@subs.example.org"), (nil, "noreply@localhost"),
            ("https://[::1]:8080", nil), ("http://192.0.2.1", nil),
        ] as [(String?, String?)] {
            var settings = MailSettings()
            settings.publicURL = url
            if let sender {
                #expect(try settings.resolvedSender().address.text == sender)
            } else {
                #expect(throws: SettingsError.self) { try settings.resolvedSender() }
                settings.sender = try MailSender("subs@example.org")
                #expect(try settings.resolvedSender().address.text == "subs@example.org")
            }
        }
        try await MailFolder.with { folder in
            var mail = try folder.settings()
            mail.sender = nil
            mail.publicURL = "https://[::1]"
            var settings = ServiceSettings(
                stateDirectory: URL(fileURLWithPath: "/nonexistent"), httpListen: .init(host: "127.0.0.1", port: 0))
            settings.mail = mail
            let service = SubTrackService(settings: settings, logger: RecordedLog().logger("service"))
            await #expect(throws: SettingsError.self) { try await service.run(stoppingOn: []) }
        }
    }

    @Test("A mail names a new address whole, however long, and a device whose name is all dots and dashes")
    func longDetails() async throws {
        try await MailFolder.with { folder in
            let mail = try folder.settings()
            try await TestService.runAlone(configure: { $0.mail = mail }) { service in
                let ada = try await service.newUser()
                try await ada.register("ada@example.org")
                let host = Array(repeating: String(repeating: "a", count: 60), count: 4).joined(separator: ".")
                let long = "ada.lovela@" + host
                #expect(long.utf8.count == 254)
                try await ada.call(ChangeEmail(email: "ada@example.org", newEmail: long, currentPassword: goodPassword))
                let notice = try await folder.take(to: "ada@example.org", about: "new e-mail")
                #expect(notice.part("text/plain").contains(long))
                _ = try await folder.take(to: long, about: "Confirm")
                // A device's name is told to a confirmed address alone.
                try await service.database.run(
                    "UPDATE Account SET Verified_at = UTC_TIMESTAMP() WHERE Email LIKE 'ada.lovela@%'")
                let name = String(repeating: "e\u{301}", count: 50)
                _ = try await service.signIn(long, device: .init(name: name))
                let told = try await folder.take(to: long)
                #expect(told.part("text/plain").contains("on a device that is new: \(name)."))
            }
        }
    }
}
