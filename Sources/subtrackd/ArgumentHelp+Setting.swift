import ArgumentParser
import SubTrackServer

extension ArgumentHelp {
    /// The help of a setting's flag: the meaning, the environment variable and the default, as ``Setting`` declares them.
    static func of(_ setting: Setting) -> ArgumentHelp { ArgumentHelp("\(texts[setting, default: ""])") }

    /// The parser asks for the help of each flag many times before it has read a command line.
    private static let texts = Dictionary(
        uniqueKeysWithValues: Setting.allCases.map { setting in
            let meaning = setting.meaning
            // A meaning that begins with code begins with a value, whose case counts.
            let first = meaning.hasPrefix("`") ? meaning.prefix(1) : Substring(meaning.prefix(1).uppercased())
            let text = String((first + meaning.dropFirst()).filter { $0 != "`" })
            return (setting, "\(text). [\(setting.variable)] (default: \(setting.standard))")
        })
}
