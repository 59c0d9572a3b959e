import Foundation
import SubTrackTestSupport
import TestTraits
import Testing

/// A mistyped command is told by its own name, with a way that works.
@Suite("subtrackd and words that it does not know", .ownTime)
struct CommandPathTests {
    private func failure(_ arguments: [String]) async throws -> CommandFailure {
        do {
            let said = try await Command.run(try ServiceProcess.executable(), arguments)
            throw NeverHappened(description: "\(arguments) passed: \(said)")
        } catch let failure as CommandFailure { return failure }
    }

    @Test("An unknown command is named, with the command that was meant, exit code 64 and a line to try that works")
    func unknown() async throws {
        for (arguments, words, help) in [
            (["frob"], "there is no command 'frob'\n", "help"),
            (["migrat", "--state-dir", "x"], "there is no command 'migrat'; did you mean 'migrate'?", "help"),
            (["tenant", "creat", "acme"], "'tenant creat'; did you mean 'tenant create'?", "help tenant"),
            (["tenant", "help"], "there is no command 'tenant help'\n", "help tenant"),
            (["help", "nosuch"], "there is no command 'nosuch'\n", "help"),
            (["help", "tenant", "nosuch"], "there is no command 'tenant nosuch'\n", "help tenant"),
            (["help", "migrate", "now"], "there is no command 'migrate now'\n", "help migrate"),
        ] {
            let failure = try await failure(arguments)
            #expect(failure.end.contains("64"), "\(failure)")
            #expect(failure.output.contains(words), "\(failure)")
            #expect(failure.output.hasSuffix("\nTry: subtrackd \(help)\n"), "\(failure)")
            #expect(!failure.output.contains("Usage:"), "\(failure)")
            let shown = try await Command.run(
                try ServiceProcess.executable(), help.split(separator: " ").map { String($0) })
            #expect(shown.contains("USAGE: subtrackd"), "\(shown)")
        }
    }

    @Test("An unknown option of config check is answered with the usage of config check")
    func option() async throws {
        let failure = try await failure(["config", "check", "--fo"])
        #expect(failure.end.contains("64"), "\(failure)")
        #expect(
            failure.output.contains("'--fo'") && failure.output.contains("Usage: subtrackd config check"), "\(failure)")
        #expect(!failure.output.contains("subtrackd serve") && !failure.output.contains("check serve"), "\(failure)")
    }

    @Test("A mail program that is missing is named with its option, and the doctor goes on")
    func mailProgram() async throws {
        try await TestService.run { service in
            let control = service.control
            let url = "mysql://\(control.user)@localhost/\(control.name)?socket=\(control.socketPath)"
            let failure = try await failure(
                ["doctor", "--no-proof", "--sendmail", "/nonexistent/sendmail -t", "--database-url", url])
            #expect(failure.end.contains("78"), "\(failure)")
            #expect(failure.output.contains("there is no mail program /nonexistent/sendmail"), "\(failure)")
            #expect(failure.output.contains("--sendmail or SUBTRACKIT_SENDMAIL"), "\(failure)")
            #expect(failure.output.contains("tenant default: "), "\(failure)")
            #expect(failure.output.contains("version on \(control.socketPath): "), "\(failure)")
        }
    }
}
