import Foundation
import Passwords
import SubTrackAPI
import SubTrackTestSupport
import Synchronization

/// Goes through every operation of the service in every way that leads to another statement.
final class StatementTour: Sendable {
    /// The operations that were called, by name.
    var visited: Set<String> { names.withLock { $0 } }
    private let names = Mutex<Set<String>>([])

    /// Calls an operation, whatever it answers.
    @discardableResult
    private func call<Definition: SubTrackAPI.Operation>(
        _ operation: Definition, by client: APIClient, headers: [(String, String)] = []
    ) async throws -> Definition.Output {
        names.withLock { _ = $0.insert(Definition.name) }
        return try await client.call(operation, headers: headers)
    }

    /// The tour.
    /// - Parameter plan: a plan of the catalogue that people subscribe to.
    func run(_ service: TestService, plan: Int64, country: String) async throws {
        let nobody = service.client
        try await call(GetServerInfo(), by: nobody)
        let first = try await call(ListCountries(limit: 2), by: nobody)
        try await call(ListCountries(cursor: first.nextCursor), by: nobody)
        try await catalogue(nobody, country: country, plan: plan)

        let made = try await call(RegisterDevice(name: "Tour", country: country), by: nobody)
        try await call(RegisterDevice(name: "Tour of the default country"), by: nobody)
        var ada = nobody
        ada.token = made.token
        try await call(GetMe(), by: ada)
        try await call(UpdateMe(userName: .set("Ada"), country: .set(country), timeZone: .set("Europe/Paris")), by: ada)
        try await subscriptions(ada, plan: plan)
        try await catalogue(ada, country: country, plan: plan)
        try await sync(ada, user: made.user.id, plan: plan)
        try await contacts(ada)
        try await addressBook(AddressBook(port: service.port, user: made.user.id, password: made.token))
        try await reminders(ada, service, user: made.user.id, plan: plan)
        try await calendars(ada)
        try await accounts(ada, service, plan: plan)
        try await sockets(service)
    }

    /// What is looked at for open sockets: counters, and whether sessions have ended.
    private func sockets(_ service: TestService) async throws {
        let made = try await call(RegisterDevice(name: "Live"), by: service.client)
        var client = service.client
        client.token = made.token
        let socket = try await RawWebSocket.open(port: service.port, token: made.token)
        try await call(UpdateMe(userName: .set("Live")), by: client)
        _ = try await socket.text()
        try await call(DeleteMe(), by: client)
        guard try await socket.closeCode() == 4401 else { throw NeverHappened(description: "the session's end") }
    }

    /// A mail tells of two subscriptions. One is cancelled by its token, one renewed; then the mails are ended.
    private func reminders(_ ada: APIClient, _ service: TestService, user: UUID, plan: Int64) async throws {
        var tokens: [String: Token] = [:]
        for purpose in ["answer", "unsubscribe"] {
            let token = try Token.generate()
            let hash = try token.hash.bytes.map { String(format: "%02X", $0) }.joined()
            try await service.database.run(
                "INSERT INTO Answer_secret VALUES (0x\(hash), \(hex(user)), 7, '\(purpose)', '2026-03-01')")
            tokens[purpose] = token
        }
        guard let answer = tokens["answer"]?.text, let end = tokens["unsubscribe"]?.text else { return }
        for given in [ReminderAnswer.cancel, .renew] {
            let held = try await call(CreateSubscription(planId: plan), by: ada)
            let key = ReminderKey(subject: held.id, kind: .renewal, occursOn: held.endDate, lead: 7)
            try await service.database.run(
                """
                INSERT INTO Reminder (User_ID, Reminder_ID, Subject_ID, Kind, Occurs_on, Lead_days, Notification_no)
                VALUES (\(hex(user)), \(hex(key.id)), \(hex(held.id)), 'renewal', '\(held.endDate)', 7, 7)
                """)
            try await call(PreviewAnswers(token: answer), by: service.client)
            try await call(GiveAnswer(token: answer, reminder: key.id, answer: given), by: service.client)
        }
        for _ in 0..<2 {
            _ = try await RawHTTP.send(
                "POST", "/unsubscribe/\(end)", port: service.port, body: Array("List-Unsubscribe=One-Click".utf8))
        }
    }

    private func calendars(_ ada: APIClient) async throws {
        let made = try await call(CreateCalendar(), by: ada)
        try await call(ListCalendars(), by: ada)
        _ = try await ada.send("GET", made.path)
        try await call(DeleteCalendar(id: made.calendar.id), by: ada)
    }

