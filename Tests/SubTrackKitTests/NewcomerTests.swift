import Foundation
import SubTrackAPI
import SubTrackKit
import SubTrackServer
import SubTrackTestSupport
import TestTraits
import Testing

@testable import struct subtrack.DataFolder
@testable import struct subtrack.KnownServer

/// The first hour with the terminal client.
@Suite("The first hour at a terminal", .tags(.everyDay), .ownTime)
struct NewcomerTests {
    private func withHome(
        _ server: String = "http://127.0.0.1:9", _ body: (TerminalHome) async throws -> Void
    ) async throws {
        try await ServiceProcess.withFolder { folder in
            try await body(TerminalHome(home: folder.appendingPathComponent("home"), server: server))
        }
    }

    // MARK: Where the data are

    @Test(
        "The folder of the data goes by options and variables in their order; a relative HOME or XDG_DATA_HOME counts for nothing"
    )
    func folders() {
        func path(_ variables: [String: String], option: String? = nil) -> String {
            DataFolder(option: option, variable: { variables[$0] }, accountHome: URL(fileURLWithPath: "/account")).url
                .path
        }
        var variables = ["HOME": "/ada", "XDG_DATA_HOME": "/data", "SUBTRACK_HOME": "/mine"]
        #expect(path(variables, option: "/here") == "/here")
        #expect(path(variables) == "/mine")
        variables["SUBTRACK_HOME"] = nil
        #expect(path(variables) == "/data/subtrack")
        variables["XDG_DATA_HOME"] = "data"
        #expect(path(variables) == "/ada/.local/share/subtrack")
        variables["HOME"] = "ada"
        #expect(path(variables) == "/account/.local/share/subtrack")
    }

    @Test("Two people with one login have each their own data, by HOME")
    func twoPeople() async throws {
        try await ServiceProcess.withFolder { folder in
            func person(_ name: String) -> TerminalHome {
                var one = TerminalHome(home: folder, server: "http://127.0.0.1:9")
                one.more = ["SUBTRACK_HOME": "", "XDG_DATA_HOME": "", "HOME": folder.appendingPathComponent(name).path]
                return one
            }
            let (ada, bob) = (person("ada"), person("bob"))
            try await ada.run("add", "Gym", "--fee", "1", "--currency", "USD", "--every", "month", "--offline")
            #expect(try await bob.run("list", "--offline").contains("Nothing yet"))
            #expect(try await ada.run("list", "--offline").contains("Gym"))
            let place = folder.appendingPathComponent("ada/.local/share/subtrack/subtrack.sqlite").path
            #expect(FileManager.default.fileExists(atPath: place))
        }
    }

