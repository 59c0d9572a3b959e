/// Gives the device's user an account.
public struct RegisterAccount: Operation {
    public static let name = "accounts.register"
    public static let endpoint = Endpoint.post("/v1/accounts", status: 201)
    public static let access = Access.device
    public static let errors: [ErrorCode] = [
        .credentialsInvalid, .emailTaken, .statusConflict, .tooMany, .rateLimited,
    ]
    public static let handlesSecrets = true
    public static let summary =
        "Gives the user an account: an e-mail and a password that lead to the user from any device."

    /// The user and the new account.
    public struct Output: Codable, Sendable, Hashable {
        /// The user with all accounts.
        public var user: User
        /// The new account.
        public var account: User.Account

        /// A registration.
        public init(user: User, account: User.Account) {
            self.user = user
            self.account = account
        }
    }

    /// The e-mail address, at most 254 characters.
    public var email: String
    /// The password: 8 to 1,024 bytes, any character, none of the common ones.
    public var password: String
    /// The user's name, 1…100 characters.
    public var userName: String?
    /// The password of an account that the user has; needed where there is one.
    public var currentPassword: String?

    /// An account.
    public init(email: String, password: String, userName: String? = nil, currentPassword: String? = nil) {
        self.email = email
        self.password = password
        self.userName = userName
        self.currentPassword = currentPassword
    }
}

extension RegisterAccount: FieldRules {
    public static let fieldRules: [String: FieldRule] = [
        "email": FieldRule().example("ada@example.org"), "password": FieldRule().example("correct horse battery"),
        "userName": .text(0...100).example("Ada"),
    ]
}

/// Takes an address from a user who has others.
public struct DeleteAccount: Operation {
    public typealias Output = Empty

    public static let name = "accounts.delete"
    public static let endpoint = Endpoint.delete("/v1/accounts")
    public static let access = Access.account
    public static let errors: [ErrorCode] = [.credentialsInvalid, .statusConflict, .rateLimited]
    public static let handlesSecrets = true
    public static let summary =
        "Removes one of several accounts of the user and ends the user's other sessions; its address is told by mail."

    /// The address that is to lead to the user no more.
    public var email: String
    /// Its password, or that of an account which comes before it: confirmed ones come first, then older ones.
    public var currentPassword: String

    /// The removal of an account.
    public init(email: String, currentPassword: String) {
        self.email = email
        self.currentPassword = currentPassword
    }
}
