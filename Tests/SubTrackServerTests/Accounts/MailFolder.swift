import Foundation
import SubTrackServer
import SubTrackTestSupport

/// A mail program that puts what it is given into a folder, as a local delivery agent does.
struct MailFolder: Sendable {
    /// A mail that was handed over.
    struct Mail: Sendable {
        /// The arguments of the program.
        let arguments: [String]
        /// The whole mail.
        let source: String

        /// A header's value, its lines joined.
        func header(_ name: String) -> String? {
            let head = source.components(separatedBy: "\r\n\r\n").first ?? ""
            return head.replacing("\r\n ", with: " ").components(separatedBy: "\r\n")
                .first { $0.lowercased().hasPrefix(name.lowercased() + ": ") }?.dropFirst(name.count + 2).description
        }

        /// The decoded part of a media type.
        func part(_ type: String) -> String {
            for part in source.components(separatedBy: "\r\n--") where part.contains("Content-Type: \(type)") {
                let body = part.components(separatedBy: "\r\n\r\n").dropFirst().joined().replacing("\r\n", with: "")
                return String(decoding: Data(base64Encoded: body) ?? Data(), as: UTF8.self)
            }
            return ""
        }

        /// The token in it.
        var token: String? { part("text/plain").firstMatch(of: #/sub_[A-Za-z0-9_-]{43}/#).map { String($0.0) } }
        /// Whom it is to.
        var to: String { arguments.last ?? "" }
    }

    let folder: URL

    /// Lends a folder and the program that fills it.
    static func with<Result: Sendable>(_ body: (MailFolder) async throws -> Result) async throws -> Result {
        let folder = try PrivateServer.temporaryFolder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let script = """
            #!/bin/sh
            folder=\(folder.path)
            for last in "$@"; do :; done
            echo "$last" >> "$folder/tried"
            while [ -e "$folder/hold" ] && case "$last" in *"$(cat "$folder/hold")") ;; *) false ;; esac; do sleep 0.05; done
            if [ -e "$folder/fail" ]; then
                echo "$*" >> "$folder/refused"
                echo "cannot reach the mail server: $(cat | grep -o 'no such text')" >&2
                exit 75
            fi
            name=$(mktemp "$folder/part.XXXXXX")
            { printf '%s\\n' "$*"; cat; } > "$name"
            mv "$name" "$name.eml"
            """
        let program = folder.appending(path: "program")
        try Data(script.utf8).write(to: program)
        try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: program.path)
        return try await body(MailFolder(folder: folder))
    }

    /// The settings of a service that uses it.
    func settings() throws -> MailSettings {
        var settings = MailSettings()
        settings.carrier = try MailProgram(folder.appending(path: "program").path)
        settings.sender = try MailSender("Subs <noreply@subs.example>")
        settings.publicURL = "https://subs.example/app/"
        settings.sweep = .milliseconds(50)
        return settings
    }

    /// Whether the program refuses mails.
    func refuse(_ refuses: Bool) throws {
        let flag = folder.appending(path: "fail")
        if refuses { try Data().write(to: flag) } else { try FileManager.default.removeItem(at: flag) }
    }

    /// Whether the program takes its time, for all recipients whose addresses end so: as long as it is held.
    func hold(_ holds: Bool, to ending: String = "") throws {
        let flag = folder.appending(path: "hold")
        if holds { try Data(ending.utf8).write(to: flag) } else { try FileManager.default.removeItem(at: flag) }
    }

    /// To whom it was tried to send, in order.
    var tried: [String] {
        (try? String(contentsOf: folder.appending(path: "tried"), encoding: .utf8))?.split(separator: "\n").map(
            String.init) ?? []
    }

    /// How often it has refused.
    var refusals: Int {
        (try? String(contentsOf: folder.appending(path: "refused"), encoding: .utf8))?.split(separator: "\n").count ?? 0
    }

    /// What was handed over so far.
    func mails() throws -> [Mail] {
        try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0.hasSuffix(".eml") }.sorted().map {
            name in
            let text = try String(contentsOf: folder.appending(path: name), encoding: .utf8)
            let parts = text.split(separator: "\n", maxSplits: 1, omittingEmptySubsequences: false)
            return Mail(arguments: parts[0].split(separator: " ").map(String.init), source: String(parts[1]))
        }
    }

    /// Waits for a mail to an address whose subject has a text in it, or any.
    func mail(to email: String, about text: String = "") async throws -> Mail {
        var found: Mail?
        try await eventually("a mail to \(email) about \"\(text)\"") {
            found = try mails().first {
                $0.to == email && (text.isEmpty || $0.header("subject")?.contains(text) == true)
            }
            return found != nil
        }
        guard let found else { throw NeverHappened(description: "no mail") }
        return found
    }

    /// Waits for a mail and takes it out of the folder.
    func take(to email: String, about text: String = "") async throws -> Mail {
        let mail = try await mail(to: email, about: text)
        for name in try FileManager.default.contentsOfDirectory(atPath: folder.path) where name.hasSuffix(".eml") {
            let file = folder.appending(path: name)
            if try String(contentsOf: file, encoding: .utf8).hasSuffix(mail.source) {
                try FileManager.default.removeItem(at: file)
            }
        }
        return mail
    }
}

extension TestService {
    /// Runs a service alone, with a mail program.
    static func runWithMail(_ body: (TestService, MailFolder) async throws -> Void) async throws {
        try await MailFolder.with { folder in
            let mail = try folder.settings()
            try await runAlone(configure: { $0.mail = mail }) { try await body($0, folder) }
        }
    }

    /// Every row of every table of the tenant, binary columns as they are and in hexadecimal digits.
    func everything() async throws -> String {
        let tables = try await database.run("SHOW FULL TABLES WHERE Table_type = 'BASE TABLE'")
            .split(separator: "\n").compactMap { $0.split(separator: "\t").first }
        var all = ""
        for table in tables {
            all += try await database.run("SELECT * FROM `\(table)`")
            all += try await database.run("SELECT * FROM `\(table)`", arguments: ["--binary-as-hex"])
        }
        return all
    }
}
