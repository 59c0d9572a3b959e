import Logging
import MariaDB
import Passwords
import SubTrackAPI

/// Looks every now and then whether the sessions of open sockets have ended: one statement for each tenant and some
/// hundreds of sockets, not one for each socket.
struct SessionWatch: Sendable {
    let connections: LiveConnections
    let tenants: TenantDirectory
    let logger: Logger

    /// Closes the WebSockets whose sessions have ended; plain sockets are told, and watch nothing any more.
    func look() async {
        var byTenant: [String: [TokenHash: [LiveConnection]]] = [:]
        for connection in connections.all {
            let identity = connection.identity
            guard let token = identity.token, let slug = identity.slug else { continue }
            // A plain socket that watches nothing learns of it by its next request.
            guard connection.kind == .webSocket || identity.watch != nil else { continue }
            byTenant[slug, default: [:]][token, default: []].append(connection)
        }
        for (slug, sockets) in byTenant {
            do {
                let tenant = try await tenants.tenant(slug: slug, host: nil)
                let live = try await tenant.sessions.live(Array(sockets.keys))
                for (token, connections) in sockets where !live.contains(token) { connections.forEach(end) }
            } catch let problem as Problem where problem.code == .tenantUnknown || problem.code == .tenantSuspended {
                sockets.values.joined().forEach(end)
            } catch {
                // A database that is away ends nobody's session.
                logger.debug("Sessions cannot be looked at", metadata: ["tenant": "\(slug)", "error": "\(error)"])
            }
        }
    }

    private func end(_ connection: LiveConnection) {
        switch connection.kind {
        case .webSocket: connection.post(.close(.sessionEnded))
        case .plain:
            guard connection.identity.watch != nil else { return }
            connections.setWatch(nil, of: connection)
            connection.post(.notification(.sessionEnded))
        }
    }
}
