import Foundation
import Logging
import MariaDB
import Metrics
import NIOCore
import Passwords
import SubTrackAPI
import Synchronization

/// How mails leave the service.
public struct MailSettings: Sendable {
    /// The program or server that takes them; nil: they stay in the queue until they expire.
    public var carrier: (any MailCarrier)?
    /// The sender; nil: `noreply@` and the host of the public URL.
    public var sender: MailSender?
    /// Where people reach the service, for links: `https://subs.example.org`; nil: where HTTP is served.
    public var publicURL: String?
    /// How often every tenant's queue is read. This replica's own mails are sent at once.
    public var sweep = Duration.seconds(30)

    /// No way for mails.
    public init() {}

    /// Settings that work but are hardly meant, for the start of the service and for checks.
    public var findings: [Finding] {
        guard carrier != nil else { return [] }
        var findings: [Finding] = []
        if sender == nil, host == nil || host == "localhost" {
            findings.append(
                .warning(
                    "mail", "mails come from noreply@localhost, which other mail servers refuse",
                    remedy: "--mail-from noreply@example.org, or --public-url with the name of this service's host"))
        }
        if publicURL == nil {
            findings.append(
                .warning(
                    "mail",
                    "links in mails lead to the address at which this process listens, which nobody else may reach",
                    remedy: "--public-url https://subs.example.org"))
        }
        return findings
    }

    /// Connects to the mail server and signs in there, for a check. A mail program is not run.
    /// - Throws: `CancellationError` when the task is cancelled.
    public func carrierFinding() async throws -> Finding {
        guard let carrier else {
            return .warning(
                "mail",
                "nothing takes mails: nobody is reminded by mail, can confirm an address, or can replace a forgotten password",
                remedy: "--smtp-url smtps://user@smtp.example.org, or --sendmail /usr/sbin/sendmail")
        }
        do {
            try await carrier.check(from: try? resolvedSender())
            await carrier.close()
            return .ok("mail", carrier.name)
        } catch let fault as MailFault {
            return .problem(
                "mail", "\(carrier.name) takes no mail: \(fault)",
                remedy: "Mend the setting that it is about, and try it: subtrackd mail test you@example.org")
        }
    }

    /// The host of the public URL.
    var host: String? { publicURL.flatMap { URLComponents(string: $0)?.host } }

    /// The sender of mails.
    /// - Throws: ``SettingsError`` when that is not said, and the public URL has an address where a name would be needed.
    func resolvedSender() throws -> MailSender {
        if let sender { return sender }
        let host = host ?? "localhost"
        let isAddress =
            host.hasPrefix("[") || host.contains(":") || (try? SocketAddress(ipAddress: host, port: 0)) != nil
        guard !isAddress, let sender = try? MailSender("noreply@\(host)") else {
            throw SettingsError(
                "name a sender for mails (--mail-from noreply@example.org): noreply@\(host), after the public URL, is no address"
            )
        }
        return sender
    }
}

/// Hands the mails of all tenants to the mail program or the mail server.
///
/// A mail is queued in the transaction of its cause, and leaves the queue when that has taken it. The token of a
/// link is made for one attempt and is nowhere but in that mail: the database has its hash.
final class Mailer: Sendable {
    /// How many mails of a tenant are handed over at once, and in one turn.
    private static let width = 4
    /// How many tenants have their turn at once.
    private static let tenantsAtOnce = 4
    /// The time beyond the carrier's limit for which a mail belongs to its sender.
    private static let margin = Duration.seconds(30)

    private let settings: MailSettings
    private let clock: WallClock
    private let logger: Logger
    private let pending = Mutex<[String: Tenant]>([:])
    private let (wakes, waker) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    private let fallbackURL = Mutex("http://localhost")
    private let sent = Counter(label: "subtrackit_mails_sent_total")
    private let failed = Counter(label: "subtrackit_mails_failed_total")
    private let waitingGauge = Gauge(label: "subtrackit_mails_waiting")
    /// The mails in the queue of each tenant, as they were counted last.
    private let waiting = Mutex<[String: Int]>([:])

    /// A mailer that begins with ``run(tenants:)``.
    init(_ settings: MailSettings = MailSettings(), clock: WallClock = .system, logger: Logger = Logger(label: "mail"))
    {
        self.settings = settings
        self.clock = clock
        self.logger = logger
    }

    /// Notes where HTTP is served, for links where no public URL is set.
    func serves(at address: ListenAddress, hasTLS: Bool) {
        fallbackURL.withLock { $0 = "\(hasTLS ? "https" : "http")://\(address)" }
    }

    /// Something was queued.
    func wake(_ tenant: Tenant) {
        guard settings.carrier != nil else { return }
        pending.withLock { $0[tenant.slug] = tenant }
        waker.yield()
    }

