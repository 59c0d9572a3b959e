import Testing

@testable import MariaDB

/// The poller tells each change of a socket once; no wait may miss one.
@Suite struct SocketSourceTests {
    @Test(.timeLimit(.minutes(1)))
    func whatHappenedBeforeAWaitEndsIt() async {
        let source = SocketSource(descriptor: -1, loop: DatabaseLoopGroup.shared.next().loop)
        source.isQuiet = false
        // Between the statement's being sent and its wait.
        source.handle(readable: true, writable: false, closed: false)
        let events = await source.wait(forWriting: false, until: .never)
        #expect(events == WaitEvents.read)
        #expect(!source.isAwaited)
    }

    @Test func whatAServerSaysUnaskedMeansThatItLeaves() {
        let source = SocketSource(descriptor: -1, loop: DatabaseLoopGroup.shared.next().loop)
        let told = Tally()
        source.onUnexpectedEvent = { told.add() }
        source.handle(readable: true, writable: false, closed: false)
        source.handle(readable: true, writable: false, closed: true)
        #expect(told.count == 1)
        #expect(source.isClosedByPeer)
    }
}
