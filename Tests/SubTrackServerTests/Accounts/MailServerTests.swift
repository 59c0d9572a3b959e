import Foundation
import Outbound
import SubTrackTestSupport
import TestTraits
import Testing

@testable import SubTrackServer

/// A mail server that the service talks to itself.
@Suite("A mail server", .ownTime, .enabled(if: MailSink.python != nil, MailSink.want))
struct MailServerTests {
    private static let message = Array("Subject: x\r\nContent-Type: text/plain\r\n\r\nx\r\n".utf8)

    private static func send(_ sender: SMTPSender, to recipient: String = "ada@example.org") async throws {
        try await sender.send(mail(to: recipient).bytes, from: "noreply@subs.example", to: recipient)
    }

    private static func mail(to recipient: String) throws -> MailMessage {
        MailMessage(
            from: try MailSender("noreply@subs.example"), to: try EmailAddress(recipient), subject: "x", text: "x\n",
            html: "<p>x</p>\n", date: .init(secondsSince1970: 0), id: UUID())
    }

    @Test("Many mails go over a few connections, which end in order")
    func connections() async throws {
        try await MailSink.with { sink in
            let sender = SMTPSender(try SMTPServer("smtp://127.0.0.1:\(sink.port)", isPlain: true), password: nil)
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<40 { group.addTask { try await Self.send(sender) } }
                try await group.waitForAll()
            }
            let mails = try sink.mails()
            #expect(mails.count == 40 && mails.allSatisfy { $0.defects == [] })
            #expect(mails.allSatisfy { $0.greeting == "subs.example" })
            #expect((1...4).contains(Set(mails.map(\.connection)).count))
            await sender.close()
            let opened = Set(sink.commands.filter { $0.hasPrefix("EHLO") }.map { $0.dropFirst(5) })
            try await eventually("each said goodbye") {
                Set(sink.commands.filter { $0.hasPrefix("QUIT") }.map { $0.dropFirst(5) }) == opened
            }
        }
    }

    @Test(
        "By TLS from the first byte, and by STARTTLS, with a name and a password", arguments: ["--tls", "--start-tls"])
    func encrypted(form: String) async throws {
        try await ServiceProcess.withFolder { folder in
            let files = try await ServiceTLSTests.certificate(in: folder)
            try await MailSink.with(form, files.certificate, files.key, "--password", "right 密") { sink in
                let server = try SMTPServer(
                    "\(form == "--tls" ? "smtps" : "smtp")://ada%40subs.example@127.0.0.1:\(sink.port)")
                func sender(_ password: String?, _ certificates: String?) -> SMTPSender {
                    SMTPSender(server, password: password, certificates: certificates)
                }
                // A certificate of an authority that nobody knows: neither the password nor the mail is told.
                await #expect { try await Self.send(sender("right 密", nil)) } throws: { error in
                    if case .insecure? = error as? OutboundFault { true } else { false }
                }
                #expect(sink.commands.allSatisfy { $0.hasPrefix("EHLO") })
                await #expect(throws: OutboundFault.denied) {
                    try await Self.send(sender("wrong", files.certificate))
                }
                await #expect(throws: OutboundFault.denied) { try await sender("wrong", files.certificate).greet() }
                try await sender("right 密", files.certificate).greet()
                #expect(try sink.mails().isEmpty)
                try await Self.send(sender("right 密", files.certificate))
                let mail = try #require(try sink.mails().first)
                #expect(mail.isEncrypted && mail.user == "ada@subs.example")
            }
        }
    }

    @Test("A server that refuses the greeting is told with its words")
    func unfriendly() async throws {
        try await MailSink.with("--unfriendly") { sink in
            let sender = SMTPSender(try SMTPServer("smtp://127.0.0.1:\(sink.port)", isPlain: true), password: nil)
            let words = "the mail server answered HELO with 550 5.7.1 strangers are not greeted"
            await #expect { try await Self.send(sender) } throws: { "\($0)" == words }
            await #expect { try await sender.greet() } throws: { "\($0)" == words }
        }
    }

    @Test("A server without STARTTLS gets neither a mail nor a password")
    func unencrypted() async throws {
        try await MailSink.with("--password", "right") { sink in
            let sender = SMTPSender(try SMTPServer("smtp://ada@127.0.0.1:\(sink.port)"), password: "right")
            await #expect { try await Self.send(sender) } throws: { error in
                if case .insecure? = error as? OutboundFault { true } else { false }
            }
            #expect(sink.commands.allSatisfy { $0.hasPrefix("EHLO") })
        }
    }

    @Test("An address that does not exist is tried once; one whose mailbox is full, or that is not relayed to, again")
    func refusals() async throws {
        try await MailSink.with { sink in
            let settings = try MailSink.settings(
                MailServer("smtp://127.0.0.1:\(sink.port)", isPlain: true, password: nil))
            try await TestService.runAlone(configure: { $0.mail = settings }) { service in
                for name in ["nobody", "full", "relay"] {
                    try await service.newUser().register("\(name)@example.org")
                }
                func queued() async throws -> String {
                    try await service.database.run("SELECT Email, Attempts FROM Mail ORDER BY Email")
                }
                try await eventually("each was tried") {
                    try await queued() == "full@example.org\t1\nrelay@example.org\t1\n"
                }
                try await service.database.run("UPDATE Mail SET Next_attempt_at = UTC_TIMESTAMP()")
                try await eventually("two were tried again") {
                    sink.commands.filter { $0.hasPrefix("RCPT") }.sorted()
                        == ["full", "full", "nobody", "relay", "relay"].map { "RCPT \($0)@example.org" }
                }
                #expect(service.log.lines.contains { $0.message == "A mail has no recipient; it is not tried again." })
            }
        }
    }

    @Test("A server that says nothing is given up, and does not keep the service from stopping")
    func silent() async throws {
        try await MailSink.with("--silent") { sink in
            let server = try SMTPServer("smtp://127.0.0.1:\(sink.port)", isPlain: true)
            let hasty = SMTPSender(server, password: nil, limit: .milliseconds(300))
            // More than go at the same time: those that waited too long are given up as well.
            await withTaskGroup(of: OutboundFault?.self) { group in
                for _ in 0..<9 {
                    group.addTask {
                        do { try await Self.send(hasty) } catch { return error as? OutboundFault }
                        return nil
                    }
                }
                for await fault in group { #expect(fault == .timedOut) }
            }
            let patient = SMTPSender(server, password: nil, limit: .seconds(3600))
            let task = Task { try await Self.send(patient) }
            task.cancel()
            await #expect(throws: CancellationError.self) { try await task.value }
        }
    }

    @Test(
        "URLs of mail servers",
        arguments: [
            ("smtps://ada@mail.example", "smtps://mail.example:465"),
            ("smtp://mail.example", "smtp://mail.example:587"),
            ("SMTP://Mail.Example:25/", "smtp://mail.example:25"), ("smtp://[2001:db8::1]", "smtp://[2001:db8::1]:587"),
            ("smtps://ada%40subs.example@mail.example", "smtps://mail.example:465"),
        ])
    func urls(text: String, url: String) throws {
        #expect(try SMTPServer(text).url == url)
    }

    @Test(
        "What is no URL of a mail server is refused with words",
        arguments: [
            ("", false), ("mail.example", false), ("https://mail.example", false), ("smtp://", false),
            ("smtp://ada:secret@mail.example", false), ("smtp://mail.example/inbox", false),
            ("smtp://mail.example?a=b", false), ("smtp://mail.example#x", false), ("smtp://mail.example:0", false),
            ("smtp://mail.example:99999", false), ("smtp://mail.example:x", false), ("smtp://mail .example", false),
            ("smtp://mail.example\r\nQUIT", false), ("smtp://a%00b@mail.example", false),
            ("smtps://a%0D%0AQUIT@mail.example", false), ("smtps://127.0.0.1", true), ("smtp://mail.example", true),
            ("smtp://10.0.0.1", true), ("smtp://127.0.0.1.example", true),
        ])
    func noURLs(text: String, isPlain: Bool) {
        #expect {
            try SMTPServer(text, isPlain: isPlain)
        } throws: { error in
            if case .invalid(let words)? = error as? OutboundFault { words.count > 20 } else { false }
        }
    }

    @Test(
        "An address that would be another command is not sent", arguments: ["a b@x", "a@x>", "a@x\r\nDATA", "nobody"])
    func addresses(address: String) async throws {
        let sender = SMTPSender(try SMTPServer("smtp://127.0.0.1:9", isPlain: true), password: nil)
        await #expect {
            try await sender.send(Self.message, from: "noreply@subs.example", to: address)
        } throws: { error in
            if case .invalid? = error as? OutboundFault { true } else { false }
        }
    }

    @Test(
        "Only a recipient that does not exist is final",
        arguments: [
            (550, "RCPT", "550 5.1.1 no such user", true), (550, "RCPT", "550 Relaying denied", false),
            (552, "RCPT", "552 5.2.2 mailbox full", false),
            (550, "RCPT", "550 5.2.1 mailbox disabled", true), (554, "RCPT", "554 5.7.1 relay denied", false),
            (550, "RCPT", "550 5.7.1 blocked", false), (550, "RCPT", "550 5.1.8 bad sender", false),
            (452, "RCPT", "452 4.2.2 full", false), (550, "MAIL", "550 5.1.1 no", false),
            (554, "DATA", "554 5.7.1 spam", false),
        ])
    func final(code: Int, command: String, text: String, isFinal: Bool) {
        #expect(SMTPRejection(code: code, command: command, text: text).isFinalForRecipient == isFinal)
    }
}
