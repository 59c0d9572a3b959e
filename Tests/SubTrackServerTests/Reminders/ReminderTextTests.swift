import Foundation
import NIOCore
import NIOHTTP1
import Passwords
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
        ReminderText.Item(
            key: ReminderKey(subject: UUID(), kind: kind, occursOn: day(on), lead: 1), title: title,
            occasion: "birthday", cost: Price(fee: amount("19.99"), currency: "USD"),
            cancelBy: cancelBy.map { day($0) }, provider: "Netflix")
    }

    /// An item with some changes.
    private func changed(
        _ item: ReminderText.Item, _ change: (inout ReminderText.Item) -> Void
    ) -> ReminderText.Item {
        var item = item
        change(&item)
        return item
    }

    /// The paragraphs of a mail, in a language.
    private func paragraphs(_ language: MailLanguage, _ items: ReminderText.Item...) -> [String] {
        ReminderText(language: language, today: today).mail(items, links: links).parts.dropLast().map(\.text)
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
        let asked = changed(item()) { ($0.cost, $0.renewsItself) = (nil, false) }
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

    @Test("The last day to cancel comes with the day and the price of the renewal after it; the subject stays short")
    func afterCancelBy() {
        let renews = changed(item(.cancelBy, "Gym", on: "2027-03-02")) { $0.end = day("2027-03-10") }
        let asked = changed(renews) { $0.renewsItself = false }
        let trial = changed(renews) { $0.isTrial = true }
        #expect(
            paragraphs(.english, renews) == [
                "The last day to cancel Gym is tomorrow, 2 March. It then renews on 10 March, for 19.99 USD."
            ])
        #expect(
            paragraphs(.english, asked) == [
                "The last day to cancel Gym is tomorrow, 2 March. It ends on 10 March, unless you renew it for 19.99 USD."
            ])
        #expect(
            paragraphs(.english, trial) == [
                "The last day to cancel Gym is tomorrow, 2 March. The free trial ends on 10 March, then 19.99 USD."
            ])
        #expect(
            paragraphs(.german, renews) == [
                "Gym kündigen: letzter Tag ist morgen, am 2. März. Sonst verlängert sich das Abo am 10. März, für 19,99 USD."
            ])
        #expect(
            paragraphs(.german, asked) == [
                "Gym kündigen: letzter Tag ist morgen, am 2. März. "
                    + "Das Abo endet am 10. März, wenn du es nicht für 19,99 USD verlängerst."
            ])
        #expect(
            paragraphs(.german, trial) == [
                "Gym kündigen: letzter Tag ist morgen, am 2. März. Die Probezeit endet am 10. März, danach 19,99 USD."
            ])
        #expect(paragraphs(.chinese, renews) == ["取消 Gym 的最后期限：明天（3月2日）。之后将于3月10日续订，费用 19.99 USD。"])
        #expect(paragraphs(.chinese, asked) == ["取消 Gym 的最后期限：明天（3月2日）。订阅将于3月10日到期，除非您续订，费用 19.99 USD。"])
        #expect(paragraphs(.chinese, trial) == ["取消 Gym 的最后期限：明天（3月2日）。免费试用将于3月10日结束，之后 19.99 USD。"])
        let mail = ReminderText(language: .english, today: today).mail([renews], links: links)
        #expect(mail.subject == "The last day to cancel Gym is tomorrow, 2 March")
    }

    @Test("A reminder of a period that can be cancelled links the provider's page on the web; no other reminder does")
    func cancelPage() {
        let page = "https://netflix.example/cancel?a=1&b=2"
        func titles(_ language: MailLanguage, _ kind: ReminderKind, page: String?) -> [String] {
            let item = changed(item(kind)) { $0.cancelPage = page }
            let actions = ReminderText(language: language, today: today).actions(item, links)
            return actions.filter { $0.link == page }.map(\.title)
        }
        for kind in ReminderKind.allCases {
            let has = [.renewal, .trial, .cancelBy, .price].contains(kind)
            #expect(titles(.english, kind, page: page) == (has ? ["Cancel at Netflix"] : []), "\(kind)")
            #expect(titles(.german, kind, page: page) == (has ? ["Bei Netflix kündigen"] : []), "\(kind)")
            #expect(titles(.chinese, kind, page: page) == (has ? ["前往 Netflix 取消"] : []), "\(kind)")
        }
        #expect(titles(.english, .renewal, page: "HTTP://netflix.example") == ["Cancel at Netflix"])
        for bad in [
            "javascript:alert(1)", "ftp://netflix.example", "netflix.example", "", "https:netflix",
            "mailto:a@b.example",
            " https://x.example", "https://x.example/\r\nBcc:x", "https://x.example/\u{202E}",
        ] {
            #expect(titles(.english, .renewal, page: bad) == [], "\(bad)")
        }
        let text = ReminderText(language: .english, today: today)
        let mail = text.mail([changed(item()) { $0.cancelPage = page }], links: links)
        #expect(mail.plain.contains("Cancel at Netflix:\n\(page)\n"))
        #expect(mail.html.contains("<a href=\"https://netflix.example/cancel?a=1&amp;b=2\">Cancel at Netflix</a>"))
        #expect(!text.mail([item()], links: links).plain.contains("Cancel at"))
    }

    @Test("A birthday says the age and an anniversary the years, where the year is known; other days say neither")
    func years() {
        func line(_ language: MailLanguage, _ occasion: String, _ years: Int?, on: String = "2027-03-01") -> String {
            let item = changed(item(.date, "Ada Lovelace", on: on)) { ($0.occasion, $0.years) = (occasion, years) }
            return ReminderText(language: language, today: today).line(item)
        }
        #expect(line(.english, "birthday", 32) == "Ada Lovelace turns 32 today, 1 March")
        #expect(line(.english, "birthday", 32, on: "2027-03-02") == "Ada Lovelace turns 32 tomorrow, 2 March")
        #expect(line(.english, "birthday", nil) == "Ada Lovelace, birthday: today, 1 March")
        #expect(line(.english, "anniversary", 10) == "Ada Lovelace, anniversary: 10 years today, 1 March")
        #expect(line(.english, "anniversary", 1) == "Ada Lovelace, anniversary: 1 year today, 1 March")
        #expect(line(.english, "anniversary", nil) == "Ada Lovelace, anniversary: today, 1 March")
        #expect(line(.english, "graduation", 5) == "Ada Lovelace, graduation: today, 1 March")
        #expect(line(.german, "birthday", 32) == "Ada Lovelace wird 32: heute, am 1. März")
        #expect(line(.german, "birthday", nil) == "Ada Lovelace, Geburtstag: heute, am 1. März")
        #expect(line(.german, "anniversary", 10) == "Ada Lovelace, 10. Jahrestag: heute, am 1. März")
        #expect(line(.german, "anniversary", nil) == "Ada Lovelace, Jahrestag: heute, am 1. März")
        #expect(line(.german, "graduation", 5) == "Ada Lovelace, graduation: heute, am 1. März")
        #expect(line(.chinese, "birthday", 32) == "Ada Lovelace 今天（3月1日）满 32 岁")
        #expect(line(.chinese, "birthday", nil) == "Ada Lovelace，生日：今天（3月1日）")
        #expect(line(.chinese, "anniversary", 10) == "Ada Lovelace，10 周年纪念日：今天（3月1日）")
        #expect(line(.chinese, "anniversary", nil) == "Ada Lovelace，纪念日：今天（3月1日）")
        #expect(line(.chinese, "graduation", 5) == "Ada Lovelace，graduation：今天（3月1日）")
    }

    @Test("The years of a date are those on its day; none before the first year, and none without a year")
    func yearsOfDates() {
        func years(_ date: String, yearly: Bool = true, on text: String) -> Int? {
            let occasion = StoredContact.Occasion(date: date, yearly: yearly)
            let key = ReminderKey(subject: occasion.id, kind: .date, occursOn: day(text), lead: 0)
            let date = SubjectQueries.Date(
                user: UserID(uuid: UUID()), occasion: occasion, name: "Ada Lovelace", contact: UUID(), version: 1)
            return date.item(key, rowID: key.id)?.years
        }
        #expect(years("1995-12-10", on: "2027-12-10") == 32)
        #expect(years("1996-02-29", on: "2027-02-28") == 31 && years("1996-02-29", on: "2028-02-29") == 32)
        #expect(years("--12-10", on: "2027-12-10") == nil && years("2027-12-10", on: "2027-12-10") == nil)
        #expect(years("2027-12-10", yearly: false, on: "2027-12-10") == nil)
    }

    @Test("The week's renewals stand below a line of their own, behind the reminders and without answers")
    func digest() {
        let listed = changed(item(.renewal, "Netflix")) { ($0.isOfDigest, $0.cancelPage) = (true, "https://x.example") }
        let own = item(.overdue, "Gym", on: "2027-02-28")
        let titles: [MailLanguage: String] = [
            .english: "Renewals of the next seven days:", .german: "Verlängerungen der nächsten sieben Tage:",
            .chinese: "未来七天的续订：",
        ]
        for language in MailLanguage.allCases {
            let text = ReminderText(language: language, today: today)
            let parts = text.mail([listed, own], links: links).parts
            #expect(parts.count == 4 && parts[1].text == titles[language], "\(parts)")
            #expect(parts[0].text.hasPrefix("Gym") && !parts[0].actions.isEmpty)
            #expect(parts[2].text.hasPrefix("Netflix") && parts[2].actions.isEmpty)
            #expect(text.mail([own], links: links).parts.count == 2)
        }
        let text = ReminderText(language: .english, today: today)
        #expect(text.mail([listed, own], links: links).subject == "Gym was due on 28 February, and 1 more")
        // Nothing stands below the line where thirty reminders stand before it.
        let many = (0..<30).map { item(.renewal, "Plan \($0)") }
        let parts = text.mail(many + [listed], links: links).parts
        #expect(parts.count == 32 && !parts.contains { $0.text == titles[.english] })
    }

    @Test("English days have the month first where the country writes so; other languages do not")
    func monthFirst() {
        func mail(_ language: MailLanguage, monthFirst: Bool = true) -> [String] {
            let item = changed(item(.cancelBy, "Gym", on: "2027-03-03")) { $0.end = day("2028-01-10") }
            let mail = ReminderText(language: language, today: today, monthFirst: monthFirst).mail([item], links: links)
            return [mail.subject, mail.parts[0].text]
        }
        #expect(
            mail(.english) == [
                "The last day to cancel Gym is in 2 days, on March 3",
                "The last day to cancel Gym is in 2 days, on March 3. It then renews on January 10, 2028, for 19.99 USD.",
            ])
        #expect(mail(.english, monthFirst: false)[1].contains("on 3 March. It then renews on 10 January 2028, for"))
        #expect(mail(.german)[1].contains("am 3. März. Sonst verlängert sich das Abo am 10. Januar 2028, für"))
        #expect(mail(.chinese)[1].contains("（3月3日）。之后将于2028年1月10日续订"))
    }

    @Test("The page that ends mails has words and a style in each language; its policy allows that style alone")
    func unsubscribePage() throws {
        for language in MailLanguage.allCases {
            for state in [UnsubscribePage.State.question, .done, .failed] {
                let response = UnsubscribePage(language: language).response(state)
                let html = String(buffer: try #require(response.body))
                #expect(html.contains("<html lang=\"\(language.rawValue)\">"))
                #expect(html.contains("<button>") == (state == .question))
                let style = try #require(html.firstMatch(of: #/<style>([^<]+)</style>/#)?.output.1)
                let hash = Data(try Digest.sha256(Array(style.utf8))).base64EncodedString()
                let policy = try #require(response.headers.first(name: "content-security-policy"))
                #expect(policy.contains("default-src 'none'; style-src 'sha256-\(hash)';"), "\(policy)")
                #expect(!html.contains("style=") && !html.contains("<script") && !policy.contains("unsafe"))
            }
        }
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
