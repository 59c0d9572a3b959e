#if canImport(Security)
    import Foundation
    import Security

    /// Keeps the token in the Keychain, on this device alone and readable after its first unlock, so that a sync in the
    /// background has it.
    public struct KeychainTokenStore: TokenStore {
        private let service: String
        private let account: String

        /// Keeps it under a name.
        /// - Parameters:
        ///   - service: the app's, such as its bundle identifier.
        ///   - account: which of the app's tokens: one for each store.
        public init(service: String, account: String = "token") {
            self.service = service
            self.account = account
        }

        private var query: [String: Any] {
            [
                kSecClass as String: kSecClassGenericPassword, kSecAttrService as String: service,
                kSecAttrAccount as String: account,
            ]
        }

        public func token() throws -> String? {
            var query = query
            query[kSecReturnData as String] = true
            query[kSecMatchLimit as String] = kSecMatchLimitOne
            var item: CFTypeRef?
            switch SecItemCopyMatching(query as CFDictionary, &item) {
            case errSecSuccess: return (item as? Data).flatMap { String(data: $0, encoding: .utf8) }
            case errSecItemNotFound: return nil
            case let status: throw KitError.store("the Keychain cannot be read (\(status))")
            }
        }

        public func set(_ token: String?) throws {
            guard let token else {
                let status = SecItemDelete(query as CFDictionary)
                guard status == errSecSuccess || status == errSecItemNotFound else {
                    throw KitError.store("the Keychain cannot be written (\(status))")
                }
                return
            }
            let values: [String: Any] = [
                kSecValueData as String: Data(token.utf8),
                kSecAttrAccessible as String: kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly,
            ]
            var status = SecItemUpdate(query as CFDictionary, values as CFDictionary)
            if status == errSecItemNotFound {
                status = SecItemAdd(query.merging(values) { $1 } as CFDictionary, nil)
            }
            guard status == errSecSuccess else { throw KitError.store("the Keychain cannot be written (\(status))") }
        }
    }
#endif
