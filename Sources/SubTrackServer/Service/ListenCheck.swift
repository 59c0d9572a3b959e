import Foundation
import NIOCore
import NIOPosix

/// Finds out whether an address can be listened at, before anything else is done.
///
/// It listens there for a moment. Somebody else may take the address in between: then the service fails a little later,
/// with the same words.
enum ListenCheck {
    /// Why an address cannot be listened at.
    struct Failure: Error, CustomStringConvertible {
        let address: ListenAddress
        let errno: Int32

        var description: String {
            let reason =
                switch errno {
                case EADDRINUSE: "another program listens there"
                case EADDRNOTAVAIL: "this machine has no such address"
                case EACCES: "this user may not (ports below 1024 need a privilege)"
                default: String(cString: strerror(errno))
                }
            return "cannot listen at \(address): \(reason); choose another address with --http-listen"
        }
    }

    /// Listens and stops at once.
    /// - Throws: ``SettingsError`` for what is neither an address nor a name that is known; ``Failure``.
    static func check(_ address: ListenAddress, on group: any EventLoopGroup) async throws {
        let resolved: SocketAddress
        do {
            resolved = try SocketAddress.makeAddressResolvingHost(address.host, port: address.port)
        } catch {
            throw SettingsError(
                "cannot listen at \(address): \"\(address.host)\" is neither an IP address nor a name that is known here; "
                    + "use --http-listen 127.0.0.1:8080, [::1]:8080, or 0.0.0.0:8080 for all addresses")
        }
        do {
            let channel = try await ServerBootstrap(group: group)
                .serverChannelOption(ChannelOptions.socketOption(.so_reuseaddr), value: 1)
                .bind(to: resolved).get()
            try await channel.close()
        } catch let error as IOError {
            throw Failure(address: address, errno: error.errnoCode)
        }
    }
}
