import MariaDB

/// The subject of a mail.
enum MailKind: String, Sendable, CaseIterable, SQLCodable {
    /// Shows that the person who registered an address reads its mail.
    case verify
    /// Shows the same of an address that an account was given later, or that is asked to be confirmed once more.
    case verifyChange = "verify_change"
    /// Lets the owner of an address choose a new password.
    case reset
    /// Somebody has signed in on a device that the account had not been used on.
    case newDevice = "new_device"
    /// The password was changed.
    case passwordChanged = "password_changed"
    /// The account has another address from now on; told to the former one.
    case emailChanged = "email_changed"
    /// Another address leads to the user as well; told to the confirmed ones, as the next three are.
    case addressAdded = "address_added"
    /// Another address of the user was confirmed.
    case addressConfirmed = "address_confirmed"
    /// Another address of the user was replaced.
    case addressChanged = "address_changed"
    /// Another address does not lead to the user any more.
    case addressRemoved = "address_removed"
    /// The address itself does not lead to the user any more.
    case addressGone = "address_gone"
    /// The password was reset, and the user's other addresses were removed.
    case resetRemoved = "reset_removed"
    /// The password was reset, and the address leads to a new user.
    case resetMoved = "reset_moved"

    /// For how many hours it is tried to hand the mail over. A link that comes after a day is of no use.
    var hoursQueued: Int {
        switch self {
        case .reset: 2
        default: 72
        }
    }
}

/// A language that mails are written in.
enum MailLanguage: String, Sendable, CaseIterable, SQLCodable {
    case english = "en"
    case german = "de"
    case chinese = "zh"

    /// The first language that the caller reads and mails are written in; without one, that of the country.
    /// - Parameters:
    ///   - accepted: `Accept-Language` (RFC 9110 §12.5.4).
    ///   - country: ISO 3166-1 alpha-2.
    init(accepted: String?, country: String?) {
        var best: (language: MailLanguage, weight: Double)?
        for part in (accepted ?? "").split(separator: ",").prefix(20) {
            let pieces = part.split(separator: ";").map { $0.filter { $0 != " " && $0 != "\t" }.lowercased() }
            guard let tag = pieces.first, let language = MailLanguage(rawValue: String(tag.prefix { $0 != "-" })) else {
                continue
            }
            let weight = pieces.dropFirst().first { $0.hasPrefix("q=") }.flatMap { Double($0.dropFirst(2)) } ?? 1
            if weight > best?.weight ?? 0 { best = (language, weight) }
        }
        self = best?.language ?? MailLanguage(country: country)
    }

    /// The language of a country.
    /// - Parameter country: ISO 3166-1 alpha-2.
    init(country: String?) {
        switch country {
        case "DE", "AT", "CH", "LI": self = .german
        case "CN", "HK", "MO", "TW", "SG": self = .chinese
        default: self = .english
        }
    }
}