    private func contacts(_ ada: APIClient) async throws {
        let jose = CreateContact(
            firstName: "José", lastName: "Meda", note: "n", phones: [ContactPhone(area: "788", number: "6788768")],
            addresses: [ContactAddress(street: "1 High Street")], emails: [ContactEmail(email: "jose@example.org")],
            dates: [ContactDate(date: "--06-25")])
        let made = try await call(jose, by: ada)
        let twin = try await call(jose, by: ada)
        try await call(GetContact(id: made.id), by: ada)
        try await call(
            PutContact(id: made.id, firstName: "José", lastName: "Meda", emails: [ContactEmail(email: "a@b.c")]),
            by: ada)
        try await call(
            UpdateContact(
                id: twin.id, note: .set("m"),
                phones: .set([twin.phones[0].id.uuidString: .object(["number": "6788769"])]),
                emails: .set([twin.emails[0].id.uuidString: .null])), by: ada)
        let first = try await call(ListContacts(limit: 1), by: ada)
        try await call(ListContacts(limit: 1, cursor: first.nextCursor), by: ada)
        try await call(ListContacts(search: "jose 788"), by: ada)
        try await call(ListContacts(search: "high"), by: ada)
        try await call(ListContactDuplicates(), by: ada)
        try await call(DeleteContact(id: twin.id), by: ada)
        try await call(RestoreContact(id: twin.id), by: ada)
        try await call(MergeContacts(id: made.id, from: [.init(id: twin.id)]), by: ada)
        let card = "BEGIN:VCARD\r\nVERSION:3.0\r\nN:Hope;Bob\r\nFN:x\r\nTEL:+4922112345\r\nX-A:b\r\n"
        try await call(ImportContacts(cards: card + "UID:a\r\nEND:VCARD\r\n" + card + "END:VCARD\r\n"), by: ada)
        try await call(
            ImportContacts(cards: card.replacing("Hope", with: "Hopes") + "X-C:d\r\nUID:a\r\nEND:VCARD\r\n"), by: ada)
        names.withLock { _ = $0.insert(ExportContacts.name) }
        _ = try await ada.send("GET", ExportContacts.endpoint.path)
    }

    /// Contacts by CardDAV.
    private func addressBook(_ book: AddressBook) async throws {
        let card = AddressBook.card("urn:uuid:\(UUID())", "Eve", "X-PET:cat")
        _ = try await book.put("eve", card)
        _ = try await book.put("eve", card)
        let (cards, token) = try await book.changes()
        _ = try await book.properties("c:address-data", of: book.home, depth: 1)
        let one = try cards.first.map(\.href) ?? { throw NeverHappened(description: "a card") }()
        _ = try await book.send("GET", one)
        _ = try await book.send("DELETE", one)
        _ = try await book.changes(since: token)
    }

    private func sync(_ ada: APIClient, user: UUID, plan: Int64) async throws {
        let first = try await call(PullChanges(limit: 5), by: ada)
        let rest = try await call(PullChanges(cursor: first.cursor), by: ada)
        try await call(PullChanges(cursor: rest.cursor), by: ada)
        func push(
            _ entity: SyncEntity, _ id: String, _ op: PushChanges.Mutation.Op, _ fields: [String: AnyJSON] = [:]
        ) async throws {
            let mutation = PushChanges.Mutation(entity: entity, id: id, op: op, baseVersion: 1, fields: fields)
            try await call(PushChanges(mutations: [mutation], cursor: rest.cursor), by: ada)
        }
        let id = UUID()
        try await push(.subscription, id.uuidString, .create, ["planId": .integer(plan)])
        try await push(.subscription, id.uuidString, .update, ["note": "x", "planId": .integer(plan)])
        try await push(.subscription, id.uuidString, .renew, ["period": .integer(0)])
        try await push(.subscription, id.uuidString, .cancel)
        try await push(.subscription, id.uuidString, .resume)
        try await push(.subscription, id.uuidString, .delete)
        try await push(.subscription, id.uuidString, .restore)
        try await push(.me, user.uuidString, .update, ["userName": "Ann"])
        let own = try await call(ListPlans(), by: ada).plans.first { $0.private }
        try await push(.plan, "\(own?.id ?? 0)", .update, ["fee": "21.00"])
        try await push(.plan, "\(own?.id ?? 0)", .delete)
        try await call(PullChanges(cursor: rest.cursor, scopes: .user), by: ada)
        try await call(PullChanges(cursor: rest.cursor), by: ada)
        try await call(UpdateMe(country: .set("US")), by: ada)
        try await call(PullChanges(cursor: rest.cursor, limit: 3), by: ada)
        try await call(DeleteSubscription(id: id), by: ada)
        try await call(RestoreSubscription(id: id), by: ada)
    }

