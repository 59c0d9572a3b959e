import MariaDB
import SubTrackAPI
import SubTrackCore

/// The operations on the user that a device is signed in as.
enum UserHandlers {
    /// Registers the handlers.
    static func register(in registry: inout OperationRegistry) {
        registry.register(GetMe.self, handler: getMe)
        registry.register(UpdateMe.self, handler: updateMe)
    }

    @Sendable private static func getMe(_ input: GetMe, _ call: Call) async throws -> Reply<User> {
        let session = try call.requireSession()
        guard let user = try await call.tenant.read({ try await UserQueries.user(session.user, on: $0) }) else {
            throw Problem(.userDeleted, "This user was deleted.")
        }
        return .row(user)
    }

    @Sendable private static func updateMe(_ input: UpdateMe, _ call: Call) async throws -> Reply<User> {
        let reply = try await call.write(input) { connection in .row(try await update(input, call, on: connection)) }
        call.tenant.sessions.forget(try call.requireSession().user)
        return reply
    }

    /// Changes the fields that are named, in a transaction that has the user's scope locked. The caller forgets the
    /// cached sessions of the user.
    /// - Returns: the user as it is afterwards.
    private static func update(_ input: UpdateMe, _ call: Call, on connection: Connection) async throws -> User {
        let session = try call.requireSession()
        guard let user = try await UserQueries.user(session.user, on: connection) else {
            throw Problem(.userDeleted, "This user was deleted.")
        }
        try await write(input, to: user, call, on: connection)
        guard let updated = try await UserQueries.user(session.user, on: connection) else {
            throw Problem(.userDeleted, "This user was deleted.")
        }
        return updated
    }

    /// Writes the fields that are named, in a transaction that has the user's scope locked.
    /// - Parameter user: the user as it was read in this transaction.
    static func write(_ input: UpdateMe, to user: User, _ call: Call, on connection: Connection) async throws {
        var user = user
        var faults = InputFaults()
        let name = try faults.check(or: nil) {
            try InputText.optional(input.userName.value, field: "userName", maximum: 100)
        }
        if case .remove = input.country { faults.add("country", .required, "cannot be removed") }
        if case .remove = input.timeZone { faults.add("timeZone", .required, "cannot be removed") }
        try faults.check(or: ()) {
            if let zone = input.timeZone.value, !LocalDay.isTimeZone(zone) { throw unknownZone(zone) }
        }
        try faults.finish()
        guard call.ifMatch.allows(user.version) else { throw Problem.stale(user) }
        if input.userName.isNamed { user.userName = name }
        if let country = input.country.value {
            guard let known = try await UserQueries.country(country, on: connection) else {
                throw unknownCountry(country)
            }
            user.country = known
        }
        if let zone = input.timeZone.value { user.timeZone = zone }
        try await UserQueries.update(user, on: connection)
    }

    /// The problem of a country that the database does not have.
    static func unknownCountry(_ code: String, field: String = "country") -> Problem {
        .input(
            field, .missing,
            "there is no country \"\(code.excerpt(10))\"; use an ISO 3166-1 code in capitals, such as DE")
    }

    /// The problem of a time zone that does not exist.
    static func unknownZone(_ zone: String, field: String = "timeZone") -> Problem {
        .input(
            field, .missing, "there is no time zone \"\(zone.excerpt(40))\"; use an IANA name such as Europe/Berlin"
        )
    }
}
