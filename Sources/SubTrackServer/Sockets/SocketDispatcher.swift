import MariaDB
import Passwords
import SubTrackAPI

/// Carries out what comes by a socket, whatever kind of socket it is. One for all of them, each of which refers to it.
final class SocketDispatcher: Sendable {
    private enum Method: Sendable {
        case operation(OperationRegistry.Entry)
        case socket(SocketOperation)
    }

    let dispatcher: OperationDispatcher
    let connections: LiveConnections
    let changes: ChangeWatch
    let limits: SocketLimits
    /// Whose requests are worked on.
    let turns: SocketTurns
    private let methods: [String: Method]
    private let metrics: RequestMetrics

    /// A dispatcher for all operations of a registry and those on sockets.
    init(
        registry: OperationRegistry, socketOperations: [SocketOperation] = SocketOperation.all,
        dispatcher: OperationDispatcher, connections: LiveConnections, changes: ChangeWatch,
        limits: SocketLimits
    ) {
        self.dispatcher = dispatcher
        self.connections = connections
        self.changes = changes
        self.limits = limits
        turns = SocketTurns(limit: limits.runningTogether)
        var methods: [String: Method] = [:]
        for entry in registry.entries { methods[entry.name] = .operation(entry) }
        for operation in socketOperations { methods[operation.name] = .socket(operation) }
        self.methods = methods
        metrics = RequestMetrics(label: "socket_request_duration", operations: Array(methods.keys))
    }

    /// Whether a message must run while no other of its socket does: what writes or changes the socket, and batches.
    ///
    /// Requests that were sent one after the other without waiting have thus the effect that they would have had with
    /// waiting; only reads between two writes may overtake each other.
    func isExclusive(_ message: RPCMessage) -> Bool {
        switch message {
        case .batch: return true
        case .single(.faulty), .single(.ignored): return false
        case .single(.request(let request)):
            switch methods[request.method] {
            case .operation(let entry): return entry.endpoint.method != .get
            case .socket: return true
            case nil: return false
            }
        }
    }

    /// Reads large messages and their inputs.
    var inputs: LargeInputs { dispatcher.inputs }

    /// Answers a message.
    /// - Parameters:
    ///   - size: its bytes.
    ///   - turn: the turn for its first request; it is over afterwards.
    func answer(
        _ message: RPCMessage, size: Int, on connection: LiveConnection, in turn: SocketTurn
    ) async -> RPCAnswer {
        var turn = turn
        defer { turn.end() }
        let place = inputs.place(size: size, network: connection.origin.networks.region.description)
        switch message {
        case .single(let element):
            guard let reply = await answer(element, at: place, on: connection, room: RPCReply.maximumSize) else {
                return .none
            }
            return .single(reply)
        case .batch(let elements):
            var replies: [RPCReply] = []
            // The whole answer keeps within the limit: who asks for too much at once gets the first ones.
            var room = RPCReply.maximumSize
            for (index, element) in elements.enumerated() {
                if index > 0 {
                    // Each has a turn of its own, so that others come between.
                    turn.end()
                    // A request that is refused waits for nothing: a hundred of them must not keep the loop.
                    await DatabaseLoopGroup.shared.here.yield()
                    guard let next = await turns.turn(of: connection) else { return .none }
                    turn = next
                }
                // Nobody is there any more to take the answer.
                guard connection.isOpen else { return .none }
                guard let reply = await answer(element, at: place, on: connection, room: room) else { continue }
                room = max(0, room - reply.estimatedSize)
                replies.append(reply)
            }
            return replies.isEmpty ? .none : .batch(replies)
        }
    }

    /// The answer to a request; nil for a notification.
    private func answer(
        _ element: RPCMessage.Element, at place: LargeInputs.Place?, on connection: LiveConnection, room: Int
    ) async -> RPCReply? {
        let start = ContinuousClock.now
        switch element {
        case .ignored: return nil
        case .faulty(let id, let failure):
            var problem = failure.problem
            problem.requestId = RequestIDs.next()
            metrics.record(operation: "none", status: problem.status, duration: ContinuousClock.now - start)
            return RPCReply(id: id, content: .failure(RPCFailure(failure.code, problem)))
        case .request(let request):
            let requestID = RequestIDs.next()
            var operation = "none"
            let content: RPCReply.Content
            var status = 200
            do {
                let body = try await result(
                    of: request, at: place, on: connection, requestID: requestID, room: room, operation: &operation)
                content = .result(body)
            } catch {
                let failure = self.failure(error, requestID: requestID)
                status = failure.problem.status
                content = .failure(failure)
            }
            metrics.record(operation: operation, status: status, duration: ContinuousClock.now - start)
            return request.id.map { RPCReply(id: $0, content: content) }
        }
    }

    private func failure(_ error: any Error, requestID: String) -> RPCFailure {
        if let failure = error as? RPCFailure {
            var problem = failure.problem
            problem.requestId = requestID
            return RPCFailure(failure.code, problem)
        }
        var problem = ProblemMapping.problem(for: error, logger: dispatcher.logger, requestID: requestID)
        problem.requestId = requestID
        if problem.code == .tokenMissing { problem.detail = "Open the session first: session.open with a token." }
        return RPCFailure(problem)
    }

