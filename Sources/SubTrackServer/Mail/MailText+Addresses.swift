/// Mails about the several addresses of one user.
extension MailText {
    /// The paragraph of a mail with a link about the user's other addresses; nothing where there are none.
    static func paragraph(
        on others: [String], _ kind: MailKind, _ language: MailLanguage, email: String
    ) -> [String] {
        guard !others.isEmpty, let purpose = kind.purpose else { return [] }
        let list = others.joined(separator: ", ")
        return switch (language, purpose) {
        case (.english, .verify):
            ["The same account has these addresses too: \(list). Confirm only if they are yours as well."]
        case (.english, .reset):
            ["Afterwards \(email) does not share an account with these addresses any more: \(list)."]
        case (.german, .verify):
            ["Dasselbe Konto hat auch diese Adressen: \(list). Bestätige nur, wenn auch sie dir gehören."]
        case (.german, .reset):
            ["Danach hat \(email) kein gemeinsames Konto mehr mit diesen Adressen: \(list)."]
        case (.chinese, .verify):
            ["同一账户还有以下地址：\(list)。仅当这些地址也属于您时才请确认。"]
        case (.chinese, .reset):
            ["此后，\(email) 将不再与以下地址共用账户：\(list)。"]
        }
    }

    /// The words of a mail that tells an address of the others; nil for all other kinds.
    static func notice(_ kind: MailKind, _ language: MailLanguage, email: String, detail: String) -> Words? {
        let words: (subject: String, paragraphs: [String])? =
            switch language {
            case .english: english(kind, email: email, detail: detail)
            case .german: german(kind, email: email, detail: detail)
            case .chinese: chinese(kind, email: email, detail: detail)
            }
        return words.map { ($0.subject, $0.paragraphs, "") }
    }

    private static func english(
        _ kind: MailKind, email: String, detail: String
    ) -> (subject: String, paragraphs: [String])? {
        let advice =
            "If that was not you, ask for a new password for \(email) now. All devices are signed out then, and the other addresses no longer lead to your account."
        switch kind {
        case .addressAdded:
            return (
                "Another address was added to your account",
                ["\(detail) leads to your account \(email) from now on, with a password of its own.", advice]
            )
        case .addressConfirmed:
            return (
                "Another address of your account was confirmed", ["\(detail), beside \(email), was confirmed.", advice]
            )
        case .addressChanged:
            return (
                "Another address of your account was changed",
                ["Beside \(email) your account has another address from now on: \(detail).", advice]
            )
        case .addressRemoved:
            return (
                "An address was removed from your account",
                [
                    "\(detail) does not lead to your account \(email) any more. If a device was signed out, sign in on it again.",
                    advice,
                ]
            )
        case .addressGone:
            return (
                "Your address was removed from an account",
                [
                    "\(email) does not lead to its account any more: another address of the account removed it, or its password was reset.",
                    "If that was not you, write to the operator of this service.",
                ]
            )
        case .resetRemoved:
            return (
                "Your password was changed, and addresses were removed",
                [
                    "The password of \(email) was replaced, and all devices were signed out.",
                    "These addresses do not lead to your account any more: \(detail). If they are yours, sign in and add them again.",
                    "If that was not you, ask for a new password now.",
                ]
            )
        case .resetMoved:
            return (
                "Your password was changed, and your account is new",
                [
                    "The password of \(email) was replaced. The address leads to a new, empty account from now on.",
                    "Its former account has other addresses, which keep the data: \(detail). If they are yours, sign in with one of them.",
                    "If that was not you, ask for a new password now.",
                ]
            )
        default: return nil
        }
    }

