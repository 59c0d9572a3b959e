import NIOCore
import Passwords
import SubTrackAPI
import Synchronization

/// Why the server closes a socket.
enum SocketEnding: Sendable, Equatable {
    /// The service stops. WebSocket 1001.
    case serverClosing
    /// The session has ended. WebSocket 4401.
    case sessionEnded
    /// It does not take what it is sent, or there is no answer to a ping. WebSocket 1008.
    case tooSlow
    /// It broke the rules of the WebSocket protocol, with the status code that says how (RFC 6455 §7.4.1).
    case fault(code: UInt16, reason: String)
    /// The other side closed it.
    case closedByPeer
}

/// An open socket, as the rest of the service sees it: who is there, and a letter-box. Any thread may use it.
final class LiveConnection: Sendable {
    /// What kind of socket it is.
    enum Kind: String, Sendable {
        case plain
        case webSocket
    }

    /// Whom the socket speaks for.
    struct Identity: Sendable {
        /// The tenant that was named; nil: by host, else `default`.
        var slug: String?
        /// The authority of the HTTP request that became this socket.
        var host: String?
        /// The token that the socket was opened with.
        var token: TokenHash?
        /// The user of that token's session; nil: nobody.
        var user: UserID?
        /// Where pokes for it come from; nil when it gets none.
        var watch: Watch?
    }

    /// Whose changes a socket is told of.
    struct Watch: Sendable, Hashable {
        /// The tenant's slug.
        let tenant: String
        /// The user.
        let user: UserID
    }

    /// What is put into the letter-box.
    enum Letter: Sendable {
        case answer(RPCAnswer, size: Int)
        /// A large message, read elsewhere.
        case message(RPCMessage, size: Int)
        case notification(RPCNotification)
        /// The right to work on a request, for which the socket was in line.
        case turn(SocketTurn)
        case close(SocketEnding)
    }

    private struct LetterBox {
        var letters: [Letter] = []
        /// The newest version of each scope of which the socket was not told yet: a later one takes an earlier one's place.
        var pokes: [String: Int64] = [:]
        var isAnnounced = false
        var isOpen = true
    }

    /// Different for every socket of this process.
    let id: UInt64
    let kind: Kind
    /// Where the socket comes from, for limits.
    let origin: CallOrigin
    private let eventLoop: any EventLoop
    private let identityBox: Mutex<Identity>
    private let letterBox = Mutex(LetterBox())
    /// Is called on the event loop when there are letters.
    private let onLetters: NIOLoopBoundBox<(() -> Void)?>

    private static let counter = Atomic<UInt64>(0)

    /// A socket whose channel runs on an event loop, on which this must be called.
    init(kind: Kind, origin: CallOrigin, identity: Identity, eventLoop: any EventLoop) {
        id = Self.counter.add(1, ordering: .relaxed).newValue
        self.kind = kind
        self.origin = origin
        self.eventLoop = eventLoop
        identityBox = Mutex(identity)
        onLetters = NIOLoopBoundBox(nil, eventLoop: eventLoop)
    }

    /// Whom it speaks for at the moment.
    var identity: Identity { identityBox.withLock { $0 } }

    /// Whether the socket takes letters: it has not closed.
    var isOpen: Bool { letterBox.withLock { $0.isOpen } }

    /// Changes whom it speaks for.
    func update<Result>(_ body: (inout Identity) -> Result) -> Result { identityBox.withLock { body(&$0) } }

    /// Puts something into the letter-box, to be sent soon, together with what else is there by then.
    /// - Returns: whether the socket is open.
    @discardableResult
    func post(_ letter: Letter) -> Bool {
        let (isTaken, isFirst) = letterBox.withLock { box in
            guard box.isOpen else { return (false, false) }
            box.letters.append(letter)
            defer { box.isAnnounced = true }
            return (true, !box.isAnnounced)
        }
        if isFirst { announce() }
        return isTaken
    }

    /// Says that something has changed. What the socket was not told yet is told once.
    func poke(_ pokes: [Poke]) {
        let isFirst = letterBox.withLock { box in
            guard box.isOpen else { return false }
            for poke in pokes { box.pokes[poke.scope] = poke.version }
            guard !box.isAnnounced else { return false }
            box.isAnnounced = true
            return true
        }
        if isFirst { announce() }
    }

    private func announce() { eventLoop.execute { self.onLetters.value?() } }

    // MARK: On the event loop

    /// Sets who empties the letter-box.
    func open(_ onLetters: @escaping () -> Void) { self.onLetters.value = onLetters }

    /// Empties the letter-box of all but pokes.
    func takeLetters() -> [Letter] {
        letterBox.withLock { box in
            box.isAnnounced = false
            defer { box.letters = [] }
            return box.letters
        }
    }

    /// What the socket is to be told of changes, in the order of the scopes' names.
    func takePokes() -> [Poke] {
        letterBox.withLock { box in
            guard !box.pokes.isEmpty else { return [] }
            defer { box.pokes = [:] }
            return box.pokes.sorted { $0.key < $1.key }.map { Poke(scope: $0.key, version: $0.value) }
        }
    }

    /// Takes no letters any more.
    func close() {
        onLetters.value = nil
        // They end outside of the lock: a turn among them goes to another socket's letter-box.
        let unread = letterBox.withLock { box in
            defer { box.letters = [] }
            box.isOpen = false
            box.pokes = [:]
            return box.letters
        }
        withExtendedLifetime(unread) {}
    }
}
