import Foundation
import SubTrackAPI
import SubTrackCore

/// The words of reminders, in each language.
///
/// Amounts and days come in as values, so that no text can lack one by a typing error. Names come from people and from
/// the catalogue: they are cut, and characters that change the direction of a text are removed.
struct ReminderText: Sendable {
    /// One thing of which a notification tells.
    struct Item: Sendable, Equatable {
        let key: ReminderKey
        /// The id of its row; nil: that of the key.
        var rowID: UUID?
        /// The name of the subscription or the contact.
        let title: String
        /// The word for the day of a contact: `birthday`.
        var occasion: String?
        /// How many years the day of a contact is after the first one, more than 0; nil: that is not known.
        var years: Int?
        /// The cost of the next period, or of the first one that costs something else; nil: there is none.
        var cost: Price?
        /// The last day to cancel; nil: nothing is to be cancelled.
        var cancelBy: CalendarDate?
        /// The day on which the period ends; nil: it is the day of a contact.
        var end: CalendarDate?
        /// Whether the period is a free trial.
        var isTrial = false
        /// Whether the provider renews it without being asked.
        var renewsItself = true
        /// The provider's name.
        var provider = ""
        /// The provider's page for cancelling, as the catalogue has it; nil: it has none.
        var cancelPage: String?
        /// Whether the list of the week's renewals has it, and no reminder of its own.
        var isOfDigest = false

        var id: UUID { rowID ?? key.id }
        var kind: ReminderKind { key.kind }
        var on: CalendarDate { key.occursOn }
    }

    /// The addresses of the pages to which a mail leads.
    struct Links: Sendable {
        /// The page of a tenant.
        let home: String
        /// The token that answers the mail's reminders.
        let answer: String
        /// The token that ends the mails.
        let unsubscribe: String

        /// The page on which a reminder is answered. The token stands behind `#`, which no browser sends and no proxy logs.
        func page(_ reminder: UUID, _ answer: ReminderAnswer) -> String {
            "\(home)/account/answer#token=\(self.answer)&r=\(reminder.uuidString.lowercased())&a=\(answer.rawValue)"
        }

        /// The address at which the mails end.
        var end: String { "\(home)/unsubscribe/\(unsubscribe)" }
    }

    /// The most reminders that a mail names.
    static let mostItems = 30

    /// The most characters of a name.
    static let longestTitle = 60

    let language: MailLanguage
    /// The local day of the reader.
    let today: CalendarDate
    /// Whether English days have the month first: March 3.
    var monthFirst = false

    /// The mail of a notification: its reminders, and then the week's renewals below a line of their own.
    /// - Parameters:
    ///   - items: at least one; the most urgent one gives the subject.
    ///   - links: the pages on which they are answered.
    func mail(_ items: [Item], links: Links) -> MailText {
        func sorted(_ items: [Item]) -> [Item] {
            items.sorted { ($0.on, $0.title, $0.kind.rawValue) < ($1.on, $1.title, $1.kind.rawValue) }
        }
        let reminders = sorted(items.filter { !$0.isOfDigest })
        let all = reminders + sorted(items.filter(\.isOfDigest))
        let first = all.first.map(line) ?? ""
        let subject = all.count > 1 ? first + more(all.count - 1) : first
        var parts = all.prefix(Self.mostItems).map { item in
            MailText.Part(text: paragraph(item), actions: actions(item, links))
        }
        if reminders.count < parts.count {
            parts.insert(.init(text: digestTitle + (language == .chinese ? "：" : ":")), at: reminders.count)
        }
        if all.count > Self.mostItems { parts.append(.init(text: others(all.count - Self.mostItems))) }
        parts.append(.init(text: whyMail, actions: [.init(title: endTitle, link: links.end)]))
        return MailText(language, subject: subject, parts: parts, link: links.home + "/", linkTitle: linkTitle)
    }

