import MariaDB
import Synchronization

/// A fair limit on the requests of all sockets that the service works on at the same time.
///
/// Without a bound, thousands of requests wait for the database together, and requests by HTTP wait behind them. A
/// request keeps its turn while it waits for its user's own turns and locks, for seconds perhaps. Therefore a user has
/// an eighth of the turns at most, and a network a half. Networks are served in rotation, and so are the users of one
/// network. More sockets give nobody more turns.
final class SocketTurns: Sendable {
    /// A user, or a socket that speaks for nobody.
    enum Member: Sendable, Hashable {
        case user(UserID, tenant: String)
        case socket(UInt64)
    }

    /// A socket that asks for a turn.
    struct Applicant: Sendable {
        /// The socket's number. It has one place in line at most.
        let socket: UInt64
        let member: Member
        /// Where it comes from; nil: from this machine, where a proxy speaks for many.
        let network: ClientNetworks.Network?
    }

    /// Gets the turn that was waited for; nil: the place in line was given up.
    /// - Returns: whether the turn was taken.
    typealias Body = @Sendable (SocketTurn?) -> Bool

    private let state: Mutex<State>

    /// So many turns.
    init(limit: Int) { state = Mutex(State(limit: max(1, limit))) }

    /// How many sockets wait in line.
    var waiting: Int { state.withLock { $0.places.count } }

    /// Takes a turn.
    /// - Parameter body: is called once, with a turn when one is free, where none is at the moment. It says whether the
    ///   turn was taken: a socket that has closed meanwhile takes none.
    /// - Returns: the turn; nil where `body` gets it.
    func take(for applicant: Applicant, orWait body: @escaping Body) -> SocketTurn? {
        let isTaken = state.withLock { state in
            if state.takeAtOnce(applicant) { return true }
            state.enter(applicant, body)
            return false
        }
        return isTaken ? SocketTurn(of: self, applicant.member) : nil
    }

    /// Gives a socket's place in line up, if it has one.
    func leave(_ socket: UInt64) {
        let body = state.withLock { $0.leave(socket) }
        _ = body?(nil)
    }

    /// Passes a turn on to the next in line that takes it.
    fileprivate func giveBack(_ member: Member) {
        var member = member
        while true {
            let next = state.withLock { state in
                state.end(member)
                return state.next()
            }
            guard let next else { return }
            let turn = SocketTurn(of: self, next.member)
            if next.body(turn) { return }
            turn.forget()
            member = next.member
        }
    }
}

extension SocketTurns {
    /// A turn for a connection, as soon as there is one; nil: the connection has closed. On a loop's thread.
    func turn(of connection: LiveConnection) async -> SocketTurn? {
        let coming = PendingValue<SocketTurn?>(on: DatabaseLoopGroup.shared.here.loop)
        let turn = take(for: connection.applicant) { turn in
            coming.resume(with: .success(turn))
            return true
        }
        if let turn { return turn }
        // One that closed before this had no place to give up then.
        if !connection.isOpen { leave(connection.id) }
        return try? await coming.value()
    }
}

extension LiveConnection {
    /// The connection, as it asks for a turn at the moment.
    var applicant: SocketTurns.Applicant {
        let identity = identity
        let member: SocketTurns.Member =
            if let user = identity.user { .user(user, tenant: identity.slug ?? "") } else { .socket(id) }
        return .init(
            socket: id, member: member, network: origin.networks.isThisMachine ? nil : origin.networks.region)
    }
}

/// Turns that are taken, and lines for them.
private struct State {
    /// Those with a part of the turns together.
    enum Group: Hashable {
        case network(ClientNetworks.Network)
        case alone(SocketTurns.Member)
    }

    struct Place {
        let member: SocketTurns.Member
        let body: SocketTurns.Body
    }

    /// One with a turn or a place in line; others have none of these.
    struct MemberLine {
        /// That of its first socket. A user in several networks counts in one of them.
        let group: Group
        var taken = 0
        var sockets = TurnRing<UInt64>()
    }

    struct GroupLine {
        var taken = 0
        /// Those that wait and have less than their part.
        var members = TurnRing<SocketTurns.Member>()
    }