    /// Registers, signs in with and without what a device has kept, and leaves.
    private func accounts(_ ada: APIClient, _ service: TestService, plan: Int64) async throws {
        let nobody = service.client
        func with(_ token: String) -> APIClient {
            var client = nobody
            client.token = token
            return client
        }
        try await call(
            RegisterAccount(email: "ada@example.org", password: goodPassword, userName: "Ada"), by: ada)
        let phone = try await with(call(RegisterDevice(name: "Phone"), by: nobody).token)
        try await call(CreateSubscription(planId: plan, label: "x"), by: phone)
        // What both have: a subscription with a period that has ended, and a plan of their own.
        let pool = PrivatePlan(
            provider: "Pool", name: "Off-peak", fee: amount("19"), currency: "EUR",
            duration: PlanDuration(value: 1, unit: .month))
        for (client, note) in [(ada, nil), (phone, "shared")] {
            let twin = try await call(
                CreateSubscription(planId: plan, startDate: day("2025-12-05"), note: note), by: client)
            try await call(RenewSubscription(id: twin.id), by: client)
            try await call(CreateSubscription(plan: pool, startDate: day("2026-01-05")), by: client)
        }
        // More devices than a user may have.
        let user = try await call(GetMe(), by: ada).id.uuidString
        try await service.database.run(
            """
            SET @user = UNHEX(REPLACE('\(user)', '-', ''));
            INSERT INTO Device (Device_ID, User_ID, Device_name) SELECT RANDOM_BYTES(16), @user, 'old' FROM seq_1_to_120;
            INSERT INTO Known_device (User_ID, Device_ID) SELECT @user, RANDOM_BYTES(16) FROM seq_1_to_250
            """)
        let merged = try await call(
            CreateSession(email: "ada@example.org", password: goodPassword), by: phone)
        let sessions = try await call(ListSessions(limit: 1), by: ada)
        try await call(ListSessions(cursor: sessions.nextCursor), by: ada)
        let gone = try await call(CreateSubscription(planId: plan, label: "gone"), by: ada)
        try await call(DeleteSubscription(id: gone.id), by: ada)
        try await call(ExportMe(), by: ada)
        let fresh = try await call(EndSession(), by: with(merged.token))
        try await call(
            CreateSession(email: "eve@example.org", password: goodPassword, createIfMissing: true),
            by: with(fresh.token))
        let made = try await call(
            CreateSession(email: "bob@example.org", password: goodPassword, createIfMissing: true), by: nobody)
        let other = try await call(CreateSession(email: "bob@example.org", password: goodPassword), by: nobody)
        let bobs = try await call(ListSessions(), by: with(made.token)).sessions
        for session in bobs where session.device.id == other.device.id {
            try await call(DeleteSession(id: session.id), by: with(made.token))
        }
        try await call(
            ChangePassword(currentPassword: goodPassword, newPassword: "another good one"), by: with(made.token))
        try await call(
            ChangeEmail(email: "bob@example.org", newEmail: "rob@example.org", currentPassword: "another good one"),
            by: with(made.token))
        for email in ["second@example.org", "third@example.org"] {
            try await call(
                RegisterAccount(email: email, password: goodPassword, currentPassword: "another good one"),
                by: with(made.token))
        }
        try await call(
            DeleteAccount(email: "third@example.org", currentPassword: "another good one"), by: with(made.token))
        try await call(ForgotPassword(email: "rob@example.org"), by: nobody)
        try await call(ForgotPassword(email: "rob@example.org"), by: with(made.token))
        for purpose in ["verify", "reset"] {
            let token = try Token.generate()
            let hash = try token.hash.bytes.map { String(format: "%02X", $0) }.joined()
            try await service.database.run(
                "INSERT INTO Mail_secret VALUES (0x\(hash), '\(purpose)', 'rob@example.org', UTC_TIMESTAMP() + INTERVAL 1 HOUR)"
            )
            let described = DescribeLink.Purpose(rawValue: purpose) ?? .verify
            try await call(DescribeLink(token: token.text, purpose: described), by: nobody)
            if purpose == "verify" {
                try await call(VerifyEmail(token: token.text), by: nobody)
            } else {
                try await call(ResetPassword(token: token.text, newPassword: goodPassword), by: nobody)
            }
        }
        let back = try await call(CreateSession(email: "rob@example.org", password: goodPassword), by: nobody)
        try await call(DeleteMe(currentPassword: goodPassword), by: with(back.token))
    }

