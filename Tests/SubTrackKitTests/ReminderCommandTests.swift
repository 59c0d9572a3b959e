import Foundation
import SubTrackAPI
import SubTrackKit
import SubTrackTestSupport
import Testing

@testable import SubTrackServer
@testable import struct subtrack.FieldNames
@testable import struct subtrack.TypedLeads
@testable import struct subtrack.TypedReminderSettings
@testable import struct subtrack.TypedTime
@testable import struct subtrack.TypedWeekday

/// `subtrack reminders`, `answer` and `remind`, as processes.
@Suite("Reminders in a terminal")
struct ReminderCommandTests {
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

    private func add(_ name: String, start: String, _ home: TerminalHome) async throws {
        try await home.run(
            "add", name, "--fee", "29.90", "--currency", "USD", "--every", "month", "--start", start, "--offline")
    }

    @Test("Reminders are numbered and answered without network; a number means what its reader saw")
    func offline() async throws {
        try await ServiceProcess.withFolder { folder in
            let home = TerminalHome(home: folder.appendingPathComponent("home"), server: "http://127.0.0.1:9")
            try await add("Gym", start: "-40", home)
            try await add("Pool", start: "-28", home)
            let list = try await home.run("reminders")
            #expect(list.contains("1  Gym is overdue") && list.contains("2  Pool renews"), "\(list)")
            #expect(try await home.run("answer", "1", "keep", "--offline").contains("Gym is overdue"))
            // The list has become another one, and nobody has seen it.
            let again = try await home.fail("answer", "1", "keep", "--offline")
            #expect(again.contains("exit code 1") && again.contains("answered meanwhile"), "\(again)")
            let asked = try await home.fail("answer", "2", "renew", "--offline")
            #expect(asked.contains("exit code 64") && asked.contains("subtrack answer 2 renew --offline --yes"))
            #expect(try await home.run("answer", "2", "renew", "--offline", "--yes").contains("Pool"))
            #expect(try await home.run("reminders").contains("No reminder waits"))
            for (words, text) in [
                (["answer", "9", "keep"], "there is no reminder number 9"),
                (["answer", "gym", "keep"], "is no number of a reminder"),
                (["answer", "1", "keep", "3d"], "only later takes a day"),
                (["answer", "1", "never"], "'keep', 'cancel', 'renew', 'done' or 'later'"),
                (["reminders", "upcoming", "--days", "0"], "--days: 1 to 400"),
            ] {
                let said = try await home.fail(words + ["--offline"])
                #expect(said.contains("exit code 64") && said.contains(text), "\(words): \(said)")
            }
            let upcoming = try await home.run("reminders", "upcoming", "--days", "60")
            #expect(upcoming.contains("09:00  Pool renews"), "\(upcoming)")
            // Nothing of reminders is shown where nobody knows that the service has them.
            #expect(!(try await home.run("due")).contains("09:00"))
        }
    }

