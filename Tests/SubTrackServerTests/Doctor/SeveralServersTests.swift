import Foundation
import SubTrackTestSupport
import TestTraits
import Testing

@testable import SubTrackServer

/// The doctor where tenants are on several servers: databases that nobody uses, and the server of each line.
@Suite(
    "The doctor and several servers",
    .tags(.ownServer), .enabled(if: ServicesServer.kind == .own, "the other servers have no such accounts"), .ownTime)
struct SeveralServersTests {
    @Test("Databases that moves leave behind are named, each with its server, and so is the server of every line")
    func leftBehind() async throws {
        try await PrivateServer.own { elsewhere in
            try await TestService.runAlone { service in
                let url = "mysql://root@localhost/?socket=\(elsewhere.socketPath)"
                let control = service.control.name
                try await service.withTenants { tenants in
                    try await tenants.create("beta")
                    try await tenants.create("gamma", server: url)
                    let unused = [
                        try await tenants.move("beta", to: url).unused, try await tenants.move("beta", to: nil).unused,
                        try await tenants.move("beta", to: url).unused,
                    ]
                    #expect(unused == ["\(control)_beta", "\(control)_beta_2", "\(control)_beta_3"])
                    let findings = await Doctor(access: tenants.access, logger: tenants.logger).findings()
                    let here = "\(tenants.access.url.endpoint)"
                    let left = findings.filter { $0.subject.hasPrefix("database ") }
                    #expect(
                        Set(left.map { "\($0.subject) \($0.server ?? "")" }) == [
                            "database \(control)_beta \(here)", "database \(control)_beta_2 \(url)",
                            "database \(control)_beta_3 \(here)",
                        ], "\(left)")
                    #expect(
                        left.allSatisfy { $0.level == .warning && $0.text.contains("the tenant beta left it behind") })
                    #expect(left.allSatisfy { $0.remedy?.hasPrefix("DROP DATABASE `\(control)_beta") == true })
                    #expect(try await tenants.show("beta").problem == nil)

                    let lines = findings.filter { $0.subject == "version" }.map { $0.line(namesServer: true) }
                    #expect(lines.count == 2 && lines.contains { $0.contains("version on \(here): ") }, "\(lines)")
                    #expect(lines.contains { $0.contains("version on \(url): ") }, "\(lines)")
                    let perServer = findings.filter { !$0.subject.hasPrefix("tenant ") && $0.subject != "hosts" }
                    #expect(perServer.allSatisfy { $0.server != nil }, "\(perServer)")
                }
            }
        }
    }

    @Test("A server that refuses the account, or gives it too few rights, is told with the doctor that looks there")
    func advice() async throws {
        try await PrivateServer.own { elsewhere in
            let admin = TestDatabase(name: "mysql", socketPath: elsewhere.socketPath)
            try await admin.run("CREATE USER 'poor'@'%'")
            try await TestService.runAlone { service in
                let main =
                    "mysql://\(service.control.user)@localhost/\(service.control.name)?socket=\(service.control.socketPath)"
                func run(_ arguments: [String]) async throws -> String {
                    do {
                        let said = try await Command.run(
                            try ServiceProcess.executable(), arguments + ["--database-url", main])
                        throw NeverHappened(description: "\(arguments) passed: \(said)")
                    } catch let failure as CommandFailure { return failure.output }
                }
                for user in ["poor", "nobody"] {
                    let url = "mysql://\(user)@localhost/?socket=\(elsewhere.socketPath)"
                    for command in [["create", "gamma"], ["move", "default"]] {
                        let said = try await run(["tenant"] + command + ["--server", url])
                        #expect(said.contains("subtrackd doctor --server '\(url)'"), "\(said)")
                    }
                    let looked = try await run(["doctor", "--server", url])
                    #expect(
                        looked.contains(user == "poor" ? "rights of 'poor'@'%' on \(url): missing" : "server \(url)"),
                        "\(looked)")
                }
                #expect(try await admin.run("SHOW DATABASES LIKE '\(service.control.name)%'").isEmpty)
            }
        }
    }
}
