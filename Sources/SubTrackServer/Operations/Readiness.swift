import MariaDB
import SubTrackAPI
import Synchronization

/// Whether the service can do its work.
final class Readiness: Sendable {
    /// How far the databases were prepared.
    private enum State: Int {
        case nothing
        case control
        case tenants
    }

    private let state = Atomic(State.nothing.rawValue)

    /// Notes that the control database is in the state that this service needs: tenants can be found.
    func controlPrepared() { _ = state.max(State.control.rawValue, ordering: .relaxed) }

    /// Notes that all tenants' databases were looked at, too. Each says by itself whether it can be used.
    func prepared() { state.store(State.tenants.rawValue, ordering: .relaxed) }

    /// Refuses requests while the control database is not prepared.
    /// - Throws: `unavailable`.
    func check() throws {
        guard state.load(ordering: .relaxed) != State.nothing.rawValue else {
            throw Problem(.unavailable, "The database is not ready yet; try again in a moment.")
        }
    }

    /// Whether all tenants' databases were looked at.
    var isPrepared: Bool { state.load(ordering: .relaxed) == State.tenants.rawValue }

    /// Why the service is not ready, or nil when it is.
    func reason(client: MariaDBClient, controlDatabase: String) async -> String? {
        guard isPrepared else { return "the databases are not prepared yet" }
        do {
            _ = try await client.withConnection(controlDatabase) { try await $0.query("SELECT 1") }
            return nil
        } catch {
            return "the database cannot be reached"
        }
    }
}
