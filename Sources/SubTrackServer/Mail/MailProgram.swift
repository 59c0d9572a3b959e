import Foundation
import Synchronization

/// A program that takes mails as sendmail(8) does: the mail on its standard input, sender and recipient as arguments.
public struct MailProgram: MailCarrier {
    /// The program's path and the arguments that go before those of sendmail.
    let command: [String]
    /// How long it may take, before it is ended.
    public var limit = Duration.seconds(60)

    /// Reads a command such as `/usr/sbin/sendmail` or `/usr/bin/msmtp --file=/etc/msmtprc`.
    /// - Throws: ``SettingsError`` when there is no such program.
    public init(_ command: String) throws {
        self.command = command.split(separator: " ").map(String.init)
        guard let program = self.command.first, program.contains("/") else {
            throw SettingsError(
                "the mail program must be a command that begins with the path of a program, is \"\(command)\"")
        }
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: program, isDirectory: &isFolder) else {
            throw SettingsError("there is no mail program \(program)")
        }
        guard !isFolder.boolValue, FileManager.default.isExecutableFile(atPath: program) else {
            throw SettingsError("the mail program \(program) is no program that this user may run")
        }
    }

    public var name: String { "the mail program \(command.first ?? "")" }

    /// Does nothing: a program has no way to ask.
    public func check(from sender: MailSender?) {}
    public func close() {}

    /// Hands a mail over.
    /// - Throws: ``MailFault`` with the program's complaint.
    public func send(_ message: MailMessage) async throws {
        // Files, not pipes: neither a long mail nor long complaints wait for the other side.
        let complaints = try Self.namelessFile()
        let input = try Self.namelessFile()
        try input.write(contentsOf: Data(message.bytes))
        try input.seek(toOffset: 0)
        let process = Process()
        process.executableURL = URL(fileURLWithPath: command[0])
        process.arguments =
            Array(command.dropFirst()) + ["-i", "-f", message.from.address.text, "--", message.to.text]
        process.standardInput = input
        process.standardOutput = complaints
        process.standardError = complaints
        let status = try await Self.run(process, limit: limit)
        guard status != 0 else { return }
        try? complaints.seek(toOffset: 0)
        let said = String(decoding: (try? complaints.read(upToCount: 400)) ?? Data(), as: UTF8.self)
        let reason = Self.withoutTokens(said.split(whereSeparator: \.isNewline).joined(separator: " "))
        throw MailFault(description: "it ended with \(status): \(reason)")
    }

    /// A file in the folder for temporary files that nobody else can open.
    private static func namelessFile() throws -> FileHandle {
        let path = FileManager.default.temporaryDirectory.appending(path: "subtrackit-mail-\(UUID().uuidString)").path
        let descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw MailFault(description: "no temporary file can be made in its folder") }
        unlink(path)
        return FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    }

    /// Runs it to its end.
    /// - Returns: its exit status; that of a signal is negative.
    private static func run(_ process: Process, limit: Duration) async throws -> Int32 {
        try await withCheckedThrowingContinuation { continuation in
            process.terminationHandler = { ended in
                let isSignal = ended.terminationReason == .uncaughtSignal
                continuation.resume(returning: isSignal ? -ended.terminationStatus : ended.terminationStatus)
            }
            do {
                try process.run()
            } catch {
                process.terminationHandler = nil
                continuation.resume(
                    throwing: MailFault(description: "it cannot be started: \(error.localizedDescription)"))
                return
            }
            let processID = process.processIdentifier
            let seconds = Double(limit.components.seconds)
            DispatchQueue.global(qos: .utility).asyncAfter(deadline: .now() + seconds) {
                if process.isRunning { kill(processID, SIGKILL) }
            }
        }
    }

    /// A mail program may repeat its input.
    static func withoutTokens(_ text: String) -> String {
        text.replacing(#/sub_[A-Za-z0-9_-]+/#, with: "sub_…")
    }
}
