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
    public func check() {}
    public func close() {}

    /// Hands a mail over.
    /// - Throws: ``MailFault`` with the program's complaint.
    public func send(_ message: MailMessage) async throws {
        // A file without a name: complaints of the program, of any length, block nobody.
        let path = FileManager.default.temporaryDirectory.appending(path: "subtrackit-mail-\(UUID().uuidString)").path
        let descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw MailFault(description: "no temporary file can be made in its folder") }
        unlink(path)
        let complaints = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        let process = Process()
        process.executableURL = URL(fileURLWithPath: command[0])
        process.arguments =
            Array(command.dropFirst()) + ["-i", "-f", message.from.address.text, "--", message.to.text]
        let input = Pipe()
        process.standardInput = input
        process.standardOutput = complaints
        process.standardError = complaints
        let status = try await Self.run(process, input: input, bytes: message.bytes, limit: limit)
        guard status != 0 else { return }
        try? complaints.seek(toOffset: 0)
        let said = String(decoding: (try? complaints.read(upToCount: 400)) ?? Data(), as: UTF8.self)
        let reason = Self.withoutTokens(said.split(whereSeparator: \.isNewline).joined(separator: " "))
        throw MailFault(description: "it ended with \(status): \(reason)")
    }

    /// Runs it to its end.
    /// - Returns: its exit status; that of a signal is negative.
    private static func run(_ process: Process, input: Pipe, bytes: [UInt8], limit: Duration) async throws -> Int32 {
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
            // A mail has a few KiB and fits into the pipe's buffer: this does not wait for the program. One that reads
            // nothing and ends is an error of its own.
            try? input.fileHandleForWriting.write(contentsOf: Data(bytes))
            try? input.fileHandleForWriting.close()
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
