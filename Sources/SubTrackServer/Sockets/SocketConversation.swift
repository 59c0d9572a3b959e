import DequeModule
import MariaDB
import NIOCore

/// How a conversation's messages go over the wire. All on the channel's event loop.
protocol SocketTransport: AnyObject {
    /// Sends one message; it need not leave before ``flush()``.
    func send(_ message: ByteBuffer)
    /// Lets what was sent leave.
    func flush()
    /// Whether the other side takes what it is sent.
    var isWritable: Bool { get }
    /// Goes on reading, for there is room again.
    func resume()
    /// Closes the socket after all that was sent, saying why as far as its protocol can.
    func close(_ ending: SocketEnding)
    /// Does something later, unless the socket is closed by then.
    func schedule(in delay: Duration, _ body: @escaping () -> Void)
    /// Room for a message of so many bytes.
    func buffer(capacity: Int) -> ByteBuffer
}

/// What is said on one socket: takes messages, has them answered, and sends answers and notifications.
///
/// Of messages that wait, reads run side by side and all else alone, in the order in which they came
/// (``SocketDispatcher/isExclusive(_:)``). What is sent by several within one turn of the event loop leaves together.
/// Everything here happens on the channel's event loop; the work itself does not.
final class SocketConversation {
    private enum Waiting {
        case message(ByteBuffer)
        case tooLarge
    }

    let connection: LiveConnection
    /// Where its messages are answered.
    private let lane = DatabaseLoopGroup.shared.next()
    private let dispatcher: SocketDispatcher
    private unowned let transport: any SocketTransport
    private var waiting: Deque<Waiting> = []
    private var waitingBytes = 0
    /// The first of those that wait, read already.
    private var next: (message: RPCMessage, size: Int)?
    /// Whether the first of those that wait is read elsewhere, for it is large. None after it is read meanwhile.
    private var isReading = false
    private var running = 0
    private var isExclusiveRunning = false
    /// The turn for the next request, had in line.
    private var turn: SocketTurn?
    private var isInLine = false
    /// Bytes of notifications that were sent while the other side took nothing.
    private var unsentNotifications = 0
    private var ending: SocketEnding?
    /// Whether the service ends, so that the rest of the conversation has a deadline.
    private var hasDeadline = false
    private var isClosed = false

    /// A conversation on a socket that was opened just now.
    init(connection: LiveConnection, dispatcher: SocketDispatcher, transport: any SocketTransport) {
        self.connection = connection
        self.dispatcher = dispatcher
        self.transport = transport
    }

    /// Begins.
    func open() {
        // The connection keeps the conversation until it is closed, and this keeps the connection.
        connection.open { [weak self] in self?.readLetters() }
        dispatcher.connections.add(connection)
    }

    /// Whether there is room for another message. There is none for who does not take the answers to those before.
    var hasRoom: Bool {
        ending == nil && waiting.count < dispatcher.limits.waiting && waitingBytes < dispatcher.limits.waitingBytes
            && transport.isWritable
    }

    /// Takes a message.
    func receive(_ message: ByteBuffer) {
        guard ending == nil else { return }
        waiting.append(.message(message))
        waitingBytes += message.readableBytes
    }

    /// Takes note of a message that is too long to be one.
    func receiveTooLarge() {
        guard ending == nil else { return }
        waiting.append(.tooLarge)
    }

    /// Starts what waits, as far as it may run now.
    func proceed() {
        guard !isClosed else { return }
        sendPokes()
        while running < dispatcher.limits.running, transport.isWritable, let (message, size) = takeNext() {
            let isExclusive = dispatcher.isExclusive(message)
            guard isExclusive ? running == 0 : !isExclusiveRunning, let turn = takeTurn() else {
                next = (message, size)
                break
            }
            answer(message, size: size, isExclusive: isExclusive, turn: turn)
        }
        finishIfDone()
    }

    /// The turn for a request; nil: the conversation is in line for one.
    private func takeTurn() -> SocketTurn? {
        if let turn {
            self.turn = nil
            return turn
        }
        guard !isInLine else { return nil }
        let connection = connection
        let taken = dispatcher.turns.take(for: connection.applicant) { turn in
            turn.map { connection.post(.turn($0)) } ?? false
        }
        isInLine = taken == nil
        return taken
    }

