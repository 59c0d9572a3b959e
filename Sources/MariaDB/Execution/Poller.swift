#if os(Linux)
    internal import CMariaDB
    import Glibc

    /// Waits for sockets by epoll, edge-triggered: libmariadb reads until the socket is empty before it waits.
    ///
    /// Sockets are watched for reading alone. Watching for room to write all the time would cost a Unix socket one more
    /// wake-up for each statement, when the server takes it in.
    ///
    /// The kernel is given a source's number and not its address: what it tells of a source that has gone meanwhile leads to
    /// nothing instead of to freed memory.
    struct Poller: ~Copyable {
        /// What stands for the doorbell where sources have their numbers.
        private static let bell: UInt64 = 0
        private let queue: Int32
        private let doorbell: Int32
        private let events: UnsafeMutableBufferPointer<epoll_event>

        init() throws {
            queue = epoll_create1(Int32(EPOLL_CLOEXEC))
            doorbell = eventfd(0, Int32(EFD_CLOEXEC) | Int32(EFD_NONBLOCK))
            guard queue >= 0, doorbell >= 0 else {
                throw MariaDBError(kind: .connection, message: "no descriptor left for the event loop (errno \(errno))")
            }
            events = .allocate(capacity: 128)
            events.initialize(repeating: epoll_event())
            var event = epoll_event(events: EPOLLIN.rawValue, data: epoll_data_t(u64: Self.bell))
            epoll_ctl(queue, EPOLL_CTL_ADD, doorbell, &event)
        }

        deinit {
            close(queue)
            close(doorbell)
            events.deallocate()
        }

        /// Watches a socket. It must be removed before it is closed.
        func add(_ source: SocketSource) { control(EPOLL_CTL_ADD, source) }

        /// Says that `source.watchesWrites` changed.
        func update(_ source: SocketSource) { control(EPOLL_CTL_MOD, source) }

        /// Watches it no more.
        func remove(_ source: SocketSource) { control(EPOLL_CTL_DEL, source) }

        /// Wakes ``wait(milliseconds:)`` from any thread.
        func wake() {
            var one: UInt64 = 1
            write(doorbell, &one, 8)
        }

        /// Waits at most so long (-1: forever, 0: not at all) and hands out what happened, by the numbers of the sources.
        func wait(milliseconds: Int32, _ handOut: (_ number: UInt64, SocketSource.Events) -> Void) {
            // Newer headers (glibc 2.41) want an address that is not nil.
            guard let slots = events.baseAddress else { return }
            let count = epoll_wait(queue, slots, Int32(events.count), milliseconds)
            guard count > 0 else { return }
            for index in 0..<Int(count) {
                let event = events[index]
                guard event.data.u64 != Self.bell else {
                    var rings: UInt64 = 0
                    read(doorbell, &rings, 8)
                    continue
                }
                let closed = event.events & (EPOLLHUP.rawValue | EPOLLERR.rawValue | EPOLLRDHUP.rawValue) != 0
                handOut(
                    event.data.u64,
                    SocketSource.Events(
                        isReadable: event.events & EPOLLIN.rawValue != 0,
                        isWritable: event.events & EPOLLOUT.rawValue != 0, isClosed: closed))
            }
        }

        private func control(_ operation: Int32, _ source: SocketSource) {
            var mask = EPOLLIN.rawValue | EPOLLRDHUP.rawValue | EPOLLET.rawValue
            if source.watchesWrites { mask |= EPOLLOUT.rawValue }
            var event = epoll_event(events: mask, data: epoll_data_t(u64: source.number))
            epoll_ctl(queue, operation, source.descriptor, &event)
        }
    }
#endif
