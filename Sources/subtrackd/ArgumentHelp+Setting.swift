import ArgumentParser
import SubTrackServer

extension ArgumentHelp {
    /// The help of a setting's flag: the meaning, the environment variable and the default, as ``Setting`` declares them.
    static func of(_ setting: Setting) -> ArgumentHelp {
        let meaning = setting.meaning
        // A meaning that begins with code begins with a value, whose case counts.
        let first = meaning.hasPrefix("`") ? meaning.prefix(1) : Substring(meaning.prefix(1).uppercased())
        let text = (first + meaning.dropFirst()).replacing("`", with: "")
        return ArgumentHelp("\(text). [\(setting.variable)] (default: \(setting.standard))")
    }
}
