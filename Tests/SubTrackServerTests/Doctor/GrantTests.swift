import SubTrackTestSupport
import TestTraits
import Testing

@testable import SubTrackServer

/// What the doctor makes of SHOW GRANTS.
@Suite("Grants", .ownTime)
struct GrantTests {
    private let account = "'subtrackit'@'%'"

    private func findings(
        _ lines: [String], isMigrator: Bool = false, control: String = "subtrackit", variables: [String: String] = [:]
    ) -> [Finding] {
        Doctor.rights(
            Grants(lines: lines), account: account, control: control, isMigrator: isMigrator, isService: !isMigrator,
            variables: variables)
    }

    private func granted(isMigrator: Bool, control: String = "subtrackit") -> [String] {
        ["GRANT USAGE ON *.* TO `subtrackit`@`%` IDENTIFIED BY PASSWORD '*0'"]
            + GrantStatements.statements(isMigrator: isMigrator, control: control, account: account)
    }

    @Test("What the statements give is what the doctor wants, for any prefix")
    func enough() {
        for control in ["subtrackit", "ops_sub", "a_b_c"] {
            for isMigrator in [false, true] {
                let found = findings(
                    granted(isMigrator: isMigrator, control: control), isMigrator: isMigrator, control: control)
                #expect(found.allSatisfy { $0.level == .ok }, "\(found)")
            }
        }
    }

    @Test("Of several patterns the one that says most counts, as the server takes it; beside what holds everywhere")
    func mostExact() {
        let broad = "GRANT SELECT, INSERT, UPDATE, DELETE ON `subtrackit\\_%`.* TO `subtrackit`@`%`"
        let narrow = "GRANT SELECT ON `subtrackit\\_default`.* TO `subtrackit`@`%`"
        let everywhere = "GRANT INSERT ON *.* TO `subtrackit`@`%`"
        let wanted = ["SELECT", "INSERT", "DELETE"]
        #expect(Grants(lines: [broad]).missing(wanted, on: "subtrackit_default") == [])
        #expect(Grants(lines: [broad, narrow]).missing(wanted, on: "subtrackit_default") == ["INSERT", "DELETE"])
        #expect(Grants(lines: [broad, narrow]).missing(wanted, on: "subtrackit_other") == [])
        #expect(Grants(lines: [narrow, everywhere, broad]).missing(wanted, on: "subtrackit_default") == ["DELETE"])
    }

