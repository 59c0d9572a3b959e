import CCurl
import Foundation
import Synchronization

/// The sockets of a loop. Another thread can end their connections while libcurl waits for one.
final class SocketTable: Sendable {
    private struct State {
        var open: Set<Int32> = []
        var isShut = false
    }

    private let state = Mutex(State())

    /// The number of open sockets.
    var count: Int { state.withLock { $0.open.count } }

    /// Opens a socket; -1 where none can be had.
    func open(_ address: UnsafePointer<curl_sockaddr>) -> curl_socket_t {
        state.withLock { state in
            guard !state.isShut else { return -1 }
            let socket = subtrackit_curl_open_socket(address)
            if socket >= 0 { state.open.insert(socket) }
            return socket
        }
    }

    /// Closes a socket, under the lock: another one may have its number at once.
    func close(_ socket: curl_socket_t) -> Int32 {
        state.withLock { state in
            state.open.remove(socket)
            return Foundation.close(socket)
        }
    }

    /// Ends all connections, and opens none from now on. libcurl closes the sockets itself. A call that waits for a
    /// server, such as the farewell to a mail server that hangs, returns at once.
    func shut() {
        state.withLock { state in
            state.isShut = true
            for socket in state.open { _ = shutdown(socket, Int32(SHUT_RDWR)) }
        }
    }
}
