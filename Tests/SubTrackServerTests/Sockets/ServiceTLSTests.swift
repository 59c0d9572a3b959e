import Foundation
import SubTrackAPI
import SubTrackServer
import SubTrackTestSupport
import TestTraits
import Testing

/// The service with a certificate: HTTPS by both versions of HTTP, WebSockets, plain sockets.
@Suite(.ownTime) struct ServiceTLSTests {
    /// A certificate for this machine, made by `openssl` for one test.
    static func certificate(in folder: URL) async throws -> TLSFiles {
        let files = TLSFiles(certificate: folder.path + "/certificate.pem", key: folder.path + "/key.pem")
        try await Command.run(
            "openssl",
            [
                "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=localhost", "-addext",
                "subjectAltName=IP:127.0.0.1", "-keyout", files.key, "-out", files.certificate,
            ])
        return files
    }

    @Test func bothVersionsOfHTTPAndAllSocketsAreEncrypted() async throws {
        try await ServiceProcess.withFolder { folder in
            let files = try await Self.certificate(in: folder)
            let unix = SocketListenAddress.unix(path: folder.path + "/s")
            let configure: (inout ServiceSettings) -> Void = {
                $0.tls = files
                $0.socketListen = [.tcp(ListenAddress(host: "127.0.0.1", port: 0)), unix]
            }
            try await TestService.run(configure: configure) { service in
                let ada = try await service.newUser()
                let token = try #require(ada.client.token)
                let url = "https://127.0.0.1:\(service.port)"
                for (option, version) in [("--http1.1", "1.1"), ("--http2", "2")] {
                    let output = try await Command.run(
                        "curl",
                        [
                            "-sS", option, "--cacert", files.certificate, "-w", "|%{http_version}|%{http_code}", "-H",
                            "Authorization: Bearer \(token)", url + "/v1/me", url + "/v1/live",
                        ])
                    #expect(output.contains("|\(version)|200"), "\(output)")
                    #expect(output.contains(ada.user.id.uuidString.lowercased()))
                    // Without asking for a WebSocket.
                    #expect(output.contains("|\(version)|426"))
                }
                // A stream of its own for each of many requests.
                let many = try await Command.run(
                    "curl",
                    ["-sS", "--http2", "--cacert", files.certificate, "-Z"]
                        + (0..<50).flatMap { _ in [url + "/v1"] })
                #expect(many.components(separatedBy: "SubTrackIt").count == 51)

                let port = try #require(
                    service.settings.socketListen.compactMap { address in
                        if case .tcp(let address) = address { address.port } else { nil }
                    }.first)
                let encrypted = try await RawSocket.connect(port: port, trusting: files.certificate)
                _ = try await encrypted.call("session.open", ["token": token]).result()
                let id = ada.user.id.uuidString.lowercased()
                #expect(try await encrypted.call("me.get").result()["id"] as? String == id)
                await encrypted.close()
                // HTTP/2 is there for who asks for it; who does not gets a WebSocket by HTTP/1.1.
                let webSocket = try await RawWebSocket.open(
                    port: service.port, token: token, trusting: files.certificate)
                #expect(try await webSocket.call("me.get").result()["id"] as? String == id)
                await webSocket.socket.close()

                let socket = try await RawSocket.connect(to: unix)
                #expect(try await socket.call("server.info").result()["name"] as? String == "SubTrackIt")
                await socket.close()
                // Whoever speaks without TLS gets nothing.
                for port in [port, service.port] {
                    let plain = try await RawSocket.connect(port: port)
                    try await plain.send(line: try PlainSocket.request("server.info", id: 1))
                    try await plain.ends()
                    #expect(!String(decoding: plain.bytes, as: UTF8.self).contains("result"))
                }
            }
        }
    }

    @Test func suitesHaveForwardSecrecyAndAuthenticatedEncryption() async throws {
        try await ServiceProcess.withFolder { folder in
            let files = try await Self.certificate(in: folder)
            try await TestService.run(configure: {
                $0.tls = files
                $0.socketListen = [.tcp(ListenAddress(host: "127.0.0.1", port: 0))]
            }) { service in
                let address = try #require(
                    service.settings.socketListen.compactMap { address -> ListenAddress? in
                        if case .tcp(let address) = address { address } else { nil }
                    }.first)
                func agrees(_ arguments: String, port: Int) async throws -> Bool {
                    let output = try await Command.run(
                        "/bin/sh",
                        [
                            "-c", "openssl s_client -connect 127.0.0.1:\(port) \(arguments) </dev/null 2>&1 || true",
                        ])
                    return !output.contains("Cipher is (NONE)") && output.contains("Cipher is ")
                }
                for port in [service.port, address.port] {
                    for suite in [
                        "ECDHE-RSA-AES128-GCM-SHA256", "ECDHE-RSA-AES256-GCM-SHA384", "ECDHE-RSA-CHACHA20-POLY1305",
                    ] {
                        let isAgreed = try await agrees("-tls1_2 -cipher \(suite)", port: port)
                        #expect(isAgreed, "\(suite)")
                    }
                    let isNewest = try await agrees("-tls1_3", port: port)
                    #expect(isNewest)
                    for suite in [
                        "ECDHE-RSA-AES128-SHA", "ECDHE-RSA-AES256-SHA", "ECDHE-RSA-AES128-SHA256",
                        "ECDHE-RSA-AES256-SHA384", "AES128-SHA", "AES256-SHA", "AES128-GCM-SHA256", "AES256-GCM-SHA384",
                    ] {
                        let isAgreed = try await agrees("-tls1_2 -cipher \(suite)@SECLEVEL=0", port: port)
                        #expect(!isAgreed, "\(suite)")
                    }
                    let isOld = try await agrees("-tls1_1 -cipher ALL@SECLEVEL=0", port: port)
                    #expect(!isOld)
                }
            }
        }
    }

    @Test func aCertificateThatCannotBeUsedIsSaidAtTheStart() async throws {
        try await ServiceProcess.withFolder { folder in
            let files = try await Self.certificate(in: folder)
            let other = try await ServiceProcess.withFolder { folder in
                let files = try await Self.certificate(in: folder)
                return try Data(contentsOf: URL(fileURLWithPath: files.key))
            }
            let otherKey = folder.path + "/other.pem"
            try other.write(to: URL(fileURLWithPath: otherKey))
            for wrong in [
                TLSFiles(certificate: folder.path + "/nowhere", key: files.key),
                TLSFiles(certificate: files.key, key: files.key),
                TLSFiles(certificate: files.certificate, key: files.certificate),
                TLSFiles(certificate: files.certificate, key: otherKey),
            ] {
                await #expect(throws: SettingsError.self, "\(wrong)") {
                    try await TestService.run(configure: { $0.tls = wrong }) { _ in }
                }
            }
        }
    }
}
