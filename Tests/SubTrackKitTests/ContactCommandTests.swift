import Foundation
import SubTrackAPI
import SubTrackKit
import SubTrackTestSupport
import TestTraits
import Testing

/// `subtrack contacts` without a service, as a process.
@Suite("Contacts in a terminal", .tags(.everyDay), .ownTime)
struct ContactCommandTests {
    private func withHome(_ body: (TerminalHome) async throws -> Void) async throws {
        try await ServiceProcess.withFolder { folder in
            try await body(TerminalHome(home: folder.appendingPathComponent("home"), server: "http://127.0.0.1:9"))
        }
    }

    /// A contact as `--json` shows it.
    private struct Shown: Decodable {
        var id: UUID
        var isPending: Bool
        var firstName: String
        var middleName: String?
        var lastName: String
        var note: String?
        var phones: [StoredContact.Phone]
        var addresses: [StoredContact.Address]
        var emails: [StoredContact.Email]
        var dates: [StoredContact.Occasion]
    }

    private func shown(_ words: String, _ home: TerminalHome) async throws -> Shown {
        try JSONDecoder().decode(
            Shown.self, from: Data(try await home.run("contacts", "show", words, "--json", "--offline").utf8))
    }

    @Test(
        "A contact is added with all of its parts, found by any of them, changed part by part, deleted and brought back"
    )
    func offline() async throws {
        try await withHome { home in
            let added = try await home.run(
                "contacts", "add", "Ada King Lovelace", "--phone", "788-6788768", "--phone", "work=+44 20 7946 0958",
                "--email", "ada@example.org", "--address", "12 Main St, Springfield, IL 62704, USA", "--address",
                "work=street=1 Dock Rd; city=Łódź; apt=4", "--birthday", "12-10", "--date",
                "anniversary=2020-05-01", "--once", "talk=2999-01-02", "--note", "met in\nLondon", "--offline")
            for word in ["Ada King Lovelace", "(788) 678-8768 (cell)", "+442079460958 (work)", "12-10", "not sent yet"]
            {
                #expect(added.contains(word), "\(word) is in \(added)")
            }
            let ada = try await shown("ada", home)
            #expect(ada.isPending && ada.middleName == "King" && ada.note == "met in\nLondon")
            #expect(ada.phones.map(\.area) == ["788", nil] && ada.phones.map(\.type) == ["cell", "work"])
            #expect(ada.addresses.map(\.state) == ["IL", nil] && ada.addresses.map(\.zip) == ["62704", nil])
            #expect(ada.addresses.map(\.country) == ["USA", nil] && ada.addresses.map(\.apt) == [nil, "4"])
            #expect(ada.dates.map(\.date) == ["--12-10", "2020-05-01", "2999-01-02"])
            #expect(ada.dates.map(\.yearly) == [true, true, false])

            for words in ["8768", "łodz", "king", "LONDON", "springf ada", "ample.org", "62704"] {
                let found = try await home.run(["contacts"] + words.split(separator: " ").map(String.init))
                #expect(
                    found.contains("Ada King Lovelace") && found.contains("(788) 678-8768 +1"), "\(words): \(found)")
            }
            #expect(try await home.run("contacts", "babbage").contains("No contact has \"babbage\" in it"))
            #expect(try await home.run("contacts", "shwo", "ada").contains("Did you mean the command 'show'?"))

            // One that goes and one that comes are one number that changes; others stay.
            try await home.run(
                "contacts", "edit", "ada", "--no-phone", "8768", "--phone", "788-5550100", "--email",
                "work=ADA@example.org", "--no-address", "dock", "--no-date", "talk", "--birthday", "1815-12-10",
                "--note", "", "--offline")
            let changed = try await shown("lovelace", home)
            #expect(
                changed.phones.map(\.number) == ["5550100", nil] && changed.phones.map(\.id) == ada.phones.map(\.id))
            #expect(changed.emails.map(\.type) == ["work"] && changed.emails.map(\.id) == ada.emails.map(\.id))
            #expect(changed.addresses.map(\.id) == [ada.addresses[0].id] && changed.note == nil)
            #expect(changed.dates.map(\.date) == ["1815-12-10", "2020-05-01"])
            #expect(changed.dates.map(\.id) == Array(ada.dates.map(\.id).prefix(2)))