    private static func german(
        _ kind: MailKind, email: String, detail: String
    ) -> (subject: String, paragraphs: [String])? {
        let advice =
            "Wenn du das nicht warst, fordere jetzt für \(email) ein neues Passwort an. Dann werden alle Geräte abgemeldet, und die anderen Adressen führen nicht mehr zu deinem Konto."
        switch kind {
        case .addressAdded:
            return (
                "Dein Konto hat eine weitere Adresse",
                ["\(detail) führt ab jetzt zu deinem Konto \(email), mit einem eigenen Passwort.", advice]
            )
        case .addressConfirmed:
            return (
                "Eine weitere Adresse deines Kontos wurde bestätigt",
                ["\(detail), neben \(email), wurde bestätigt.", advice]
            )
        case .addressChanged:
            return (
                "Eine weitere Adresse deines Kontos wurde geändert",
                ["Neben \(email) hat dein Konto ab jetzt eine andere Adresse: \(detail).", advice]
            )
        case .addressRemoved:
            return (
                "Eine Adresse wurde von deinem Konto entfernt",
                [
                    "\(detail) führt nicht mehr zu deinem Konto \(email). Wenn ein Gerät abgemeldet wurde, melde dich dort neu an.",
                    advice,
                ]
            )
        case .addressGone:
            return (
                "Deine Adresse wurde von einem Konto entfernt",
                [
                    "\(email) führt nicht mehr zu ihrem Konto: eine andere Adresse des Kontos hat sie entfernt, oder deren Passwort wurde ersetzt.",
                    "Wenn du das nicht warst, schreib dem Betreiber dieses Dienstes.",
                ]
            )
        case .resetRemoved:
            return (
                "Dein Passwort wurde geändert, Adressen wurden entfernt",
                [
                    "Das Passwort von \(email) wurde ersetzt, alle Geräte wurden abgemeldet.",
                    "Diese Adressen führen nicht mehr zu deinem Konto: \(detail). Wenn sie dir gehören, melde dich an und füge sie wieder hinzu.",
                    "Wenn du das nicht warst, fordere jetzt ein neues Passwort an.",
                ]
            )
        case .resetMoved:
            return (
                "Dein Passwort wurde geändert, dein Konto ist neu",
                [
                    "Das Passwort von \(email) wurde ersetzt. Die Adresse führt ab jetzt zu einem neuen, leeren Konto.",
                    "Ihr früheres Konto hat andere Adressen, bei denen die Daten bleiben: \(detail). Wenn sie dir gehören, melde dich mit einer von ihnen an.",
                    "Wenn du das nicht warst, fordere jetzt ein neues Passwort an.",
                ]
            )
        default: return nil
        }
    }

    private static func chinese(
        _ kind: MailKind, email: String, detail: String
    ) -> (subject: String, paragraphs: [String])? {
        let advice = "如果不是您本人操作，请立即为 \(email) 申请新密码：届时所有设备都将退出登录，其他地址也不再关联您的账户。"
        switch kind {
        case .addressAdded:
            return ("您的账户新增了一个地址", ["\(detail) 现已关联您的账户 \(email)，并使用单独的密码。", advice])
        case .addressConfirmed:
            return ("您账户的另一个地址已确认", ["除 \(email) 外，\(detail) 已确认。", advice])
        case .addressChanged:
            return ("您账户的另一个地址已更改", ["除 \(email) 外，您账户的另一个地址已更改：\(detail)。", advice])
        case .addressRemoved:
            return (
                "您账户的一个地址已移除",
                ["\(detail) 不再关联您的账户 \(email)。如果有设备已退出登录，请重新登录。", advice]
            )
        case .addressGone:
            return (
                "您的地址已从账户中移除",
                ["\(email) 不再关联其账户：该账户的另一个地址移除了它，或重置了密码。", "如果不是您本人操作，请联系本服务的运营者。"]
            )
        case .resetRemoved:
            return (
                "您的密码已更改，其他地址已移除",
                [
                    "\(email) 的密码已重置，所有设备已退出登录。", "以下地址不再关联您的账户：\(detail)。如果它们属于您，请登录后重新添加。",
                    "如果不是您本人操作，请立即申请新密码。",
                ]
            )
        case .resetMoved:
            return (
                "您的密码已更改，该地址使用新账户",
                [
                    "\(email) 的密码已重置。该地址现在关联一个新的空账户。", "原账户的其他地址保留数据：\(detail)。如果它们属于您，请用其中之一登录。",
                    "如果不是您本人操作，请立即申请新密码。",
                ]
            )
        default: return nil
        }
    }
}
