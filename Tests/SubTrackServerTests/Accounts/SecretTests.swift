import Foundation
import SubTrackAPI
import SubTrackTestSupport
import TestTraits
import Testing

/// The program as it is run, with everything logged.
@Suite("Secrets", .serialized, .ownTime)
struct SecretTests {
    @Test("Twelve planted secrets are in no log line, no error and no metric; a crash leaves no dump of the memory")
    func planted() async throws {
        try await MailFolder.with { mails in
            try await TestDatabase.leaseControl { control in
                let databasePassword = "planted-1-database"
                let name = "planted_\(getpid())"
                try await Command.run(
                    "mariadb", ["--no-defaults", "--socket=\(control.socketPath)", "--user=\(control.user)"],
                    input:
                        "CREATE USER \(name)@localhost IDENTIFIED BY '\(databasePassword)'; GRANT ALL ON *.* TO \(name)@localhost"
                )
                let passwordFile = mails.folder.appending(path: "password")
                try Data(databasePassword.utf8).write(to: passwordFile)
                let arguments = [
                    "serve", "--http-listen", "127.0.0.1:0", "--log-level", "trace", "--log-format", "json",
                    "--database-url", "mysql://\(name)@localhost/\(control.name)?socket=\(control.socketPath)",
                    "--database-password-file", passwordFile.path, "--sendmail", mails.folder.path + "/program",
                    "--public-metrics", "yes", "--registrations-per-hour", "100", "--sign-ins-per-minute", "100",
                ]
                try await ServiceProcess.run(arguments, in: mails.folder) { process in
                    let client = try await process.becomesReady()
                    var secrets = [databasePassword]
                    var problems = ""
                    func refused(_ operation: some SubTrackAPI.Operation, by client: APIClient) async throws {
                        let answer = try await client.response(to: operation)
                        #expect(answer.status >= 400, "\(answer.text)")
                        problems += answer.text
                    }
                    func with(_ token: String) -> APIClient {
                        var client = client
                        client.token = token
                        return client
                    }
                    secrets += [
                        "planted-2-password", "planted-3-wrong", "planted-4-new", "planted-5-bound-note",
                        "planted-6-reset",
                    ]
                    let device = try await client.call(RegisterDevice(name: "phone", country: "US"))
                    secrets.append(device.token)
                    try await with(device.token).call(RegisterAccount(email: "ada@example.org", password: secrets[1]))
                    secrets.append(try #require(try await mails.take(to: "ada@example.org").token))
                    try await client.call(VerifyEmail(token: secrets[7]))
                    try await refused(VerifyEmail(token: secrets[7]), by: client)
                    try await refused(CreateSession(email: "ada@example.org", password: secrets[2]), by: client)
                    try await refused(CreateSession(email: "nobody@example.org", password: secrets[2]), by: client)
                    let session = try await client.call(CreateSession(email: "ada@example.org", password: secrets[1]))
                    secrets.append(session.token)
                    try await refused(
                        ChangePassword(currentPassword: secrets[2], newPassword: secrets[3]), by: with(session.token))
                    try await with(session.token).call(
                        ChangePassword(currentPassword: secrets[1], newPassword: secrets[3]))
                    try await refused(GetMe(), by: with(device.token))
                    try await client.call(ForgotPassword(email: "ada@example.org"))
                    secrets.append(try #require(try await mails.take(to: "ada@example.org", about: "Choose").token))
                    try await refused(ResetPassword(token: secrets[9], newPassword: "short"), by: client)
                    try await client.call(ResetPassword(token: secrets[9], newPassword: secrets[5]))
                    let back = try await client.call(CreateSession(email: "ada@example.org", password: secrets[5]))
                    secrets.append(back.token)
                    // A value that the database refuses, and one that it is bound to.
                    try await refused(
                        CreateSubscription(planId: 999_999, label: secrets[4], note: secrets[4]), by: with(back.token))
                    try await refused(DeleteMe(currentPassword: secrets[2]), by: with(back.token))
                    let out = try await with(back.token).call(EndSession())
                    secrets.append(out.token)
                    let metrics = try await client.send("GET", "/metrics").text
                    #expect(metrics.contains("operation=\"sessions.create\"") && Set(secrets).count == 12)
                    #expect(metrics.contains("operation=\"me.delete\"") && metrics.contains("status=\"4xx\""))
                    let log = process.output
                    // It was as talkative as it can be, and had reason to be.
                    let levels = ["trace", "debug"].filter { log.contains("\"level\":\"\($0)\"") }
                    #expect(!levels.isEmpty, "\(log.suffix(2000))")
                    let core = try String(contentsOfFile: "/proc/\(process.processID)/limits", encoding: .utf8)
                        .split(separator: "\n").first { $0.hasPrefix("Max core file size") }
                    #expect(core?.split(separator: " ").filter { $0 == "0" }.count == 2, "\(core ?? "")")
                    for secret in secrets {
                        for (place, text) in [
                            ("log", log), ("problems", problems), ("metrics", metrics),
                        ] {
                            #expect(!text.contains(secret), "\(secret.prefix(9)) in \(place)")
                        }
                    }
                    print(
                        "Twelve secrets are in none of \(log.count) characters of log, \(problems.count) of problems,",
                        "\(metrics.count) of metrics")
                }
            }
        }
    }
}
