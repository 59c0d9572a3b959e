import Foundation
import Passwords
import SubTrackAPI
import Testing

@testable import SubTrackServer

/// What channels encrypt and sign, by the examples of their standards.
@Suite("Encryption and signatures of channels")
struct ChannelCryptographyTests {
    private func bytes(_ text: String) throws -> [UInt8] { try #require(Base64.urlSafe.decode(text)) }

    @Test("The example of RFC 8291 is the same byte for byte")
    func webPush() throws {
        let keys = try #require(
            WebPushMessage.Keys(
                p256dh: try bytes(
                    "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4"),
                auth: try bytes("BTBZMqHH6r4Tts7J_aSIgg")))
        let key = try #require(try P256Key(scalar: try bytes("yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw")))
        let message = try WebPushMessage.encrypt(
            Array("When I grow up, I want to be a watermelon".utf8), for: keys, key: key,
            salt: try bytes("DGv6ra1nlYgDCS1FRnbzlw"))
        #expect(
            Base64.urlSafe.encode(message)
                == "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN"
        )
        // 4,096 bytes are what each push service takes.
        let longest = try WebPushMessage.encrypt(
            [UInt8](repeating: 65, count: WebPushMessage.longestText), for: keys)
        #expect(longest.count == 4096)
    }

    @Test("Keys of a browser are a point of the curve and 16 bytes")
    func browserKeys() throws {
        let point = try P256Key.generate().publicKey
        let auth = try SecureRandom.bytes(16)
        #expect(WebPushMessage.Keys(p256dh: point, auth: auth) != nil)
        #expect(WebPushMessage.Keys(p256dh: point, auth: Array(auth.dropLast())) == nil)
        #expect(WebPushMessage.Keys(p256dh: Array(point.dropLast()) + [point[64] ^ 1], auth: auth) == nil)
    }

    @Test("The header of RFC 8292 names the push service, the operator, and an end within 24 hours")
    func vapid() throws {
        struct Claims: Decodable, Equatable {
            let aud: String
            let exp: Int64
            let sub: String
        }
        let key = try P256Key.generate()
        let header = try VAPIDToken.header(
            audience: "https://push.example.net", subject: "mailto:ada@example.org", key: key,
            now: Instant(secondsSince1970: 1_800_000_000))
        let match = try #require(header.wholeMatch(of: #/vapid t=([^.]+)\.([^.]+)\.([^,]+), k=(.+)/#))
        #expect(try bytes(String(match.4)) == key.publicKey)
        #expect(String(decoding: try bytes(String(match.1)), as: UTF8.self) == #"{"typ":"JWT","alg":"ES256"}"#)
        #expect(
            try JSONDecoder().decode(Claims.self, from: Data(try bytes(String(match.2))))
                == Claims(aud: "https://push.example.net", exp: 1_800_043_200, sub: "mailto:ada@example.org"))
        #expect(try bytes(String(match.3)).count == 64)
    }

    @Test("A webhook's signature is that of the libraries of Standard Webhooks")
    func webhook() throws {
        let secret = WebhookSecret(bytes: Array(try #require(Data(base64Encoded: "MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"))))
        #expect(secret.text == "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw")
        let headers = try WebhookHeaders.headers(
            id: "msg_p5jXN8AQM9LWM0D4loKWxJek", at: Instant(secondsSince1970: 1_614_265_330),
            body: Array(#"{"test": 2432232314}"#.utf8), secrets: [secret, WebhookSecret(bytes: [1])])
        #expect(headers.map(\.name) == ["webhook-id", "webhook-timestamp", "webhook-signature"])
        #expect(headers[0].value == "msg_p5jXN8AQM9LWM0D4loKWxJek")
        #expect(headers[1].value == "1614265330")
        let signatures = headers[2].value.split(separator: " ")
        #expect(signatures.first == "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=")
        #expect(signatures.count == 2, "after a rotation both secrets sign")
    }

    @Test("Keys follow from the secret key and the tenant, and a sealed value opens for its channel and URL alone")
    func keys() throws {
        let secret = try #require(SecretKey([UInt8](repeating: 7, count: 32)))
        #expect(SecretKey([1, 2, 3]) == nil)
        let (acme, other) = (try secret.channelKeys(of: "acme"), try secret.channelKeys(of: "other"))
        #expect(try acme.vapid().publicKey == (try secret.channelKeys(of: "acme").vapid().publicKey))
        #expect(try acme.vapid().publicKey != (try other.vapid().publicKey))
        let (salt, otherSalt) = (try SecureRandom.bytes(16), try SecureRandom.bytes(16))
        let signing = try acme.webhookSecret(salt: salt, number: 0)
        #expect(signing.bytes.count == 32)
        let others = try [
            acme.webhookSecret(salt: salt, number: 1), acme.webhookSecret(salt: otherSalt, number: 0),
            other.webhookSecret(salt: salt, number: 0),
        ]
        #expect(!others.contains(signing))
        let place = ChannelKeys.Place(salt: salt, target: "https://ntfy.sh/a")
        let sealed = try acme.seal([1, 2, 3], at: place)
        #expect(try acme.open(sealed, at: place) == [1, 2, 3])
        #expect(try acme.open(sealed, at: .init(salt: otherSalt, target: place.target)) == nil)
        #expect(try acme.open(sealed, at: .init(salt: salt, target: "https://evil.example/a")) == nil)
        #expect(try other.open(sealed, at: place) == nil)
    }
}
