import Foundation
import SubTrackAPI
import SubTrackTestSupport
import TestTraits
import Testing

@testable import SubTrackKit
@testable import SubTrackServer

/// Contacts of terminals and devices, with a service.
@Suite("Contacts on devices, synced", .ownTime)
struct ContactSyncTests {
    private func withTerminals(
        _ service: TestService, _ body: (_ one: TerminalHome, _ other: TerminalHome) async throws -> Void
    ) async throws {
        try await ServiceProcess.withFolder { folder in
            let homes = ["one", "other"].map {
                TerminalHome(home: folder.appendingPathComponent($0), server: service.client.baseURL)
            }
            let email = "\(UUID().uuidString.lowercased())@example.org"
            try await homes[0].run("register", email, input: "correct horse battery\n")
            try await homes[1].run("login", email, input: "correct horse battery\n")
            try await body(homes[0], homes[1])
        }
    }

    @Test(
        "Two terminals add a number each without network: both are there; of a number that both changed the first is kept, and the other told"
    )
    func twoTerminals() async throws {
        try await TestService.run { service in
            try await withTerminals(service) { one, other in
                try await one.run("contacts", "add", "Ada Lovelace", "--phone", "788-6788768", "--offline")
                try await one.run("sync")
                try await other.run("sync")
                #expect(try await other.run("contacts").contains("(788) 678-8768"))
                try await one.run(
                    "contacts", "edit", "ada", "--no-phone", "8768", "--phone", "788-5550100", "--offline")
                try await one.run("contacts", "edit", "ada", "--phone", "work=788-5550101", "--offline")
                try await other.run(
                    "contacts", "edit", "ada", "--no-phone", "8768", "--phone", "788-5550200", "--offline")
                try await other.run("contacts", "edit", "ada", "--phone", "home=788-5550201", "--offline")
                try await one.run("sync")
                let told = try await other.run("sync")
                #expect(
                    told.contains(
                        "Changed elsewhere first: the number of Ada Lovelace is \"cell=788-5550100\", not \"cell=788-5550200\""
                    ),
                    "\(told)")
                try await one.run("sync")
                for home in [one, other] {
                    let shown = try await home.run("contacts", "show", "ada")
                    for number in ["555-0100", "555-0101", "555-0201"] { #expect(shown.contains(number), "\(shown)") }
                    #expect(!shown.contains("555-0200") && !shown.contains("not sent"))
                }
                try await other.run("contacts", "delete", "ada")
                try await one.run("sync")
                #expect(try await one.run("contacts").contains("No contacts yet"))
                try await one.run("contacts", "restore", "ada")
                try await other.run("sync")
                #expect(try await other.run("contacts").contains("Ada Lovelace"))
            }
        }
    }

    private static let card = """
        BEGIN:VCARD
        VERSION:3.0
        UID:one@example.org
        N:Lovelace;Ada;;;
        FN:Ada Lovelace
        TEL;TYPE=CELL:(788) 678-8768
        PHOTO;ENCODING=b;TYPE=JPEG:/9j/AAAA
        END:VCARD

        """

    @Test(
        "Two devices import one file without network: each contact is there once, and once more with the service changes nothing but what it keeps beside"
    )
    func importedTwice() async throws {
        try await TestService.run { service in
            try await withTerminals(service) { one, other in
                for home in [one, other] {
                    #expect(
                        try await home.run(["contacts", "import", "-", "--offline"], input: Self.card)
                            .contains("Added 1."))
                }
                for home in [one, other, one] { try await home.run("sync") }
                for home in [one, other] {
                    #expect(try home.kit().contacts().map(\.row.fullName) == ["Ada Lovelace"])
                    #expect(try home.kit().reports().isEmpty)
                }
                let import1 = ["contacts", "import", "-"]
                #expect(try await one.run(import1 + ["--dry-run"], input: Self.card).contains("Would add 0"))
                #expect(try await one.run(import1, input: Self.card).contains("Added 0"))
                #expect(try await other.run(import1, input: Self.card).contains("Added 0, 1 was here already."))
                #expect(try other.kit().contacts().count == 1)
            }
        }
    }

    @Test(
        "Contacts that are one person are shown with the reason and merged, and a pair that is two people is left out")
    func merged() async throws {
        try await TestService.run { service in
            try await withTerminals(service) { one, other in
                try await one.run("contacts", "add", "Ada Lovelace", "--phone", "788-6788768", "--note", "first")
                try await one.run(
                    "contacts", "add", "A. Lovelace", "--phone", "+1 788 678 8768", "--email", "ada@example.org")
                try await one.run("contacts", "add", "Lord Byron", "--email", "ADA@example.org")
                let pairs = try await one.run("contacts", "duplicates")
                for (first, second, value) in [
                    ("Ada Lovelace", "A. Lovelace", "number"), ("A. Lovelace", "Lord Byron", "e-mail address"),
                ] {
                    let same = "have the same \(value)"
                    let isTold =
                        pairs.contains("\(first) and \(second) \(same)")
                        || pairs.contains("\(second) and \(first) \(same)")
                    #expect(isTold, "\(pairs)")
                }
                let rest = try await one.run("contacts", "duplicates", "--different", "a. lovelace", "byron")
                #expect(!rest.contains("Byron") && rest.contains("subtrack contacts merge"))
                #expect(!(try await one.run("contacts", "duplicates").contains("Byron")))

                // The other device changes the one that goes before it is merged.
                try await other.run("sync")
                try await other.run("contacts", "edit", "a. lovelace", "--birthday", "12-10", "--offline")
                let merged = try await one.run("contacts", "merge", "ada lovelace", "a. lovelace")
                #expect(merged.contains("ada@example.org") && merged.contains("subtrack contacts restore"))
                #expect(try one.kit().contacts().map(\.row.fullName).sorted() == ["Ada Lovelace", "Lord Byron"])
                #expect(try await one.fail("contacts", "merge", "ada", "ada").contains("the same contact"))
                #expect(try await one.fail("contacts", "merge", "ada", "byron", "--offline").contains("exit code 64"))
            }
        }
    }

    @Test("Where the operator has contacts off every command says so in one sentence, and changes nothing")
    func off() async throws {
        try await TestService.runAlone(configure: { $0.tenantReadingInterval = .milliseconds(20) }) { service in
            func set(enabling: [String] = [], disabling: [String] = []) async throws {
                let logger = RecordedLog().logger("tenants")
                let access = try await DatabaseAccess.open(service.settings, logger: logger)
                var tenants = TenantAdministration(access: access, logger: logger)
                tenants.settle = .milliseconds(10)
                _ = try await tenants.setAreas("default", enabling: enabling, disabling: disabling)
                await tenants.shutdown()
                try await eventually("the service knows of it") {
                    try await service.client.call(GetServerInfo()).areas.contains("contacts") == disabling.isEmpty
                }
            }
            try await set(disabling: ["contacts"])
            try await withTerminals(service) { one, other in
                let commands = [
                    ["list"], ["add", "Ada Lovelace"], ["show", "ada"], ["duplicates"], ["dates"], ["export"],
                    ["restore"],
                ]
                for command in commands {
                    let said = try await one.fail(["contacts"] + command)
                    #expect(
                        said.hasPrefix("exit code 1\nError: the service at this address has contacts turned off"),
                        "\(said)")
                    #expect(said.split(separator: "\n").count == 2, "\(said)")
                }
                #expect(try one.kit().pendingCount() == 0)
                try await set(enabling: ["contacts"])
                #expect(try await one.run("contacts", "add", "Ada Lovelace").contains("Ada"))
                try await other.run("sync")
            }
        }
    }
}
