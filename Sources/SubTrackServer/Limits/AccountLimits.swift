/// How often somebody may try to sign in, register, make a device, or ask for mail.
///
/// Numbers for one address are those of an IPv4 address or an IPv6 /64. A /56 has four times as many, an IPv6 /48 and an
/// IPv4 /24 have sixteen times as many.
public struct AccountLimits: Sendable, Hashable {
    /// Sign-ins, right or wrong, of one address in a minute.
    public var signInsPerMinute: Int
    /// Registrations of one address in an hour: each tells whether an e-mail address is taken.
    public var registrationsPerHour: Int
    /// First starts of devices of one address in an hour: each makes a user.
    public var devicesPerHour: Int
    /// Requests for a mail of one address in an hour, and a third of it for one account.
    public var mailsPerHour: Int
    /// Sign-ins of a whole tenant in a minute, those on known devices not counted. Beyond, sign-ins wait in a line.
    public var tenantSignInsPerMinute: Int
    /// Wrong passwords of one account that cost nothing.
    public var freeWrongPasswords: Int
    /// How long a caller waits in the line for a budget of the tenant before it is refused.
    public var longestWait = Duration.seconds(5)

    /// Limits; those left out are the documented defaults.
    public init(
        signInsPerMinute: Int = 20, registrationsPerHour: Int = 10, mailsPerHour: Int = 10,
        tenantSignInsPerMinute: Int = 1200, freeWrongPasswords: Int = 5, devicesPerHour: Int = 600
    ) {
        self.signInsPerMinute = signInsPerMinute
        self.registrationsPerHour = registrationsPerHour
        self.devicesPerHour = devicesPerHour
        self.mailsPerHour = mailsPerHour
        self.tenantSignInsPerMinute = tenantSignInsPerMinute
        self.freeWrongPasswords = freeWrongPasswords
    }
}
