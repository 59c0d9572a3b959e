import SubTrackAPI
import SubTrackCore

// The words on the links of a mail, and on the buttons of other notifications.
extension ReminderText {
    /// The links below a reminder: each leads to the page on which the answer is given, the last one to the provider.
    func actions(_ item: Item, _ links: Links) -> [MailText.Action] {
        guard !item.isOfDigest else { return [] }
        let answers = shownAnswers(item.kind).filter { $0 != .snooze || item.key.snoozes(from: today) != nil }
        return answers.map { MailText.Action(title: title($0), link: links.page(item.id, $0)) } + cancelling(item)
    }

    /// The link to the provider's page for cancelling, where there is one and the period can still be kept.
    private func cancelling(_ item: Item) -> [MailText.Action] {
        guard shownAnswers(item.kind).contains(.keep), let page = item.cancelPage, Self.isPage(page) else { return [] }
        let provider = Self.shown(item.provider)
        let title =
            switch language {
            case .english: "Cancel at \(provider)"
            case .german: "Bei \(provider) kündigen"
            case .chinese: "前往 \(provider) 取消"
            }
        return [.init(title: title, link: page)]
    }

    /// Whether an address leads to a page. It comes from the catalogue, and may be anything.
    private static func isPage(_ address: String) -> Bool {
        let start = address.prefix(8).lowercased()
        return (start == "https://" || start.hasPrefix("http://"))
            && !address.unicodeScalars.contains { $0.properties.isWhitespace || isHidden($0) }
    }

    /// The answers that a mail offers. The page has the others.
    func shownAnswers(_ kind: ReminderKind) -> [ReminderAnswer] {
        switch kind {
        case .renewal, .cancelBy, .trial, .price: [.keep, .cancel, .snooze]
        case .overdue: [.renew, .cancel, .snooze]
        case .ended, .date, .digest: []
        }
    }

    /// The words of an answer.
    func title(_ answer: ReminderAnswer) -> String {
        switch (language, answer) {
        case (.english, .keep): "Keep it"
        case (.english, .cancel): "I cancel it"
        case (.english, .renew): "It was renewed"
        case (.english, .snooze): "Remind me later"
        case (.english, .done): "Done"
        case (.german, .keep): "Behalten"
        case (.german, .cancel): "Ich kündige"
        case (.german, .renew): "Wurde verlängert"
        case (.german, .snooze): "Später erinnern"
        case (.german, .done): "Erledigt"
        case (.chinese, .keep): "保留"
        case (.chinese, .cancel): "我要取消"
        case (.chinese, .renew): "已续订"
        case (.chinese, .snooze): "稍后提醒"
        case (.chinese, .done): "已完成"
        }
    }

    /// The words above the list of the week's renewals.
    var digestTitle: String {
        switch language {
        case .english: "Renewals of the next seven days"
        case .german: "Verlängerungen der nächsten sieben Tage"
        case .chinese: "未来七天的续订"
        }
    }

    /// The paragraph for reminders that a mail has no room for.
    func others(_ count: Int) -> String {
        switch language {
        case .english: "There are \(count) more. The app shows them."
        case .german: "Es gibt \(count) weitere. Die App zeigt sie."
        case .chinese: "另有 \(count) 项，请在应用中查看。"
        }
    }

    /// Why the reader has this mail.
    var whyMail: String {
        switch language {
        case .english: "You get this mail because reminders by mail are on in your account."
        case .german: "Du bekommst diese Mail, weil Erinnerungen per Mail in deinem Konto eingeschaltet sind."
        case .chinese: "您收到此邮件，是因为您的账户已开启邮件提醒。"
        }
    }

    /// The words on the link that ends the mails.
    var endTitle: String {
        switch language {
        case .english: "No more of these mails"
        case .german: "Keine solchen Mails mehr"
        case .chinese: "不再接收此类邮件"
        }
    }
}