    let limit: Int
    var taken = 0
    /// By their sockets.
    var places: [UInt64: Place] = [:]
    var members: [SocketTurns.Member: MemberLine] = [:]
    var groups: [Group: GroupLine] = [:]
    /// Groups with less than their part in which somebody may have a turn.
    var ring = TurnRing<Group>()

    init(limit: Int) { self.limit = limit }

    private var limitOfMember: Int { max(1, limit / 8) }

    private func limit(of group: Group) -> Int {
        switch group {
        case .network: max(1, limit / 2)
        case .alone: limit
        }
    }

    private func group(of applicant: SocketTurns.Applicant) -> Group {
        members[applicant.member]?.group ?? applicant.network.map(Group.network) ?? .alone(applicant.member)
    }

    /// Takes a turn, if one is free that is nobody else's before.
    mutating func takeAtOnce(_ applicant: SocketTurns.Applicant) -> Bool {
        let (member, group) = (applicant.member, group(of: applicant))
        // A turn is free only where all that wait have their part already.
        guard taken < limit, (members[member]?.taken ?? 0) < limitOfMember,
            (groups[group]?.taken ?? 0) < limit(of: group)
        else { return false }
        members[member, default: MemberLine(group: group)].taken += 1
        began(member)
        return true
    }

    /// Adds a place behind the others of its user.
    mutating func enter(_ applicant: SocketTurns.Applicant, _ body: @escaping SocketTurns.Body) {
        let (member, group) = (applicant.member, group(of: applicant))
        places[applicant.socket] = Place(member: member, body: body)
        members[member, default: MemberLine(group: group)].sockets.append(applicant.socket)
        settle(member)
    }

    mutating func leave(_ socket: UInt64) -> SocketTurns.Body? {
        guard let place = places.removeValue(forKey: socket) else { return nil }
        members[place.member]?.sockets.remove(socket)
        settle(place.member)
        return place.body
    }

    /// Takes a turn for the next in rotation.
    mutating func next() -> Place? {
        guard taken < limit, let group = ring.popFirst(), let member = groups[group]?.members.popFirst(),
            let socket = members[member]?.sockets.popFirst(), let place = places.removeValue(forKey: socket)
        else { return nil }
        members[member]?.taken += 1
        began(member)
        return place
    }

    private mutating func began(_ member: SocketTurns.Member) {
        guard let group = members[member]?.group else { return }
        taken += 1
        groups[group, default: GroupLine()].taken += 1
        settle(member)
    }

    mutating func end(_ member: SocketTurns.Member) {
        guard let group = members[member]?.group else { return }
        taken -= 1
        groups[group]?.taken -= 1
        members[member]?.taken -= 1
        settle(member)
    }

    /// Puts a member and its group into the rings while they may have a turn, and forgets those without anything.
    private mutating func settle(_ member: SocketTurns.Member) {
        guard let (group, taken, waits) = members[member].map({ ($0.group, $0.taken, !$0.sockets.isEmpty) }) else {
            return
        }
        if waits, taken < limitOfMember {
            groups[group, default: GroupLine()].members.append(member)
        } else {
            groups[group]?.members.remove(member)
            if !waits, taken == 0 { members[member] = nil }
        }
        guard let (takenTogether, someWait) = groups[group].map({ ($0.taken, !$0.members.isEmpty) }) else { return }
        if someWait, takenTogether < limit(of: group) {
            ring.append(group)
        } else {
            ring.remove(group)
            // Where none has a turn, all that wait are in the ring.
            if !someWait, takenTogether == 0 { groups[group] = nil }
        }
    }
}

/// The right to work on one request. It ends with the last reference to it at the latest, so that none is lost with a
/// socket that closes.
final class SocketTurn: Sendable {
    private let turns: SocketTurns
    private let member: SocketTurns.Member
    private let isOver = Atomic(false)

    fileprivate init(of turns: SocketTurns, _ member: SocketTurns.Member) {
        self.turns = turns
        self.member = member
    }

    /// Passes the turn on.
    func end() {
        if !isOver.exchange(true, ordering: .relaxed) { turns.giveBack(member) }
    }

    /// Lets the turn end without being passed on.
    fileprivate func forget() { isOver.store(true, ordering: .relaxed) }

    deinit { end() }
}
