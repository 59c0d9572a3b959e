import Foundation
import SubTrackAPI
import SubTrackKit
import SubTrackTestSupport
import TestTraits
import Testing

@testable import struct subtrack.FieldNames

/// Changes that the service refuses, at a terminal: none is lost in silence.
@Suite("Refused changes at a terminal", .ownTime)
struct RefusedChangeTests {
    private func withHomes(_ server: String, _ body: (TerminalHome, TerminalHome) async throws -> Void) async throws {
        try await ServiceProcess.withFolder { folder in
            try await body(
                TerminalHome(home: folder.appendingPathComponent("one"), server: server),
                TerminalHome(home: folder.appendingPathComponent("other"), server: server))
        }
    }

    @Test("A price with more digits than its currency has is told when it is typed, also before the first sync")
    func digits() async throws {
        try await withHomes("http://127.0.0.1:9") { one, _ in
            for (fee, currency, fault) in [
                ("9.999", "EUR", "EUR has 2 digits after the point, given 9.999"),
                ("1.5", "JPY", "JPY has no digits after the point, given 1.5"),
                ("1.2345", "KWD", "KWD has 3 digits after the point, given 1.2345"),
            ] {
                let said = try await one.fail(
                    "add", "Gym", "--fee", fee, "--currency", currency, "--every", "month", "--offline")
                #expect(said.hasPrefix("exit code 64\n") && said.contains("--fee: \(fault)"), "\(said)")
            }
            #expect(try await one.run("list", "--offline").contains("Nothing yet"))
            try await one.run("add", "Gym", "--fee", "1.234", "--currency", "KWD", "--every", "month", "--offline")
        }
    }

    @Test("Before the first sync amounts have the digits of their currency too")
    func writtenDigits() async throws {
        try await withHomes("http://127.0.0.1:9") { one, _ in
            for (name, fee, currency) in [("Bento", "900", "JPY"), ("Souk", "1.5", "KWD")] {
                try await one.run("add", name, "--fee", fee, "--currency", currency, "--every", "month", "--offline")
            }
            let list = try await one.run("list", "--offline")
            #expect(list.contains("900 JPY") && list.contains("1.500 KWD") && !list.contains("900.00"), "\(list)")
            #expect(list.contains("900 JPY a month, 10800 JPY a year"), "\(list)")
            #expect(try await one.run("export", "--format", "csv").contains(",900,JPY,"))
        }
    }

    @Test("A sync with a refused addition says what was typed, ends with 65, and shows it again until it is forgotten")
    func firstSync() async throws {
        try await TestService.run { service in
            try await withHomes(service.client.baseURL) { one, _ in
                let typed = ["--fee", "5", "--currency", "QQQ", "--every", "2weeks", "--label", "Fit", "--start", "-3"]
                try await one.run(["add", "My gym"] + typed + ["--offline"])
                try await one.run("add", "Pool", "--fee", "1", "--currency", "USD", "--every", "month", "--offline")
                let said = try await one.fail("sync")
                #expect(said.hasPrefix("exit code 65\n") && said.contains("Not done: add Fit: --currency: "), "\(said)")
                let again = "Typed: subtrack add 'My gym' --currency QQQ --every 2weeks --fee 5 --label Fit --start 2"
                #expect(said.contains(again), "\(said)")
                let list = try await one.run("list")
                #expect(list.contains("Pool") && !list.contains("Fit"))
                #expect(try await one.run("sync").contains("In step"))
                #expect(try await one.run("refused").contains(again))
                let shown = try await one.run("refused", "--json", "--forget")
                let reports = try JSONDecoder().decode([ChangeReport].self, from: Data(shown.utf8))
                #expect(reports.map(\.name) == ["Fit"] && reports.first?.mutation.fields?["label"] == "Fit")
                #expect(try await !one.run("refused").contains("Fit"))
            }
        }
    }

    @Test("A refused change names its subscription, also where another device has deleted that")
    func deletedElsewhere() async throws {
        try await TestService.run { service in
            try await withHomes(service.client.baseURL) { one, other in
                let email = "\(UUID().uuidString.lowercased())@example.org"
                try await one.run("register", email, input: "correct horse battery\n")
                try await other.run("login", email, input: "correct horse battery\n")
                try await one.run("add", "Gym", "--fee", "1", "--currency", "USD", "--every", "month")
                try await other.run("sync")
                try await other.run("edit", "gym", "--note", "for two", "--offline")
                try await one.run("delete", "gym")
                let said = try await other.fail("sync")
                #expect(said.hasPrefix("exit code 65\n") && said.contains("Not done: edit Gym: "), "\(said)")
                #expect(said.contains("Typed: subtrack edit Gym --note 'for two'"), "\(said)")
                #expect(try await other.run("list").contains("Nothing yet"))
            }
        }
    }

    @Test("Sentences are joined without a full stop between them, and the advice to try again is there once")
    func joins() {
        let cases: [(String, Int?, String)] = [
            ("The database is busy; try again in a moment.", nil, "The database is busy; try again in a moment"),
            ("The database is busy; try again in a moment.", 5, "The database is busy; try again in a moment"),
            ("There are too many.", 5, "There are too many; try again in 5 s"),
            ("x:1 cannot be reached", nil, "x:1 cannot be reached"),
        ]
        for (reason, seconds, said) in cases {
            #expect("\(KitError.offline(reason: reason, retryAfter: seconds))" == said)
        }
        #expect("It is busy; send fewer at a time, and try again.".withoutRetry == "It is busy; send fewer at a time")
        #expect("It is busy; try again in a moment, or send less.".withoutRetry == "It is busy")
    }

    @Test("Requests of the API are commands or nothing at a terminal")
    func requests() {
        let names = FieldNames.of(nil)
        func said(_ detail: String) -> String { names.text(Problem(.statusConflict, detail)) }
        #expect(said("Register one first (POST /v1/accounts).") == "Register one first (subtrack register EMAIL).")
        #expect(said("Delete the user (DELETE /v1/me).") == "Delete the user.")
        #expect(!names.text(Problem(.keyInUse, "The request with this Idempotency-Key is running.")).contains("Key"))
    }
}
