/// The files of `sql/`, compiled into the binary.
public enum SQLFiles {
    /// A file with its path below `sql/` and its text.
    public struct File: Sendable, Hashable {
        /// The path below `sql/`: `tenant/0001_reference.sql`.
        public let path: String
        /// The file's text.
        public let text: String

        /// A file of a path and a text.
        public init(path: String, text: String) {
            self.path = path
            self.text = text
        }

        /// The last part of the path without `.sql`: `0001_reference`.
        public var name: String {
            let last = path.split(separator: "/").last.map(String.init) ?? path
            return last.hasSuffix(".sql") ? String(last.dropLast(4)) : last
        }

        /// The table of a file of triggers: `User`, of `User.sql` and of an area's `User+subscriptions.sql`.
        public var table: String { String(name.prefix { $0 != "+" }) }
    }

    /// The files directly in a folder, by name.
    /// - Parameter folder: a path below `sql/`, without a slash at its end: `tenant/triggers`.
    public static func files(in folder: String) -> [File] {
        let prefix = folder + "/"
        return embeddedFiles.filter { $0.key.hasPrefix(prefix) && !$0.key.dropFirst(prefix.count).contains("/") }
            .map { File(path: $0.key, text: $0.value) }
            .sorted { $0.path < $1.path }
    }

    /// All files below a folder, by path.
    /// - Parameter folder: a path below `sql/`, without a slash at its end: `recipes`.
    public static func files(below folder: String) -> [File] {
        embeddedFiles.filter { $0.key.hasPrefix(folder + "/") }.map { File(path: $0.key, text: $0.value) }
            .sorted { $0.path < $1.path }
    }

    /// The files of triggers of all folders, by path.
    public static let triggers =
        embeddedFiles.filter { $0.key.contains("/triggers/") }.map { File(path: $0.key, text: $0.value) }
        .sorted { $0.path < $1.path }

    /// One file, or nil when there is none at that path.
    /// - Parameter path: the path below `sql/`: `catalog/demo.sql`.
    public static func file(_ path: String) -> File? {
        embeddedFiles[path].map { File(path: path, text: $0) }
    }
}