    @Test("A migration is refused where a role gives its rights, and where triggers are not trusted")
    func refused() throws {
        let account = "'m'@'%'"
        let rights = GrantStatements.migrator.joined(separator: ", ")
        let byRole = [
            "GRANT `ops` TO `m`@`%`", "GRANT USAGE ON *.* TO `m`@`%`", "GRANT \(rights) ON `subtrackit\\_%`.* TO `ops`",
        ]
        #expect(throws: RightsCheck.Missing.self) {
            try RightsCheck.check(Grants(lines: byRole), [:], account: account, databases: ["subtrackit_default"])
        }
        let own = ["GRANT \(rights) ON `subtrackit\\_%`.* TO `m`@`%`", "GRANT BINLOG ADMIN ON *.* TO `m`@`%`"]
        try RightsCheck.check(Grants(lines: own), [:], account: account, databases: ["subtrackit_default"])
        #expect(throws: RightsCheck.Untrusted.self) {
            try RightsCheck.check(
                Grants(lines: own), ["log_bin": "ON", "log_bin_trust_function_creators": "OFF"], account: account,
                databases: ["subtrackit_default"])
        }
    }

    @Test("An underscore that is not escaped is seen, with the statement that takes it back")
    func unescaped() throws {
        let found = findings([
            "GRANT SELECT, INSERT, UPDATE, DELETE ON `subtrackit`.* TO `subtrackit`@`%`",
            "GRANT SELECT, INSERT, UPDATE, DELETE ON `subtrackit_%`.* TO `subtrackit`@`%`",
        ])
        let excess = try #require(found.first { $0.level == .warning })
        // Without the first statement the account would have no right on a tenant's database between the two.
        #expect(
            excess.remedy == """
                GRANT SELECT, INSERT, UPDATE, DELETE ON `subtrackit\\_%`.* TO 'subtrackit'@'%';
                REVOKE DELETE, INSERT, SELECT, UPDATE ON `subtrackit_%`.* FROM 'subtrackit'@'%';
                """)
    }

    @Test("Rights on everything are taken back after those are given that the account needs, once")
    func order() throws {
        for isMigrator in [false, true] {
            let found = findings(
                [
                    "GRANT ALL PRIVILEGES ON *.* TO `subtrackit`@`%` WITH GRANT OPTION",
                    "GRANT SELECT ON `shop`.* TO `subtrackit`@`%`",
                ], isMigrator: isMigrator)
            let remedies = found.compactMap(\.remedy)
            let first = try #require(remedies.first).split(separator: "\n").map(String.init)
            let wanted = GrantStatements.statements(isMigrator: isMigrator, control: "subtrackit", account: account)
            #expect(first == wanted + ["REVOKE ALL PRIVILEGES, GRANT OPTION ON *.* FROM 'subtrackit'@'%';"])
            #expect(remedies.dropFirst().allSatisfy { $0.hasPrefix("REVOKE ") })
        }
    }

    @Test(
        "Rights that reach beyond the service's databases are seen",
        arguments: [
            "GRANT SUPER ON *.* TO `subtrackit`@`%`", "GRANT FILE ON *.* TO `subtrackit`@`%`",
            "GRANT ALL PRIVILEGES ON *.* TO `subtrackit`@`%` WITH GRANT OPTION",
            "GRANT SELECT ON `shop`.* TO `subtrackit`@`%`", "GRANT SELECT (a, b) ON `mysql`.`user` TO `subtrackit`@`%`",
            "GRANT SELECT ON `%`.* TO `subtrackit`@`%`", "GRANT SELECT ON `subtrack%`.* TO `subtrackit`@`%`",
            "GRANT SELECT ON `subtrackit\\_a`.* TO `subtrackit`@`%` WITH GRANT OPTION",
            "GRANT SELECT ON `subtrackit%`.* TO `subtrackit`@`%`",
            "GRANT `dba` TO `subtrackit`@`%`", "GRANT `dba`@`%`,`other`@`%` TO `subtrackit`@`%` WITH ADMIN OPTION",
            "GRANT PROXY ON ''@'%' TO 'subtrackit'@'%' WITH GRANT OPTION",
            "GRANT PROXY ON `root`@`db.example.org` TO `subtrackit`@`%`",
            "GRANT EXECUTE ON PROCEDURE `shop`.`pay` TO `subtrackit`@`%`",
            "GRANT EXECUTE, ALTER ROUTINE ON FUNCTION `shop`.`TO ON` TO `subtrackit`@`%`",
        ])
    func excess(_ line: String) throws {
        let found = findings(granted(isMigrator: false) + [line])
        let finding = try #require(found.first { $0.level == .warning }, "\(found)")
        #expect(finding.remedy?.hasPrefix("REVOKE ") == true)
    }

    @Test("What is within the service's databases, or gives nothing, is not too much")
    func others() {
        let found = findings(
            granted(isMigrator: false) + ["SET DEFAULT ROLE NONE FOR 'subtrackit'@'%'"])
        #expect(found.allSatisfy { $0.level == .ok }, "\(found)")
        let strange = findings(granted(isMigrator: false) + ["GRANT SOMETHING NEW ON `a` TO `subtrackit`@`%`"])
        #expect(strange.contains { $0.text.contains("not understood") && $0.remedy?.hasPrefix("SHOW GRANTS") == true })
    }

    @Test("What is missing is named, and granted by the remedy")
    func missing() throws {
        let found = findings(["GRANT SELECT ON `subtrackit`.* TO `subtrackit`@`%`"])
        #expect(
            found.filter { $0.level == .problem }.map(\.remedy) == [
                "GRANT INSERT, UPDATE, DELETE ON `subtrackit`.* TO 'subtrackit'@'%';",
                "GRANT SELECT, INSERT, UPDATE, DELETE ON `subtrackit\\_%`.* TO 'subtrackit'@'%';",
            ])
    }

    @Test("Triggers, a binary log and nobody who may: 1419 is found before a migration meets it")
    func triggers() {
        let log = ["log_bin": "ON", "log_bin_trust_function_creators": "OFF"]
        func level(_ variables: [String: String], _ more: [String] = []) -> Finding.Level? {
            findings(granted(isMigrator: true) + more, isMigrator: true, variables: variables)
                .first { $0.subject == "triggers" }?.level
        }
        #expect(level(log) == .problem)
        #expect(level(log.merging(["log_bin_trust_function_creators": "ON"]) { $1 }) == .ok)
        #expect(level(["log_bin": "OFF", "wsrep_on": "OFF"]) == .ok)
        #expect(level(["log_bin": "OFF", "wsrep_on": "ON"]) == .problem)
        #expect(level(log, ["GRANT SUPER ON *.* TO `subtrackit`@`%`"]) == .ok)
    }

    @Test("The server's variables are judged")
    func variables() {
        func levels(_ variables: [String: String]) -> [String: Finding.Level] {
            Dictionary(Doctor.settings(variables).map { ($0.subject, $0.level) }) { first, _ in first }
        }
        #expect(levels(["log_bin": "ON", "binlog_format": "STATEMENT"])["binlog_format"] == .problem)
        #expect(levels(["log_bin": "ON", "binlog_format": "MIXED"])["binlog_format"] == .ok)
        #expect(levels(["log_bin": "OFF", "binlog_format": "STATEMENT"])["binlog_format"] == nil)
        #expect(levels(["lower_case_table_names": "1"])["lower_case_table_names"] == .warning)
        #expect(levels(["sql_mode": "ANSI_QUOTES"])["sql_mode"] == .warning)
        #expect(levels(["max_allowed_packet": "1048576"])["max_allowed_packet"] == .problem)
        #expect(levels(["wsrep_on": "ON"])["primaries"] == .warning)
        #expect(levels(["wsrep_on": "OFF", "auto_increment_increment": "1"])["primaries"] == nil)
        #expect(levels(["auto_increment_increment": "2"])["primaries"] == .warning)
        let group = ["group_replication_group_name": "a", "group_replication_single_primary_mode": "OFF"]
        #expect(levels(group)["primaries"] == .warning)
        #expect(levels(group.merging(["group_replication_single_primary_mode": "ON"]) { $1 })["primaries"] == nil)
        #expect(levels(group.merging(["group_replication_group_name": ""]) { $1 })["primaries"] == nil)
        #expect(Doctor.clock(difference: -3600).text.contains("3600 s behind"))
        #expect(Doctor.clock(difference: 0.5).level == .ok)
        let limits = Doctor.limits(
            ["max_connections": "40", "max_prepared_stmt_count": "16382"], accountConnections: 10, account: account,
            connections: 32, statements: 10_000)
        #expect(limits.map(\.level) == [.problem, .warning, .warning])
        #expect(
            findings(granted(isMigrator: false), variables: ["partial_revokes": "ON"]).contains { $0.level == .problem }
        )
    }
}
