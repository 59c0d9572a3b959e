import COpenSSL

/// A private key of the curve P-256 (FIPS 186-5), for agreements on a secret (ECDH) and signatures (ES256).
public final class P256Key: Sendable {
    /// The point of the public key, uncompressed: 65 bytes.
    public let publicKey: [UInt8]
    /// `nonisolated(unsafe)`: an imported pointer is not `Sendable`. OpenSSL allows several threads to use a key that none changes.
    private nonisolated(unsafe) let key: OpaquePointer

    /// How many bytes a public key has.
    public static let publicKeyCount = 65
    private static let scalarCount = 32

    /// A key of its secret number.
    ///
    /// - Parameter scalar: 32 bytes, the highest first.
    /// - Returns: nil for a number that is 0, or not below the order of the curve.
    /// - Throws: `CryptographyError.keyFailed`.
    public init?(scalar: [UInt8]) throws(CryptographyError) {
        guard scalar.count == Self.scalarCount else { return nil }
        guard let group = EC_GROUP_new_by_curve_name(NID_X9_62_prime256v1), let number = BN_secure_new(),
            let point = EC_POINT_new(group)
        else { throw .keyFailed }
        defer {
            EC_POINT_free(point)
            BN_clear_free(number)
            EC_GROUP_free(group)
        }
        guard BN_bin2bn(scalar, Int32(scalar.count), number) != nil, let order = EC_GROUP_get0_order(group) else {
            throw .keyFailed
        }
        guard BN_is_zero(number) == 0, BN_cmp(number, order) < 0 else { return nil }
        var bytes = [UInt8](repeating: 0, count: Self.publicKeyCount)
        guard EC_POINT_mul(group, point, number, nil, nil, nil) == 1,
            EC_POINT_point2oct(group, point, POINT_CONVERSION_UNCOMPRESSED, &bytes, bytes.count, nil) == bytes.count,
            let made = Self.key(publicKey: bytes, number: number)
        else { throw .keyFailed }
        publicKey = bytes
        key = made
    }

    deinit { EVP_PKEY_free(key) }

    /// Makes a new key.
    ///
    /// - Throws: `CryptographyError`.
    public static func generate() throws(CryptographyError) -> P256Key {
        // One number in 2^32 is too large.
        for _ in 0..<8 {
            if let key = try P256Key(scalar: try SecureRandom.bytes(scalarCount)) { return key }
        }
        throw .keyFailed
    }

    /// Makes the key that belongs to a secret and a use, the same one each time.
    ///
    /// - Throws: `CryptographyError`.
    public static func derive(from secret: [UInt8], info: [UInt8]) throws(CryptographyError) -> P256Key {
        for attempt in UInt8(0)..<8 {
            let scalar = try KeyDerivation.sha256(secret, info: info + [attempt], count: scalarCount)
            if let key = try P256Key(scalar: scalar) { return key }
        }
        throw .keyFailed
    }

    /// Whether bytes are a public key: an uncompressed point of the curve.
    public static func isPublicKey(_ bytes: [UInt8]) -> Bool {
        guard bytes.count == publicKeyCount, bytes[0] == 4, let key = key(publicKey: bytes, number: nil) else {
            return false
        }
        defer { EVP_PKEY_free(key) }
        guard let context = EVP_PKEY_CTX_new_from_pkey(nil, key, nil) else { return false }
        defer { EVP_PKEY_CTX_free(context) }
        return EVP_PKEY_public_check(context) == 1
    }

    /// Computes the secret that both sides have in common (ECDH): 32 bytes.
    ///
    /// - Parameter other: The other side's public key.
    /// - Throws: `CryptographyError.keyFailed`, also for bytes that are no public key.
    public func sharedSecret(with other: [UInt8]) throws(CryptographyError) -> [UInt8] {
        guard Self.isPublicKey(other), let peer = Self.key(publicKey: other, number: nil),
            let context = EVP_PKEY_CTX_new_from_pkey(nil, key, nil)
        else { throw .keyFailed }
        defer {
            EVP_PKEY_CTX_free(context)
            EVP_PKEY_free(peer)
        }
        var secret = [UInt8](repeating: 0, count: Self.scalarCount)
        var count = secret.count
        guard EVP_PKEY_derive_init(context) == 1, EVP_PKEY_derive_set_peer(context, peer) == 1,
            EVP_PKEY_derive(context, &secret, &count) == 1, count == secret.count
        else { throw .keyFailed }
        return secret
    }

    /// Signs bytes (ES256, RFC 7518 §3.4): the two numbers of the signature, 32 bytes each.
    ///
    /// - Throws: `CryptographyError.keyFailed`.
    public func signature(of bytes: [UInt8]) throws(CryptographyError) -> [UInt8] {
        guard let digest = EVP_MD_CTX_new() else { throw .keyFailed }
        defer { EVP_MD_CTX_free(digest) }
        // A signature of P-256 has at most 72 bytes in DER.
        var der = [UInt8](repeating: 0, count: 80)
        var count = der.count
        guard EVP_DigestSignInit_ex(digest, nil, "SHA2-256", nil, nil, key, nil) == 1,
            EVP_DigestSign(digest, &der, &count, bytes, bytes.count) == 1
        else { throw .keyFailed }
        let parsed = der.withUnsafeBufferPointer { buffer -> OpaquePointer? in
            var start = buffer.baseAddress
            return d2i_ECDSA_SIG(nil, &start, count)
        }
        guard let parsed else { throw .keyFailed }
        defer { ECDSA_SIG_free(parsed) }
        var (r, s) = ([UInt8](repeating: 0, count: 32), [UInt8](repeating: 0, count: 32))
        guard BN_bn2binpad(ECDSA_SIG_get0_r(parsed), &r, 32) == 32, BN_bn2binpad(ECDSA_SIG_get0_s(parsed), &s, 32) == 32
        else { throw .keyFailed }
        return r + s
    }

    /// A key as OpenSSL has it; nil for bytes that are no point of the curve.
    private static func key(publicKey: [UInt8], number: OpaquePointer?) -> OpaquePointer? {
        guard let builder = OSSL_PARAM_BLD_new(), let context = EVP_PKEY_CTX_new_from_name(nil, "EC", nil) else {
            return nil
        }
        defer {
            EVP_PKEY_CTX_free(context)
            OSSL_PARAM_BLD_free(builder)
        }
        return publicKey.withUnsafeBytes { bytes -> OpaquePointer? in
            // The builder keeps the address of the bytes until the parameters are made.
            guard OSSL_PARAM_BLD_push_utf8_string(builder, subtrackit_group_parameter(), subtrackit_p256(), 0) == 1,
                OSSL_PARAM_BLD_push_octet_string(
                    builder, subtrackit_public_parameter(), bytes.baseAddress, bytes.count) == 1
            else { return nil }
            if let number, OSSL_PARAM_BLD_push_BN(builder, subtrackit_private_parameter(), number) != 1 { return nil }
            guard let parameters = OSSL_PARAM_BLD_to_param(builder) else { return nil }
            defer { OSSL_PARAM_free(parameters) }
            var key: OpaquePointer?
            let selection = number == nil ? subtrackit_public_key : subtrackit_key_pair
            guard EVP_PKEY_fromdata_init(context) == 1,
                EVP_PKEY_fromdata(context, &key, selection, parameters) == 1
            else { return nil }
            return key
        }
    }
}
