import Foundation

/// Whether the web app is served.
public enum WebSetting: Sendable, Hashable {
    /// The files that the binary carries.
    case on
    /// None: browsers that have the app are told to forget it.
    case off
    /// The files of a folder, read anew when one changes, for work on pages.
    case folder(URL)
}
