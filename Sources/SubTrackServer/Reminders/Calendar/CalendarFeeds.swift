import Foundation
import MariaDB
import NIOCore
import NIOHTTP1
import Passwords
import SubTrackAPI
import SubTrackCore
import Synchronization

/// Calendars for programs that read a secret address: `/calendar/<token>.ics`.
///
/// The token is the whole right to read. So nothing logs the path, and an address that is unknown, revoked, or of another
/// form answers alike.
struct CalendarFeeds: PathResponder {
    let name = "calendar"
    private let dispatcher: OperationDispatcher
    private let proxies: TrustedProxies
    private let mailer: Mailer
    private let state = State()

    private static let folder = "calendar"
    private static let suffix = ".ics"
    private static let area = "reminders"
    /// Ten at once, and ten in each minute.
    private static let rate = RateLimiter.Rate(burst: 10, perHour: 600)
    /// How long a program may keep a calendar, in seconds.
    private static let maximumAge = 3600
    /// The disk that calendars on their way may take together, in bytes.
    private static let spool = 256 << 20
    /// About the size of a subscription's events, in bytes.
    private static let sizeOfSubscription = 4096

    /// The requests so far, by token, and the room for answers.
    private final class State: Sendable {
        let limiter = Mutex(RateLimiter())
        let budget = SpoolBudget(bytes: CalendarFeeds.spool)
    }

    /// Calendars of the tenants that a dispatcher finds.
    /// - Parameter mailer: knows the public address of the service.
    init(dispatcher: OperationDispatcher, proxies: TrustedProxies, mailer: Mailer) {
        self.dispatcher = dispatcher
        self.proxies = proxies
        self.mailer = mailer
    }

    /// The address of a token.
    /// - Parameter base: the address of the tenant's pages.
    static func url(_ token: Token, base: String) -> String { "\(base)/\(folder)/\(token.text)\(suffix)" }

    func has(_ target: RequestTarget) -> Bool { target.segments.first == Self.folder && target.segments.count == 2 }

    func refusal(of request: ServerRequest, _ target: RequestTarget) async throws -> ServerResponse? {
        try await respond(to: request, target)
    }

    func respond(to request: ServerRequest, _ target: RequestTarget) async throws -> ServerResponse {
        guard request.method == .GET || request.method == .HEAD else {
            return ServerResponse(status: .methodNotAllowed, headers: ["allow": "GET, HEAD"])
        }
        let nothing = Problem(.notFound, "There is nothing at this path.")
        guard let file = target.segments.last, file.hasSuffix(Self.suffix),
            let token = Token(file.dropLast(Self.suffix.count))
        else { throw nothing }
        let hash = try token.hash
        let tenant = try await dispatcher.tenant(slug: target.slug, host: proxies.host(of: request))
        guard tenant.areas.has(Self.area) else { throw nothing }
        // Whether or not there is such a calendar: the answer would tell.
        try takeTurn(of: hash, in: tenant)
        do {
            let networks = proxies.origin(of: request).networks
            let found = try await tenant.networks.run(networks) {
                try await answer(hash, request, target, in: tenant, network: networks.region.description)
            }
            guard let found else { throw nothing }
            return found
        } catch let error as MariaDBError {
            throw await dispatcher.error(error, in: tenant)
        }
    }

    private func takeTurn(of hash: TokenHash, in tenant: Tenant) throws {
        let key = "\(tenant.slug) \(hash.bytes)"
        let wait = state.limiter.withLock { $0.take(key, Self.rate, at: dispatcher.clock.now()) }
        guard let wait else { return }
        throw Problem.rateLimited("This calendar was read too often; try again in \(wait) s.", retryAfter: wait)
    }

    /// Answers with a calendar as it is in one snapshot.
    /// - Returns: nil where no calendar has the address.
    private func answer(
        _ hash: TokenHash, _ request: ServerRequest, _ target: RequestTarget, in tenant: Tenant, network: String
    ) async throws -> ServerResponse? {
        let now = dispatcher.clock.now()
        let host = URLComponents(string: mailer.base(of: tenant))?.host ?? "localhost"
        let hasAlarms = target.query.contains { $0.name == "alarms" && $0.value == .text("1") }
        let condition = EntityTagCondition(header: request.headers.first(name: "if-none-match"))
        return try await tenant.client.withTransaction(
            tenant.database, isolation: .repeatableRead, isReadOnly: true
        ) { connection -> ServerResponse? in
            guard let feed = try await CalendarQueries.feed(hash, on: connection) else { return nil }
            let stamp = now.date(secondsFromUTC: 0)
            let question = CalendarContent.Question(
                today: LocalDay.today(at: now, timeZone: feed.timeZone) ?? stamp, stamp: stamp, host: host,
                hasAlarms: hasAlarms, hasContacts: tenant.areas.has(ContactsArea().name))
            let tag = try await tag(of: feed, question, in: tenant, on: connection)
            var headers: HTTPHeaders = [
                "cache-control": "private, max-age=\(Self.maximumAge)", "etag": tag.quoted,
            ]
            guard !condition.matches(tag) else { return ServerResponse(status: .notModified, headers: headers) }
            let digits = try await tenant.currencies.table(on: connection)
            let content = try await CalendarContent.read(feed, question, digits: digits, on: connection)
            headers.add(name: "content-type", value: "text/calendar; charset=utf-8")
            return ServerResponse(
                status: .ok, headers: headers, spooled: try await written(content, feed, question, network: network))
        }
    }

    /// Writes a calendar, part by part on threads where that takes long.
    private func written(
        _ content: CalendarContent, _ feed: CalendarQueries.Feed, _ question: CalendarContent.Question, network: String
    ) async throws -> SpooledAnswer {
        var spool = AnswerSpool(budget: state.budget)
        var writer = CalendarWriter(name: feed.name, day: question.stamp)
        for part in content.parts {
            let known = writer
            let write: @Sendable () -> CalendarWriter = {
                var writer = known
                for event in part.events() { writer.append(event) }
                return writer
            }
            let place = dispatcher.inputs.place(size: part.count * Self.sizeOfSubscription, network: network)
            writer = if let place { try await place.run(write) } else { write() }
            try await spool.write(writer.take())
        }
        writer.finish()
        try await spool.write(writer.take())
        return try await spool.finished()
    }

    /// The tag of an answer, by all that it depends on: the counters of its rows, its days, its form, and the program.
    private func tag(
        of feed: CalendarQueries.Feed, _ question: CalendarContent.Question, in tenant: Tenant,
        on connection: Connection
    ) async throws -> EntityTag {
        let scopes = try await CalendarQueries.scopes(of: feed.user, on: connection)
        var hash = StableHash()
        hash.combine(ServiceVersion.text)
        hash.combine(tenant.epoch.value)
        for (scope, version) in zip(scopes, try await ScopeID.versions(of: scopes.filledUp(), on: connection)) {
            hash.combine(scope.bytes)
            hash.combine(version)
        }
        hash.combine(feed.name)
        hash.combine(question.host)
        hash.combine(question.today.daysSince1970)
        hash.combine(question.stamp.daysSince1970)
        hash.combine(question.hasAlarms ? 1 : 0)
        hash.combine(question.hasContacts ? 1 : 0)
        return EntityTag(hash: hash.value)
    }
}
