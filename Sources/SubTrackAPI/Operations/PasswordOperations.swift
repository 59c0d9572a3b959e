/// Shows that mail to an account's address is read by whoever registered it.
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

/// Replaces a forgotten password.
public struct ResetPassword: Operation {
    public typealias Output = Empty

    public static let name = "passwords.reset"
    public static let endpoint = Endpoint(.put, "/v1/password-resets", status: 204)
    public static let access = Access.public
    public static let errors: [ErrorCode] = [.rateLimited]
    public static let handlesSecrets = true
    public static let takesEndedTokens = true
    public static let summary =
        "Takes the token of a mail and a new password; all sessions of the account end, and an address that nobody had "
        + "confirmed is its reader's from now on."

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
