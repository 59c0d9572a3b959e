import HummingbirdCore
import Logging
import MariaDB
import NIOCore
import NIOHTTPTypes

/// HTTP/1.1 whose requests are handled on the thread that watches the database's sockets.
///
/// A handler does little but ask the database and write what it says: between its steps there is then no change of thread.
/// Handlers must not block and must do what takes long (a password's hash) elsewhere.
struct DatabaseLoopChannel: ServerChildChannel {
    let http: HTTP1Channel
    let loop: DatabaseLoop

    func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<HTTP1Channel.Value> {
        http.setup(channel: channel, logger: logger)
    }

    func handle(value: HTTP1Channel.Value, logger: Logger) async {
        await withTaskExecutorPreference(loop.taskExecutor) {
            await http.handle(value: value, logger: logger)
        }
    }
}