    @Test("All faults of the settings are told at once, and the settings are shown and followed")
    func settings() async throws {
        try await TestService.run { service in
            try await withTerminals(service) { one, other in
                let said = try await one.fail(
                    "remind", "--at", "25", "--renewal", "x", "--weekly", "someday", "--repeat", "99", "--mail",
                    "maybe", "--trial", "400", "--language", "fr")
                for text in [
                    "exit code 64", "--at: \"25\" is no time", "--renewal: \"x\" is no list", "--weekly: \"someday\"",
                    "--repeat: must be from 1 to 30", "--mail: \"maybe\" is neither", "--trial: takes up to 8",
                    "--language: must be en, de or zh",
                ] { #expect(said.contains(text), "\(text) is in \(said)") }
                let shown = try await one.run(
                    "remind", "--at", "8:30", "--renewal", "14,3", "--weekly", "sun", "--mail", "off", "--overdue",
                    "none")
                for text in [
                    "08:30 in UTC", "14 and 3 days before", "on Sunday", "overdue        no", "by mail        no",
                ] {
                    #expect(shown.contains(text), "\(text) is in \(shown)")
                }
                try await other.run("sync")
                #expect(try await other.run("remind", "--offline") == shown)
                try await add("Gym", start: "-20", other)
                let upcoming = try await other.run("reminders", "upcoming")
                #expect(upcoming.contains("08:30  Gym renews") && !upcoming.contains("overdue"), "\(upcoming)")
                #expect(try await one.run("remind", "--renewal", "usual").contains("7 and 1 days before"))
            }
        }
    }

    @Test("Two terminals answer differently without network: the first answer holds, and the other one is told")
    func differently() async throws {
        try await TestService.run { service in
            try await withTerminals(service) { one, other in
                try await add("Gym", start: "-28", one)
                try await one.run("sync")
                try await other.run("sync")
                #expect(try await other.run("due").contains("1 reminder waits for an answer: subtrack reminders"))
                for home in [one, other] { #expect(try await home.run("reminders").contains("1  Gym renews")) }
                try await one.run("answer", "1", "keep", "--offline")
                try await other.run("answer", "1", "cancel", "--offline")
                try await one.run("sync")
                let told = try await other.run("sync")
                #expect(
                    told.contains(
                        "Changed elsewhere first: the answer of the reminder of Gym is \"keep\", not \"cancel\""),
                    "\(told)")
                #expect(!(try await other.run("list")).contains("runs out"))
            }
        }
    }

    @Test("Where the operator has reminders off every command says so in one sentence, and no list names them")
    func off() async throws {
        try await TestService.runAlone(configure: { $0.tenantReadingInterval = .milliseconds(20) }) { service in
            let logger = RecordedLog().logger("tenants")
            let access = try await DatabaseAccess.open(service.settings, logger: logger)
            var tenants = TenantAdministration(access: access, logger: logger)
            tenants.settle = .milliseconds(10)
            _ = try await tenants.setAreas("default", enabling: [], disabling: ["reminders"])
            await tenants.shutdown()
            try await eventually("the service knows of it") {
                try await !service.client.call(GetServerInfo()).areas.contains("reminders")
            }
            try await withTerminals(service) { one, _ in
                try await add("Gym", start: "-28", one)
                for command in [["reminders"], ["reminders", "upcoming"], ["answer", "1", "keep"], ["remind"]] {
                    let said = try await one.fail(command)
                    #expect(
                        said.hasPrefix("exit code 1\nError: the service at this address has reminders turned off"),
                        "\(said)")
                }
                let due = try await one.run("due")
                #expect(due.contains("Gym") && !due.contains("reminder"), "\(due)")
            }
        }
    }

    @Test("Typed times, days ahead and days of the week are read, and shown again where the service refused them")
    func typed() throws {
        for (text, time) in [("8:30", "08:30"), ("18", "18:00"), ("00:05", "00:05"), ("23:59", "23:59")] {
            #expect(TypedTime(text)?.text == time)
        }
        for text in ["24", "8:3", "8:60", "8:30:00", "", "½", "-1", "+8", "123"] { #expect(TypedTime(text) == nil) }
        #expect(TypedLeads("14, 3")?.patch == .set([14, 3]) && TypedLeads("none")?.patch == .set([]))
        #expect(TypedLeads("usual")?.patch == .remove && TypedLeads("14,,3") == nil && TypedLeads("") == nil)
        #expect(TypedWeekday("SUN")?.patch == .set(7) && TypedWeekday("th")?.patch == .set(4))
        #expect(TypedWeekday("none")?.patch == .remove && TypedWeekday("t") == nil && TypedWeekday("sunn") == nil)
        let change = PushChanges.Mutation(
            entity: StoredReminderSettings.entity, id: "x", op: .update,
            fields: [
                "remindAt": "08:30", "weeklyOn": .integer(7), "byMail": false, "language": .null, "repeatDays": .null,
                "leads": .object([
                    "renewal": .array([.integer(14), .integer(3)]), "cancelBy": .null, "ended": .array([]),
                ]),
            ])
        #expect(
            TypedReminderSettings(change).words == [
                "remind", "--mail", "off", "--language", "", "--cancel-by", "usual", "--ended", "none", "--renewal",
                "14,3", "--at", "08:30", "--repeat", "none", "--weekly", "sunday",
            ])
        for field in ["answer", "until", "remindAt", "leads.overdue"] {
            #expect(FieldNames.of(change).known(field) != nil)
        }
    }
}
