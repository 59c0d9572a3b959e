import Foundation
import Logging
import MariaDB
import Metrics
import NIOCore
import Passwords
import SubTrackAPI
import Synchronization

/// Hands the mails of all tenants to the mail program or the mail server.
///
/// A mail is queued in the transaction of its cause, and leaves the queue when that has taken it. The token of a
/// link is made for one attempt and is nowhere but in that mail: the database has its hash.
final class Mailer: Sendable {
    /// How many mails of a tenant are handed over at once, and in one turn.
    private static let width = 4
    /// How many tenants have their turn at once. Each may wait for a slow server of a recipient.
    private static let tenantsAtOnce = 8
    /// The time beyond the carrier's limit for which a mail belongs to its sender.
    private static let margin = Duration.seconds(30)

    private let settings: MailSettings
    private let clock: WallClock
    private let logger: Logger
    private let turns: TenantTurns
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
        turns = TenantTurns(every: settings.sweep, atOnce: Self.tenantsAtOnce)
    }

    /// Notes where HTTP is served, for links where no public URL is set.
    func serves(at address: ListenAddress, hasTLS: Bool) {
        fallbackURL.withLock { $0 = "\(hasTLS ? "https" : "http")://\(address)" }
    }

    /// Something was queued.
    func wake(_ tenant: Tenant) {
        guard settings.carrier != nil else { return }
        turns.wake(tenant.slug)
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
            return await turns.run(tenants: tenants, swept: forgetOthers) { tenant in
                await self.countWaiting(tenant)
                return false
            }
        }
        for finding in settings.findings {
            logger.warning("Mail: \(finding.text)", metadata: finding.remedy.map { ["remedy": "\($0)"] })
        }
        // A program that ends before it has read its mail is not the end of this one.
        signal(SIGPIPE, SIG_IGN)
        await turns.run(tenants: tenants, swept: forgetOthers) { await self.takeTurn($0, letters, carrier) }
    }

    /// Forgets the counts of tenants that are gone.
    @Sendable private func forgetOthers(_ tenants: [Tenant]) {
        let slugs = Set(tenants.map(\.slug))
        waiting.withLock { $0 = $0.filter { slugs.contains($0.key) } }
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

    /// Sends a few mails of a tenant that are due.
    /// - Returns: whether there may be more.
    private func takeTurn(
        _ tenant: Tenant, _ letters: [String: any MailLetters], _ carrier: any MailCarrier
    ) async -> Bool {
        // Its mails go along to where it is moved, and are sent from there.
        guard !tenant.opening.isShut else { return false }
        do {
            let due = try await tenant.read { try await MailQueries.due(limit: Self.width, on: $0) }
            let tried = await withTaskGroup(of: Bool.self) { group in
                for mail in due { group.addTask { await self.attempt(mail, of: tenant, letters, carrier) } }
                return await group.reduce(false) { $0 || $1 }
            }
            await countWaiting(tenant)
            // None could be claimed: another replica has them, or the database takes no writes. The next sweep will see.
            return tried && due.count == Self.width
        } catch  where !(error is CancellationError) {
            let fault = error as? MariaDBError
            if let fault, await tenant.opening.problem(after: fault) != nil { return false }
            logger.log(
                level: fault?.isReported == true ? .debug : .warning,
                "Mails cannot be read from the queue; it is tried again.",
                metadata: ["tenant": "\(tenant.slug)", "error": "\(error)"])
        } catch {}
        return false
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
