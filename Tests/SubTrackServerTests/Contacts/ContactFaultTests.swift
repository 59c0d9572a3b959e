import Foundation
import SubTrackAPI
import SubTrackTestSupport
import TestTraits
import Testing

@testable import SubTrackServer

/// Impossible contacts, by every way on which clients send them.
@Suite("Faults of contacts", .ownTime)
struct ContactFaultTests {
    private static let id = UUID()

    /// Parts of a contact, and the fields that are named as faulty.
    private static let cases: [(parts: String, fields: [String])] = [
        (
            #""phones": [{"area": "78", "number": "6788768"}, {"area": "7888", "number": "678876"}]"#,
            ["phones.0.area", "phones.1.area", "phones.1.number"]
        ),
        (#""phones": [{"area": "７８８", "number": "67887689"}]"#, ["phones.0.area", "phones.0.number"]),
        (
            #""phones": [{"e164": "+0123"}, {"e164": "+1234567890123456"}, {}]"#,
            ["phones.0.e164", "phones.1.e164", "phones.2.area", "phones.2.number"]
        ),
        (
            #""phones": [{"id": "\#(id)", "area": "7"}]"#,
            ["phones.\(id.uuidString.lowercased()).area", "phones.\(id.uuidString.lowercased()).number"]
        ),
        (
            #""addresses": [{"street": " ", "apt": ""}, {"country": "US"}]"#,
            ["addresses.0.street", "addresses.1.street"]
        ),
        (
            #""addresses": [{"street": "\#(String(repeating: "x", count: 41))", "zip": "12345678901"}]"#,
            ["addresses.0.street", "addresses.0.zip"]
        ),
        (#""emails": [{"email": "ada"}, {"email": "a b@c"}]"#, ["emails.0.email", "emails.1.email"]),
        (
            #""dates": [{"date": "--02-30"}, {"date": "2027-02-29"}, {"date": "1995-00-01"}, {"date": "0999-01-01"}]"#,
            (0..<4).map { "dates.\($0).date" }
        ),
        (#""dates": [{"date": "--06-25", "yearly": false}]"#, ["dates.0.yearly"]),
        (#""dates": [{"date": "--06-25", "reminderDays": 366}]"#, ["dates.0.reminderDays"]),
    ]

    @Test("All faults are told at once over HTTP, sockets and sync, each with its path, and nothing is stored")
    func faults() async throws {
        try await TestService.run(configure: PlainSocket.listen) { service in
            let ada = try await service.newUser()
            let socket = try await service.connectSocket()
            _ = try await socket.call("session.open", ["token": try #require(ada.client.token)]).result()
            for (parts, fields) in Self.cases {
                let json = #"{"firstName": "A", "lastName": "B", \#(parts)}"#
                let input = try #require(
                    try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any])
                let response = try await ada.client.send("POST", "/v1/contacts", json: json)
                #expect(response.status == 400)
                let overHTTP = try response.problem()
                let overSocket = try await socket.call("contacts.create", input).problem(code: -32602)
                let pushed = try await ada.call(
                    PushChanges(mutations: [
                        .init(
                            entity: "contact", id: UUID().uuidString.lowercased(), op: .create,
                            fields: try JSONDecoder().decode([String: AnyJSON].self, from: Data(json.utf8)))
                    ])
                ).results.first
                #expect(pushed?.outcome == .refused)
                for problem in [overHTTP, overSocket, pushed?.error] {
                    #expect((problem?.errors ?? []).map(\.field).sorted() == fields.sorted(), "\(parts)")
                }
            }
            await socket.close()
            for json in [#"{"lastName": "B"}"#, #"{"firstName": " ", "lastName": "B"}"#] {
                let response = try await ada.client.send("POST", "/v1/contacts", json: json)
                #expect(try response.problem().errors?.map(\.field) == ["firstName"])
            }
            let many = ContactPhone(area: "788", number: "6788768")
            let problem = try await ada.client.refusal(
                of: CreateContact(firstName: "A", lastName: "B", phones: Array(repeating: many, count: 51)))
            #expect(problem.status == 400 || problem.status == 413)
            #expect(try await ada.call(ListContacts()).contacts.isEmpty)
        }
    }

    @Test("A search of signs, emoji or nothing but a NUL finds what it says, and one that is too long is refused")
    func searches() async throws {
        try await TestService.run { service in
            let ada = try await service.newUser()
            try await ada.call(CreateContact(firstName: "100%", lastName: "A_b\\c 🎬"))
            try await ada.call(CreateContact(firstName: "Ann", lastName: "Other"))
            for text in ["%", "_", "\\", "🎬", "0%", "a_b\\c"] {
                #expect(try await ada.call(ListContacts(search: text)).contacts.map(\.firstName) == ["100%"], "\(text)")
            }
            for text in ["%%", "__", "\\\\", "🎵", "a%", "' OR '1'='1"] {
                #expect(try await ada.call(ListContacts(search: text)).contacts.isEmpty, "\(text)")
            }
            for text in [
                Array(repeating: "a", count: 200).joined(separator: " "), String(repeating: "n", count: 10 << 10),
                "a b c d e f g h i",
            ] {
                let problem = try await ada.refusal(of: ListContacts(search: text))
                #expect(problem.status == 400 && problem.errors?.map(\.field) == ["search"], "\(problem)")
            }
        }
    }

    @Test("A contact whose parts are cut off is not there, nor are the parts before")
    func cutOff() async throws {
        try await TestService.runAlone { service in
            let ada = try await service.newUser()
            // The last list of parts fails, when the statements for all others are through.
            try await service.database.run(
                """
                CREATE TRIGGER Cut_off BEFORE INSERT ON Contact_date FOR EACH ROW
                SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = 'Contact_date.Happens_on: cut off'
                """)
            let response = try await ada.client.send("POST", "/v1/contacts", json: ContactTests.json())
            #expect(try response.problem().errors?.map(\.field) == ["dates.date"])
            let counts = try await service.rowCounts()
            for table in ["Contact", "Contact_phone", "Contact_address", "Contact_email", "Contact_date"] {
                #expect(counts[table] == 0, "\(table)")
            }
            try await service.database.run("DROP TRIGGER Cut_off")
            #expect(try await ada.client.send("POST", "/v1/contacts", json: ContactTests.json()).status == 201)
        }
    }
}
