import Foundation
import SubTrackAPI
import SubTrackTestSupport
import TestTraits
import Testing

/// `examples/sync.py`, which was written from the contract alone.
@Suite("The example client", .ownTime)
struct ExampleTests {
    private static let script = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../../examples/sync.py").standardized.path

    /// Whether there is a Python to run it; where there is none, the test says aloud that it is skipped.
    private static let hasPython = ["/usr/bin", "/usr/local/bin", "/opt/homebrew/bin"].contains {
        FileManager.default.isExecutableFile(atPath: $0 + "/python3")
    }

    @Test(
        "Two copies, edited offline, come into step with each other and the server",
        .enabled(if: hasPython, "python3 is not installed"))
    func twoCopies() async throws {
        try await ServiceProcess.withFolder { folder in
            try await TestService.runAlone { service in
                let plan = try await service.addPlan("Basic", provider: "Testflix")
                func run(_ copy: String, _ arguments: String...) async throws -> String {
                    try await Command.run(
                        "python3", [Self.script, service.client.baseURL] + arguments,
                        environment: ["SYNC_COPY": folder.path + "/" + copy])
                }
                let token = try await run("phone", "register", "Phone", "US")
                    .trimmingCharacters(in: .whitespacesAndNewlines)
                try FileManager.default.copyItem(atPath: folder.path + "/phone", toPath: folder.path + "/laptop")
                var client = service.client
                client.token = token

                // On the phone, offline: added, changed and renewed before it was ever sent.
                let id = try await run("phone", "add", "\(plan)", "2026-01-31")
                    .trimmingCharacters(in: .whitespacesAndNewlines)
                _ = try await run("phone", "edit", id, "label=Films", "reminderDays=3")
                #expect(try await run("phone", "sync").contains("update \(id): applied"))
                #expect(try await run("laptop", "sync").contains("changes"))
                let listed = try await run("laptop", "list")
                #expect(listed == "\(id) 2026-01-31 2026-02-28 17.99 USD Testflix Films\n")
                #expect(try await run("phone", "list") == listed)

                // Both renew the same period and write a note; then both know the same.
                for copy in ["phone", "laptop"] {
                    _ = try await run(copy, "renew", id)
                    _ = try await run(copy, "edit", id, "note=\(copy)")
                }
                _ = try await run("phone", "sync")
                #expect(try await run("laptop", "sync").contains("note: kept 'phone', lost 'laptop'"))
                _ = try await run("phone", "sync")
                let row = try await client.call(GetSubscription(id: try #require(UUID(uuidString: id))))
                #expect(row.period == 1 && row.note == "phone")
                #expect(try await run("phone", "list") == (try await run("laptop", "list")))

                // Gone on one, gone on the other; away for too long: it starts over.
                _ = try await run("laptop", "delete", id)
                _ = try await run("laptop", "sync")
                try await service.database.run("UPDATE Scope SET Floor_ver = Ver")
                _ = try await run("phone", "sync")
                #expect(try await run("phone", "list").isEmpty)
                let held = try Data(contentsOf: URL(fileURLWithPath: folder.path + "/phone"))
                let object = try #require(try JSONSerialization.jsonObject(with: held) as? [String: Any])
                let rows = try #require(object["rows"] as? [String: Any])
                let whole = try await client.call(PullChanges(limit: 1000))
                #expect(rows.count == whole.changes.count)
            }
        }
    }

    @Test(
        "A value that the service would refuse is not noted, and a change that it refuses holds up no other",
        .enabled(if: hasPython, "python3 is not installed"))
    func refusals() async throws {
        try await ServiceProcess.withFolder { folder in
            try await TestService.runAlone { service in
                let plan = try await service.addPlan("Basic", provider: "Testflix")
                let copy = folder.path + "/copy"
                func run(_ arguments: String...) async throws -> String {
                    try await Command.run(
                        "python3", [Self.script, service.client.baseURL] + arguments,
                        environment: ["SYNC_COPY": copy])
                }
                _ = try await run("register", "Phone", "US")
                let id = try await run("add", "\(plan)", "2026-01-31")
                    .trimmingCharacters(in: .whitespacesAndNewlines)
                _ = try await run("sync")
                let before = try Data(contentsOf: URL(fileURLWithPath: copy))
                for typed in [
                    "fee=1.234", "fee=x", "reminderDays=1.5", "startDate=2026-02-30", "autoRenew=1", "colour=red",
                ] {
                    await #expect(throws: CommandFailure.self, "\(typed)") { try await run("edit", id, typed) }
                }
                #expect(try Data(contentsOf: URL(fileURLWithPath: copy)) == before)
                _ = try await run("edit", id, "fee=5.50")

                // An earlier version of the example noted numbers.
                var held = try #require(try JSONSerialization.jsonObject(with: before) as? [String: Any])
                let noted: [[String: Any]] = [["fee": 1.234], ["label": "Films"]]
                held["outbox"] = noted.map { fields -> [String: Any] in
                    ["key": UUID().uuidString, "entity": "subscription", "id": id, "op": "update", "fields": fields]
                }
                try JSONSerialization.data(withJSONObject: held).write(to: URL(fileURLWithPath: copy))
                do {
                    _ = try await run("sync")
                    Issue.record("a refused change is no success")
                } catch let failure as CommandFailure {
                    #expect(failure.output.contains("update \(id): refused fee: "), "\(failure.output)")
                    #expect(failure.output.contains(#"{"fee": 1.234}"#))
                }
                _ = try await run("sync")
                #expect(try await run("list").hasSuffix(" Films\n"))
            }
        }
    }

    @Test("An ordinary fault is one line with an exit code", .enabled(if: hasPython, "python3 is not installed"))
    func faults() async throws {
        try await ServiceProcess.withFolder { folder in
            try await TestService.run { service in
                let copy = folder.path + "/copy"
                func fail(_ url: String, _ arguments: String...) async throws -> String {
                    do {
                        let said = try await Command.run(
                            "python3", [Self.script, url] + arguments, environment: ["SYNC_COPY": copy])
                        throw NeverHappened(description: "\(arguments) fails: \(said)")
                    } catch let failure as CommandFailure {
                        let said = failure.output.split(separator: "\n")
                        #expect(said.count == 1, "\(failure.output)")
                        return "\(failure.end): \(said.first ?? "")"
                    }
                }
                let url = service.client.baseURL
                #expect(try await fail(url, "sync").hasPrefix("exit code 64: "))
                #expect(
                    try await fail("http://127.0.0.1:9", "register", "A", "US").contains(
                        "69: http://127.0.0.1:9 cannot be"))
                #expect(try await fail(url, "register", "A", "XX").hasPrefix("exit code 64: country: "))
                #expect(try await fail(url + "/t/nobody", "register", "A", "US").hasPrefix("exit code 69: "))
                try Data(#"{"token": "sub_none", "cursor": null, "rows": {}, "outbox": []}"#.utf8)
                    .write(to: URL(fileURLWithPath: copy))
                #expect(try await fail(url, "sync").hasPrefix("exit code 77: "))
                #expect(try await fail("nowhere", "sync").hasPrefix("exit code 64: "))
                try Data("{".utf8).write(to: URL(fileURLWithPath: copy))
                #expect(try await fail(url, "list").hasPrefix("exit code 74: "))
            }
        }
    }
}
