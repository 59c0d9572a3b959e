import Foundation

/// A moment of a server's first start that can be seen from outside, in their order.
enum StartMoment: String, CaseIterable, Codable, Sendable {
    /// Nothing is there yet.
    case before
    /// The state directory is locked.
    case locked
    /// The installer has made its folder.
    case installing
    /// The installer has written some of MariaDB's own tables.
    case halfInstalled
    /// The data directory is complete.
    case installed
    /// The server writes its log.
    case starting
    /// The server listens at its socket.
    case listening

    /// Whether a start in a state directory has come so far.
    func isReached(in directory: String) -> Bool {
        let files = FileManager.default
        let names = (try? files.contentsOfDirectory(atPath: directory)) ?? []
        let half = names.first { $0.hasPrefix("data.installing-") }
        return switch self {
        case .before: true
        case .locked: names.contains("lock")
        case .installing: half != nil || names.contains("data")
        case .halfInstalled:
            half.map { files.fileExists(atPath: "\(directory)/\($0)/mysql") } ?? false || names.contains("data")
        case .installed: names.contains("data")
        case .starting: names.contains("mariadbd.log")
        case .listening: files.fileExists(atPath: directory + "/run/mariadbd.sock")
        }
    }

    /// Waits for the moment, at most a minute. It looks again and again without a pause, for a pause would miss it.
    func reached(in directory: String) async {
        let deadline = ContinuousClock.now + .seconds(60)
        while !isReached(in: directory), ContinuousClock.now < deadline { await Task.yield() }
    }
}