    @Test("Data that an earlier version made below the account's home are named where HOME says another place")
    func formerData() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: folder) }
        func former(_ variables: [String: String], option: String? = nil) -> String? {
            DataFolder(option: option, variable: { variables[$0] }, accountHome: folder).former?.path
        }
        #expect(former(["HOME": "/ada"]) == nil)
        let data = folder.appendingPathComponent(".local/share/subtrack")
        try FileManager.default.createDirectory(at: data, withIntermediateDirectories: true)
        try Data().write(to: data.appendingPathComponent("subtrack.sqlite"))
        #expect(former(["HOME": "/ada"]) == data.path)
        // There they are used as they were.
        #expect(former(["HOME": folder.path]) == nil && former([:]) == nil)
        #expect(
            former(["HOME": "/ada", "SUBTRACK_HOME": "/x"]) == nil && former(["HOME": "/ada"], option: "/x") == nil)
    }

    @Test("The file that remembers the service is read whether an older version wrote it or this one")
    func knownServer() {
        #expect(KnownServer("https://a.example\n") == KnownServer(address: "https://a.example"))
        let known = KnownServer(address: "https://a.example", authorities: "/my files/ca.pem")
        #expect(
            KnownServer(known.text) == known && known.isAt("https://A.example:443/") && !known.isAt("https://b.example")
        )
        #expect(KnownServer("\n") == nil)
    }

    // MARK: Commands

    @Test("Whatever a help text tells to type works, in its order")
    func helpExamples() async throws {
        // A forgotten password is replaced by mail alone.
        let program = try MailProgram("/bin/false")
        try await TestService.runAlone(configure: { $0.mail.carrier = program }) { service in
            for (name, provider) in [("Premium", "Netflix"), ("Standard", "Netflix"), ("Family", "Spotify")] {
                try await service.addPlan(name, provider: provider)
            }
            try await withHome(service.client.baseURL) { home in
                let list = try await home.run("help")
                let names = list.split(separator: "\n").compactMap { line -> String? in
                    let words = line.split(separator: " ")
                    return line.hasPrefix("  ") && !line.hasPrefix("   ") ? words.first.map(String.init) : nil
                }.filter { !$0.hasPrefix("-") && $0 != "See" }
                #expect(names.contains("import") && names.contains("me"))
                var typed = 0
                for name in ["add", "edit"] + names.filter({ !["add", "edit"].contains($0) }) {
                    let help = try await home.run("help", name)
                    for line in help.split(separator: "\n").map({ $0.trimmingCharacters(in: .whitespaces) })
                    where line.hasPrefix("subtrack ") {
                        typed += 1
                        let command = "\"$0\" \(line.dropFirst("subtrack ".count))"
                        try await Command.run(
                            "/bin/sh", ["-c", command, try TerminalHome.program()], environment: home.environment)
                    }
                }
                #expect(typed >= 6)
            }
        }
    }

    @Test("--number counts the plans that `plans` shows for the same letters, also where one alone was found")
    func numbers() async throws {
        try await TestService.run { service in
            let name = UniqueName.next("Numbox")
            for number in 10..<25 { try await service.addPlan("Plan \(number)", provider: name) }
            try await withHome(service.client.baseURL) { home in
                let shown = try await home.run("plans", name)
                let line = try #require(shown.split(separator: "\n").first { $0.hasPrefix("14  ") })
                let plan = try #require(line.firstMatch(of: /Plan [0-9]+/)).0
                #expect(try await home.run("add", name, "--number", "14").contains(plan))
                #expect(try await home.fail("add", name, "--number", "16").contains("shows 1 to 15"))
                #expect(try await home.fail("add", name, "Plan 12", "--number", "2").contains("shows 1"))
                #expect(try await home.fail("add").contains("letters of provider and plan"))
            }
        }
    }

    @Test("`move` refuses an address at which no service answers, and the data stay with the former one")
    func moveToNowhere() async throws {
        try await TestService.run { service in
            try await withHome(service.client.baseURL) { home in
                try await home.run("sync")
                let refused = try await home.fail("move", "http://127.0.0.1:9")
                #expect(refused.contains("no SubTrackIt service answers at http://127.0.0.1:9"), "\(refused)")
                #expect(try await home.run("sync").contains("In step"))
                #expect(try await home.fail("restore", "zzz").contains("Try: subtrack restore"))
            }
        }
    }

    // MARK: Country, time zone, currency

    @Test(
        "The first command says country, time zone and currency, later ones do not; `me` changes them, before there is a user too"
    )
    func place() async throws {
        try await TestService.run { service in
            try await withHome(service.client.baseURL) { home in
                var home = home
                home.more = ["SUBTRACK_COUNTRY": "DE", "SUBTRACK_TIME_ZONE": "Europe/Berlin"]
                let first = try await home.run("list", "--offline")
                #expect(first.contains("Country: DE. Time zone: Europe/Berlin. Currency: EUR."), "\(first)")
                #expect(first.contains("assumed from this machine's settings; subtrack me shows"), "\(first)")
                #expect(try await !home.run("list", "--offline").contains("Country"))
                let chosen = try await home.run("me", "--country", "at", "--time-zone", "Europe/Vienna", "--offline")
                #expect(chosen.contains("AT") && chosen.contains("Europe/Vienna, where today is"), "\(chosen)")
                try await home.run("sync")
                let shown = try await home.run("me")
                #expect(shown.contains("Austria (AT)") && shown.contains("EUR, your country's"), "\(shown)")
                let changed = try await home.run("me", "--name", "Ada", "--country", "japan", "--currency", "chf")
                #expect(changed.contains("Japan (JP)") && changed.contains("CHF, chosen") && changed.contains("Ada"))
                let user = try await home.kit().client.call(GetMe())
                #expect(user.country == "JP" && user.timeZone == "Europe/Vienna" && user.userName == "Ada")
                #expect(try await home.run("me", "--currency", "").contains("JPY, your country's"))
                #expect(try await home.fail("me", "--country", "XX").contains("there is no country"))
                #expect(try await home.fail("me", "--currency", "XXZ").contains("there is no currency"))
                #expect(try await home.fail("me", "--time-zone", "Mars").contains("there is no time zone"))
                #expect(try await home.fail("plans", "zzzqx").contains("no plan"))
            }
        }
    }

    @Test("A sync tells once which country the account has in place of the assumed one")
    func placedByAccount() async throws {
        try await TestService.run { service in
            try await withHome(service.client.baseURL) { home in
                var (home, other) = (home, home)
                other.home.appendPathComponent("other")
                home.more = ["SUBTRACK_COUNTRY": "DE", "SUBTRACK_TIME_ZONE": "Europe/Berlin"]
                let email = "\(UUID().uuidString.lowercased())@example.org"
                try await home.run("register", email, input: "correct horse battery\n")
                // The country that the first command assumed is not the account's.
                #expect(try await other.run("list", "--offline").contains("Country: US"))
                let said = try await other.run("login", email, input: "correct horse battery\n")
                #expect(
                    said.contains("Country: Germany (DE). Time zone: Europe/Berlin. Currency: EUR.")
                        && said.contains("They come from your account"), "\(said)")
                #expect(try await !other.run("sync").contains("Country"))
                try await home.run("me", "--country", "AT")
                #expect(try await other.run("sync").contains("Country: Austria (AT)."))
            }
        }
    }

    @Test("`logout` without an account says what would be lost, and what to do; --discard does it")
    func logoutAlone() async throws {
        try await TestService.run { service in
            try await withHome(service.client.baseURL) { home in
                let gym = ["add", "Gym", "--fee", "1", "--currency", "USD", "--every", "month"]
                try await home.run(gym + ["--offline"])
                for isSent in [false, true] {
                    if isSent { try await home.run("sync") }
                    let said = try await home.fail("logout")
                    #expect(said.contains("has no account") && said.contains("its subscription after"), "\(said)")
                    for way in ["register EMAIL", "export > subscriptions.json", "logout --discard"] {
                        #expect(said.contains("Try: subtrack \(way)\n"), "\(said)")
                    }
                    #expect(try await home.run("list").contains("Gym"))
                }
                #expect(try await home.run("logout", "--discard").contains("Signed out"))
                #expect(try await home.run("list").contains("Nothing yet"))
                try await home.run("sync")
                #expect(try await home.run("logout").contains("Signed out"))
                // A device that the service does not know.
                var fresh = home
                fresh.home.appendPathComponent("fresh")
                try await fresh.run(gym + ["--offline"])
                fresh.server = "http://127.0.0.1:9"
                try await fresh.run("logout", "--discard")
                #expect(try await fresh.run("list", "--offline").contains("Nothing yet"))
            }
        }
    }

    @Test("A second address is registered with the password of the first one")
    func secondAddress() async throws {
        try await TestService.run { service in
            try await withHome(service.client.baseURL) { home in
                func address() -> String { "\(UUID().uuidString.lowercased())@example.org" }
                try await home.run("register", address(), input: "correct horse battery\n")
                #expect(try await home.fail("register", address()).contains("no password"))
                let both = "another horse battery\ncorrect horse battery\n"
                #expect(try await home.run("register", address(), input: both).contains("Registered"))
                #expect(try await home.kit().client.call(GetMe()).accounts.count == 2)
            }
        }
    }

    @Test("A fee of one's own has all digits of its currency, and is taken back by --no-fee")
    func ownFee() async throws {
        try await withHome { home in
            try await home.run(
                ["add", "Gym", "--fee", "9.5", "--currency", "USD", "--every", "month", "--trial", "--offline"])
            try await home.run("edit", "gym", "--fee", "7", "--offline")
            #expect(try await home.run("list", "--offline").contains("0.00 → 7.00 USD"))
            try await home.run("edit", "gym", "--no-fee", "--offline")
            #expect(try await home.run("list", "--offline").contains("0.00 → 9.50 USD"))
            #expect(try await home.fail("edit", "gym", "--no-fee", "--fee", "1").contains("either --fee or --no-fee"))
        }
    }

    @Test("A country that the machine does not know is told when the service has decided it")
    func placedByService() async throws {
        try await TestService.run { service in
            try await withHome(service.client.baseURL) { home in
                var home = home
                home.more = ["SUBTRACK_COUNTRY": "", "LC_ALL": "C.UTF-8", "LC_MONETARY": "", "LANG": ""]
                let first = try await home.run("due", "--offline")
                #expect(
                    first.contains("Country: not known yet.") && first.contains("The service chooses the missing"),
                    "\(first)")
                let said = try await home.run("sync")
                #expect(said.contains("They come from the service and this machine"), "\(said)")
                #expect(said.contains(/Currency: [A-Z]{3}\./), "\(said)")
                #expect(try await !home.run("sync").contains("Country"))
            }
        }
    }

    @Test(
        "A total in one currency goes by the service's rates, offline too; a missing rate is told, and never taken for 1"
    )
    func total() async throws {
        try await TestService.runAlone(at: "2026-01-31") { service in
            _ = try await service.database.run(
                "INSERT INTO Exchange_rate (Currency_code, Rated_on, Per_euro) VALUES ('USD', '2026-01-28', 1.25)")
            try await withHome(service.client.baseURL) { home in
                func add(_ name: String, _ fee: String, _ currency: String, _ more: String...) async throws {
                    try await home.run(
                        ["add", name, "--fee", fee, "--currency", currency, "--every", "month"] + more)
                }
                try await add("Gym", "10", "USD")
                #expect(try await !home.run("list").contains("together"))
                try await home.run("me", "--currency", "EUR")
                // One currency alone is converted too, where it is not the chosen one.
                #expect(try await home.run("list").contains("together 8.00 EUR a month, 96.00 EUR a year"))
                try await add("Pool", "4", "EUR")
                for more in [[], ["--offline"]] {
                    let list = try await home.run(["list"] + more)
                    #expect(
                        list.contains("together 12.00 EUR a month, 144.00 EUR a year, at exchange rates of 2026-01-28"),
                        "\(list)")
                }
                try await add("Sauna", "5", "GBP", "--offline")
                #expect(
                    try await home.run("list").contains(
                        "no total in EUR yet: the exchange rate for GBP comes with the next sync"))
                try await home.run("sync")
                let missing = try await home.run("list")
                #expect(missing.contains("no total in EUR: the service has no exchange rate for GBP to EUR"))
                #expect(missing.contains("ask its operator to import rates (subtrackd rates import)"))
                #expect(!missing.contains("together") && !missing.contains("gives a total in euros"))
                _ = try await service.database.run(
                    "INSERT INTO Exchange_rate (Currency_code, Rated_on, Per_euro) VALUES ('GBP', '2026-01-28', 0.8)")
                try await home.run("sync")
                let list = try await home.run("list")
                #expect(list.contains("together 18.25 EUR a month"), "\(list)")
            }
        }
    }

    @Test("--remind shows: in due and the list from its day on, and the dashboard goes by it")
    func reminders() async throws {
        try await TestService.run(at: "2026-01-31") { service in
            try await withHome(service.client.baseURL) { home in
                let gym = ["--fee", "1", "--currency", "USD", "--every", "month"]
                let added = try await home.run(["add", "Gym", "--renews", "2026-02-20", "--remind", "30"] + gym)
                #expect(added.contains("due") && added.contains("30 days"), "\(added)")
                try await home.run(["add", "Pool", "--renews", "2026-02-05", "--remind", "1"] + gym)
                try await home.run(["add", "Spa", "--renews", "2026-02-07"] + gym)
                try await home.run(["add", "Zoo", "--renews", "2026-02-08"] + gym)
                let due = try await home.run("due")
                #expect(
                    due.contains("Gym") && due.contains("Spa") && !due.contains("Pool") && !due.contains("Zoo"),
                    "\(due)")
                let soon = try await home.run("due", "7")
                #expect(!soon.contains("Gym") && soon.contains("Pool") && soon.contains("Spa") && !soon.contains("Zoo"))
                #expect(try await home.run("show", "gym").contains("30 days before, from 2026-01-21 on"))
                #expect(try await home.run("show", "pool").contains("1 day before, from 2026-02-04 on"))
                #expect(try await home.run("due", "1").contains("Nothing renews today or tomorrow."))
                let dashboard = try await home.kit().client.call(GetDashboard())
                #expect(Set(dashboard.upcoming.map(\.plan.provider)) == ["Gym", "Spa"])
            }
        }
    }
}