    /// One line: the subject and the day.
    func line(_ item: Item) -> String {
        let title = Self.shown(item.title)
        let when = when(item.on)
        return switch (language, item.kind) {
        case (_, .date): dateLine(item)
        case (_, .digest): digestTitle
        case (.english, .renewal) where !item.renewsItself: "\(title) ends \(when), unless you renew it\(forCost(item))"
        case (.english, .renewal): "\(title) renews \(when)\(cost(item))"
        case (.english, .trial): "The free trial of \(title) ends \(when)\(costThen(item))"
        case (.english, .cancelBy): "The last day to cancel \(title) is \(when)"
        case (.english, .price):
            "\(title) changes its \(price(item, "price to", "terms")). The last day to cancel is \(when)"
        case (.english, .ended): "\(title) has ended \(when)"
        case (.english, .overdue): "\(title) was due \(when)"
        case (.german, .renewal) where !item.renewsItself:
            "\(title) endet \(when), wenn du es nicht\(forCost(item)) verlängerst"
        case (.german, .renewal): "\(title) verlängert sich \(when)\(cost(item))"
        case (.german, .trial): "Die Probezeit von \(title) endet \(when)\(costThen(item))"
        case (.german, .cancelBy): "\(title) kündigen: letzter Tag ist \(when)"
        case (.german, .price):
            "\(title) ändert \(price(item, "den Preis auf", "die Bedingungen")). Kündigen: letzter Tag ist \(when)"
        case (.german, .ended): "\(title) hat geendet: \(when)"
        case (.german, .overdue): "\(title) war fällig: \(when)"
        case (.chinese, .renewal) where !item.renewsItself: "\(title) 将于\(when)到期，除非您续订\(cost(item))"
        case (.chinese, .renewal): "\(title) 将于\(when)续订\(cost(item))"
        case (.chinese, .trial): "\(title) 的免费试用将于\(when)结束\(costThen(item))"
        case (.chinese, .cancelBy): "取消 \(title) 的最后期限：\(when)"
        case (.chinese, .price): "\(title) 的\(price(item, "价格将变更为", "条款将变更"))。取消的最后期限：\(when)"
        case (.chinese, .ended): "\(title) 已于\(when)结束"
        case (.chinese, .overdue): "\(title) 已于\(when)到期"
        }
    }

    /// The line of the day of a contact: with the age or the number of years where that is known.
    private func dateLine(_ item: Item) -> String {
        let title = Self.shown(item.title)
        let when = when(item.on)
        return switch (language, item.occasion, item.years) {
        case (.english, "birthday", let years?): "\(title) turns \(years) \(when)"
        case (.english, "anniversary", let years?): "\(title), anniversary: \(years.counted("year", "years")) \(when)"
        case (.german, "birthday", let years?): "\(title) wird \(years): \(when)"
        case (.german, "anniversary", let years?): "\(title), \(years). Jahrestag: \(when)"
        case (.chinese, "birthday", let years?): "\(title) \(when)满 \(years) 岁"
        case (.chinese, "anniversary", let years?): "\(title)，\(years) 周年纪念日：\(when)"
        case (.chinese, _, _): "\(title)，\(occasion(item))：\(when)"
        case (_, _, _): "\(title), \(occasion(item)): \(when)"
        }
    }

    /// The line, and the other day that counts: the last one to cancel, or that of the renewal after it.
    private func paragraph(_ item: Item) -> String {
        let line = line(item) + (language == .chinese ? "。" : ".")
        if item.kind == .cancelBy, let end = item.end { return line + afterCancelBy(item, end: end) }
        guard let day = item.cancelBy, day >= today, item.kind == .renewal || item.kind == .trial else { return line }
        return switch language {
        case .english: "\(line) The last day to cancel is \(when(day))."
        case .german: "\(line) Letzter Tag zum Kündigen: \(when(day))."
        case .chinese: "\(line)取消的最后期限：\(when(day))。"
        }
    }

    /// The sentence behind the last day to cancel: the end of the period, and the price of the next one.
    private func afterCancelBy(_ item: Item, end: CalendarDate) -> String {
        let on = on(end)
        return switch language {
        case .english where item.isTrial: " The free trial ends \(on)\(costThen(item))."
        case .english where !item.renewsItself: " It ends \(on), unless you renew it\(forCost(item))."
        case .english: " It then renews \(on)\(cost(item))."
        case .german where item.isTrial: " Die Probezeit endet \(on)\(costThen(item))."
        case .german where !item.renewsItself:
            " Das Abo endet \(on), wenn du es nicht\(forCost(item)) verlängerst."
        case .german: " Sonst verlängert sich das Abo \(on)\(cost(item))."
        case .chinese where item.isTrial: "免费试用将于\(on)结束\(costThen(item))。"
        case .chinese where !item.renewsItself: "订阅将于\(on)到期，除非您续订\(cost(item))。"
        case .chinese: "之后将于\(on)续订\(cost(item))。"
        }
    }

