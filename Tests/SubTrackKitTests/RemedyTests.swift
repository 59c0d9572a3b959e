import Foundation
import SubTrackAPI
import SubTrackTestSupport
import TestTraits
import Testing

@testable import SubTrackKit
import SubTrackServer
@testable import enum subtrack.SpendingLines
@testable import struct subtrack.CommandWords
@testable import struct subtrack.Failure
@testable import struct subtrack.Terminal

/// The remedies that the terminal client names, and the remarks on changes that may be mistakes.
@Suite("Remedies at a terminal", .ownTime)
struct RemedyTests {
    private static let password = "correct horse battery"

    private func withHome(
        _ server: String = "http://127.0.0.1:9", _ body: (TerminalHome) async throws -> Void
    ) async throws {
        try await ServiceProcess.withFolder { folder in
            try await body(TerminalHome(home: folder.appendingPathComponent("home"), server: server))
        }
    }

    private func address() -> String { "\(UUID().uuidString.lowercased())@example.org" }

    @Test("Only a command stands behind Try, with the values that are known")
    func ways() {
        let failure = Failure("x", hint: "subtrack login EMAIL\ngive another file")
        #expect(Failure.ways(failure.hint) == ["Try: subtrack login EMAIL", "Give another file"])
        #expect(failure.replacing("EMAIL", with: nil).hint == failure.hint)
        #expect(failure.replacing("EMAIL", with: "o'x@ex.org").hint?.contains("login 'o'\\''x@ex.org'\n") == true)
        #expect(Failure.ways(nil).isEmpty)
    }

    @Test("An address that cannot be one is refused before anything is written, without a path of the API")
    func badAddress() async throws {
        try await withHome { home in
            let gym = ["add", "Gym", "--fee", "1", "--currency", "USD", "--every", "month"]
            let said = try await home.fail(gym + ["--server", "http://exa mple"])
            #expect(said.contains("--server: \"http://exa mple\" is no address of a service"), "\(said)")
            #expect(said.contains("https://subtrack.example.org") && !said.contains("/v1"), "\(said)")
            #expect(!FileManager.default.fileExists(atPath: home.home.path))
            var other = home
            other.server = "ftp://example.org"
            #expect(try await other.fail("list").contains("SUBTRACK_SERVER: \"ftp://example.org\""))
        }
    }

    @Test("`help` refuses a word below a command, and proposes the help of the command")
    func helpBelow() throws {
        let words = CommandWords(names: ["list", "me"])
        let error = #expect(throws: Failure.self) { try words.arranged(["help", "me", "list"]) }
        #expect(error?.description == "there is no command 'me list'\nTry: subtrack help me")
        #expect(try words.arranged(["help", "me", "--plain"]) == ["help", "me", "--plain"])
    }

    // MARK: Accounts

