#if !os(Linux)
    import Darwin

    /// Waits for sockets by poll(2), where there is no epoll: enough for development on a Mac.
    ///
    /// poll tells a state and not a change, so only sockets that somebody waits for, or that are quiet, are asked for; one
    /// that is quiet is dropped from the list as soon as the server closed it.
    struct Poller: ~Copyable {
        private final class Watched {
            var sources: [UInt64: SocketSource] = [:]
        }

        private let watched = Watched()
        private let bell: (read: Int32, write: Int32)

        init() throws {
            var pipes: [Int32] = [-1, -1]
            guard pipe(&pipes) == 0 else {
                throw MariaDBError(kind: .connection, message: "no descriptor left for the event loop (errno \(errno))")
            }
            for end in pipes {
                Socket.makeNonBlocking(end)
                _ = fcntl(end, F_SETFD, FD_CLOEXEC)
            }
            bell = (pipes[0], pipes[1])
        }

        deinit {
            close(bell.read)
            close(bell.write)
        }

        /// Watches a socket. It must be removed before it is closed.
        func add(_ source: SocketSource) { watched.sources[source.number] = source }

        /// Says that `source.watchesWrites` changed: read anew at each wait.
        func update(_ source: SocketSource) {}

        /// Watches it no more.
        func remove(_ source: SocketSource) { watched.sources[source.number] = nil }

        /// Wakes ``wait(milliseconds:)`` from any thread.
        func wake() {
            var one: UInt8 = 1
            _ = write(bell.write, &one, 1)
        }

        /// Waits at most so long (-1: forever, 0: not at all) and hands out what happened, by the numbers of the sources.
        func wait(milliseconds: Int32, _ handOut: (_ number: UInt64, SocketSource.Events) -> Void) {
            let asked = watched.sources.values.filter { $0.isAwaited || ($0.isQuiet && !$0.isClosedByPeer) }
            var entries = [pollfd(fd: bell.read, events: Int16(POLLIN), revents: 0)]
            entries += asked.map { source in
                pollfd(
                    fd: source.descriptor, events: Int16(source.watchesWrites ? POLLIN | POLLOUT : POLLIN), revents: 0)
            }
            guard poll(&entries, nfds_t(entries.count), milliseconds) > 0 else { return }
            if entries[0].revents != 0 {
                var rings = [UInt8](repeating: 0, count: 64)
                while read(bell.read, &rings, rings.count) > 0 {}
            }
            for (entry, source) in zip(entries.dropFirst(), asked) where entry.revents != 0 {
                let events = Int32(entry.revents)
                handOut(
                    source.number,
                    SocketSource.Events(
                        isReadable: events & POLLIN != 0, isWritable: events & POLLOUT != 0,
                        isClosed: events & (POLLHUP | POLLERR | POLLNVAL) != 0))
            }
        }
    }
#endif