    /// Sends queued mails, until the task is cancelled.
    /// - Parameters:
    ///   - letters: the mails of areas, by their kinds.
    ///   - tenants: gives all tenants.
    func run(
        letters: [String: any MailLetters] = [:], tenants: @escaping @Sendable () async throws -> [Tenant]
    ) async {
        guard let carrier = settings.carrier else {
            logger.notice(
                "Neither a mail program nor a mail server is set (--sendmail, --smtp-url): nobody is asked to confirm an address, or can replace a forgotten password."
            )
            // They wait all the same, until they expire.
            return await sweep(tenants) { for tenant in $0 { await self.countWaiting(tenant) } }
        }
        for finding in settings.findings {
            logger.warning("Mail: \(finding.text)", metadata: finding.remedy.map { ["remedy": "\($0)"] })
        }
        // A program that ends before it has read its mail is not the end of this one.
        signal(SIGPIPE, SIG_IGN)
        await withTaskGroup(of: Void.self) { group in
            group.addTask {
                await self.sweep(tenants) { all in
                    self.pending.withLock { for tenant in all { $0[tenant.slug] = tenant } }
                    self.waker.yield()
                }
            }
            for await _ in wakes {
                let due = await takePending(tenants)
                await withTaskGroup(of: Void.self) { turns in
                    for (index, tenant) in due.enumerated() {
                        if index >= Self.tenantsAtOnce { await turns.next() }
                        if Task.isCancelled { break }
                        turns.addTask { await self.takeTurn(tenant, letters, carrier) }
                    }
                }
                if Task.isCancelled { break }
            }
            group.cancelAll()
        }
    }

    /// Takes the tenants that have mails, as they are now: a tenant that was suspended meanwhile has no turn.
    private func takePending(_ tenants: @Sendable () async throws -> [Tenant]) async -> [Tenant] {
        let pending = pending.withLock { pending in
            defer { pending = [:] }
            return pending
        }
        guard let all = try? await tenants() else { return pending.values.sorted { $0.slug < $1.slug } }
        return all.filter { pending[$0.slug] != nil }
    }

    /// Does something with all tenants at intervals, until the task is cancelled.
    private func sweep(
        _ tenants: @Sendable () async throws -> [Tenant], _ body: @Sendable ([Tenant]) async -> Void
    ) async {
        while !Task.isCancelled {
            if let all = try? await tenants() {
                let slugs = Set(all.map(\.slug))
                waiting.withLock { $0 = $0.filter { slugs.contains($0.key) } }
                await body(all)
            }
            try? await Task.sleep(for: settings.sweep)
        }
    }

    /// Counts the mails that wait in the queue of a tenant. A tenant that cannot be read keeps its last count.
    private func countWaiting(_ tenant: Tenant) async {
        guard !tenant.opening.isShut, (try? await tenant.opening.check()) != nil else { return }
        let count: Int
        do {
            count = try await tenant.read { try await MailQueries.waiting(on: $0) }
        } catch {
            // Each replica looks at each tenant here, whether anybody uses it or not.
            if let fault = error as? MariaDBError { _ = await tenant.opening.problem(after: fault) }
            return
        }
        let sum = waiting.withLock { waiting in
            waiting[tenant.slug] = count
            return waiting.values.reduce(0, +)
        }
        waitingGauge.record(sum)
    }

    /// Sends a few mails of a tenant that are due. If there may be more, the tenant has another turn after the others.
    private func takeTurn(_ tenant: Tenant, _ letters: [String: any MailLetters], _ carrier: any MailCarrier) async {
        // Its mails go along to where it is moved, and are sent from there.
        guard !tenant.opening.isShut else { return }
        do {
            let due = try await tenant.read { try await MailQueries.due(limit: Self.width, on: $0) }
            let tried = await withTaskGroup(of: Bool.self) { group in
                for mail in due { group.addTask { await self.attempt(mail, of: tenant, letters, carrier) } }
                return await group.reduce(false) { $0 || $1 }
            }
            // None could be claimed: another replica has them, or the database takes no writes. The next sweep will see.
            if tried, due.count == Self.width { wake(tenant) }
            await countWaiting(tenant)
        } catch  where !(error is CancellationError) {
            let fault = error as? MariaDBError
            if let fault, await tenant.opening.problem(after: fault) != nil { return }
            logger.log(
                level: fault?.isReported == true ? .debug : .warning,
                "Mails cannot be read from the queue; it is tried again.",
                metadata: ["tenant": "\(tenant.slug)", "error": "\(error)"])
        } catch {}
    }

