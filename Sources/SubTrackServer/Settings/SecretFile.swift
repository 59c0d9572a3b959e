import Foundation

/// A file that holds a secret: a password, a private key, a configuration with passwords in it.
public struct SecretFile: Sendable, Hashable {
    /// What it holds, for messages: `the password of the database's user`.
    let what: String
    let path: String
    /// Whether others may not even read it.
    let isSecret: Bool

    /// A file and what it holds.
    public init(_ path: String, what: String, isSecret: Bool = true) {
        self.path = path
        self.what = what
        self.isSecret = isSecret
    }

    /// Says that other accounts of this machine can read or change the file; nil where they cannot.
    ///
    /// A folder above it that others may not enter protects the file as well.
    var finding: Finding? {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        let rights = UInt32(status.st_mode) & 0o777
        let (canRead, canWrite) = (isSecret && rights & 0o004 != 0, rights & 0o002 != 0)
        guard canRead || canWrite, Self.othersReach(path) else { return nil }
        let verb = canRead && canWrite ? "read and change" : canRead ? "read" : "change"
        return .warning(
            "file \(path)", "everybody on this machine can \(verb) \(what) (mode \(String(rights, radix: 8)))",
            remedy:
                "chmod \(String(rights & ~(isSecret ? 0o007 : 0o002), radix: 8)) '\(path.replacing("'", with: "'\\''"))'"
        )
    }

    /// Whether accounts that neither own the folders above a file nor share their group may enter all of them.
    private static func othersReach(_ path: String) -> Bool {
        // Folders of the place where a link leads count: those decide in the end.
        let real = URL(fileURLWithPath: path).resolvingSymlinksInPath().path
        var folder = (real as NSString).deletingLastPathComponent
        while folder.count > 1 {
            var status = stat()
            if stat(folder, &status) == 0, UInt32(status.st_mode) & 0o001 == 0 { return false }
            folder = (folder as NSString).deletingLastPathComponent
        }
        return true
    }
}
