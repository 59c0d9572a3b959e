import SubTrackAPI
import SubTrackCore

/// The titles of events, in each language.
struct CalendarText: Sendable {
    let language: MailLanguage

    /// The title of a subscription's event.
    /// - Parameters:
    ///   - name: the subscription's name.
    ///   - cost: the cost of the period that begins; nil: it is not told.
    func title(_ kind: ReminderKind, of name: String, cost: Price?) -> String {
        let name = ReminderText.shown(name)
        let cost = cost.map { ReminderText.cost($0.fee, $0.currency, language) } ?? ""
        return switch (language, kind) {
        case (.english, .trial): "\(name): the free trial ends\(cost)"
        case (.english, .cancelBy): "\(name): last day to cancel"
        case (.english, _): "\(name) renews\(cost)"
        case (.german, .trial): "\(name): die Probezeit endet\(cost)"
        case (.german, .cancelBy): "\(name) kündigen: letzter Tag"
        case (.german, _): "\(name) verlängert sich\(cost)"
        case (.chinese, .trial): "\(name) 的免费试用结束\(cost)"
        case (.chinese, .cancelBy): "取消 \(name) 的最后期限"
        case (.chinese, _): "\(name) 续订\(cost)"
        }
    }

    /// The title of a contact's date.
    /// - Parameter type: `birthday`, `anniversary` or the user's own word.
    func title(_ type: String, ofContact name: String) -> String {
        let word = words[type] ?? ReminderText.shown(type)
        return ReminderText.shown(name) + (language == .chinese ? "：" : ": ") + word
    }

    private var words: [String: String] {
        switch language {
        case .english: [:]
        case .german: ["birthday": "Geburtstag", "anniversary": "Jahrestag"]
        case .chinese: ["birthday": "生日", "anniversary": "纪念日"]
        }
    }
}
