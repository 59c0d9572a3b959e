import Foundation

/// The folder of a person's data, by options and environment.
struct DataFolder {
    /// The value of `--home`.
    var option: String?
    /// A variable of the environment; nil where it is not there or empty.
    var variable: (String) -> String?
    /// The home of the account by the system's database of accounts.
    var accountHome: URL = FileManager.default.homeDirectoryForCurrentUser

    private static let name = "subtrack"
    private static let dataHome = ".local/share"

    /// The folder: `--home`, `SUBTRACK_HOME`, a folder in `XDG_DATA_HOME` or below `HOME`, else below the account's home.
    var url: URL {
        if let path = option ?? variable("SUBTRACK_HOME") { return URL(fileURLWithPath: path) }
        if let data = absolute("XDG_DATA_HOME") { return data.appendingPathComponent(Self.name) }
        return Self.folder(below: absolute("HOME") ?? accountHome)
    }

    /// A folder with data that an earlier version made: it went by the account's home, whatever `HOME` said.
    ///
    /// It is used no more where `HOME` names another place, for several people may share an account. The data may be this
    /// person's all the same.
    var former: URL? {
        guard option == nil, variable("SUBTRACK_HOME") == nil, absolute("XDG_DATA_HOME") == nil else { return nil }
        let former = Self.folder(below: accountHome)
        guard former.standardizedFileURL.path != url.standardizedFileURL.path else { return nil }
        return Self.hasData(former) ? former : nil
    }

    /// Whether there are data in a folder.
    static func hasData(_ folder: URL) -> Bool {
        FileManager.default.fileExists(atPath: folder.appendingPathComponent("subtrack.sqlite").path)
    }

    /// A folder that a variable names. Relative ones are left aside (XDG Base Directory Specification).
    private func absolute(_ name: String) -> URL? {
        variable(name).flatMap { $0.hasPrefix("/") ? URL(fileURLWithPath: $0) : nil }
    }

    private static func folder(below home: URL) -> URL {
        home.appendingPathComponent(dataHome).appendingPathComponent(name)
    }
}
