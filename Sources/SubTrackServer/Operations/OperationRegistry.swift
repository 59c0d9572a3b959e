import MariaDB
import SubTrackAPI

/// The handlers of all operations, by name. Every transport dispatches through it.
struct OperationRegistry: Sendable {
    /// An operation with its handler, its types erased.
    struct Entry: Sendable {
        /// The definition.
        let operation: any Operation.Type
        /// The area that it belongs to; empty: it is the service's own, and always on.
        let area: AreaSet
        /// Whether tenants may be without it.
        let mayBeOff: Bool
        /// The name on sockets.
        let name: String
        /// The REST route.
        let endpoint: Endpoint
        /// The callers that it admits.
        let access: Access
        /// The conditions that a caller may set.
        let conditions: Conditions
        /// Whether it takes or gives a secret.
        let handlesSecrets: Bool
        /// Whether a token that stands for nobody counts as none.
        let takesEndedTokens: Bool
        /// Whether its answer has a token.
        let givesToken: Bool
        /// Whether a value that is not taken refuses a part of the input, not the whole.
        let keepsUnfit: Bool
        /// Reads the input, calls the handler and encodes its answer.
        let perform: @Sendable (_ input: OperationInput, _ call: Call) async throws -> EncodedReply
    }

    /// The input fields of columns that triggers check.
    let fields: ColumnFields

    /// A registry without entries.
    init(fields: ColumnFields = ColumnFields()) { self.fields = fields }

    /// All entries, in the order in which they were registered.
    private(set) var entries: [Entry] = []
    /// The area whose operations are registered next.
    var area: AreaSet = []
    /// Whether tenants may be without it.
    var mayBeOff = false

    /// Registers the handler of an operation.
    /// - Parameters:
    ///   - type: the operation.
    ///   - handler: its action; it throws a ``SubTrackAPI/Problem`` for a fault of the caller.
    mutating func register<Definition: Operation>(
        _ type: Definition.Type,
        handler: @escaping @Sendable (Definition, Call) async throws -> Reply<Definition.Output>
    ) {
        register(type, reading: { try InputDecoder.decode(type, from: $0) }, handler: handler)
    }

    /// Registers the handler of an operation whose input is read in another way than by its type.
    /// - Parameters:
    ///   - type: the operation.
    ///   - keepsUnfit: whether the input keeps values that are not taken, as ``JSONValue/unfit(_:)``.
    ///   - reading: reads the input; it throws a ``SubTrackAPI/Problem`` that names its faults.
    ///   - handler: its action; it throws a ``SubTrackAPI/Problem`` for a fault of the caller.
    mutating func register<Definition: Operation, Input: Sendable>(
        _ type: Definition.Type, keepsUnfit: Bool = false,
        reading: @escaping @Sendable (JSONValue) throws -> Input,
        handler: @escaping @Sendable (Input, Call) async throws -> Reply<Definition.Output>
    ) {
        // A capture list would take the isolation of its caller from the closure, and each request off its database's loop.
        let fields = fields
        entries.append(
            Entry(
                operation: type, area: area, mayBeOff: mayBeOff, name: type.name, endpoint: type.endpoint,
                access: type.access,
                conditions: type.conditions, handlesSecrets: type.handlesSecrets,
                takesEndedTokens: type.takesEndedTokens, givesToken: type.givesToken, keepsUnfit: keepsUnfit,
                perform: { input, call in
                    let call = call.naming(fields)
                    if type.access != .public { _ = try call.requireSession() }
                    if type.access == .account { try call.requireAccount() }
                    if type.handlesSecrets, call.idempotencyKey != nil { throw Self.keepsNoSecret }
                    let definition = try await input.read(reading)
                    do {
                        // A write has its turns where it has its transaction.
                        guard type.endpoint.method == .get else {
                            return try await NetworkTurns.taking(for: call.origin.networks) {
                                try await handler(definition, call).encoded(unless: call.ifNoneMatch)
                            }
                        }
                        let networks = call.tenant.networks
                        guard let session = call.session else {
                            return try await networks.run(call.origin.networks) {
                                try await handler(definition, call).encoded(unless: call.ifNoneMatch)
                            }
                        }
                        // The user's turn first: one user who waits takes no turn from others of the same network.
                        return try await call.tenant.reads.run(session.user) {
                            try await networks.run(call.origin.networks) {
                                try await handler(definition, call).encoded(unless: call.ifNoneMatch)
                            }
                        }
                    } catch let error where Self.saysThatUserIsGone(error) {
                        // The session was cached for longer than its user lived. Only the note of its token tells
                        // whether a person deleted the user, or whether the device begins again with its data.
                        guard let session = call.session, let end = try await call.tenant.sessions.end(of: session)
                        else { throw error }
                        throw end
                    } catch let error as MariaDBError where error.kind == .server && error.isSignal {
                        throw await ProblemMapping.problem(for: error, of: call)
                    }
                }))
    }

    private static func saysThatUserIsGone(_ error: any Error) -> Bool {
        (error as? MariaDBError)?.isOfMissingUser == true || (error as? Problem)?.code == .userDeleted
    }

    private static let keepsNoSecret = Problem.input(
        "idempotencyKey", .unknown, "is not taken here: the answer to a request with a secret is not kept; leave it out"
    )

    /// The operations of some areas, and those of no area.
    func within(_ areas: AreaSet) -> OperationRegistry {
        var registry = self
        registry.entries.removeAll { !areas.isSuperset(of: $0.area) }
        return registry
    }

    /// The names of operations that are defined and have no handler, and of handlers that are there twice.
    var inconsistencies: [String] {
        var counts: [String: Int] = [:]
        for entry in entries { counts[entry.name, default: 0] += 1 }
        return OperationTable.all.filter { counts[$0.name] == nil }.map { "\($0.name) has no handler" }
            + counts.filter { $0.value > 1 }.keys.sorted().map { "\($0) has more than one handler" }
    }
}
