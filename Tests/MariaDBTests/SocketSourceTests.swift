#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif
import TestTraits
import Testing

@testable import MariaDB

/// The poller tells each change of a socket once; no wait may miss one.
@Suite(.ownTime) struct SocketSourceTests {
    @Test(.timeLimit(.minutes(10)))
    func whatHappenedBeforeAWaitEndsIt() async {
        let source = SocketSource(descriptor: -1, loop: DatabaseLoopGroup.shared.next().loop)
        source.isQuiet = false
        // Between the statement's being sent and its wait.
        source.handle(SocketSource.Events(isReadable: true))
        let events = await source.wait(forWriting: false, until: .never)
        #expect(events == WaitEvents.read)
        #expect(!source.isAwaited)
    }

    @Test func whatAServerSaysUnaskedMeansThatItLeaves() {
        let source = SocketSource(descriptor: -1, loop: DatabaseLoopGroup.shared.next().loop)
        let told = Tally()
        source.onUnexpectedEvent = { told.add() }
        source.handle(SocketSource.Events(isReadable: true))
        source.handle(SocketSource.Events(isReadable: true, isClosed: true))
        #expect(told.count == 1)
        #expect(source.isClosedByPeer)
    }

    /// libmariadb closes the socket of a connection that is lost, in the middle of a call, and a child process may still have it.
    @Test(.timeLimit(.minutes(10)))
    func whatHasGoneIsNotTouchedWhenItsSocketLivesOnElsewhere() async throws {
        let loop = DatabaseLoopGroup.shared.next()
        let pair = try SocketPair()
        let inherited = dup(pair.near)
        defer { close(inherited) }
        await loop.run { _ in
            let source = SocketSource(descriptor: Socket.duplicate(pair.near), loop: loop.loop)
            loop.loop.add(source)
            close(pair.near)
            loop.loop.remove(source)
        }
        close(pair.far)
        // The loop hears of what it still watches before it is asked whether it lives.
        let other = try SocketPair()
        let source = SocketSource(descriptor: other.near, loop: loop.loop)
        let events = await loop.run { _ in
            loop.loop.add(source)
            source.isQuiet = false
            close(other.far)
            return await source.wait(forWriting: false, until: .never)
        }
        #expect(events & WaitEvents.read != 0)
        await loop.run { _ in loop.loop.remove(source) }
    }

    /// The number of a socket that libmariadb has closed is the next connection's at once.
    @Test(.timeLimit(.minutes(10)))
    func whatGoesDoesNotDeafenTheNextOneWithItsNumber() async throws {
        let loop = DatabaseLoopGroup.shared.next()
        let pair = try SocketPair()
        let other = try SocketPair()
        let events = await loop.run { _ in
            let lost = SocketSource(descriptor: Socket.duplicate(pair.near), loop: loop.loop)
            loop.loop.add(lost)
            // In one step what a close and the next connection do.
            dup2(other.near, pair.near)
            let next = SocketSource(descriptor: Socket.duplicate(pair.near), loop: loop.loop)
            loop.loop.add(next)
            next.isQuiet = false
            loop.loop.remove(lost)
            close(other.far)
            defer { loop.loop.remove(next) }
            return await next.wait(forWriting: false, until: .now + .seconds(60))
        }
        #expect(events & WaitEvents.read != 0)
        close(pair.near)
        close(pair.far)
        close(other.near)
    }
}

/// Two sockets that are connected with each other. Not closed by themselves: who closes what is what the tests are about.
private struct SocketPair {
    let near: Int32
    let far: Int32

    init() throws {
        var descriptors: [Int32] = [-1, -1]
        #if canImport(Glibc)
            let stream = Int32(SOCK_STREAM.rawValue)
        #else
            let stream = SOCK_STREAM
        #endif
        guard socketpair(AF_UNIX, stream, 0, &descriptors) == 0 else {
            throw MariaDBError(kind: .connection, message: "no socket (errno \(errno))")
        }
        (near, far) = (descriptors[0], descriptors[1])
    }
}
