import COpenSSL

/// A password's slow hash: PBKDF2 with HMAC-SHA-512 (RFC 8018 §5.2), with its parameters and its salt.
///
/// Making one and comparing with one take some 0.1 s of a core on purpose, and block the thread. Call them where that
/// is bounded, not on a cooperative thread.
public struct PasswordHash: Sendable {
    /// Rounds of HMAC: the price of each guess of an attacker.
    public let iterations: Int
    let salt: [UInt8]
    let derived: [UInt8]

    /// The parameters of new hashes.
    public enum Current {
        /// The OWASP Password Storage Cheat Sheet's figure for PBKDF2-HMAC-SHA512 is 210,000; a little above it.
        public static let iterations = 220_000
        static let saltLength = 16
        /// One block of SHA-512: more would cost the owner and not the attacker (RFC 8018 §5.2).
        static let derivedLength = 64
    }

    init(iterations: Int, salt: [UInt8], derived: [UInt8]) {
        self.iterations = iterations
        self.salt = salt
        self.derived = derived
    }

    /// Hashes a password with a fresh salt.
    ///
    /// - Parameters:
    ///   - password: The password to hash.
    ///   - iterations: Rounds; fewer than the current number are for tests alone.
    /// - Throws: `CryptographyError`.
    public init(of password: Password, iterations: Int = Current.iterations) throws(CryptographyError) {
        let salt = try SecureRandom.bytes(Current.saltLength)
        self.init(
            iterations: iterations, salt: salt,
            derived: try Self.derive(password.bytes, salt, iterations, Current.derivedLength))
    }

    /// Whether this is the password's hash. Takes the same time for a right one as for a wrong one.
    ///
    /// - Throws: `CryptographyError.digestFailed`, which says nothing about the password.
    public func matches(_ password: Password) throws(CryptographyError) -> Bool {
        constantTimeEqual(try Self.derive(password.bytes, salt, iterations, derived.count), derived)
    }

    /// Whether this was made with weaker parameters than today's: make it anew when its owner next signs in.
    public var needsRehash: Bool { needsRehash(to: Current.iterations) }

    /// Whether this was made with fewer rounds than these, or with a shorter salt or hash than today's.
    public func needsRehash(to iterations: Int) -> Bool {
        self.iterations < iterations || salt.count < Current.saltLength
            || derived.count != Current.derivedLength
    }

    /// A hash that no password has, for an unknown e-mail address. A comparison with it takes as long as with a real
    /// one, so that the time does not reveal an account.
    ///
    /// - Parameter iterations: Rounds of the hashes that real ones are; fewer than the current number are for tests alone.
    /// - Throws: `CryptographyError.noRandomness`.
    public static func decoy(iterations: Int = Current.iterations) throws(CryptographyError) -> PasswordHash {
        PasswordHash(
            iterations: iterations, salt: try SecureRandom.bytes(Current.saltLength),
            derived: try SecureRandom.bytes(Current.derivedLength))
    }

    static func derive(
        _ password: [UInt8], _ salt: [UInt8], _ iterations: Int, _ length: Int
    ) throws(CryptographyError) -> [UInt8] {
        var derived = [UInt8](repeating: 0, count: length)
        let done = password.withUnsafeBytes { password in
            PKCS5_PBKDF2_HMAC(
                password.baseAddress?.assumingMemoryBound(to: CChar.self), Int32(clamping: password.count), salt,
                Int32(clamping: salt.count), Int32(clamping: iterations), EVP_sha512(), Int32(clamping: length),
                &derived)
        }
        guard done == 1 else { throw .digestFailed }
        return derived
    }
}

// Not secret, but nothing for a log either.
extension PasswordHash: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    public var description: String { "PasswordHash(\(iterations) rounds)" }
    public var debugDescription: String { description }
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}
