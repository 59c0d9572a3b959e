import Foundation
import SubTrackAPI
import SubTrackTestSupport
import TestTraits
import Testing

@testable import SubTrackServer

/// Contacts in the hands of an operator: the doctor, and the file of a tenant.
@Suite("Contacts that an operator looks after", .ownTime)
struct ContactUpkeepTests {
    @Test("The doctor names each lost and each changed trigger of contacts, and both are made again")
    func triggers() async throws {
        try await TestService.runAlone { service in
            try await service.withTenants { tenants in
                func findings() async -> [Finding] {
                    await Doctor(access: tenants.access, logger: tenants.logger).findings()
                        .filter { $0.subject == "tenant default" }
                }
                let whole = await findings()
                #expect(whole.map(\.level) == [.ok], "\(whole)")
                let lost = ["Contact_before_insert", "Contact_phone_after_delete", "User_before_delete_contact"]
                try await service.database.run(
                    lost.map { "DROP TRIGGER \($0);" }.joined()
                        + """
                        DROP TRIGGER Contact_date_before_update;
                        CREATE TRIGGER Contact_date_before_update BEFORE UPDATE ON Contact_date FOR EACH ROW SET @x = 1
                        """)
                let found = await findings()
                #expect(found.map(\.level) == [.problem, .problem], "\(found)")
                for name in lost { #expect(found.first?.text.contains(name) == true, "\(found)") }
                #expect(found.last?.text.contains("somebody has changed Contact_date_before_update") == true)

                let mended = try await tenants.restored("default").sorted()
                #expect(
                    mended
                        == ["Contact", "Contact_date", "Contact_phone", "User+contact"].map {
                            "contacts/triggers/\($0).sql"
                        })
                let mendedFindings = await findings()
                #expect(mendedFindings.map(\.level) == [.ok], "\(mendedFindings)")
                // The rules hold again.
                let ada = try await service.newUser(in: "default")
                let made = try await ada.call(CreateContact(firstName: "Ada", lastName: "Lovelace"))
                #expect(made.version > 0)
            }
        }
    }

    @Test("A tenant's file has its contacts: the same rows, versions and cards come back, and its rules hold on")
    func export() async throws {
        try await ServiceProcess.withFolder { folder in
            try await TestService.runAlone { service in
                try await service.withTenants { tenants in
                    try await tenants.create("acme")
                    let ada = try await service.newUser(in: "acme")
                    let made = try await ada.client.send("POST", "/v1/contacts", json: ContactTests.json())
                        .decode(Contact.self)
                    let other = try await ada.call(CreateContact(firstName: "王", lastName: "O'Neil\\", note: "a\nb 🎬"))
                    try await ada.call(
                        ImportContacts(
                            cards: """
                                BEGIN:VCARD\r\nVERSION:4.0\r\nUID:card-1\r\nN:Hope;Bob;;;\r\nFN:Bob Hope\r\nX-PET:cat\r\n\
                                TEL:+4922112345\r\nEND:VCARD\r\n
                                """))
                    try await ada.call(MergeContacts(id: made.id, from: [.init(id: other.id)]))
                    let contacts = try await ada.call(ListContacts()).contacts
                    #expect(contacts.map(\.lastName) == ["Hope", "Lovelace"])
                    let cards = try await ada.client.send("GET", "/v1/contacts.vcf").text
                    let rows = try await service.database(of: "acme").allRows()
                    let cursor = try await ada.call(PullChanges()).cursor

                    let path = folder.path + "/acme.jsonl"
                    _ = try await tenants.export("acme", to: path)
                    _ = try await tenants.import("acme", from: path, isReplacing: true)
                    let restored = service.database(of: "acme_2")
                    #expect(try await restored.allRows() == rows)
                    // Another epoch: the copies of devices are of the former database.
                    try await eventually("it is served") {
                        try await ada.client.response(to: PullChanges(cursor: cursor)).status == 410
                    }
                    #expect(try await ada.call(ListContacts()).contacts == contacts)
                    #expect(try await ada.client.send("GET", "/v1/contacts.vcf").text == cards)
                    try await eventually("it takes writes") {
                        try await ada.client.response(to: UpdateMe(userName: .set("Ada"))).status == 200
                    }
                    #expect(try await ada.call(RestoreContact(id: other.id)).row == other.row)
                    let changed = try await ada.call(UpdateContact(id: made.id, note: .set("after")))
                    #expect(changed.version > contacts[1].version)
                    _ = await #expect(throws: (any Error).self) {
                        try await restored.run("UPDATE Contact SET First_name = 'Eve'")
                    }
                }
            }
        }
    }
}