            let deleted = try await home.run("contacts", "delete", "ada", "--offline")
            let id = String(ada.id.uuidString.lowercased().suffix(6))
            #expect(deleted.contains("subtrack contacts restore \(id)"))
            #expect(try await home.run("contacts").contains("No contacts yet"))
            #expect(try await home.run("contacts", "restore").contains("Ada King Lovelace"))
            try await home.run("contacts", "restore", id, "--offline")
            #expect(try await shown(id, home).phones.map(\.number) == ["5550100", nil])
        }
    }

    @Test("All faults of a contact are told at once, each with the value that was typed and the remedy")
    func faults() async throws {
        try await withHome { home in
            try await home.run("contacts")
            let said = try await home.fail(
                "contacts", "add", "Ada", "--phone", "78-6788768", "--phone", "work=788-678876", "--phone", "12345",
                "--phone", "+0123", "--email", "ada", "--address", ", , , , USA", "--address", "1, 2, 3, 4, 5, 6",
                "--birthday", "02-30", "--date", "anniversary=soon", "--note", String(repeating: "x", count: 2001))
            let expected = [
                "exit code 64", "\"Ada\" is one name, and a contact needs a first and a last one",
                "--phone 78-6788768: the area code has 2 digits and needs 3",
                "--phone work=788-678876: the number has 6 digits and needs 7",
                "--phone 12345: has 5 digits and needs 10", "--phone +0123: a number with its country must be + and",
                "--email ada: must be an address such as", "--address , , , , USA: ", "\"6\" is one too many",
                "--birthday 02-30: the day must be a day", "--date anniversary=soon: \"soon\" is no day such as 12-10",
                "--note: may have 2000 characters, has 2001",
            ]
            for text in expected { #expect(said.contains(text), "\(text) is in \(said)") }
            #expect(said.split(separator: "\n").count == expected.count)
            #expect(try await home.run("contacts", "--json").contains("id") == false)

            try await home.run("contacts", "add", "Ada Lovelace", "--phone", "788-6788768", "--offline")
            let edited = try await home.fail(
                "contacts", "edit", "ada", "--no-phone", "99", "--no-email", "x", "--phone", "7-1")
            for text in [
                "--no-phone 99: there is no such number; there is (788) 678-8768",
                "--no-email x: the contact has no e-mail address", "--phone 7-1: the area code has 1 digits",
            ] {
                #expect(edited.contains(text), "\(text) is in \(edited)")
            }
            #expect(try await home.fail("contacts", "edit", "ada", "--last", "King").contains("names never change"))
            #expect(try await home.fail("contacts", "edit", "nobody", "--note", "x").contains("no contact like"))
        }
    }

    @Test("Names of several words are taken apart, and options say where that is wrong")
    func names() async throws {
        try await withHome { home in
            let typed: [([String], [String?])] = [
                (["Grace Hopper"], ["Grace", nil, "Hopper"]),
                (["Grace", "Brewster", "Hopper"], ["Grace", "Brewster", "Hopper"]),
                (["John von Neumann", "--last", "von Neumann"], ["John", nil, "von Neumann"]),
                (["Juan", "--last", "de la Cruz"], ["Juan", nil, "de la Cruz"]),
                (["--first", "Mary Ann", "--last", "Evans"], ["Mary Ann", nil, "Evans"]),
                (["Mary Ann Evans", "--first", "Mary Ann"], ["Mary Ann", nil, "Evans"]),
            ]
            for (words, names) in typed {
                try await home.run(["contacts", "add"] + words + ["--offline"])
                let one = try await shown(names.compactMap { $0 }.joined(separator: " "), home)
                #expect([one.firstName, one.middleName, one.lastName] == names)
                if names[0] == "Mary Ann" { try await home.run("contacts", "delete", "Mary Ann Evans", "--offline") }
            }
            let again = try await home.run("contacts", "add", "grace HOPPER", "--offline")
            #expect(again.contains("Another contact has the same name"))
            let merge = try #require(again.firstMatch(of: /Try: subtrack contacts merge ([0-9a-f]{6}) ([0-9a-f]{6})\n/))
            #expect(merge.output.1 != merge.output.2)
            let unsure = try await home.fail("contacts", "show", "grace hopper")
            #expect(unsure.contains("could be 2 contacts"), "\(unsure)")
            #expect(unsure.contains("Try: subtrack contacts show "))
        }
    }

    @Test("Options of every command may stand anywhere, and a contact may be called like a command")
    func words() async throws {
        try await withHome { home in
            try await home.run("--offline", "contacts", "add", "Will Merge")
            #expect(try await home.run("--plain", "contacts", "--offline", "show", "will").contains("Will Merge"))
            #expect(try await home.run("contacts", "list", "merge").contains("Will Merge"))
            #expect(try await home.run("contacts", "--json", "will").contains("\"lastName\" : \"Merge\""))
            #expect(try await home.run("help", "contacts", "add").contains("--phone"))
            #expect(try await home.run("contacts", "--help").contains("duplicates"))
            #expect(try await home.fail("contacts", "merge", "will").contains("name two contacts or more"))
            #expect(
                try await home.fail("contacts", "merge", "will", "will", "--offline").contains("leave out --offline"))
        }
    }

    @Test("Days that come are listed, the next first, in the days that are asked for")
    func dates() async throws {
        try await withHome { home in
            try home.setDay(day("2028-02-24"))
            try await home.run("contacts", "add", "Far Off", "--birthday", "04-04", "--offline")
            try await home.run("contacts", "add", "Ada Lovelace", "--birthday", "1988-02-29", "--offline")
            try await home.run(
                "contacts", "add", "Grace Hopper", "--date", "anniversary=02-26", "--once", "talk=1999-01-01",
                "--offline")
            let soon = try await home.run("contacts", "dates")
            #expect(soon.contains("Ada") && soon.contains("Grace") && !soon.contains("Far") && !soon.contains("talk"))
            #expect(
                soon.firstRange(of: "Grace")?.lowerBound ?? soon.endIndex < soon.firstRange(of: "Ada")?.lowerBound
                    ?? soon.startIndex)
            #expect(soon.contains("in 5 days") && soon.contains("in 2 days"), "\(soon)")
            #expect(try await home.run("contacts", "dates", "90").contains("Far Off"))
            #expect(try await home.run("contacts", "dates", "90", "--json").contains("\"type\" : \"anniversary\""))
            #expect(try await home.fail("contacts", "dates", "-1").contains("64"))
        }
    }

    private static let cards = """
        BEGIN:VCARD
        VERSION:3.0
        UID:one@example.org
        N:Lovelace;Ada;;;
        FN:Ada Lovelace
        TEL;TYPE=CELL:(788) 678-8768
        PHOTO;ENCODING=b:AAAA
        END:VCARD
        BEGIN:VCARD
        VERSION:3.0
        N:;;;;
        FN:
        TEL:788 678 8769
        END:VCARD
        BEGIN:VCARD
        VERSION:4.0
        FN:Grace Hopper
        BDAY:19061209
        END:VCARD

        """

    @Test(
        "Cards of a file become contacts, the same file again changes nothing, and each card that is refused is named")
    func importedTwice() async throws {
        try await withHome { home in
            let all = ["contacts", "import", "-", "--offline"]
            #expect(
                try await home.run(all + ["--dry-run"], input: Self.cards).contains(
                    "Would add 2, 1 could not be taken."))
            #expect(try await home.run("contacts", "--json").contains("id") == false)
            let said = try await home.run(all, input: Self.cards)
            #expect(said.contains("Added 2, 1 could not be taken.") && said.contains("card 2"), "\(said)")
            #expect(said.contains("1 card with more than a contact has fields for"), "\(said)")
            #expect(try await home.run(all, input: Self.cards).contains("Added 0, 2 were here already, 1 could not"))
            #expect(
                try await home.run(all + ["--fill-names"], input: Self.cards).contains("Added 1, 2 were here already."))
            #expect(
                try await home.run(all + ["--fill-names"], input: Self.cards).contains("Added 0, 3 were here already."))
            let more = Self.cards.replacing("TEL;TYPE=CELL:(788) 678-8768", with: "TEL;TYPE=WORK:+44 20 7946 0958")
            #expect(try await home.run(all, input: more).contains("Added 0, changed 1, 1 was here already"))
            #expect(try await shown("ada", home).phones.count == 2)
            // What was deleted comes back with its file, and is no second contact.
            try await home.run("contacts", "delete", "ada", "--offline")
            #expect(try await home.run(all, input: Self.cards).contains("changed 1"))
            #expect(try await home.run("contacts", "lovelace", "--json").components(separatedBy: "\"id\"").count > 1)
            #expect(try await shown("ada lovelace", home).phones.count == 2)

            let file = try await home.run("contacts", "export", "--offline")
            #expect(file.contains("VERSION:3.0") && file.contains("N:Lovelace;Ada;;;") && file.contains("BDAY"))
            #expect(try await home.run("contacts", "export", "--offline", "--version", "4.0").contains("VERSION:4.0"))
            #expect(try await home.run("contacts", "export", "--offline", "--vcard", "4.0").contains("VERSION:4.0"))
            var other = home
            other.home.appendPathComponent("other")
            #expect(try await other.run(all + ["--fill-names"], input: file).contains("Added 3."))
            #expect(try await other.run("contacts", "export", "--offline") == file)
        }
    }

    @Test(
        "A file without a card, and one that is not there, end with 65",
        arguments: ["", "BEGIN:VCARD\n", "name,phone\nx,y\n"])
    func badFiles(_ text: String) async throws {
        try await withHome { home in
            let said = try await home.fail(["contacts", "import", "-", "--offline"], input: text)
            #expect(said.contains("exit code 65") && said.contains("nothing was added: "), "\(said)")
            #expect(try await home.fail("contacts", "import", "/nonexistent.vcf").contains("exit code 65"))
        }
    }
}
