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
        /// The name of the subscription or the contact.
        let title: String
        /// The word for the day of a contact: `birthday`.
        var occasion: String?
        /// The cost of the next period, or of the first one that costs something else; nil: there is none.
        var cost: Price?
        /// The last day to cancel; nil: nothing is to be cancelled.
        var cancelBy: CalendarDate?
        /// Whether the provider renews it without being asked.
        var renewsItself = true
        /// Whether its answers stand below it.
        var takesAnswers = true

        var kind: ReminderKind { key.kind }
        var on: CalendarDate { key.occursOn }

        init(
            _ key: ReminderKey, title: String, occasion: String? = nil, cost: Price? = nil,
            cancelBy: CalendarDate? = nil, renewsItself: Bool = true, takesAnswers: Bool = true
        ) {
            self.key = key
            self.title = title
            self.occasion = occasion
            self.cost = cost
            self.cancelBy = cancelBy
            self.renewsItself = renewsItself
            self.takesAnswers = takesAnswers
        }
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
        func page(_ key: ReminderKey, _ answer: ReminderAnswer) -> String {
            "\(home)/account/answer#token=\(self.answer)&r=\(key.id.uuidString.lowercased())&a=\(answer.rawValue)"
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

    /// The mail of a notification.
    /// - Parameters:
    ///   - items: at least one; the most urgent one gives the subject.
    ///   - links: the pages on which they are answered.
    func mail(_ items: [Item], links: Links) -> MailText {
        let sorted = items.sorted { ($0.on, $0.title, $0.kind.rawValue) < ($1.on, $1.title, $1.kind.rawValue) }
        let first = sorted.first.map(line) ?? ""
        let subject = sorted.count > 1 ? first + more(sorted.count - 1) : first
        var parts = sorted.prefix(Self.mostItems).map { item in
            MailText.Part(text: paragraph(item), actions: actions(item, links))
        }
        if sorted.count > Self.mostItems { parts.append(.init(text: others(sorted.count - Self.mostItems))) }
        parts.append(.init(text: whyMail, actions: [.init(title: endTitle, link: links.end)]))
        return MailText(language, subject: subject, parts: parts, link: links.home + "/", linkTitle: linkTitle)
    }

    /// One line: the subject and the day.
    func line(_ item: Item) -> String {
        let title = Self.shown(item.title)
        let when = when(item.on)
        return switch (language, item.kind) {
        case (.english, .renewal) where !item.renewsItself: "\(title) ends \(when), unless you renew it\(forCost(item))"
        case (.english, .renewal): "\(title) renews \(when)\(cost(item))"
        case (.english, .trial): "The free trial of \(title) ends \(when)\(costThen(item))"
        case (.english, .cancelBy): "The last day to cancel \(title) is \(when)"
        case (.english, .price):
            "\(title) changes its \(price(item, "price to", "terms")). The last day to cancel is \(when)"
        case (.english, .ended): "\(title) has ended \(when)"
        case (.english, .overdue): "\(title) was due \(when)"
        case (.english, .date): "\(title), \(occasion(item)): \(when)"
        case (.english, .digest): "Renewals of this week"
        case (.german, .renewal) where !item.renewsItself:
            "\(title) endet \(when), wenn du es nicht\(forCost(item)) verlängerst"
        case (.german, .renewal): "\(title) verlängert sich \(when)\(cost(item))"
        case (.german, .trial): "Die Probezeit von \(title) endet \(when)\(costThen(item))"
        case (.german, .cancelBy): "\(title) kündigen: letzter Tag ist \(when)"
        case (.german, .price):
            "\(title) ändert \(price(item, "den Preis auf", "die Bedingungen")). Kündigen: letzter Tag ist \(when)"
        case (.german, .ended): "\(title) hat geendet: \(when)"
        case (.german, .overdue): "\(title) war fällig: \(when)"
        case (.german, .date): "\(title), \(occasion(item)): \(when)"
        case (.german, .digest): "Verlängerungen dieser Woche"
        case (.chinese, .renewal) where !item.renewsItself: "\(title) 将于\(when)到期，除非您续订\(cost(item))"
        case (.chinese, .renewal): "\(title) 将于\(when)续订\(cost(item))"
        case (.chinese, .trial): "\(title) 的免费试用将于\(when)结束\(costThen(item))"
        case (.chinese, .cancelBy): "取消 \(title) 的最后期限：\(when)"
        case (.chinese, .price): "\(title) 的\(price(item, "价格将变更为", "条款将变更"))。取消的最后期限：\(when)"
        case (.chinese, .ended): "\(title) 已于\(when)结束"
        case (.chinese, .overdue): "\(title) 已于\(when)到期"
        case (.chinese, .date): "\(title)，\(occasion(item))：\(when)"
        case (.chinese, .digest): "本周续订"
        }
    }

    /// The line, and the last day to cancel where there is one.
    private func paragraph(_ item: Item) -> String {
        let line = line(item) + (language == .chinese ? "。" : ".")
        guard let day = item.cancelBy, day >= today, item.kind == .renewal || item.kind == .trial else { return line }
        return switch language {
        case .english: "\(line) The last day to cancel is \(when(day))."
        case .german: "\(line) Letzter Tag zum Kündigen: \(when(day))."
        case .chinese: "\(line)取消的最后期限：\(when(day))。"
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
        case (.english, _): "on \(date)"
        case (.german, 0): "heute, am \(date)"
        case (.german, 1): "morgen, am \(date)"
        case (.german, 2...60): "in \(days) Tagen, am \(date)"
        case (.german, _): "am \(date)"
        case (.chinese, 0): "今天（\(date)）"
        case (.chinese, 1): "明天（\(date)）"
        case (.chinese, 2...60): "\(days) 天后（\(date)）"
        case (.chinese, _): date
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

    private static func isHidden(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator: true
        default: scalar.properties.isBidiControl
        }
    }
}
