import Logging
import MariaDB
import SubTrackAPI
import Synchronization

/// Tells sockets which scopes have changed. Their clients pull the changes.
///
/// It reads counters, so that every change counts: of this process, another replica, or an admin. All scopes that a
/// tenant's sockets watch are read together at intervals. Scopes of this process's own commits are read at once. The
/// counters are noted before a user's first socket is opened, so that later commits are always told.
final class ChangeWatch: Sendable {
    /// How many users or scopes one statement asks for.
    private static let chunk = 1024

    private let registries: SyncRegistries
    private let connections: LiveConnections
    private let tenants: TenantDirectory
    private let commits: CommitSignal
    private let interval: Duration
    private let logger: Logger
    private let told = Mutex<[String: ToldVersions]>([:])

    /// A watch for the sockets of this process.
    /// - Parameter interval: how long to wait between two looks at everything.
    init(
        registries: SyncRegistries, connections: LiveConnections, tenants: TenantDirectory, commits: CommitSignal,
        interval: Duration,
        logger: Logger
    ) {
        self.registries = registries
        self.connections = connections
        self.tenants = tenants
        self.commits = commits
        self.interval = interval
        self.logger = logger
    }

    /// Notes where the scopes of a user stand, before a socket of theirs begins to watch.
    func begin(_ user: UserID, in tenant: Tenant) async throws {
        commits.hear(true)
        guard !isWatched(user, in: tenant) else { return }
        // A device may open a hundred sockets at the same moment.
        try await tenant.reads.run(user) {
            guard !isWatched(user, in: tenant) else { return }
            let (scopes, versions) = try await tenant.read { connection in
                let scopes = try await registries.registry(of: tenant).visible(to: [user], on: connection)[user] ?? []
                return (scopes, try await Self.versions(of: scopes, on: connection))
            }
            told.withLock { $0[tenant.slug, default: .init()].begin(user, scopes, versions) }
        }
    }

    private func isWatched(_ user: UserID, in tenant: Tenant) -> Bool {
        told.withLock { $0[tenant.slug]?.knows(user) } == true
    }

    /// Looks every now and then, and whenever something was committed, until the task is cancelled.
    func run() async {
        await withTaskGroup(of: Void.self) { group in
            group.addTask {
                while (try? await Task.sleep(for: self.interval)) != nil { self.commits.wake() }
            }
            // One look after the other: of two at once the slower one would bring old versions.
            var lastLook = ContinuousClock.now
            for await _ in commits.wakes {
                let changed = commits.take()
                if ContinuousClock.now - lastLook >= interval {
                    await look()
                    lastLook = .now
                } else {
                    for (slug, scopes) in changed {
                        let users = told.withLock { $0[slug]?.users(of: scopes) } ?? []
                        let watching = connections.watching(of: users, tenant: slug)
                        if !watching.isEmpty { await look(slug, watching, afterCommit: true) }
                    }
                }
            }
            group.cancelAll()
        }
    }

    /// Looks at everything that somebody watches.
    private func look() async {
        let watchers = connections.watchers
        commits.hear(!watchers.isEmpty)
        told.withLock { told in
            for slug in told.keys { told[slug]?.keep(Set(watchers[slug] ?? [])) }
            told = told.filter { !$0.value.isEmpty }
        }
        for (slug, users) in watchers { await look(slug, users) }
    }

    /// Reads the scopes of some users of a tenant, and tells them the changed ones.
    /// - Parameter afterCommit: whether it is about the few users of a commit. That is done on a loop, where each
    ///   statement would else change threads twice on the way to the poke. A read of all watched scopes would hold up
    ///   its requests.
    private func look(_ slug: String, _ users: [UserID], afterCommit: Bool = false) async {
        do {
            let tenant = try await tenants.tenant(slug: slug, host: nil)
            if afterCommit {
                try await tenant.client.configuration.loops.next().run { _ in try await self.look(tenant, users) }
            } else {
                try await look(tenant, users)
            }
        } catch {
            // A database that is away changes nothing; changes of that time are seen when it is back.
            logger.debug("Changes cannot be looked at", metadata: ["tenant": "\(slug)", "error": "\(error)"])
        }
    }

    private func look(_ tenant: Tenant, _ users: [UserID]) async throws {
        try await learnScopes(of: users, tenant)
        var versions = try await versions(ofScopesOf: users, besides: [:], tenant)
        tell(users, versions, tenant)
        // Their own rows have changed, and with them perhaps the scopes that they see.
        let moved = told.withLock { told in users.filter { told[tenant.slug]?.isUnsure(of: $0) == true } }
        guard !moved.isEmpty else { return }
        try await learnScopes(of: moved, tenant)
        versions = try await self.versions(ofScopesOf: moved, besides: versions, tenant)
        tell(moved, versions, tenant)
    }

    private func tell(_ users: [UserID], _ versions: [SyncScope: Int64], _ tenant: Tenant) {
        let news = told.withLock { told in
            users.map { (user: $0, news: told[tenant.slug]?.news(for: $0, versions) ?? []) }
        }
        for (user, news) in news where !news.isEmpty {
            connections.poke(
                news.map { Poke(scope: $0.scope.name, version: $0.version) }, tenant: tenant.slug, user: user)
        }
    }

    /// Reads the scopes of users whose scopes are unknown, or whose rows have changed since.
    private func learnScopes(of users: [UserID], _ tenant: Tenant) async throws {
        let unsure = told.withLock { told in users.filter { told[tenant.slug]?.isUnsure(of: $0) != false } }
        for part in unsure.chunks(of: Self.chunk) {
            let registry = registries.registry(of: tenant)
            let scopes = try await tenant.read { try await registry.visible(to: part, on: $0) }
            told.withLock { told in
                for user in part { told[tenant.slug, default: .init()].learn(user, scopes[user] ?? []) }
            }
        }
    }

    /// Adds the versions of the scopes that some users see, where they are not known.
    private func versions(
        ofScopesOf users: [UserID], besides known: [SyncScope: Int64], _ tenant: Tenant
    ) async throws -> [SyncScope: Int64] {
        let scopes = told.withLock { told in
            Set(users.flatMap { told[tenant.slug]?.scopes(of: $0) ?? [] }).filter { known[$0] == nil }
        }
        guard !scopes.isEmpty else { return known }
        let found = try await tenant.read { try await Self.versions(of: Array(scopes), on: $0) }
        return known.merging(found) { $1 }
    }

    /// Users' own counters come last: of a change that a user did not see any more, it is then known that the user's
    /// scopes have changed.
    private static func versions(
        of scopes: [SyncScope], on connection: Connection
    ) async throws -> [SyncScope: Int64] {
        var versions: [SyncScope: Int64] = [:]
        for part in (scopes.filter { !$0.isUser } + scopes.filter(\.isUser)).chunks(of: chunk) {
            let counters = try await SyncQueries.counters(of: part, on: connection)
            for scope in part { versions[scope] = counters[scope]?.version ?? 0 }
        }
        return versions
    }
}

extension Array {
    /// Parts of at most so many elements, each filled up, so that few statements of different lengths are prepared.
    fileprivate func chunks(of size: Int) -> [[Element]] {
        stride(from: 0, to: count, by: size).map { Array(self[$0..<Swift.min($0 + size, count)]).filledUp() }
    }
}