    @Test("`register` says which account the device has, and what leads to another one")
    func registeredAlready() async throws {
        try await TestService.run { service in
            try await withHome(service.client.baseURL) { home in
                let email = address()
                try await home.run("register", email, input: Self.password + "\n")
                let again = try await home.fail("register", email.uppercased())
                #expect(
                    again.hasPrefix("exit code 1\n") && again.contains("registered as \(email) already"), "\(again)")
                #expect(again.contains("On another device: subtrack login \(email)\n"), "\(again)")
                #expect(again.contains("sign out here first: subtrack logout") && !again.contains("no password"))
                let second = try await home.fail("register", address())
                #expect(second.contains("registered as \(email) already"), "\(second)")
                #expect(second.contains("will lead to the same user"), "\(second)")
                var other = home
                other.home.appendPathComponent("other")
                let taken = try await other.fail(["register", email], input: Self.password + "\n")
                #expect(taken.contains("Try: subtrack login \(email)\n"), "\(taken)")
                #expect(taken.contains("Try: subtrack password --forgot \(email)\n"), "\(taken)")
            }
        }
    }

    @Test("`password --forgot` asks for a mail, and says the same of every address")
    func forgottenPassword() async throws {
        // It refuses them: they wait.
        let program = try MailProgram("/bin/false")
        try await TestService.runAlone(configure: { $0.mail.carrier = program }) { service in
            try await withHome(service.client.baseURL) { home in
                func mails(_ email: String) async throws -> String {
                    try await service.database.run(
                        "SELECT CONCAT('mails=', COUNT(*)) FROM Mail WHERE Email = '\(email)'")
                }
                let (known, unknown) = (address(), address())
                try await home.run("register", known, input: Self.password + "\n")
                _ = try await service.database.run("DELETE FROM Mail WHERE Email = '\(known)'")
                let asked = try await home.run("password", "--forgot")
                let other = try await home.run("password", "--forgot", unknown)
                #expect(
                    asked.contains("It comes if \(known) has an account there, and if the service sends")
                        && asked.contains("subtrack login \(known)"))
                #expect(other == asked.replacing(known, with: unknown))
                #expect(try await mails(known).contains("mails=1"))
                #expect(try await home.fail("password", "--forgot", "--offline").hasPrefix("exit code 64\n"))
                var fresh = home
                fresh.home.appendPathComponent("fresh")
                #expect(try await fresh.run("password", "--forgot", unknown).contains("if \(unknown) has an account"))
                #expect(try await fresh.fail("password", "--forgot").contains("say which address"))
                fresh.server = "http://127.0.0.1:9"
                fresh.home.appendPathComponent("away")
                let away = try await fresh.fail("password", "--forgot", unknown)
                #expect(away.hasPrefix("exit code 69\n") && away.contains("127.0.0.1:9 cannot be reached"), "\(away)")
            }
        }
    }

    @Test("`password --forgot` promises no mail where the service sends none, and names the way")
    func noMails() async throws {
        try await TestService.run { service in
            try await withHome(service.client.baseURL) { home in
                let email = address()
                let said = try await home.fail("password", "--forgot", email)
                #expect(said.contains("exit code 1\n") && said.contains("sends no mails"), "\(said)")
                #expect(said.contains("Ask its operator to set a mail server"), "\(said)")
                #expect(!said.contains("on its way"), "\(said)")
                let waiting = try await service.database.run("SELECT COUNT(*) FROM Mail WHERE Email = '\(email)'")
                #expect(waiting == "0\n")
            }
        }
    }

    @Test("`password` changes the password of the account, and a wrong one is told with a way out")
    func changedPassword() async throws {
        try await TestService.run { service in
            try await withHome(service.client.baseURL) { home in
                let email = address()
                #expect(try await home.fail("password").contains("this device has no account"))
                try await home.run("register", email, input: Self.password + "\n")
                let wrong = try await home.fail(["password"], input: "wrong horse battery\nanother horse battery\n")
                #expect(wrong.hasPrefix("exit code 77\n"), "\(wrong)")
                #expect(wrong.contains("Try: subtrack password --forgot \(email)\n"), "\(wrong)")
                let changed = try await home.run("password", input: Self.password + "\nanother horse battery\n")
                #expect(changed.contains("The password is changed"), "\(changed)")
                #expect(try await home.run("sync").contains("In step"))
                var other = home
                other.home.appendPathComponent("other")
                let former = try await other.fail(["login", email], input: Self.password + "\n")
                #expect(former.contains("Try: subtrack password --forgot \(email)\n"), "\(former)")
                #expect(try await other.run("login", email, input: "another horse battery\n").contains("Signed in"))
            }
        }
    }

    // MARK: Changes and prices

    @Test("A change that leaves days without a period names them, and the command that closes the gap works")
    func gap() async throws {
        try await withHome { home in
            try await home.run(
                "add", "Gym", "--fee", "9", "--currency", "USD", "--every", "month", "--start", "2026-01-01",
                "--offline")
            #expect(try await !home.run("edit", "gym", "--start", "2026-01-05", "--offline").contains("no period"))
            let said = try await home.run("edit", "gym", "--start", "2026-02-15", "--offline", "--yes")
            #expect(said.contains("no period from 2026-02-05 to 2026-02-15: these 10 days"), "\(said)")
            let proposed = try #require(
                said.firstMatch(of: /Try: subtrack (edit) ([0-9a-f]{6}) (--start) (2026-02-05)\n/))
            // It is told once.
            #expect(try await !home.run("edit", "gym", "--note", "x", "--offline").contains("no period"))
            let words = [proposed.1, proposed.2, proposed.3, proposed.4].map(String.init)
            #expect(try await !home.run(words + ["--offline"]).contains("no period"))
            #expect(try await home.run("show", "gym", "--offline").contains("2026-02-05"))
        }
    }

    @Test("`show` has the plan's price beside a fee of one's own")
    func ownFee() async throws {
        try await TestService.run(at: "2026-01-31") { service in
            let name = UniqueName.next("Filmbox")
            try await service.addPlan("Basic", provider: name, fee: "17.99")
            try await withHome(service.client.baseURL) { home in
                try await home.run("add", name, "--fee", "12")
                let own = try await home.run("show", name)
                #expect(own.contains(/costs +12\.00 [A-Z]{3} \/ month, your own fee\n/), "\(own)")
                #expect(own.contains(/plan's price +17\.99 [A-Z]{3} \/ month\n/), "\(own)")
                try await home.run("edit", name, "--no-fee")
                let plain = try await home.run("show", name)
                #expect(plain.contains(/costs +17\.99 [A-Z]{3} \/ month\n/) && !plain.contains("own fee"), "\(plain)")
            }
        }
    }

    @Test("A total that lacks a rate names the currency, and where the user can help, how")
    func missingRates() {
        func lines(_ spent: [String], missing: [String] = [], unasked: [String] = []) -> String {
            let spend = spent.map { GetDashboard.Spend(currency: $0, month: amount("1"), year: amount("12")) }
            let total = SpendingTotal(currency: "USD", missing: missing, unasked: unasked)
            return SpendingLines.lines(spend, total: total, on: Terminal(width: nil, hasColours: false)).last ?? ""
        }
        let remedy = "ask its operator to import rates (subtrackd rates import)"
        #expect(
            lines(["EUR", "GBP"], missing: ["USD"])
                == "no total in USD: the service has no exchange rate for USD to EUR; \(remedy); "
                + "subtrack me --currency EUR gives a total in euros")
        #expect(
            lines(["EUR", "USD"], missing: ["USD"])
                == "no total in USD: the service has no exchange rate for USD to EUR; \(remedy)")
        #expect(
            lines(["CHF", "GBP"], missing: ["CHF", "GBP"]).contains("no exchange rate for CHF, GBP to EUR; \(remedy)"))
        #expect(
            lines(["GBP"], unasked: ["GBP", "USD"])
                == "no total in USD yet: the exchange rate for GBP, USD comes with the next sync (subtrack sync)")
    }
}
