import Foundation

/// The texts of mails, in each language.
///
/// A mail has a subject, a few paragraphs, and perhaps a link. Below it stands its token, to be typed into an app. No
/// typed text goes into HTML without being escaped.
struct MailText: Sendable, Equatable {
    /// The subject.
    let subject: String
    /// The paragraphs, each with the links below it.
    let parts: [Part]
    /// Where to click; nil where there is nothing to do.
    let link: String?
    /// The words on the link.
    let linkTitle: String
    /// The token that the link carries; nil where there is none.
    let token: String?
    /// The words before the token.
    let tokenTitle: String
    /// The signature.
    let signature: String
    /// The language, for readers that speak.
    let language: MailLanguage

    /// A mail's text.
    /// - Parameters:
    ///   - email: the account's address.
    ///   - detail: a device's name, or the address that it tells of; nil: neither is told.
    ///   - others: the user's other addresses, masked; where there is a link.
    ///   - link: a page of the service.
    ///   - token: the token in the page's address.
    init(
        _ kind: MailKind, _ language: MailLanguage, email: String, detail: String?, others: [String] = [],
        link: String? = nil, token: String? = nil
    ) {
        let words =
            Self.notice(kind, language, email: email, detail: detail ?? "")
            ?? Self.words(kind, language, email: email, detail: detail ?? "")
        subject = words.subject
        parts = (words.paragraphs + Self.paragraph(on: others, kind, language, email: email)).map { Part(text: $0) }
        linkTitle = words.link
        self.link = link
        self.token = token
        self.language = language
        switch language {
        case .english: (tokenTitle, signature) = ("Or enter this code in the app:", "SubTrackIt")
        case .german: (tokenTitle, signature) = ("Oder diesen Code in der App eingeben:", "SubTrackIt")
        case .chinese: (tokenTitle, signature) = ("或在应用中输入此代码：", "SubTrackIt")
        }
    }

    /// A mail's text that an area has written.
    /// - Parameters:
    ///   - link: a page of the service; nil: none.
    ///   - linkTitle: the words on the link.
    init(_ language: MailLanguage, subject: String, parts: [Part], link: String?, linkTitle: String) {
        self.subject = subject
        self.parts = parts
        self.link = link
        self.linkTitle = linkTitle
        self.language = language
        (token, tokenTitle, signature) = (nil, "", "SubTrackIt")
    }

    typealias Words = (subject: String, paragraphs: [String], link: String)

