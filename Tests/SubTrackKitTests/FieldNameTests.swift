import Foundation
import SubTrackAPI
import SubTrackKit
import TestTraits
import Testing

@testable import struct subtrack.Add
@testable import struct subtrack.Edit
@testable import struct subtrack.FieldNames
@testable import struct subtrack.Login
@testable import struct subtrack.Me
@testable import struct subtrack.Password
@testable import struct subtrack.Register

/// The names of fields in the messages of the terminal client.
@Suite("Names of fields at a terminal", .ownTime)
struct FieldNameTests {
    @Test("Every field of a contact has a name, and those of parts lead to the option of their list")
    func contacts() {
        let fields =
            StoredContact.declaration.fields.map(\.name)
            + StoredContact.declaration.parts.flatMap { part in part.fields.map { "\(part.name).0190.\($0.name)" } }
        for field in fields { #expect(FieldNames.contact.known(field) != nil, "\(field)") }
        let fault = Problem.input("phones.0190.area", .range, "has 2 digits; needs 3")
        #expect(FieldNames.contact.text(fault) == "--phone: has 2 digits; needs 3")
    }

    /// An input that a command sends, with all fields filled.
    struct Sent: Sendable {
        let command: String?
        let input: any SubTrackAPI.Operation
        /// The help of the command; nil: it has no option of its own for a field.
        var help: String?
    }

    private static let today = CalendarDate(daysSince1970: 20_000)
    private static let month = PlanDuration(value: 1, unit: .month)
    private static let amount = Amount(units: 1, digits: 0)

    /// All inputs that the terminal can send.
    static let sent: [Sent] = [
        Sent(
            command: "add",
            input: CreateSubscription(
                id: UUID(), planId: 1,
                plan: PrivatePlan(
                    provider: "x", name: "x", type: "x", category: "x", fee: amount, currency: "USD", duration: month,
                    trialDays: 1, noticeDays: 1),
                startDate: today, nextRenewal: today, freeTrial: true, autoRenew: true, fee: amount, label: "x",
                reminderDays: 1, muted: true, note: "x"), help: Add.helpMessage(columns: 200)),
        Sent(
            command: "edit",
            input: UpdateSubscription(
                id: UUID(), planId: .set(1),
                plan: .set(
                    PrivatePlanPatch(
                        provider: .set("x"), name: .set("x"), type: .set("x"), category: .set("x"), fee: .set(amount),
                        currency: .set("x"), duration: .set(month), trialDays: .set(1), noticeDays: .set(1))),
                startDate: .set(today), nextRenewal: .set(today), freeTrial: .set(true), autoRenew: .set(true),
                fee: .set(amount), label: .set("x"), reminderDays: .set(1), muted: .set(true), note: .set("x"),
                madeOn: today),
            help: Edit.helpMessage(columns: 200)),
        Sent(
            command: "me", input: UpdateMe(userName: .set("x"), country: .set("x"), timeZone: .set("x")),
            help: Me.helpMessage(columns: 200)),
        Sent(
            command: "register",
            input: RegisterAccount(email: "x", password: "x", userName: "x", currentPassword: "x"),
            help: Register.helpMessage(columns: 200)),
        Sent(
            command: "login",
            input: CreateSession(
                email: "x", password: "x", userName: nil, createIfMissing: true,
                device: .init(id: UUID(), name: "x", country: "x", timeZone: "x")),
            help: Login.helpMessage(columns: 200)),
        Sent(command: "password", input: ForgotPassword(email: "x"), help: Password.helpMessage(columns: 200)),
        Sent(
            command: "password", input: ChangePassword(email: "x", currentPassword: "x", newPassword: "x"),
            help: Password.helpMessage(columns: 200)),
        Sent(command: "sync", input: RegisterDevice(id: UUID(), name: "x", country: "x", timeZone: "x")),
        Sent(command: "sync", input: PullChanges(cursor: "x", limit: 1, scopes: .all)),
        Sent(command: "sync", input: PushChanges(mutations: [], cursor: "x")),
        Sent(command: "list", input: GetDashboard(within: 1, currency: "x")),
        Sent(command: "renew", input: RenewSubscription(id: UUID(), period: 1, madeOn: today)),
        Sent(command: "cancel", input: CancelSubscription(id: UUID(), madeOn: today)),
        Sent(command: "resume", input: ResumeSubscription(id: UUID(), madeOn: today)),
        Sent(command: "delete", input: DeleteSubscription(id: UUID(), madeOn: today)),
        Sent(command: "restore", input: RestoreSubscription(id: UUID(), madeOn: today)),
        Sent(command: "logout", input: DeleteMe(currentPassword: "x")), Sent(command: "logout", input: EndSession()),
        Sent(command: "sync", input: GetServerInfo()),
    ]

    /// The paths of all fields, those inside of others included.
    private func paths(_ value: Any, _ prefix: String = "") -> [String] {
        Mirror(reflecting: value).children.flatMap { child -> [String] in
            guard let label = child.label else { return [] }
            let path = prefix + label
            return [path] + (inner(child.value).map { paths($0, path + ".") } ?? [])
        }
    }

    /// The fields' holder in a value; nil: it has none.
    private func inner(_ value: Any) -> Any? {
        let mirror = Mirror(reflecting: value)
        switch mirror.displayStyle {
        case .optional, .enum: return mirror.children.first.flatMap { inner($0.value) }
        case .struct:
            return value is UUID || value is CalendarDate || value is Amount || value is Instant ? nil : value
        default: return nil
        }
    }

    @Test("Every field that the terminal can send has a name: an option of that command, or words")
    func walk() {
        var count = 0
        for sent in Self.sent {
            let names = FieldNames.of(sent.command)
            for path in paths(sent.input) {
                count += 1
                let name = names.known(path)
                #expect(name != nil, "\(sent.command ?? "-"): \(path) has no name")
                #expect(name?.words.contains(where: \.isUppercase) == false, "\(path)")
                guard let option = name?.option, let help = sent.help else { continue }
                #expect(help.contains(option), "\(sent.command ?? "-") has no \(option), for \(path)")
            }
        }
        #expect(count > 60, "the fields were walked")
    }

    @Test("Errors of the kit and of the service name options, also inside of their texts")
    func texts() {
        let days = KitError.invalid(field: "reminderDays", message: "must be from 0 to 365")
        #expect(FieldNames.of("add").text(days) == "--remind: must be from 0 to 365")
        let both = Problem.input([
            .init(field: "nextRenewal", code: .conflict, message: "give either startDate or nextRenewal"),
            .init(field: "plan.duration.value", code: .range, message: "must be from 1 to 1200, is 0"),
        ])
        #expect(
            FieldNames.of("edit").text(KitError.refused(both))
                == "--renews: give either --start or --renews; --every: must be from 1 to 1200, is 0")
        let price = KitError.invalid(field: "plan.fee", message: "has 2 digits")
        #expect(FieldNames.of("edit").text(price) == "--price: has 2 digits")
        #expect(FieldNames.of("add").text(price) == "--fee: has 2 digits")
        let password = Problem.input("currentPassword", .required, "is needed")
        #expect(FieldNames.of("register").text(password) == "the password so far: is needed")
        #expect(FieldNames.of(nil).text(Problem(.tooMany, "Use one (planId), as of iPhone.")).contains("of iPhone"))
        #expect(!FieldNames.of(nil).text(Problem(.tooMany, "Use one (planId).")).contains("planId"))
        // Of a newer service.
        #expect(FieldNames.of("add").text(Problem.input("plan.payDay", .range, "is odd")) == "the plan: is odd")
        #expect(FieldNames.of("add").text(Problem.input("payDay", .range, "is odd")) == "pay day: is odd")
    }
}
