import Foundation
import SubTrackAPI
import SubTrackServer
import SubTrackTestSupport
import TestTraits
import Testing

/// Certificates that are renewed while the service runs, and handshakes that it does not wait for.
@Suite(.ownTime) struct TLSReloadTests {
    @Test("After SIGHUP new connections get the new certificate; one that cannot be used changes nothing")
    func reload() async throws {
        try await ServiceProcess.withFolder { folder in
            let files = try await ServiceTLSTests.certificate(in: folder)
            let server = try await PrivateServer.shared
            try await TestDatabase.leaseControl { control in
                let arguments = [
                    "serve", "--http-listen", "127.0.0.1:0", "--tls-certificate-file", files.certificate,
                    "--tls-key-file", files.key, "--database-url",
                    "mysql://root@localhost/\(control.name)?socket=\(server.socketPath)",
                ]
                try await ServiceProcess.run(arguments, in: folder) { process in
                    var port = ""
                    try await eventually(within: .seconds(120), "it listens") {
                        port =
                            process.output.firstMatch(of: #/listens at https:[\/0-9.]+:(\d+)/#).map { String($0.1) }
                            ?? ""
                        return !port.isEmpty
                    }
                    func shown() async throws -> String {
                        try await Command.run(
                            "sh",
                            [
                                "-c",
                                "openssl s_client -connect 127.0.0.1:\(port) </dev/null 2>/dev/null "
                                    + "| openssl x509 -noout -fingerprint",
                            ])
                    }
                    let first = try await shown()
                    #expect(first.contains("Fingerprint"))
                    // Half of what is needed: the key is another one's.
                    let key = try Data(contentsOf: URL(fileURLWithPath: files.key))
                    _ = try await ServiceTLSTests.certificate(in: folder)
                    let newKey = try Data(contentsOf: URL(fileURLWithPath: files.key))
                    try key.write(to: URL(fileURLWithPath: files.key))
                    process.signal(SIGHUP)
                    try await eventually("it is said") {
                        process.output.contains("the certificate stays as it was")
                    }
                    #expect(try await shown() == first)
                    try newKey.write(to: URL(fileURLWithPath: files.key))
                    process.signal(SIGHUP)
                    try await eventually("new connections get it") { try await shown() != first }
                    process.signal(SIGTERM)
                    #expect(try await process.exit() == 0, "\(process.output)")
                }
            }
        }
    }

    @Test("A connection in the middle of its handshake does not keep the service from stopping")
    func handshakeAtTheEnd() async throws {
        try await ServiceProcess.withFolder { folder in
            let files = try await ServiceTLSTests.certificate(in: folder)
            let (socket, log) = try await TestService.run(configure: {
                $0.tls = files
                // Longer than a stop may take: a connection that is waited for is cut then.
                $0.socketLimits.messageDeadline = .seconds(3600)
            }) { service in
                let socket = try await RawSocket.connect(port: service.port)
                // The beginning of a ClientHello (RFC 8446 §5.1), and no more.
                try await socket.send([0x16, 0x03, 0x01, 0x02, 0x00, 0x01])
                // The service has taken the connection once it answers another.
                #expect(try await Command.run("curl", ["-sSk", "https://127.0.0.1:\(service.port)/healthz"]) == "ok\n")
                return (socket, service.log)
            }
            // `run` returns when the service has stopped.
            #expect(log.lines.contains { $0.message.hasSuffix("all connections were drained") }, "\(log.lines)")
            try await socket.ends()
            await socket.close()
        }
    }
}