    private func catalogue(_ client: APIClient, country: String, plan: Int64) async throws {
        for wanted in client.token == nil ? [country] : [country, nil] {
            let plans = try await call(ListPlans(country: wanted, limit: 3), by: client)
            try await call(ListPlans(country: wanted, limit: 3, cursor: plans.nextCursor), by: client)
            try await call(ListPlans(country: wanted, provider: plans.plans.first?.provider), by: client)
            try await call(ListPlans(country: wanted, search: "um"), by: client)
        }
        for wanted in [country, nil] {
            let providers = try await call(ListProviders(country: wanted, limit: 3), by: client)
            try await call(ListProviders(country: wanted, limit: 3, cursor: providers.nextCursor), by: client)
            try await call(ListProviders(country: wanted, category: "Video"), by: client)
            try await call(ListProviders(country: wanted, search: "um"), by: client)
        }
        try await call(GetPlan(id: plan), by: client)
    }

    private func subscriptions(_ ada: APIClient, plan: Int64) async throws {
        let key = [("Idempotency-Key", "tour")]
        let made = try await call(CreateSubscription(planId: plan), by: ada, headers: key)
        try await call(CreateSubscription(planId: plan), by: ada, headers: key)
        for number in 0..<12 {
            try await call(CreateSubscription(planId: plan, label: "Number \(number)"), by: ada)
        }
        let own = PrivatePlan(
            provider: "Gym", name: "Off-peak", category: "Sports", fee: amount("19"), currency: "EUR",
            duration: PlanDuration(value: 1, unit: .month))
        let private_ = try await call(CreateSubscription(plan: own, autoRenew: true), by: ada)
        // It renews when it is looked at.
        var late: [UUID] = []
        for _ in 0..<3 {
            let made = try await call(
                CreateSubscription(planId: plan, startDate: day("2025-10-31"), autoRenew: true), by: ada)
            late.append(made.id)
        }
        for status in [nil] + Subscription.Status.allCases.map(Optional.some) {
            let page = try await call(ListSubscriptions(status: status, limit: 1), by: ada)
            try await call(ListSubscriptions(status: status, limit: 5, cursor: page.nextCursor), by: ada)
        }
        let due = try await call(ListSubscriptions(dueWithin: 400, limit: 2), by: ada)
        try await call(ListSubscriptions(dueWithin: 400, cursor: due.nextCursor), by: ada)
        try await call(GetSubscription(id: made.id), by: ada)
        try await call(
            UpdateSubscription(
                id: made.id, startDate: .set(day("2026-01-02")), freeTrial: .set(false), autoRenew: .set(false),
                fee: .set(amount("3")), label: .set("x"), reminderDays: .set(2), muted: .set(true), note: .set("y")),
            by: ada)
        try await call(
            UpdateSubscription(
                id: private_.id,
                plan: .set(
                    PrivatePlanPatch(
                        provider: .set("Club"), name: .set("All day"), type: .set("Standard"), category: .set("Fun"),
                        fee: .set(amount("20")), duration: .set(PlanDuration(value: 1, unit: .year)),
                        trialDays: .set(3), noticeDays: .set(2)))), by: ada)
        try await call(
            UpdateSubscription(id: private_.id, plan: .set(PrivatePlanPatch(category: .set("Play")))), by: ada)
        try await call(UpdateSubscription(id: made.id, planId: .set(private_.plan.id), fee: .remove), by: ada)
        try await call(RenewSubscription(id: made.id), by: ada)
        let periods = try await call(ListPeriods(id: made.id, limit: 1), by: ada)
        try await call(ListPeriods(id: made.id, cursor: periods.nextCursor), by: ada)
        try await call(CancelSubscription(id: made.id), by: ada)
        try await call(GetDashboard(), by: ada)
        try await call(ResumeSubscription(id: made.id), by: ada)
        try await call(GetDashboard(currency: "USD"), by: ada)
        try await call(DeleteSubscription(id: made.id), by: ada)
        // What was done before some renewals, and is said after them.
        try await call(CancelSubscription(id: late[0], madeOn: day("2025-11-05")), by: ada)
        try await call(ResumeSubscription(id: late[0]), by: ada)
        for period in [0, 2] { try await call(RenewSubscription(id: late[1], period: period), by: ada) }
        try await call(DeleteSubscription(id: late[2], madeOn: day("2025-11-05")), by: ada)
        try await call(RestoreSubscription(id: late[2]), by: ada)
    }
}
