import MariaDB
import NIOCore
import NIOHTTP1
import Passwords
import SubTrackAPI
import SubTrackCore
import Synchronization

/// Calendars for programs that read a secret address: `/calendar/<token>.ics`.
///
/// The token is the whole right to read. So nothing logs the path, and an address that is unknown or revoked answers like
/// one of another form.
struct CalendarFiles: PathResponder {
    let name = "calendar"
    private let dispatcher: OperationDispatcher
    private let proxies: TrustedProxies
    private let state = State()

    private static let folder = "calendar"
    private static let suffix = ".ics"
    /// Ten at once, and ten in each minute.
    private static let rate = RateLimiter.Rate(burst: 10, perHour: 600)
    /// How many things are written at once.
    private static let batch = 100
    /// About the size of the events of a thing, in bytes.
    private static let sizeOfThing = 4096
    private static let nothing = Problem(.notFound, "There is nothing at this path.")

    /// The requests so far, by token, and the room for answers.
    private final class State: Sendable {
        let limiter = Mutex(RateLimiter())
        let desk = ExportDesk()
    }

    /// Calendars of the tenants that a dispatcher finds.
    init(dispatcher: OperationDispatcher, proxies: TrustedProxies) {
        self.dispatcher = dispatcher
        self.proxies = proxies
    }

    /// The path of a token, below that of a tenant.
    static func path(of token: Token) -> String { "/\(folder)/\(token.text)\(suffix)" }

    /// The months of the web app's calendar are in the same folder. An address that was not copied to its end is none of them.
    func has(_ target: RequestTarget) -> Bool {
        target.segments.count == 2 && target.segments[0] == Self.folder
            && (target.segments[1].hasSuffix(Self.suffix) || target.segments[1].hasPrefix(Token.prefix))
    }

    func refusal(of request: ServerRequest, _ target: RequestTarget) async throws -> ServerResponse? { nil }

    func respond(to request: ServerRequest, _ target: RequestTarget) async throws -> ServerResponse {
        guard request.method == .GET || request.method == .HEAD else {
            var response = HTTPProblem.response(
                for: Problem(.methodNotAllowed, "This path takes GET, HEAD."), requestID: request.id,
                logger: dispatcher.logger)
            response.headers.add(name: "allow", value: "GET, HEAD")
            return response
        }
        let tenant = try await dispatcher.tenant(slug: target.slug, host: proxies.host(of: request))
        let name = target.segments[1]
        guard tenant.areas.has("reminders"), name.hasSuffix(Self.suffix),
            let token = Token(name.dropLast(Self.suffix.count))
        else { throw Self.nothing }
        let hash = try token.hash
        let now = dispatcher.clock.now()
        // Whether or not there is such a calendar: the answer would tell.
        try takeTurn(of: hash, in: tenant, at: now)
        let networks = proxies.origin(of: request).networks
        let condition = EntityTagCondition(header: request.headers.first(name: "if-none-match"))
        do {
            let found = try await tenant.networks.run(networks) {
                try await read(hash, unless: condition, in: tenant, from: networks, at: now)
            }
            guard let found else { throw Self.nothing }
            // Asked for anew each time, so that a revoked address shows nothing from a cache.
            var headers: HTTPHeaders = ["cache-control": "private, no-cache", "etag": found.tag.quoted]
            guard let (content, ticket) = found.content else {
                return ServerResponse(status: .notModified, headers: headers)
            }
            headers.add(name: "content-type", value: "text/calendar; charset=utf-8")
            headers.add(name: "x-content-type-options", value: "nosniff")
            headers.add(name: "x-robots-tag", value: "noindex")
            let writer = CalendarWriter(name: ReminderText.shown(found.name), day: now.date(secondsFromUTC: 0))
            return ServerResponse(
                status: .ok, headers: headers,
                spooled: try await written(content, ticket, by: writer, network: networks.region.description))
        } catch let error as MariaDBError {
            throw await dispatcher.error(error, in: tenant)
        }
    }

    private func takeTurn(of hash: TokenHash, in tenant: Tenant, at now: Instant) throws {
        let wait = state.limiter.withLock { $0.take("\(tenant.slug) \(hash.bytes)", Self.rate, at: now) }
        guard let wait else { return }
        throw Problem.rateLimited("This calendar was read too often; try again in \(wait) s.", retryAfter: wait)
    }

    /// A calendar as it is in one snapshot.
    private struct Found: Sendable {
        let name: String
        let tag: EntityTag
        /// The rows, and their place among the exports; nil: the caller has the same ones.
        let content: (CalendarContent, ExportDesk.Ticket)?
    }

    /// Reads a calendar.
    /// - Returns: nil where none has the address, or its user is being removed.
    private func read(
        _ hash: TokenHash, unless condition: EntityTagCondition, in tenant: Tenant, from networks: ClientNetworks,
        at now: Instant
    ) async throws -> Found? {
        try await tenant.client.withTransaction(
            tenant.database, isolation: .repeatableRead, isReadOnly: true
        ) { connection -> Found? in
            guard let (user, name) = try await CalendarQueries.feed(hash, on: connection),
                let reader = try await ReminderReader.read(user, on: connection)
            else { return nil }
            let stamp = now.date(secondsFromUTC: 0)
            let today = LocalDay.today(at: now, timeZone: reader.timeZone) ?? stamp
            let hasDates = tenant.areas.has("contacts")
            let scopes = try await CalendarQueries.scopes(of: user, on: connection).filledUp()
            let versions = try await ScopeID.versions(of: scopes, on: connection)
            // All that the answer depends on: its rows by their counters, the days, the areas and the program.
            var tag = StableHash()
            tag.combine(ServiceVersion.text)
            tag.combine(tenant.epoch.value)
            for scope in scopes { tag.combine(scope.bytes) }
            for number in versions + [Int64(today.daysSince1970), Int64(stamp.daysSince1970), hasDates ? 1 : 0] {
                tag.combine(number)
            }
            tag.combine(name)
            let known = EntityTag(hash: tag.value)
            guard !condition.matches(known) else { return Found(name: name, tag: known, content: nil) }
            let ticket = try state.desk.begin(of: user, in: tenant, from: networks, at: now)
            let content = try await CalendarContent.read(
                of: user, reader.language, today: today, hasDates: hasDates,
                digits: try await tenant.currencies.table(on: connection), on: connection)
            return Found(name: name, tag: known, content: (content, ticket))
        }
    }

    /// Writes a calendar part by part, on threads of their own where that takes long.
    private func written(
        _ content: CalendarContent, _ ticket: ExportDesk.Ticket, by empty: CalendarWriter, network: String
    ) async throws -> SpooledAnswer {
        var spool = AnswerSpool(budget: state.desk.budget, ticket: ticket)
        var writer = empty
        for start in stride(from: 0, to: content.count, by: Self.batch) {
            let (known, part) = (writer, start..<min(start + Self.batch, content.count))
            let write: @Sendable () -> CalendarWriter = {
                var writer = known
                for event in part.flatMap(content.events(at:)) { writer.append(event) }
                return writer
            }
            let place = dispatcher.inputs.place(size: part.count * Self.sizeOfThing, network: network)
            if let place {
                writer = try await place.run(write)
            } else {
                writer = write()
            }
            try await spool.write(writer.take())
        }
        writer.finish()
        try await spool.write(writer.take())
        ticket.made()
        return try await spool.finished()
    }
}