    /// Tries to send a mail.
    /// - Returns: whether it was this replica's to try.
    private func attempt(
        _ mail: MailQueries.Queued, of tenant: Tenant, _ letters: [String: any MailLetters], _ carrier: any MailCarrier
    ) async -> Bool {
        var claimed = false
        guard !tenant.opening.isShut else { return false }
        do {
            claimed = try await tenant.read { connection in
                try await MailQueries.claim(mail, for: carrier.limit + Self.margin, on: connection)
            }
            guard claimed else { return false }
            guard let prepared = try await prepare(mail, of: tenant, letters) else {
                try await tenant.read { try await MailQueries.drop(mail, on: $0) }
                return true
            }
            do {
                try await carrier.send(prepared.message)
            } catch {
                // The link was not sent; the next attempt makes another.
                if let hash = prepared.secret {
                    try? await tenant.read { try await MailQueries.deleteSecret(hash, on: $0) }
                }
                if (error as? MailFault)?.isFinal == true {
                    try? await letters[mail.kind]?.refused(prepared.message.to, of: mail, in: tenant)
                }
                throw error
            }
            sent.increment()
            // Shielded: a service that stops now must not send it again when it starts.
            try await Task { try await tenant.read { try await MailQueries.delete(mail.id, on: $0) } }.value
        } catch  where !(error is CancellationError) {
            let isFinal = (error as? MailFault)?.isFinal == true
            if claimed {
                failed.increment()
                try? await tenant.read { connection in
                    if isFinal {
                        try await MailQueries.drop(mail, on: connection)
                    } else {
                        try await MailQueries.postpone(mail, on: connection)
                    }
                }
            }
            logger.warning(
                isFinal
                    ? "A mail has no recipient; it is not tried again."
                    : "A mail was not handed over; it is tried again.",
                metadata: [
                    "tenant": "\(tenant.slug)", "mail": "\(mail.id)", "kind": "\(mail.kind)",
                    "attempt": "\(mail.attempts + 1)", "error": "\(error)",
                ])
        } catch {}
        return claimed
    }

    /// The mail with its secret, whose hash is stored.
    /// - Returns: nil when there is nothing to send: no such account, or confirmed already.
    private func prepare(
        _ mail: MailQueries.Queued, of tenant: Tenant, _ letters: [String: any MailLetters]
    ) async throws -> (message: MailMessage, secret: [UInt8]?)? {
        if let letters = letters[mail.kind] {
            let letter = try await letters.letter(mail, base: base(of: tenant), now: clock.now(), in: tenant)
            return try letter.map { (try message($0.text, to: $0.to, id: mail.id, unsubscribe: $0.unsubscribe), nil) }
        }
        guard let kind = MailKind(rawValue: mail.kind) else {
            // A newer version has queued it, and sends it.
            throw MailFault(description: "this version knows no mail of the kind \(mail.kind)")
        }
        var to = mail.email
        var others: [String] = []
        var link: String?
        var token: Token?
        if let purpose = kind.purpose {
            let made = try Token.generate()
            let hash = try made.hash.bytes
            guard let account = try await tenant.read({ try await AccountQueries.account(mail.email, on: $0) }) else {
                return nil
            }
            // Under the user's lock: where the address leads elsewhere meanwhile, its links were ended, and this one would
            // come after.
            let accounts = try await tenant.write(scope: account.user) { connection -> [AccountQueries.Row]? in
                guard let now = try await AccountQueries.account(mail.email, on: connection),
                    purpose == .reset || (now.email == mail.email && !now.isVerified)
                else { return nil }
                guard now.email == account.email, now.user == account.user else { throw ScopeInUse() }
                try await MailQueries.insertSecret(hash, purpose: purpose, email: now.email, on: connection)
                return try await AccountQueries.accounts(of: now.user, on: connection)
            }
            guard let accounts else { return nil }
            // To the account's own address, not to the typed one: look-alikes are other people's.
            to = account.email
            others = accounts.filter { $0.email != account.email }.map(\.email.masked)
            token = made
            link = page(purpose, of: tenant, token: made)
        }
        let text = MailText(
            kind, mail.language, email: to.text, detail: mail.detail, others: others, link: link, token: token?.text)
        return (try message(text, to: to, id: mail.id), try token?.hash.bytes)
    }

    private func message(
        _ text: MailText, to: EmailAddress, id: UUID, unsubscribe: String? = nil
    ) throws -> MailMessage {
        MailMessage(
            from: try settings.resolvedSender(), to: to, subject: text.subject, text: text.plain, html: text.html,
            date: clock.now(), id: id, unsubscribe: unsubscribe)
    }

    /// The page on which a token is used. It stands behind `#`, which no browser sends and no proxy logs.
    private func page(_ purpose: MailPurpose, of tenant: Tenant, token: Token) -> String {
        "\(base(of: tenant))/account/\(purpose.rawValue)#token=\(token.text)"
    }

    /// The address of a tenant's pages, without a slash at its end.
    private func base(of tenant: Tenant) -> String {
        var base = settings.publicURL ?? fallbackURL.withLock { $0 }
        while base.hasSuffix("/") { base.removeLast() }
        return base + tenant.publicPath
    }
}

/// The use of a token of a mail.
enum MailPurpose: String, Sendable, SQLCodable {
    case verify
    case reset

    /// For how many hours the token is taken.
    var hoursValid: Int {
        switch self {
        case .verify: 168
        case .reset: 1
        }
    }
}

extension MailKind {
    /// The use of its token; nil where it has none.
    var purpose: MailPurpose? {
        switch self {
        case .verify, .verifyChange: .verify
        case .reset: .reset
        case .newDevice, .passwordChanged, .emailChanged, .addressAdded, .addressConfirmed, .addressChanged,
            .addressRemoved, .addressGone, .resetRemoved, .resetMoved:
            nil
        }
    }
}
