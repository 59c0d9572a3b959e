import SubTrackAPI

/// A message of a channel in words.
struct ChannelText: Sendable, Equatable {
    /// The most characters of a title and of a line.
    static let longestLine = 120
    /// The most lines.
    static let mostLines = 30

    /// The most urgent thing, and how many more there are.
    let title: String
    /// The other things, a line each.
    let lines: [String]

    /// The words of a notification.
    init(_ news: ChannelNews) {
        let text = ReminderText(language: news.language, today: news.today)
        let lines = news.items.map { Self.cut(text.line($0.text)) }
        title = lines.first ?? ""
        let shown = lines.dropFirst().prefix(Self.mostLines)
        let rest = lines.count - 1 - shown.count
        self.lines = shown + (rest > 0 ? [Self.more(rest, news.language)] : [])
    }

    /// The words of a test.
    init(testIn language: MailLanguage) {
        (title, lines) =
            switch language {
            case .english: ("This is a test of SubTrackIt", ["Reminders will arrive like this."])
            case .german: ("Das ist ein Test von SubTrackIt", ["So kommen Erinnerungen an."])
            case .chinese: ("这是 SubTrackIt 的测试", ["提醒将以此方式送达。"])
            }
    }

    private static func more(_ count: Int, _ language: MailLanguage) -> String {
        switch language {
        case .english: "and \(count) more"
        case .german: "und \(count) weitere"
        case .chinese: "另有 \(count) 项"
        }
    }

    private static func cut(_ line: String) -> String {
        line.count > longestLine ? line.prefix(longestLine - 1) + "…" : line
    }
}
