import Foundation
import GRDB

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// A value in a store's file that the kit did not write.
struct StoreDamage: Error {
    /// The place.
    let place: String
}

extension Store {
    /// An error of the store's file in words; any other error as it is.
    func told(_ error: any Error) -> any Error { Self.told(error, of: path) }

    /// An error of a file in words; any other error as it is.
    static func told(_ error: any Error, of path: String) -> any Error {
        if let damage = error as? StoreDamage { return damaged(path, damage.place) }
        guard let error = error as? DatabaseError else { return error }
        let message = error.message ?? "error \(error.resultCode.rawValue)"
        return switch error.resultCode {
        case .SQLITE_FULL: KitError.store("the disk of \(path) is full; make room, and try again")
        // The kit's statements do not change: a table or column is missing, or a text is no JSON.
        case .SQLITE_NOTADB, .SQLITE_CORRUPT, .SQLITE_ERROR: damaged(path, message)
        case .SQLITE_BUSY, .SQLITE_LOCKED: KitError.store("another program is using it; try again")
        case .SQLITE_CANTOPEN, .SQLITE_PERM, .SQLITE_READONLY: KitError.store("\(path) cannot be opened for writing")
        case .SQLITE_IOERR:
            KitError.store("\(path) cannot be read or written (\(message)); look whether the disk is full")
        default: KitError.store("\(path): \(message)")
        }
    }

    /// A damaged file, with its remedy. Changes that were not sent are nowhere else.
    static func damaged(_ path: String, _ fault: String) -> KitError {
        .store(
            "\(path) is damaged (\(fault)). Move it away, and what was sent is pulled anew. "
                + "Changes that were not sent are in that file alone")
    }

    /// Whether a file is there and has lost its content. SQLite would take it for a new one.
    static func isEmptied(_ path: String) -> Bool {
        // Another program may be making it at this moment.
        for _ in 0..<50 {
            var status = stat()
            // A database begins with a header of 100 bytes.
            guard stat(path, &status) == 0, status.st_size < 100 else { return false }
            usleep(10_000)
        }
        return true
    }
}
