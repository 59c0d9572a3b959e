import Foundation
import GRDB
import SubTrackAPI

/// What belongs together on a device: a store, the service that its rows are from, and the token of its user.
struct DeviceSession: Sendable {
    let store: Store
    let client: Client
    let tokens: SessionTokens
    let lock: SessionLock
    let settings: KitSettings

    /// Opens the session of a folder.
    /// - Throws: ``KitError/otherServer(_:)`` where rows or token are another service's; ``KitError/store(_:)``.
    init(_ settings: KitSettings) throws {
        self.settings = settings
        let folder = settings.folder
        if !FileManager.default.fileExists(atPath: folder.path) {
            do {
                try FileManager.default.createDirectory(
                    at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
            } catch {
                throw KitError.store("\(folder.path) cannot be made")
            }
        }
        let kept = settings.tokens ?? FileTokenStore(path: folder.appendingPathComponent("token").path)
        let file = folder.appendingPathComponent("subtrack.sqlite").path
        // The token came after the rows: what the file held is lost, and nobody would be told.
        if try kept.token().flatMap({ BoundToken($0) }) != nil, Store.isEmptied(file) {
            throw Store.damaged(file, "it is empty")
        }
        store = try Store(
            path: file, use: .init(isBrief: settings.isBrief, survivesPowerLoss: settings.survivesPowerLoss))
        lock = SessionLock(path: folder.appendingPathComponent("subtrack.lock").path)
        let server = Client.normalized(settings.server)
        tokens = SessionTokens(kept: kept, server: server, store: store)
        client = Client(server: server, tokens: tokens, transport: settings.transport)
        if settings.hasMoved { try move() }
        let isKept = try kept.token() != nil
        if let known = try store.read({ try Self.owner(in: $0, hasToken: isKept) }), known != server {
            throw KitError.otherServer(known)
        }
        _ = try tokens.token()
    }

    /// Takes it from the caller that the service has another address now.
    private func move() throws {
        if let text = try tokens.kept.token(), var bound = BoundToken(text), bound.server != client.server {
            bound.server = client.server
            try tokens.kept.set(bound.text)
        }
        try store.write { database in
            guard try Store.state(.server, in: database) != nil else { return }
            try Store.set(.server, client.server, in: database)
            try Store.set(.clockChecked, nil, in: database)
            try Store.set(.areas, nil, in: database)
        }
    }

    /// The service whose user the device has; nil where none gave it one, whichever was asked: what was changed here is
    /// nobody's yet, and may go to another one.
    private static func owner(in database: Database, hasToken: Bool) throws -> String? {
        guard
            try hasToken || Store.state(.user, in: database) != nil || Store.state(.cursor, in: database) != nil
        else { return nil }
        return try Store.state(.server, in: database)
    }

    /// From now on the rows are those of this service.
    /// - Throws: ``KitError/otherServer(_:)`` where another program says otherwise.
    func bind() throws {
        if try store.state(.server) == client.server { return }
        let isKept = try tokens.kept.token() != nil
        try store.write { database in
            if let known = try Self.owner(in: database, hasToken: isKept), known != client.server {
                throw KitError.otherServer(known)
            }
            try Store.set(.server, client.server, in: database)
            // What was learned of a service that gave no user is not told to this one.
            try Store.set(.clockChecked, nil, in: database)
            try Store.set(.areas, nil, in: database)
            if try Store.state(.user, in: database) == nil { try Store.set(.device, nil, in: database) }
        }
    }

    /// Forgets a user who was deleted, with all rows. What was never sent becomes reports: nobody else has it.
    /// - Parameter now: seconds since 1970.
    func forgetDeleted(at now: Int64) throws {
        try store.write { database in
            for entry in try Store.outbox(in: database) {
                try Store.report(
                    entry.mutation, lost: [],
                    problem: Problem(.userDeleted, "It was not sent before the user was deleted."), at: now,
                    in: database)
            }
            try Store.dropAll(keepsReports: true, in: database)
        }
        try tokens.set(nil)
    }

    /// Forgets the user with everything, as if the device were new.
    func forget() throws {
        // Were the process to end in between, the token would be refused, and this be done again.
        try store.write { try Store.dropAll(in: $0) }
        try tokens.set(nil)
    }
}
