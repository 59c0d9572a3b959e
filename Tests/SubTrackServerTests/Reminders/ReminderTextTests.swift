import Foundation
import SubTrackAPI
import SubTrackCore
import TestTraits
import Testing

@testable import SubTrackServer

@Suite("Texts of reminders", .ownTime)
struct ReminderTextTests {
    private let today = day("2027-03-01")
    private let links = ReminderText.Links(home: "https://subs.example", answer: "sub_a", unsubscribe: "sub_u")

    private func item(
        _ kind: ReminderKind = .renewal, _ title: String = "Netflix", on: String = "2027-03-03",
        cancelBy: String? = nil
    ) -> ReminderText.Item {
        .init(
            ReminderKey(subject: UUID(), kind: kind, occursOn: day(on), lead: 1), title: title, occasion: "birthday",
            cost: Price(fee: amount("19.99"), currency: "USD"), cancelBy: cancelBy.map { day($0) })
    }

    @Test("A reminder says the name, the day and the cost in the reader's language")
    func languages() {
        func line(_ language: MailLanguage, _ kind: ReminderKind) -> String {
            ReminderText(language: language, today: today).line(item(kind))
        }
        #expect(line(.english, .renewal) == "Netflix renews in 2 days, on 3 March, for 19.99 USD")
        #expect(line(.german, .renewal) == "Netflix verlängert sich in 2 Tagen, am 3. März, für 19,99 USD")
        #expect(line(.chinese, .renewal) == "Netflix 将于2 天后（3月3日）续订，费用 19.99 USD")
        #expect(
            line(.english, .price)
                == "Netflix changes its price to 19.99 USD. The last day to cancel is in 2 days, on 3 March")
        let asked = ReminderText.Item(
            ReminderKey(subject: UUID(), kind: .renewal, occursOn: day("2027-03-03"), lead: 1), title: "Netflix",
            renewsItself: false)
        #expect(
            ReminderText(language: .english, today: today).line(asked)
                == "Netflix ends in 2 days, on 3 March, unless you renew it")
        #expect(line(.german, .date) == "Netflix, Geburtstag: in 2 Tagen, am 3. März")
    }

    @Test("Every kind has words in every language, and all of them are different")
    func kinds() {
        for language in MailLanguage.allCases {
            let text = ReminderText(language: language, today: today)
            let lines = ReminderKind.allCases.map { text.line(item($0)) }
            #expect(Set(lines).count == ReminderKind.allCases.count)
            #expect(lines.allSatisfy { !$0.isEmpty })
            let answers = ReminderAnswer.allCases.map(text.title)
            #expect(Set(answers).count == ReminderAnswer.allCases.count)
        }
    }

    @Test("The subject is the most urgent reminder, and counts the others; a mail names thirty")
    func subject() {
        let text = ReminderText(language: .english, today: today)
        let mail = text.mail([item(on: "2027-03-08"), item(.trial, "Zoom", on: "2027-03-02")], links: links)
        #expect(mail.subject == "The free trial of Zoom ends tomorrow, 2 March, then 19.99 USD, and 1 more")
        #expect(mail.parts.count == 3)
        #expect(mail.plain.contains("https://subs.example/"))
        let many = text.mail((0..<20_000).map { item(.renewal, "Plan \($0)") }, links: links)
        #expect(many.parts.count == 32 && many.plain.contains("There are 19970 more. The app shows them."))
    }

    @Test("The last day to cancel stands in the mail as long as it has not passed")
    func cancelBy() {
        let text = ReminderText(language: .english, today: today)
        let ahead = text.mail([item(cancelBy: "2027-03-02")], links: links).plain
        #expect(ahead.contains("The last day to cancel is tomorrow, 2 March."))
        #expect(!text.mail([item(cancelBy: "2027-02-28")], links: links).plain.contains("The last day to cancel"))
    }

    @Test("A name cannot break out of the mail: it is escaped, cut, and loses characters that turn the text around")
    func names() {
        let text = ReminderText(language: .english, today: today)
        let mail = text.mail([item(.renewal, "<b>\u{202E}evil\r\nBcc: x\u{0}</b>")], links: links)
        #expect(mail.html.contains("&lt;b&gt;evilBcc: x&lt;/b&gt;") && !mail.html.contains("<b>"))
        #expect(!mail.subject.unicodeScalars.contains { $0.value < 0x20 || $0.value == 0x202E })
        #expect(ReminderText.shown(String(repeating: "é", count: 500)).count == 60)
        // These make one character with the sign after them.
        for joiner in ["\u{600}", "\u{6DD}", "\u{110BD}", "\u{D4E}"] {
            let title = "\(joiner)<img src=x\(joiner)>\(joiner)&\(joiner)\"\(joiner)'"
            #expect(
                title.escapedForHTML
                    == "\(joiner)&lt;img src=x\(joiner)&gt;\(joiner)&amp;\(joiner)&quot;\(joiner)&#39;")
            let html = text.mail([item(.renewal, title)], links: links).html
            #expect(Array(html.utf8).firstRange(of: Array("<img".utf8)) == nil)
        }
    }
}