    private func takeNext() -> (message: RPCMessage, size: Int)? {
        if let next {
            self.next = nil
            return next
        }
        guard !isReading else { return nil }
        switch waiting.popFirst() {
        case .message(let bytes) where bytes.readableBytes > dispatcher.inputs.bounds.size:
            readElsewhere(bytes)
            return nil
        case .message(let bytes): return (RPCMessage(bytes.readableBytesView), bytes.readableBytes)
        case .tooLarge: return (.tooLarge, 0)
        case nil: return nil
        }
    }

    /// Has a large message read on a thread for it; it comes back as a letter.
    private func readElsewhere(_ bytes: ByteBuffer) {
        isReading = true
        let (connection, size) = (connection, bytes.readableBytes)
        let isTaken = dispatcher.inputs.submit(of: connection.origin.networks.region.description) {
            connection.post(.message(RPCMessage(bytes.readableBytesView), size: size))
        }
        if !isTaken { connection.post(.message(.unreadable, size: size)) }
    }

    private func answer(_ message: RPCMessage, size: Int, isExclusive: Bool, turn: SocketTurn) {
        running += 1
        isExclusiveRunning = isExclusive
        let (dispatcher, connection) = (dispatcher, connection)
        lane.start { _ in
            let answer = await dispatcher.answer(message, size: size, on: connection, in: turn)
            connection.post(.answer(answer, size: size))
        }
    }

    /// Ends the conversation in order: takes no further message, answers those that it has, then closes.
    func end(_ ending: SocketEnding) {
        guard !isClosed else { return }
        if ending == .serverClosing, !hasDeadline {
            hasDeadline = true
            // Whatever is under way then, also of a conversation that ends for another reason: the service's own end waits for this.
            transport.schedule(in: dispatcher.limits.closingDeadline) { [weak self] in self?.abort(.serverClosing) }
        }
        guard self.ending == nil else { return }
        self.ending = ending
        if ending == .serverClosing {
            send(.serverClosing)
            transport.flush()
        }
        proceed()
    }

    /// Closes at once, without waiting for answers.
    func abort(_ ending: SocketEnding) {
        guard !isClosed else { return }
        self.ending = ending
        isClosed = true
        transport.close(ending)
    }

    /// Takes note that the channel is gone.
    func closed() {
        isClosed = true
        ending = ending ?? .closedByPeer
        waiting.removeAll()
        next = nil
        turn = nil
        connection.close()
        // A place in line that nobody needs must not stay: others may open and close sockets in a row.
        dispatcher.turns.leave(connection.id)
        dispatcher.connections.remove(connection)
    }

    private func readLetters() {
        guard !isClosed else { return }
        var toEnd: SocketEnding?
        for letter in connection.takeLetters() {
            switch letter {
            case .answer(let answer, let size):
                running -= 1
                isExclusiveRunning = false
                waitingBytes -= size
                send(answer)
            case .message(let message, let size):
                isReading = false
                next = (message, size)
            case .notification(let notification): send(notification)
            case .turn(let had):
                turn = had
                isInLine = false
            case .close(let ending): toEnd = ending
            }
        }
        sendPokes()
        transport.flush()
        guard !isClosed else { return }
        if let toEnd { end(toEnd) } else { proceed() }
        // An unused turn is another's: the other side takes nothing, or the request in line runs already.
        turn = nil
        if hasRoom { transport.resume() }
    }

    private func send(_ answer: RPCAnswer) {
        if case .none = answer { return }
        var buffer = transport.buffer(capacity: answer.estimatedSize + 16)
        answer.write(to: &buffer)
        transport.send(buffer)
    }

    /// Sends what is new in the scopes that the socket watches, if the other side takes anything at the moment: else it
    /// waits in the letter-box, where it does not grow.
    private func sendPokes() {
        guard ending == nil, transport.isWritable else { return }
        let pokes = connection.takePokes()
        guard !pokes.isEmpty else { return }
        for poke in pokes { send(poke.notification) }
        transport.flush()
    }

    private func send(_ notification: RPCNotification) {
        if transport.isWritable {
            unsentNotifications = 0
        } else {
            unsentNotifications += notification.json.count
            guard unsentNotifications <= dispatcher.limits.waitingNotifications else { return abort(.tooSlow) }
        }
        var buffer = transport.buffer(capacity: notification.json.count + 16)
        buffer.writeBytes(notification.json)
        transport.send(buffer)
    }

    private func finishIfDone() {
        guard let ending, running == 0, next == nil, !isReading, waiting.isEmpty, !isClosed else { return }
        isClosed = true
        transport.close(ending)
    }
}
