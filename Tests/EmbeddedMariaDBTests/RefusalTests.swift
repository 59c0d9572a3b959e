import EmbeddedMariaDB
import Foundation
import SubTrackTestSupport
import TestTraits
import Testing

/// A refusal names its cause and the remedy.
@Suite(.ownTime) struct RefusalTests {
    private func refusal(_ settings: EmbeddedServer.Configuration) async -> EmbeddedServerError? {
        do {
            try await EmbeddedServer.start(settings, logger: quiet).stop()
            return nil
        } catch {
            return error as? EmbeddedServerError
        }
    }

    @Test func aSecondServerOnADirectorySaysWhoHasIt() async throws {
        try await withFolder { folder in
            try await withServer(configuration(folder)) { server in
                let refusal = await refusal(configuration(folder))
                #expect(refusal == .directoryInUse(path: folder.path, process: getpid()))
                #expect(refusal?.description.contains("process \(getpid())") == true)
                let found = try await server.sql("SELECT 1")
                #expect(found == "1\n", "the first one is not disturbed")
            }
            try await withServer(configuration(folder)) { _ in }
        }
    }

    @Test func aDirectoryByAnotherPathIsTheSame() async throws {
        try await withFolder { folder in
            let (real, link) = (folder.path + "/real", folder.path + "/link")
            try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: real)
            try FileManager.default.createDirectory(atPath: real, withIntermediateDirectories: false)
            try await withServer(configuration(URL(filePath: link))) { _ in
                #expect(
                    await refusal(configuration(URL(filePath: real)))
                        == .directoryInUse(path: real, process: getpid()))
            }
        }
    }

    @Test func aMissingProgramIsNamedWithItsPackage() async throws {
        try await withFolder { folder in
            var settings = configuration(folder.appending(path: "state"))
            settings.searchPath = [folder.path]
            let refusal = await refusal(settings)
            #expect(refusal == .programMissing(name: "mariadbd", searched: [folder.path]))
            #expect(refusal?.description.contains("mariadb-server-core") == true)
            #expect(!FileManager.default.fileExists(atPath: folder.path + "/state"), "nothing is begun")
        }
    }

    @Test func aDirectoryThatIsAFileIsRefused() async throws {
        try await withFolder { folder in
            let file = folder.appending(path: "file")
            try Data().write(to: file)
            for path in [file, file.appending(path: "below")] {
                guard case .directoryUnusable = await refusal(configuration(path)) else {
                    Issue.record("\(path) was taken")
                    return
                }
            }
        }
    }

    /// As another user than root, to whom nothing is forbidden.
    @Test func aDirectoryWithoutRightsIsRefused() async throws {
        try await withFolder { folder in
            chmod(folder.path, 0o755)
            let path = folder.path + "/state"
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
            chmod(path, 0o555)
            await #expect(processExitsWith: .success) { [path = path as String] in
                if geteuid() == 0 { try #require(setgid(65534) == 0 && setuid(65534) == 0) }
                for path in [path, path + "/below", path + "/below/deep"] {
                    let error = await #expect(throws: EmbeddedServerError.self) {
                        try await EmbeddedServer.start(configuration(URL(filePath: path)), logger: quiet)
                    }
                    let text = try #require(error).description
                    #expect(text.contains("no right to write") || text.contains("deep"), "\(text)")
                    #expect(text.contains("cannot be made") == text.contains("deep"), "\(text)")
                    #expect(text.contains("--state-dir"))
                }
            }
        }
    }

    @Test func aServerThatEndsAtOnceIsQuoted() async throws {
        try await withFolder { folder in
            var settings = configuration(folder)
            settings.extraArguments = ["--no-such-option"]
            let refusal = await refusal(settings)
            #expect(refusal?.description.contains("no-such-option") == true)
            #expect(refusal?.description.contains(folder.path + "/mariadbd.log") == true)
            // The refused folder is free again.
            try await withServer(configuration(folder)) { _ in }
        }
    }

    @Test func damagedDataIsRefusedAndLeftAlone() async throws {
        try await withFolder { folder in
            try await withServer(configuration(folder)) { _ in }
            let file = folder.path + "/data/ibdata1"
            #expect(truncate(file, 100) == 0)
            guard case .didNotStart(_, _, let lines) = await refusal(configuration(folder)) else {
                Issue.record("it started")
                return
            }
            #expect(lines.contains { $0.contains("[ERROR]") })
            #expect(FileManager.default.fileExists(atPath: file))
        }
    }

    @Test func aServerThatNeverAnswersIsGivenUp() async throws {
        try await withFolder { folder in
            try await withServer(configuration(folder)) { _ in }
            let fake = folder.path + "/mariadbd"
            try "#!/bin/sh\necho 'I am no server'\nexec sleep 1000\n".write(
                toFile: fake, atomically: true, encoding: .utf8)
            chmod(fake, 0o755)
            var settings = configuration(folder)
            settings.searchPath = [folder.path, "/usr/bin"]
            // Long enough for it to say its words on a busy machine.
            settings.startsWithin = .seconds(3)
            let refusal = await refusal(settings)
            #expect(refusal?.description.contains("no answer within") == true)
            #expect(refusal?.description.contains("I am no server") == true)
        }
    }

    @Test func anInstallerThatFailsOrHangsIsQuotedAndCleanedUp() async throws {
        for (script, words) in [
            ("echo 'no luck today'; mkdir -p \"${2#--datadir=}\"; exit 3", ["no luck today", "exit code 3"]),
            ("echo 'still thinking'; sleep 1000", ["still thinking", "did not end within"]),
            ("echo 'InnoDB: preallocating 12 bytes for file ./ibdata1 failed with error 28'; exit 1", ["disk is full"]),
        ] {
            try await withFolder { folder in
                let programs = folder.path + "/programs"
                try FileManager.default.createDirectory(atPath: programs, withIntermediateDirectories: false)
                let fake = programs + "/mariadb-install-db"
                try "#!/bin/sh\n\(script)\n".write(toFile: fake, atomically: true, encoding: .utf8)
                chmod(fake, 0o755)
                var settings = configuration(folder.appending(path: "state"))
                settings.searchPath = [programs, "/usr/sbin"]
                // The one that hangs says its words within this time on a busy machine, too; the others end by themselves.
                settings.startsWithin = script.contains("sleep") ? .seconds(3) : .seconds(60)
                let text = await refusal(settings)?.description ?? "none"
                for word in words { #expect(text.contains(word)) }
                let left = try FileManager.default.contentsOfDirectory(atPath: folder.path + "/state")
                #expect(!left.contains { $0.hasPrefix("data") }, "\(left)")
            }
        }
    }
}
