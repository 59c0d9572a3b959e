/// Shows that mail to an account's address is read by the person who registered it.
public struct VerifyEmail: Operation {
    public typealias Output = Empty

    public static let name = "emails.verify"
    public static let endpoint = Endpoint.post("/v1/email-verifications", status: 204)
    public static let access = Access.public
    public static let errors: [ErrorCode] = [.rateLimited]
    public static let handlesSecrets = true
    public static let summary = "Takes the token of a mail that asked to confirm an e-mail address."

    /// The token from the mail.
    public var token: String

    /// The token of a mail.
    public init(token: String) { self.token = token }
}

/// Asks for a mail by which a forgotten password is replaced.
public struct ForgotPassword: Operation {
    public typealias Output = Empty

    public static let name = "passwords.forgot"
    public static let endpoint = Endpoint.post("/v1/password-resets", status: 202)
    public static let access = Access.public
    public static let errors: [ErrorCode] = [.rateLimited]
    public static let handlesSecrets = true
    public static let takesEndedTokens = true
    public static let summary =
        "Sends a mail by which the password can be replaced, if there is an account; the answer does not tell."

    /// The account's e-mail address.
    public var email: String

    /// The account of this address.
    public init(email: String) { self.email = email }
}

/// Describes the effect of a mail's link to its holder.
public struct DescribeLink: Operation {
    public static let name = "links.describe"
    public static let endpoint = Endpoint.post("/v1/account-links")
    public static let access = Access.public
    public static let errors: [ErrorCode] = [.rateLimited]
    public static let handlesSecrets = true
    public static let takesEndedTokens = true
    public static let summary =
        "Describes the effect of a mail's token, and names the user's other addresses, masked; the token stays good."

    /// The use of a token.
    public enum Purpose: String, Codable, Sendable, CaseIterable {
        /// To confirm an address: `emails.verify`.
        case verify
        /// To replace a password: `passwords.reset`.
        case reset
    }

    /// Its effect.
    public enum Effect: String, Codable, Sendable, CaseIterable {
        /// The address is confirmed; it and the others lead to the same user.
        case confirms
        /// The password is replaced, all sessions end, and the others do not lead to the user any more.
        case keepsUser
        /// The password is replaced, and the address leads to a new user without data; the others keep the former one.
        case leavesUser
    }

    /// A link, described.
    public struct Output: Codable, Sendable, Hashable {
        /// The address that the mail was sent to.
        public var email: String
        /// The effect of the token.
        public var effect: Effect
        /// The user's other addresses, masked: `a•••@e•••.org`.
        public var otherAccounts: [String]

        /// A description.
        public init(email: String, effect: Effect, otherAccounts: [String]) {
            self.email = email
            self.effect = effect
            self.otherAccounts = otherAccounts
        }
    }

    /// The token from the mail.
    public var token: String
    /// Its use.
    public var purpose: Purpose

    /// The token of a mail.
    public init(token: String, purpose: Purpose) {
        self.token = token
        self.purpose = purpose
    }
}

/// Replaces a forgotten password.
public struct ResetPassword: Operation {
    public static let name = "passwords.reset"
    public static let endpoint = Endpoint.put("/v1/password-resets")
    public static let access = Access.public
    public static let errors: [ErrorCode] = [.rateLimited]
    public static let handlesSecrets = true
    public static let takesEndedTokens = true
    public static let summary =
        "Sets a new password by the token of a mail; only this address leads to its user afterwards, and the answer names "
        + "the removed ones."

    /// The effect of the reset.
    public struct Output: Codable, Sendable, Hashable {
        /// The account's address.
        public var email: String
        /// Whether the address leads to the same user as before. False: it leads to a new user without data. Nobody had
        /// confirmed it, or another address of the user was confirmed and is older.
        public var keptUser: Bool
        /// Addresses that do not lead to the user any more; their accounts were removed.
        public var removedAccounts: [String]
        /// Addresses that lead to the former user still, where the user was not kept; masked: `a•••@e•••.org`.
        public var otherAccounts: [String]
        /// How many sessions of the former user were ended.
        public var endedSessions: Int

        /// The effect of a reset.
        public init(
            email: String, keptUser: Bool, removedAccounts: [String], otherAccounts: [String], endedSessions: Int
        ) {
            self.email = email
            self.keptUser = keptUser
            self.removedAccounts = removedAccounts
            self.otherAccounts = otherAccounts
            self.endedSessions = endedSessions
        }
    }

    /// The token from the mail; it serves once.
    public var token: String
    /// The new password.
    public var newPassword: String

    /// A new password with the token of a mail.
    public init(token: String, newPassword: String) {
        self.token = token
        self.newPassword = newPassword
    }
}

/// Replaces a password that is known.
public struct ChangePassword: Operation {
    public typealias Output = Empty

    public static let name = "me.changePassword"
    public static let endpoint = Endpoint(.put, "/v1/me/password", status: 204)
    public static let access = Access.account
    public static let errors: [ErrorCode] = [.credentialsInvalid, .statusConflict, .rateLimited]
    public static let handlesSecrets = true
    public static let summary = "Changes the password of an account and ends the user's other sessions."

    /// Which account, where the user has several.
    public var email: String?
    /// Its password so far.
    public var currentPassword: String
    /// Its password from now on.
    public var newPassword: String

    /// A change of the password of an account.
    public init(email: String? = nil, currentPassword: String, newPassword: String) {
        self.email = email
        self.currentPassword = currentPassword
        self.newPassword = newPassword
    }
}

/// Gives an account another address.
public struct ChangeEmail: Operation {
    public typealias Output = Empty

    public static let name = "me.changeEmail"
    public static let endpoint = Endpoint(.put, "/v1/me/email", status: 204)
    public static let access = Access.account
    public static let errors: [ErrorCode] = [.credentialsInvalid, .emailTaken, .statusConflict, .rateLimited]
    public static let handlesSecrets = true
    public static let summary = "Changes the e-mail address of an account; the new one is to be confirmed by mail."

    /// The account's address so far.
    public var email: String
    /// Its address from now on.
    public var newEmail: String
    /// Its password.
    public var currentPassword: String

    /// A change of the address of an account.
    public init(email: String, newEmail: String, currentPassword: String) {
        self.email = email
        self.newEmail = newEmail
        self.currentPassword = currentPassword
    }
}
