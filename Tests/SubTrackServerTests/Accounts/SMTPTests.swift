import Foundation
import SubTrackAPI
import SubTrackServer
import SubTrackTestSupport
import Testing

/// Mails through programs that others wrote: msmtp hands them to aiosmtpd.
@Suite("Mails by SMTP")
struct SMTPTests {
    /// A Python that has aiosmtpd, in the environment that `script/lib/python.sh` makes; nil where there is none.
    static let python: String? = {
        let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../..").standardized
        let environment = root.appending(path: ".build-python/env")
        let path = environment.appending(path: "bin/python").path
        let library = environment.appending(path: "lib").path
        let versions = (try? FileManager.default.contentsOfDirectory(atPath: library)) ?? []
        let isThere = versions.contains {
            FileManager.default.fileExists(atPath: "\(library)/\($0)/site-packages/aiosmtpd")
        }
        return isThere && FileManager.default.isExecutableFile(atPath: path) ? path : nil
    }()

    static let msmtp: String? = ["/usr/bin/msmtp", "/usr/local/bin/msmtp", "/opt/homebrew/bin/msmtp"].first {
        FileManager.default.isExecutableFile(atPath: $0)
    }

    /// Takes mails, but refuses the first one for the time being; writes each with its envelope to a file.
    private static let sink = """
        import os, socket, sys
        from aiosmtpd.controller import Controller
        folder = sys.argv[1]
        class Handler:
            count = 0
            async def handle_DATA(self, server, session, envelope):
                Handler.count += 1
                if Handler.count == 1: return "451 4.3.0 come back later"
                path = os.path.join(folder, f"{Handler.count:03}")
                with open(path + ".part", "wb") as file:
                    file.write(f"{envelope.mail_from} {' '.join(envelope.rcpt_tos)}\\n".encode() + envelope.content)
                os.rename(path + ".part", path + ".mail")
                return "250 OK"
        controller = Controller(Handler(), hostname="127.0.0.1", port=0, enable_SMTPUTF8=True)
        def port(): return controller.server.sockets[0].getsockname()[1]
        # The controller greets its server to see that it lives, at port 0 unless told.
        controller._trigger_server = lambda: socket.create_connection(("127.0.0.1", port()), 5).close()
        controller.start()
        with open(os.path.join(folder, "port.part"), "w") as file: file.write(str(port()))
        os.rename(os.path.join(folder, "port.part"), os.path.join(folder, "port"))
        sys.stdin.read()
        controller.stop()
        """

    @Test(
        "A refused mail comes by the next attempt, whole; an international address too",
        .enabled(if: python != nil && msmtp != nil, "wants msmtp, and aiosmtpd in .build-python (script/test makes it)")
    )
    func delivery() async throws {
        let python = try #require(Self.python)
        let msmtp = try #require(Self.msmtp)
        let folder = try PrivateServer.temporaryFolder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let server = Process()
        server.executableURL = URL(fileURLWithPath: python)
        server.arguments = ["-c", Self.sink, folder.path]
        let input = Pipe()
        server.standardInput = input
        try server.run()
        defer {
            try? input.fileHandleForWriting.close()
            server.waitUntilExit()
        }
        let portFile = folder.appending(path: "port")
        try await eventually(within: .seconds(30), "the SMTP server listens") {
            FileManager.default.fileExists(atPath: portFile.path)
        }
        let port = try String(contentsOf: portFile, encoding: .utf8)
        var mail = MailSettings()
        mail.program = try MailProgram("\(msmtp) --file=/dev/null --host=127.0.0.1 --port=\(port)")
        mail.sender = try MailSender("noreply@subs.example")
        mail.publicURL = "https://subs.example"
        mail.sweep = .milliseconds(50)
        func mails() throws -> [String] {
            try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0.hasSuffix(".mail") }.sorted()
                .map { try String(contentsOf: folder.appending(path: $0), encoding: .utf8) }
        }
        try await TestService.runAlone(configure: { $0.mail = mail }) { service in
            try await service.newUser().register("ada@example.org")
            try await eventually(within: .seconds(30), "the first attempt was refused") {
                try await service.database.run("SELECT COUNT(*) FROM Mail WHERE Attempts = 1") == "1\n"
                    && service.log.lines.contains { $0.message.contains("was not handed over") }
            }
            try await service.database.run("UPDATE Mail SET Next_attempt_at = UTC_TIMESTAMP()")
            try await service.newUser().register("用户@例子.广告")
            try await eventually(within: .seconds(30), "both came") { try mails().count == 2 }
            let all = try mails()
            let ascii = try #require(all.first { $0.hasPrefix("noreply@subs.example ada@example.org\n") })
            let international = try #require(all.first { $0.hasPrefix("noreply@subs.example 用户@例子.广告\n") })
            for mail in [ascii, international] {
                let source = mail.split(separator: "\n", maxSplits: 1)[1].replacing("\r\n", with: "\n").replacing(
                    "\n", with: "\r\n")
                let parsed = MailFolder.Mail(arguments: [], source: String(source))
                let token = try #require(parsed.token)
                #expect(parsed.header("Subject") == "Confirm your e-mail address")
                try await service.client.call(VerifyEmail(token: token))
            }
        }
    }
}
