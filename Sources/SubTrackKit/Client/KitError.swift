import SubTrackAPI

/// What keeps the kit from doing what it was asked. The descriptions are meant for the person who asked.
public enum KitError: Error, Sendable, Hashable {
    /// The service cannot be reached or asks to be left alone for a while. Nothing is lost: it is sent later.
    /// - Parameter retryAfter: after how many seconds to try again, where the service said so.
    case offline(reason: String, retryAfter: Int?)
    /// The connection is not safe, and nothing was sent. Nothing is lost: it is sent when somebody has mended that.
    case insecure(TLSFault)
    /// The file of certificate authorities cannot be read, or has no certificate. Nothing was sent.
    case authorities(file: String, isReadable: Bool)
    /// The service refused it.
    case refused(Problem)
    /// The service answered something that this version of the kit does not understand.
    case nonsense(String)
    /// The device's session has ended: what is on the device stays, and its owner has to sign in again.
    case signedOut
    /// The user was deleted, here or on another device: this device keeps reports of the changes that it never sent, and nothing else.
    case userDeleted
    /// What was asked for makes no sense; nothing was changed.
    case invalid(field: String, message: String)
    /// There is no such subscription or plan on this device.
    case unknown(String)
    /// The store on the device cannot be read or written.
    case store(String)
    /// The store was written by a newer version of the kit.
    case newerStore
    /// The store and its token belong to the service at this address, not to the one that was named.
    case otherServer(String)
    /// The session has ended, and so many changes were never sent: they would be lost.
    case unsent(Int)
    /// The session of a user without account has ended, so that nobody can come back to the user: the device has the only copy
    /// of the data.
    case onlyCopy
}

extension KitError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .offline(let reason, let retryAfter):
            reason.contains("try again")
                ? reason.asPart : retryAfter.map { "\(reason.asPart); try again in \($0) s" } ?? reason.asPart
        case .insecure(let fault): fault.description
        case .authorities(let file, let isReadable):
            isReadable
                ? "\(file) has no certificates; a file of certificate authorities is PEM, -----BEGIN CERTIFICATE-----"
                : "the file of certificate authorities \(file) cannot be read"
        case .refused(let problem): problem.detail
        case .nonsense(let what): "the server answers what no SubTrackIt service answers: \(what)"
        case .signedOut: "this device is signed out; sign in again, and what was changed meanwhile is sent then"
        case .userDeleted:
            "this user was deleted; nothing of it is left on this device, and what was never sent is among the reports"
        case .invalid(let field, let message): field.isEmpty ? message : "\(field): \(message)"
        case .unknown(let what): what
        case .store(let what): "the store on this device: \(what)"
        case .otherServer(let known): "the data on this device belong to the service at \(known)"
        case .unsent(let count):
            "\(count == 1 ? "1 change was" : "\(count) changes were") never sent, for the session has ended"
        case .onlyCopy:
            "the session of this device has ended, and no account leads to its data: they are on this device alone"
        case .newerStore: "the store on this device was written by a newer version; update this program"
        }
    }

    /// Whether a later attempt may go well without anybody doing anything.
    public var isTransient: Bool {
        if case .offline = self { true } else { false }
    }
}

extension String {
    /// A sentence as a part of another one: without its full stop.
    package var asPart: String { hasSuffix(".") ? String(dropLast()) : self }

    /// A sentence about something that passes, without its full stop and its advice to try again, which somebody follows.
    package var withoutRetry: String {
        let part = asPart
        for advice in ["; try again", ", and try again"] {
            if let range = part.firstRange(of: advice) { return String(part[..<range.lowerBound]) }
        }
        return part
    }
}