    private func result(
        of request: RPCRequest, at place: LargeInputs.Place?, on connection: LiveConnection, requestID: String,
        room: Int, operation: inout String
    ) async throws -> [UInt8]? {
        let now = dispatcher.clock.now()
        let method = methods[request.method]
        if let reason = request.unfitReason {
            // The operation itself refuses the part alone that has the value.
            guard case .operation(let entry) = method, entry.keepsUnfit else { throw RPCFailure(unfit: reason) }
        }
        switch method {
        case .operation(let entry):
            operation = entry.name
            return try await result(
                of: entry, request.params, at: place, on: connection, requestID: requestID, room: room, now: now)
        case .socket(let socket) where socket.kinds.contains(connection.kind):
            operation = socket.name
            let call = SocketCall(
                connection: connection, connections: connections, dispatcher: dispatcher, changes: changes, now: now)
            return try await socket.perform(OperationInput(request.params, at: place), call)
        default:
            throw RPCFailure(
                .methodNotFound, Problem(.notFound, "There is no operation \"\(request.method.excerpt(100))\" here."))
        }
    }

    private func result(
        of entry: OperationRegistry.Entry, _ params: [JSONValue.Member], at place: LargeInputs.Place?,
        on connection: LiveConnection, requestID: String, room: Int, now: Instant
    ) async throws -> [UInt8]? {
        let identity = connection.identity
        let tenant = try await dispatcher.tenant(slug: identity.slug, host: identity.host, for: entry)
        do {
            return try await result(
                of: entry, params, at: place, on: connection, token: identity.token, in: tenant, requestID: requestID,
                room: room, now: now)
        } catch let error as MariaDBError {
            throw await dispatcher.error(error, in: tenant)
        }
    }

    private func result(
        of entry: OperationRegistry.Entry, _ params: [JSONValue.Member], at place: LargeInputs.Place?,
        on connection: LiveConnection, token: TokenHash?, in tenant: Tenant, requestID: String, room: Int, now: Instant
    ) async throws -> [UInt8]? {
        var session: Session?
        if let token {
            session = try await tenant.lookUp(token, from: connection.origin) {
                try await tenant.sessions.session(hash: token, for: entry)
            }
        }
        var input = params
        let circumstances = try Circumstances(of: entry, takenFrom: &input)
        var call = Call(
            tenant: tenant, session: session, now: now, ifMatch: circumstances.ifMatch, ifNoneMatch: .none,
            idempotencyKey: circumstances.idempotencyKey, requestID: requestID, logger: dispatcher.logger)
        call.origin = connection.origin
        let reply = try await entry.perform(OperationInput(input, at: place), call)
        if let spooled = reply.spooled {
            // What is larger than a message is for HTTP, which sends it in parts.
            guard spooled.length + 256 <= room else { throw Self.tooLarge }
            let bytes = try await spooled.whole()
            guard entry.operation.mediaType != nil else { return bytes }
            let text = try OutputEncoder.encode(String(decoding: bytes, as: UTF8.self))
            guard text.count + 256 <= room else { throw Self.tooLarge }
            return text
        }
        guard let body = reply.body, body.count + 256 > room else { return reply.body }
        guard entry.endpoint.method == .get else { throw Self.tooLarge }
        return try await shorterPage(of: entry, input, call, room: room)
    }

    /// A page of a list that ends early, so that the answer keeps within its limit.
    private func shorterPage(
        of entry: OperationRegistry.Entry, _ input: [JSONValue.Member], _ call: Call, room: Int
    ) async throws -> [UInt8]? {
        var others = input
        others.removeAll { $0.name == "limit" }
        var limit: Int64 = 200
        if case .integer(let wanted) = input.first(where: { $0.name == "limit" })?.value { limit = min(wanted, limit) }
        while limit > 1 {
            limit /= 2
            do {
                let reply = try await entry.perform(
                    OperationInput(others + [.init(name: "limit", value: .integer(limit))], at: nil), call)
                if let body = reply.body, body.count + 256 <= room { return body }
            } catch let problem as Problem where problem.errors?.contains(where: { $0.field == "limit" }) == true {
                // It is no list, and has no limit.
                throw Self.tooLarge
            }
        }
        throw Self.tooLarge
    }

    private static let tooLarge = Problem(
        .tooLarge, "The answer is larger than \(RPCReply.maximumSize) bytes; ask for less at once, or by HTTP.")
}

/// What a write carries beside its input, as HTTP's headers do: `idempotencyKey` and `ifMatch`.
private struct Circumstances {
    var ifMatch = VersionCondition.any
    var idempotencyKey: IdempotencyKey?

    /// Takes out of the params those that an operation knows. One that it does not know stays there, and is refused.
    /// - Throws: `input_invalid`.
    init(of entry: OperationRegistry.Entry, takenFrom params: inout [JSONValue.Member]) throws {
        var names: [String] = []
        // One that handles a secret says itself why it takes no key.
        if entry.conditions.contains(.idempotencyKey) || entry.handlesSecrets { names.append("idempotencyKey") }
        if entry.conditions.contains(.ifMatch) { names.append("ifMatch") }
        guard params.contains(where: { names.contains($0.name) }) else { return }
        for member in params where names.contains(member.name) {
            switch (member.name, member.value) {
            case ("idempotencyKey", .null), ("ifMatch", .null): break
            case ("idempotencyKey", .string(let text)): idempotencyKey = try IdempotencyKey(text)
            case ("idempotencyKey", let other):
                throw Problem.input("idempotencyKey", .malformed, "must be a text, is \(other.kind)")
            case ("ifMatch", .string(let text)): ifMatch = VersionCondition(header: text)
            case ("ifMatch", .integer(let version)): ifMatch = .versions([version])
            case ("ifMatch", let other):
                throw Problem.input("ifMatch", .malformed, "must be a version, is \(other.kind)")
            default: break
            }
        }
        params.removeAll { names.contains($0.name) }
    }
}