    private static func words(_ kind: MailKind, _ language: MailLanguage, email: String, detail: String) -> Words {
        switch (language, kind) {
        case (.english, .verify):
            (
                "Confirm your e-mail address",
                [
                    "Somebody, hopefully you, registered \(email). Please confirm that the address is yours. The link works for a week.",
                    "If it was not you, do not confirm it: the other person would have the account. Should you want it yourself, ask for a new password in the app: it is yours then.",
                ], "Confirm the address"
            )
        case (.english, .verifyChange):
            (
                "Confirm the new address of your account",
                [
                    "Somebody, hopefully you, has made \(email) the address of an account here. Please confirm that it is yours. The link works for a week.",
                    "You sign in with it already; your password is the same. If it was not you, do not confirm it: the account is somebody else's.",
                ], "Confirm the address"
            )
        case (.english, .reset):
            (
                "Choose a new password",
                [
                    "Somebody asked for a new password for \(email). The link works once, for one hour.",
                    "With it all devices are signed out. If it was not you, do nothing: your password stays.",
                ], "Choose a new password"
            )
        case (.english, .newDevice):
            (
                detail.isEmpty ? "New sign-in" : "New sign-in on \(detail)",
                [
                    "Your account \(email) was just used on a device that is new\(detail.isEmpty ? "" : ": \(detail)").",
                    "If that was not you, change your password now: that signs out all other devices.",
                ], ""
            )
        case (.english, .passwordChanged):
            (
                "Your password was changed",
                [
                    "The password of \(email) was changed, and other devices were signed out.",
                    "If that was not you, ask for a new password now.",
                ], ""
            )
        case (.english, .emailChanged):
            (
                "Your account has a new e-mail address",
                [
                    "Your account \(email) has the address \(detail) from now on; this one leads nowhere any more.",
                    "If that was not you, write to the operators of this service.",
                ], ""
            )
        case (.german, .verify):
            (
                "E-Mail-Adresse bestätigen",
                [
                    "Jemand, hoffentlich du, hat \(email) angemeldet. Bitte bestätige, dass die Adresse dir gehört. Der Link gilt eine Woche lang.",
                    "Wenn du das nicht warst, bestätige nichts: sonst hätte das Konto, wer es angemeldet hat. Möchtest du es selbst haben, fordere in der App ein neues Passwort an: dann ist es deins.",
                ], "Adresse bestätigen"
            )
        case (.german, .verifyChange):
            (
                "Neue Adresse deines Kontos bestätigen",
                [
                    "Jemand, hoffentlich du, hat \(email) zur Adresse eines Kontos gemacht. Bitte bestätige, dass sie dir gehört. Der Link gilt eine Woche lang.",
                    "Du meldest dich schon jetzt mit ihr an, dein Passwort ist dasselbe. Wenn du das nicht warst, bestätige nichts: das Konto gehört jemand anderem.",
                ], "Adresse bestätigen"
            )
        case (.german, .reset):
            (
                "Neues Passwort wählen",
                [
                    "Jemand hat für \(email) ein neues Passwort angefordert. Der Link gilt einmal und eine Stunde lang.",
                    "Danach sind alle Geräte abgemeldet. Wenn du das nicht warst, tu nichts: dein Passwort bleibt.",
                ], "Neues Passwort wählen"
            )
        case (.german, .newDevice):
            (
                detail.isEmpty ? "Neue Anmeldung" : "Neue Anmeldung auf \(detail)",
                [
                    "Dein Konto \(email) wurde eben auf einem neuen Gerät benutzt\(detail.isEmpty ? "" : ": \(detail)").",
                    "Wenn du das nicht warst, ändere jetzt dein Passwort: das meldet alle anderen Geräte ab.",
                ], ""
            )
        case (.german, .passwordChanged):
            (
                "Dein Passwort wurde geändert",
                [
                    "Das Passwort von \(email) wurde geändert, andere Geräte wurden abgemeldet.",
                    "Wenn du das nicht warst, fordere jetzt ein neues Passwort an.",
                ], ""
            )
        case (.german, .emailChanged):
            (
                "Dein Konto hat eine neue E-Mail-Adresse",
                [
                    "Dein Konto \(email) hat ab jetzt die Adresse \(detail); diese hier führt nirgends mehr hin.",
                    "Wenn du das nicht warst, schreib dem Betreiber dieses Dienstes.",
                ], ""
            )
        case (.chinese, .verify):
            (
                "请确认您的电子邮件地址",
                [
                    "有人（希望是您本人）用 \(email) 注册了账户。请确认该地址属于您。此链接一周内有效。",
                    "如果不是您本人操作，请不要确认，否则账户将归注册者所有。如果您想使用该账户，请在应用中申请新密码，之后账户即归您所有。",
                ], "确认地址"
            )
        case (.chinese, .verifyChange):
            (
                "请确认您账户的新电子邮件地址",
                [
                    "有人（希望是您本人）将 \(email) 设为一个账户的地址。请确认该地址属于您。此链接一周内有效。",
                    "您现在即可用该地址登录，密码不变。如果不是您本人操作，请不要确认：该账户属于他人。",
                ], "确认地址"
            )
        case (.chinese, .reset):
            (
                "设置新密码",
                [
                    "有人为 \(email) 申请了新密码。此链接一小时内有效，且只能使用一次。",
                    "使用后所有设备都将退出登录。如果不是您本人操作，请忽略此邮件，您的密码不会改变。",
                ], "设置新密码"
            )
        case (.chinese, .newDevice):
            (
                detail.isEmpty ? "新设备登录" : "新设备登录：\(detail)",
                [
                    "您的账户 \(email) 刚刚在一台新设备上登录\(detail.isEmpty ? "" : "：\(detail)")。",
                    "如果不是您本人操作，请立即更改密码，其他所有设备将随之退出登录。",
                ], ""
            )
        case (.chinese, .passwordChanged):
            (
                "您的密码已更改",
                [
                    "\(email) 的密码已更改，其他设备已退出登录。",
                    "如果不是您本人操作，请立即申请新密码。",
                ], ""
            )
        case (.chinese, .emailChanged):
            (
                "您的账户已更换电子邮件地址",
                [
                    "您的账户 \(email) 现在使用地址 \(detail)，原地址已不再有效。",
                    "如果不是您本人操作，请联系本服务的运营者。",
                ], ""
            )
        default: ("", [], "")
        }
    }

    /// A paragraph, and the links below it.
    struct Part: Sendable, Equatable {
        /// The paragraph.
        let text: String
        /// The links below it.
        var actions: [Action] = []
    }

    /// A link in a mail.
    struct Action: Sendable, Equatable {
        /// The words on it.
        let title: String
        /// The page to which it leads.
        let link: String
    }

    private var colon: String { language == .chinese ? "：" : ":" }

    /// The text for programs without HTML.
    var plain: String {
        var parts = parts.map { part in
            ([part.text] + part.actions.map { "\($0.title)\(colon)\n\($0.link)" }).joined(separator: "\n\n")
        }
        if let link { parts.append("\(linkTitle)\(colon)\n\(link)") }
        if let token { parts.append("\(tokenTitle)\n\(token)") }
        parts.append("-- \n\(signature)")
        return parts.joined(separator: "\n\n") + "\n"
    }

    /// The text as HTML, without anything that is loaded from elsewhere.
    var html: String {
        var body = parts.flatMap { part in
            let links = part.actions.map { "<a href=\"\($0.link.escapedForHTML)\">\($0.title.escapedForHTML)</a>" }
            let text = "<p>\(part.text.escapedForHTML)</p>"
            return links.isEmpty ? [text] : [text, "<p>\(links.joined(separator: " · "))</p>"]
        }
        if let link {
            body.append("<p><a href=\"\(link.escapedForHTML)\">\(linkTitle.escapedForHTML)</a></p>")
        }
        if let token {
            body.append(
                "<p>\(tokenTitle.escapedForHTML)<br><code style=\"word-break:break-all\">\(token.escapedForHTML)</code></p>"
            )
        }
        body.append("<p>\(signature.escapedForHTML)</p>")
        return """
            <!DOCTYPE html>
            <html lang="\(language.rawValue)"><head><meta charset="utf-8"><title>\(subject.escapedForHTML)</title></head>
            <body>
            \(body.joined(separator: "\n"))
            </body></html>

            """
    }
}
