import Foundation
import Testing

@testable import Passwords

/// Keys, by the examples of their standards.
@Suite("Keys and seals")
struct KeyTests {
    /// Bytes of hexadecimal digits.
    private func bytes(_ text: String) -> [UInt8] {
        stride(from: 0, to: text.count, by: 2).compactMap { UInt8(text.dropFirst($0).prefix(2), radix: 16) }
    }

    @Test("HKDF gives the keys of RFC 5869")
    func derivation() throws {
        let secret = [UInt8](repeating: 0x0b, count: 22)
        #expect(
            try KeyDerivation.sha256(
                secret, salt: bytes("000102030405060708090a0b0c"), info: bytes("f0f1f2f3f4f5f6f7f8f9"), count: 42)
                == bytes("3cb25f25faacd57a90434f64d0362f2a2d2d0a90cf1a5a4c5db02d56ecc4c5bf34007208d5b887185865"))
        #expect(
            try KeyDerivation.sha256(secret, info: [], count: 42)
                == bytes("8da4e775a563c18f715f802a063c5a31b8a11f5c5ee1879ec3454e5f3c738d2d9d201395faa4b61a96c8"))
        #expect(throws: CryptographyError.digestFailed) {
            try KeyDerivation.sha256(secret, info: [], count: KeyDerivation.longest + 1)
        }
    }

    @Test("AES-GCM seals as its first authors' examples")
    func seal() throws {
        let zeroes = [UInt8](repeating: 0, count: 16)
        let nonce = [UInt8](repeating: 0, count: 12)
        #expect(
            try SealedBytes.seal(zeroes, key: zeroes, nonce: nonce)
                == bytes("0388dace60b6a392f328c2b971b2fe78ab6e47d42cec13bdf53a67b21257bddf"))
        #expect(
            try SealedBytes.seal(zeroes, key: zeroes + zeroes, nonce: nonce)
                == bytes("cea7403d4d606b6e074ec5d3baf39d18d0d1c8a799996bf0265b98b5d48ab919"))
        #expect(
            try SealedBytes.seal([], key: zeroes, nonce: nonce) == bytes("58e2fccefa7e3061367f1d57a4e7455a"))
        // Test case 4: with bytes that are not hidden.
        #expect(
            try SealedBytes.seal(
                bytes(
                    "d9313225f88406e5a55909c5aff5269a86a7a9531534f7da2e4c303d8a318a721c3c0c95956809532fcf0e2449a6b525b16aedf5aa0de657ba637b39"
                ),
                key: bytes("feffe9928665731c6d6a8f9467308308"), nonce: bytes("cafebabefacedbaddecaf888"),
                context: bytes("feedfacedeadbeeffeedfacedeadbeefabaddad2"))
                == bytes(
                    "42831ec2217774244b7221b784d0d49ce3aa212f2c02a4e035c17e2329aca12e21d514b25466931c7d8f6a5aac84aa051ba30b396a0aac973d58e0915bc94fbc3221a5db94fae95ae7121a47"
                ))
        #expect(throws: CryptographyError.cipherFailed) {
            try SealedBytes.seal([1], key: [1, 2, 3], nonce: nonce)
        }
    }

    @Test("A seal opens with its key and its context alone, and not once a bit of it has changed")
    func open() throws {
        let key = try SecureRandom.bytes(32)
        for text in ["", "tk_secret", String(repeating: "x", count: 1000)] {
            let sealed = try SealedBytes.seal(Array(text.utf8), key: key, context: [1, 2])
            #expect(try SealedBytes.open(sealed, key: key, context: [1, 2]) == Array(text.utf8))
            #expect(try SealedBytes.open(sealed, key: key, context: [1, 3]) == nil)
            #expect(try SealedBytes.open(sealed, key: try SecureRandom.bytes(32), context: [1, 2]) == nil)
            for index in [0, 12, sealed.count - 1] {
                var changed = sealed
                changed[index] ^= 1
                #expect(try SealedBytes.open(changed, key: key, context: [1, 2]) == nil, "\(index)")
            }
            #expect(try SealedBytes.seal(Array(text.utf8), key: key, context: [1, 2]) != sealed, "another nonce")
        }
        #expect(try SealedBytes.open([1, 2, 3], key: key, context: []) == nil)
    }

    @Test("A number of P-256 has the public key of RFC 6979, and none has 0 or the order of the curve")
    func publicKey() throws {
        let key = try #require(
            try P256Key(scalar: bytes("c9afa9d845ba75166b5c215767b1d6934e50c3db36e89b127b8a622b120f6721")))
        let point = bytes(
            "0460fed4ba255a9d31c961eb74c6356d68c049b8923b61fa6ce669622e60f29fb67903fe1008b8bc99a41ae9e95628bc64f2f1b20c2d7e9f5177a3c294d4462299"
        )
        #expect(key.publicKey == point)
        #expect(P256Key.isPublicKey(point))
        #expect(try P256Key(scalar: [UInt8](repeating: 0, count: 32)) == nil)
        #expect(
            try P256Key(scalar: bytes("ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551")) == nil)
        #expect(try P256Key(scalar: [1, 2, 3]) == nil)
    }

    @Test("Bytes that are no point of the curve are no public key, and give no secret")
    func wrongPoints() throws {
        let key = try P256Key.generate()
        var off = key.publicKey
        off[64] ^= 1
        for bytes in [off, Array(key.publicKey.dropLast()), [], [UInt8](repeating: 4, count: 65), [0]] {
            #expect(!P256Key.isPublicKey(bytes))
            #expect(throws: CryptographyError.keyFailed) { try key.sharedSecret(with: bytes) }
        }
    }

    @Test("Both sides compute one secret")
    func agreement() throws {
        for _ in 0..<20 {
            let (ada, bob) = (try P256Key.generate(), try P256Key.generate())
            let secret = try ada.sharedSecret(with: bob.publicKey)
            #expect(secret == (try bob.sharedSecret(with: ada.publicKey)))
            #expect(secret.count == 32)
        }
    }

    @Test("A signature has 64 bytes, also where one of its numbers is short")
    func signatures() throws {
        let key = try P256Key.generate()
        var lengths = Set<Int>()
        // One number in 256 begins with a zero byte.
        for index in 0..<600 { lengths.insert(try key.signature(of: Array("\(index)".utf8)).count) }
        #expect(lengths == [64])
    }

    @Test("A derived key is the same each time, and another one for another use or secret")
    func derived() throws {
        let secret = try SecureRandom.bytes(32)
        let key = try P256Key.derive(from: secret, info: [1]).publicKey
        #expect(try P256Key.derive(from: secret, info: [1]).publicKey == key)
        #expect(try P256Key.derive(from: secret, info: [2]).publicKey != key)
        #expect(try P256Key.derive(from: try SecureRandom.bytes(32), info: [1]).publicKey != key)
    }
}
