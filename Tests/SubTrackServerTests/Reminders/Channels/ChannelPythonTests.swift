import Foundation
import Passwords
import SubTrackAPI
import SubTrackTestSupport
import Testing

@testable import SubTrackServer

/// Messages as receivers read them that others wrote: standardwebhooks, http_ece and py_vapid.
@Suite("Receivers of channels")
struct ChannelPythonTests {
    /// A Python that has the three, in the environment that `script/lib/python.sh` makes; nil where there is none.
    static let python: String? = {
        let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../../..").standardized
        let environment = root.appending(path: ".build-python/env")
        let path = environment.appending(path: "bin/python").path
        let library = environment.appending(path: "lib").path
        let versions = (try? FileManager.default.contentsOfDirectory(atPath: library)) ?? []
        let isThere = versions.contains { version in
            ["http_ece", "py_vapid", "standardwebhooks"].allSatisfy {
                FileManager.default.fileExists(atPath: "\(library)/\(version)/site-packages/\($0)")
            }
        }
        return isThere && FileManager.default.isExecutableFile(atPath: path) ? path : nil
    }()

    /// Verifies and decrypts what the service has posted, and prints it.
    private static let receiver = """
        import base64, json, sys
        from datetime import datetime, timezone
        from cryptography.hazmat.primitives.asymmetric import ec
        import http_ece
        from py_vapid import Vapid02
        from standardwebhooks import Webhook, WebhookVerificationError
        def bytes_of(text): return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))
        given = json.load(sys.stdin)
        hook = given["webhook"]
        body, headers = bytes_of(hook["body"]).decode(), hook["headers"]
        for secret in given["secrets"]:
            signer = Webhook(secret)
            # The library goes by the clock of this machine, the service by that of the test.
            signer._Webhook__verify_timestamp = lambda text: datetime.fromtimestamp(int(text), timezone.utc)
            print("webhook", signer.verify(body, headers)["type"])
            try: signer.verify(body + " ", headers)
            except WebhookVerificationError: print("changed body refused")
        push = given["push"]
        key = ec.derive_private_key(int.from_bytes(bytes_of(given["scalar"]), "big"), ec.SECP256R1())
        text = http_ece.decrypt(bytes_of(push["body"]), private_key=key, auth_secret=bytes_of(given["auth"]),
                                version="aes128gcm")
        print("push", json.loads(text)["title"])
        token = push["headers"]["Authorization"]
        assert token.endswith(given["key"]), "the key is that of push.key"
        claims = json.loads(bytes_of(token.split("t=")[1].split(".")[1]))
        print("vapid", Vapid02.verify(token.replace(", k=", ",k=")), claims["aud"])
        """

    private struct Given: Encodable {
        struct Message: Encodable {
            let body: String
            let headers: [String: String]

            init(_ message: OutboundMessage) {
                body = Base64.urlSafe.encode(message.body)
                headers = Dictionary(message.headers.map { ($0.name, $0.value) }) { first, _ in first }
            }
        }

        let webhook: Message
        let secrets: [String]
        let push: Message
        let scalar: String
        let auth: String
        let key: String
    }

    @Test(
        "standardwebhooks verifies a webhook by both secrets, http_ece decrypts a push, py_vapid knows its sender",
        .enabled(
            if: python != nil, "wants standardwebhooks, http_ece, py_vapid in .build-python (script/test makes it)")
    )
    func receivers() async throws {
        let python = try #require(Self.python)
        try await TestService.runWithChannels { service, ada, outbound, _ in
            let browser = try TestBrowser()
            let hook = try await ada.call(CreateChannel(kind: .webhook, target: "https://hooks.example/a"))
            try await ada.call(
                CreateChannel(kind: .webpush, target: "https://push.example:8443/1", push: browser.push))
            service.clock.set("2026-02-26T08:00:00Z")
            let rotated = try await ada.call(RotateChannelSecret(id: hook.channel.id)).secret
            try await service.comeToReminder()
            try await eventually("both were posted") { outbound.messages.count == 2 }
            let webhook = try #require(outbound.messages.first { $0.url.contains("hooks") })
            let push = try #require(outbound.messages.first { $0.url.contains("push") })
            #expect(push.header("Content-Encoding") == "aes128gcm" && push.header("Urgency") == "normal")
            #expect((push.header("Topic")?.count ?? 99) <= 32 && push.header("TTL") == "86400")
            let given = Given(
                webhook: .init(webhook), secrets: [rotated, try #require(hook.secret)], push: .init(push),
                scalar: Base64.urlSafe.encode(browser.scalar), auth: Base64.urlSafe.encode(browser.auth),
                key: try await service.client.call(GetPushKey()))
            let input = String(decoding: try JSONEncoder().encode(given), as: UTF8.self)
            let read = try await Command.run(python, ["-c", Self.receiver], input: input)
            #expect(
                read == """
                    webhook reminders.due
                    changed body refused
                    webhook reminders.due
                    changed body refused
                    push Films renews in 7 days, on 5 March, for 17.99 USD
                    vapid True https://push.example:8443

                    """)
        }
    }
}
