import Passwords

/// A browser's keys, as they are sealed: the point and the secret, one behind the other.
struct BrowserKeys: Sendable {
    let keys: WebPushMessage.Keys

    /// The keys of an input.
    init(_ keys: WebPushMessage.Keys) { self.keys = keys }

    /// Reads keys; nil for bytes that are none.
    init?(_ bytes: [UInt8]) {
        guard bytes.count > P256Key.publicKeyCount,
            let keys = WebPushMessage.Keys(
                p256dh: Array(bytes.prefix(P256Key.publicKeyCount)),
                auth: Array(bytes.dropFirst(P256Key.publicKeyCount)))
        else { return nil }
        self.keys = keys
    }

    var bytes: [UInt8] { keys.p256dh + keys.auth }
}
