import Foundation
import Passwords
import SubTrackAPI
import SubTrackTestSupport
import TestTraits
import Testing

@testable import SubTrackServer

/// What somebody can do who has stolen a dump of all databases.
@Suite("A stolen dump", .ownTime)
struct DumpTests {
    /// The texts of a dump by mariadb-dump: what stands between quotes, and what was written in hexadecimal digits.
    private struct Dump {
        private(set) var texts: Set<String> = []
        private(set) var blobs: Set<[UInt8]> = []

        init(_ dump: String) {
            for line in dump.split(separator: "\n") where line.hasPrefix("INSERT INTO") {
                for match in line.matches(of: #/'((?:[^'\\]|\\.)*)'/#) {
                    texts.insert(String(match.1).replacing("\\'", with: "'").replacing("\\\\", with: "\\"))
                }
                for match in line.matches(of: #/0x([0-9A-F]+)/#) {
                    let digits = Array(match.1.utf8)
                    let bytes = stride(from: 0, to: digits.count - 1, by: 2).compactMap { index in
                        UInt8(String(decoding: digits[index...index + 1], as: UTF8.self), radix: 16)
                    }
                    blobs.insert(bytes)
                    texts.insert(String(match.1))
                    texts.insert(String(decoding: bytes, as: UTF8.self))
                }
            }
        }

        /// All that may be tried as a token: the texts, and tokens made of all bytes and of pieces of texts.
        var tokens: Set<String> {
            var tokens = texts
            for blob in blobs { tokens.insert(DumpTests.token(blob)) }
            for text in texts {
                tokens.insert("sub_" + text)
                for part in text.split(separator: "$") {
                    if let bytes = Data(base64Encoded: part + String(repeating: "=", count: (4 - part.count % 4) % 4)) {
                        tokens.insert(DumpTests.token(Array(bytes)))
                        tokens.insert(DumpTests.token(Array(bytes.prefix(32))))
                    }
                }
            }
            // A header holds no line ends; the service would never see them.
            return tokens.filter { token in
                token.utf8.allSatisfy { (0x21...0x7E).contains($0) } && token.utf8.count < 4000
            }
        }
    }

    private static func token(_ bytes: [UInt8]) -> String {
        "sub_"
            + Data(bytes).base64EncodedString().replacing("+", with: "-").replacing("/", with: "_").replacing(
                "=", with: "")
    }

    @Test("Each string of it, tried as a token, as the code of a mail and as a password, opens nothing")
    func opensNothing() async throws {
        try await MailFolder.with { folder in
            var mail = try folder.settings()
            mail.sweep = .milliseconds(50)
            try await TestService.runAlone(configure: { $0.mail = mail }) { service in
                let ada = try await service.newUser()
                let plan = try await service.addPlan()
                try await ada.call(
                    CreateSubscription(planId: plan, note: "mine"), headers: [("Idempotency-Key", "one")])
                try await ada.register("ada@example.org")
                let verify = try #require(try await folder.take(to: "ada@example.org").token)
                let tablet = try await service.signIn("ada@example.org")
                let fresh = try await tablet.call(EndSession())
                try await service.client.call(ForgotPassword(email: "ada@example.org"))
                let reset = try #require(try await folder.take(to: "ada@example.org", about: "Choose").token)
                // A mail that waits.
                try folder.refuse(true)
                _ = try await service.client(fresh.token).call(
                    CreateSession(email: "bob@example.org", password: "bob's good password", createIfMissing: true))
                try await eventually("it was tried") { folder.refusals > 0 }

                let text = try await Command.run(
                    "mariadb-dump",
                    [
                        "--no-defaults", "--socket=\(service.database.socketPath)", "--user=\(service.database.user)",
                        "--default-character-set=utf8mb4", "--hex-blob", "--skip-extended-insert", "--triggers",
                        "--databases", service.control.name, service.database.name,
                    ])
                let dump = Dump(text)
                #expect(text.contains("$pbkdf2-sha512$") && text.contains("CREATE TABLE `Mail_secret`"))
                let secrets = [verify, reset, ada.client.token ?? "-", tablet.client.token ?? "-", fresh.token]
                for secret in secrets + [goodPassword, "bob's good password"] { #expect(!text.contains(secret)) }

                // What is tried is tried in earnest: the owner's own get in.
                let tries = Tries(service: service)
                #expect(try await tries.opens(bearer: ada.client.token ?? ""))
                let tokens = dump.tokens
                let opened = try await tries.opened(by: tokens)
                #expect(opened.isEmpty, "\(opened)")
                let hashes = try await service.database.run("SELECT Password FROM Account").split(separator: "\n").map {
                    try PasswordHash(encoded: String($0))
                }
                #expect(try hashes.count == 2 && hashes[0].matches(Password(goodPassword)))
                let passwords = dump.texts.union(tokens)
                for text in passwords {
                    guard let password = try? Password(text) else { continue }
                    for hash in hashes { #expect(try !hash.matches(password), "\(text)") }
                }
                // By way of the service too, for what stands where passwords and tokens do.
                for hash in hashes {
                    service.clock.advance(days: 1)
                    let answer = try await service.client.refusal(
                        of: CreateSession(email: "ada@example.org", password: hash.encoded))
                    #expect(answer.code == .credentialsInvalid)
                }
                try await service.client.call(VerifyEmail(token: verify))
                try await service.client.call(ResetPassword(token: reset, newPassword: "another good one"))
                print(
                    "Of \(dump.texts.count) texts and \(dump.blobs.count) binary values in a dump of \(text.utf8.count) bytes,",
                    "tried as \(tokens.count) tokens and \(passwords.count) passwords, none opened anything")
            }
        }
    }

    /// Tries what may be a secret, many at a time.
    private struct Tries: Sendable {
        let service: TestService

        func opens(bearer token: String) async throws -> Bool {
            try await service.client(token).response(to: GetMe()).status == 200
        }

        /// Those that opened something.
        func opened(by tokens: Set<String>) async throws -> [String] {
            try await withThrowingTaskGroup(of: [String].self) { group in
                let all = Array(tokens)
                for worker in 0..<16 {
                    group.addTask {
                        var opened: [String] = []
                        for index in stride(from: worker, to: all.count, by: 16) {
                            let token = all[index]
                            let isOpen = try await opens(bearer: token)
                            let verified = try await service.client.response(to: VerifyEmail(token: token)).status
                            let reset = try await service.client.response(
                                to: ResetPassword(token: token, newPassword: "of the one who stole it")
                            ).status
                            if isOpen || verified != 400 || reset != 400 { opened.append(token) }
                        }
                        return opened
                    }
                }
                return try await group.reduce(into: []) { $0 += $1 }
            }
        }
    }
}
