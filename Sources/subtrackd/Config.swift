import ArgumentParser
import Foundation
import SubTrackServer

/// `subtrackd config`
struct Config: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Looks at the configuration.", subcommands: [Check.self])
}

extension Config {
    /// `subtrackd config check`
    struct Check: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract:
                "Shows what each setting is and where that comes from, and whether the service could start with it.",
            discussion: """
                It takes the flags of serve, and reads the same environment and file. Secrets are shown as ***. Nothing is \
                connected to: that is what doctor does. Exit codes: 0 done, 64 usage, 78 the configuration cannot be used.
                """)

        @OptionGroup var serve: ServeOptions
        @Flag(help: "As JSON.") var json = false

        /// A line of what is shown.
        private struct Line: Encodable {
            let setting: String
            let value: String
            let from: SettingSources.Origin
        }

        /// A value as it may be shown: a password that stands in a URL, where it does not belong, is a secret as well.
        private static func shown(_ text: String, of setting: Setting) -> String {
            guard !setting.isSecret else { return "***" }
            guard let start = text.range(of: "://")?.upperBound, let at = text[start...].lastIndex(of: "@"),
                let colon = text[start..<at].firstIndex(of: ":")
            else { return text }
            return text[...colon] + "***" + text[at...]
        }

        func run() async throws {
            try await Exit.reporting {
                var problems = SettingsProblems()
                let sources = serve.database.sources(&problems)
                let flags = serve.flags
                let lines = try Setting.allCases.map { setting in
                    guard let (text, origin) = try sources.value(setting, flag: flags[setting]) else {
                        let standard = try setting.standard { try sources.text($0, flag: flags[$0]) != nil }
                        return Line(setting: setting.key, value: standard, from: .standard)
                    }
                    return Line(setting: setting.key, value: Self.shown(text, of: setting), from: origin)
                }
                if json {
                    let encoder = JSONEncoder()
                    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
                    print(String(decoding: try encoder.encode(lines), as: UTF8.self))
                } else {
                    let width = lines.map(\.setting.count).max() ?? 0
                    for line in lines {
                        let name = line.setting.padding(toLength: width + 2, withPad: " ", startingAt: 0)
                        print("\(name)\(line.value)  (\(line.from.rawValue))")
                    }
                }
                let settings = try serve.settings(sources, &problems).service
                try problems.collect { try settings.check() }
                for finding in settings.mail.findings + settings.localFindings { Exit.say("\(finding)") }
                try problems.check()
                Exit.say("The configuration can be used.")
            }
        }
    }
}
