import Foundation

/// A MariaDB of another version than this machine's, in a folder that `script/server-tree` made.
///
/// Tests run its programs as their second server, the one that an operator upgrades to. With its `launch` folder in front
/// of `PATH` it is the server of all tests.
public enum MariaDBTree {
    /// The folder with the scripts that run its programs; nil: tests that want a second version are skipped.
    public static let launchers: String? = {
        let tree = ProcessInfo.processInfo.environment["SUBTRACKIT_MARIADB_TREE"] ?? ""
        return tree.isEmpty ? nil : tree + "/launch"
    }()

    /// Why tests are skipped, in words.
    public static let skipped =
        "a second MariaDB: SUBTRACKIT_MARIADB_TREE names no folder with one; script/server-tree mariadb-11.8 makes one"

    /// Where this machine's own programs are, whatever tree `PATH` begins with.
    public static let installed = ["/usr/sbin", "/usr/bin", "/usr/local/sbin", "/usr/local/bin", "/usr/libexec"]
}
