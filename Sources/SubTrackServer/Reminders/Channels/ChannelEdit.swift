import Foundation
import MariaDB
import Passwords
import SubTrackAPI
import SubTrackCore

/// A change of a channel, whose values hold their bounds.
struct ChannelEdit: Sendable {
    /// The most characters of a name.
    static let longestName = 100
    private static let longestToken = 500

    private let id: UUID
    private let name: Patch<String>
    private let target: String?
    private let token: Patch<String>
    private let push: PushKeys?
    private let paused: Bool?

    /// Reads a change, and looks whether its URL is posted to.
    /// - Throws: `input_invalid` with all faults; `not_found`.
    static func read(_ input: UpdateChannel, _ call: Call, _ services: ChannelServices) async throws -> ChannelEdit {
        var faults = InputFaults()
        let name = try faults.check(or: nil) {
            try InputText.optional(input.name.value, field: "name", maximum: longestName)
        }
        if let target = input.target.value {
            let row = try await call.tenant.read { try await ChannelHandlers.channel(input.id, call, on: $0) }
            try await check(target, row.kind, &faults, services)
        }
        try faults.finish()
        return ChannelEdit(
            id: input.id, name: input.name.isNamed ? name.map { .set($0) } ?? .remove : .keep,
            target: input.target.value, token: input.token, push: input.push.value, paused: input.paused.value)
    }

    /// A change that devices make offline: of the name, and of the pause.
    init(id: UUID, name: Patch<String>, paused: Bool?) {
        self.init(id: id, name: name, target: nil, token: .keep, push: nil, paused: paused)
    }

    private init(
        id: UUID, name: Patch<String>, target: String?, token: Patch<String>, push: PushKeys?, paused: Bool?
    ) {
        self.id = id
        self.name = name
        self.target = target
        self.token = token
        self.push = push
        self.paused = paused
    }

    /// Makes the change, in a transaction that has the user's scope locked.
    /// - Returns: the channel as it is afterwards.
    func write(_ call: Call, _ services: ChannelServices, on connection: Connection) async throws -> ChannelRow {
        let row = try await ChannelHandlers.channel(id, call, on: connection)
        let pausedAt: Instant? =
            switch paused {
            case true?: row.pausedAt ?? call.now
            case false?: nil
            case nil: row.pausedAt
            }
        try await ChannelQueries.update(
            row, name: name.isNamed ? name.value : row.name, target: target ?? row.target,
            sealed: try sealed(row, call, services),
            device: push == nil ? row.device : try call.requireSession().device, pausedAt: pausedAt, on: connection)
        return try await ChannelHandlers.channel(id, call, on: connection)
    }

    /// The sealed value after the change. A token goes to no other server than that for which it was typed.
    private func sealed(_ row: ChannelRow, _ call: Call, _ services: ChannelServices) throws -> [UInt8]? {
        let isMoved = target.map { $0 != row.target } ?? false
        let secret = try Self.secret(token: token.value, push: push, of: row.kind, isNew: isMoved)
        guard let secret else { return isMoved || token == .remove ? nil : row.sealed }
        let keys = try services.requireKey().channelKeys(of: call.tenant.slug)
        return try keys.seal(secret, at: .init(salt: row.salt, target: target ?? row.target))
    }

    // MARK: Checks

    /// Notes the faults of a URL.
    static func check(
        _ target: String, _ kind: ChannelKind, _ faults: inout InputFaults, _ services: ChannelServices
    ) async throws {
        do throws(ChannelTarget.Refusal) {
            let target = try ChannelTarget(target, kind: kind)
            if let reason = await services.outbound?.refusal(of: target.text) {
                throw ChannelTarget.Refusal(code: .range, reason: "is not posted to: \(reason)")
            }
        } catch {
            faults.add("target", error.code, error.reason)
        }
    }

    /// The value that is sealed; nil: there is none.
    /// - Parameter isNew: whether a browser has to have keys.
    /// - Throws: `input_invalid`.
    static func secret(token: String?, push: PushKeys?, of kind: ChannelKind, isNew: Bool) throws -> [UInt8]? {
        if token != nil, kind != .ntfy {
            throw Problem.input("token", .unknown, "is there for a channel of kind ntfy alone")
        }
        if push != nil, kind != .webpush {
            throw Problem.input("push", .unknown, "is there for a channel of kind webpush alone")
        }
        switch kind {
        case .webhook: return nil
        case .ntfy:
            guard let token, !token.isEmpty else { return nil }
            guard token.utf8.allSatisfy({ (0x21...0x7E).contains($0) }), token.utf8.count <= longestToken else {
                throw Problem.input(
                    "token", .malformed, "must be at most \(longestToken) letters, digits and signs of ASCII")
            }
            return Array(token.utf8)
        case .webpush:
            guard let push else {
                guard isNew else { return nil }
                throw Problem.input("push", .missing, "must have the keys of the browser")
            }
            guard let point = decoded(push.p256dh), P256Key.isPublicKey(point) else {
                throw Problem.input("push.p256dh", .malformed, "must be a point of P-256: 65 bytes in base64url")
            }
            guard let auth = decoded(push.auth), let keys = WebPushMessage.Keys(p256dh: point, auth: auth) else {
                throw Problem.input(
                    "push.auth", .malformed, "must be \(WebPushMessage.authCount) bytes in base64url")
            }
            return BrowserKeys(keys).bytes
        }
    }

    /// Bytes of base64url, which some browsers' libraries pad.
    private static func decoded(_ text: String) -> [UInt8]? {
        var text = Substring(text)
        while text.last == "=" { text.removeLast() }
        return Base64.urlSafe.decode(text)
    }
}