    private func more(_ count: Int) -> String {
        switch language {
        case .english: ", and \(count) more"
        case .german: " und \(count) weitere"
        case .chinese: "，另有 \(count) 项"
        }
    }

    private var linkTitle: String {
        switch language {
        case .english: "Open SubTrackIt"
        case .german: "SubTrackIt öffnen"
        case .chinese: "打开 SubTrackIt"
        }
    }

    private func cost(_ item: Item) -> String {
        guard let cost = item.cost else { return "" }
        return switch language {
        case .english: ", for \(written(cost))"
        case .german: ", für \(written(cost))"
        case .chinese: "，费用 \(written(cost))"
        }
    }

    /// The price of a period within a sentence.
    private func forCost(_ item: Item) -> String {
        guard let cost = item.cost else { return "" }
        return language == .german ? " für \(written(cost))" : " for \(written(cost))"
    }

    /// The price of the first period that is paid.
    private func costThen(_ item: Item) -> String {
        guard let cost = item.cost else { return "" }
        return switch language {
        case .english: ", then \(written(cost))"
        case .german: ", danach \(written(cost))"
        case .chinese: "，之后 \(written(cost))"
        }
    }

    /// The price that changes, or the words for terms where none is known.
    private func price(_ item: Item, _ price: String, _ terms: String) -> String {
        item.cost.map { "\(price) \(written($0))" } ?? terms
    }

    private func written(_ price: Price) -> String {
        let fee = price.fee.description
        return "\(language == .german ? fee.replacing(".", with: ",") : fee) \(price.currency)"
    }

    /// The word for the day of a contact. Words of one's own stay as they are.
    private func occasion(_ item: Item) -> String {
        switch (language, item.occasion) {
        case (.german, "birthday"): "Geburtstag"
        case (.german, "anniversary"): "Jahrestag"
        case (.chinese, "birthday"): "生日"
        case (.chinese, "anniversary"): "纪念日"
        case (_, let word): Self.shown(word ?? "")
        }
    }

    /// A day as people say it, with how far away it is where that is near.
    private func when(_ day: CalendarDate) -> String {
        let date = date(day)
        let days = today.days(to: day)
        return switch (language, days) {
        case (.english, 0): "today, \(date)"
        case (.english, 1): "tomorrow, \(date)"
        case (.english, 2...60): "in \(days) days, on \(date)"
        case (.german, 0): "heute, am \(date)"
        case (.german, 1): "morgen, am \(date)"
        case (.german, 2...60): "in \(days) Tagen, am \(date)"
        case (.chinese, 0): "今天（\(date)）"
        case (.chinese, 1): "明天（\(date)）"
        case (.chinese, 2...60): "\(days) 天后（\(date)）"
        case (_, _): on(day)
        }
    }

    /// A day within a sentence.
    private func on(_ day: CalendarDate) -> String {
        switch language {
        case .english: "on \(date(day))"
        case .german: "am \(date(day))"
        case .chinese: date(day)
        }
    }

    private static let english = [
        "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
        "December",
    ]
    private static let german = [
        "Januar", "Februar", "März", "April", "Mai", "Juni", "Juli", "August", "September", "Oktober", "November",
        "Dezember",
    ]

    private func date(_ day: CalendarDate) -> String {
        let (year, month, date) = day.components
        let isThisYear = year == today.components.year
        return switch language {
        case .english where monthFirst: "\(Self.english[Int(month) - 1]) \(date)\(isThisYear ? "" : ", \(year)")"
        case .english: "\(date) \(Self.english[Int(month) - 1])\(isThisYear ? "" : " \(year)")"
        case .german: "\(date). \(Self.german[Int(month) - 1])\(isThisYear ? "" : " \(year)")"
        case .chinese: "\(isThisYear ? "" : "\(year)年")\(month)月\(date)日"
        }
    }

    /// A name as a mail shows it: without control characters and those that change a text's direction, and not too long.
    static func shown(_ name: String) -> String {
        var scalars = String.UnicodeScalarView()
        for scalar in name.unicodeScalars where !isHidden(scalar) { scalars.append(scalar) }
        let name = String(scalars)
        return name.count > longestTitle ? name.prefix(longestTitle - 1) + "…" : name
    }

    static func isHidden(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator: true
        default: scalar.properties.isBidiControl
        }
    }
}
