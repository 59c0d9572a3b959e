import SubTrackAPI
import SubTrackCore

/// The titles of events, in each language.
struct CalendarText: Sendable {
    let language: MailLanguage

    /// The title of a subscription's event.
    /// - Parameters:
    ///   - name: the subscription's name.
    ///   - renewsItself: whether the provider renews it without being asked.
    ///   - cost: the cost of the period that follows.
    func title(_ kind: ReminderKind, of name: String, renewsItself: Bool, cost: Price) -> String {
        let name = ReminderText.shown(name)
        let fee = cost.fee.description
        let price = "\(language == .german ? fee.replacing(".", with: ",") : fee) \(cost.currency)"
        return switch (language, kind) {
        case (.english, .cancelBy): "\(name): last day to cancel"
        case (.english, .trial): "\(name): the free trial ends, then \(price)"
        case (.english, .ended): "\(name) ends"
        case (.english, _): renewsItself ? "\(name) renews (\(price))" : "Renew \(name) (\(price))"
        case (.german, .cancelBy): "\(name): letzter Tag zum Kündigen"
        case (.german, .trial): "\(name): die Probezeit endet, danach \(price)"
        case (.german, .ended): "\(name) endet"
        case (.german, _): "\(name) \(renewsItself ? "verlängert sich" : "verlängern") (\(price))"
        case (.chinese, .cancelBy): "\(name)：取消的最后期限"
        case (.chinese, .trial): "\(name)：免费试用结束，之后 \(price)"
        case (.chinese, .ended): "\(name) 到期"
        case (.chinese, _): "\(name) \(renewsItself ? "续订" : "需要续订")（\(price)）"
        }
    }

    /// The title of a contact's date. It has no age: the event comes each year.
    /// - Parameter type: `birthday`, `anniversary` or the user's own word.
    func title(_ type: String, ofContact name: String) -> String {
        let word =
            switch (language, type) {
            case (.german, "birthday"): "Geburtstag"
            case (.german, "anniversary"): "Jahrestag"
            case (.chinese, "birthday"): "生日"
            case (.chinese, "anniversary"): "纪念日"
            case (_, _): ReminderText.shown(type)
            }
        return ReminderText.shown(name) + (language == .chinese ? "：" : ": ") + word
    }
}
