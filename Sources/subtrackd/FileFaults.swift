import ArgumentParser
import Foundation
import SubTrackServer

extension Exit {
    /// EX_DATAERR of sysexits(3): the input is wrong.
    static let data = ExitCode(65)

    /// The form of `--json` for a file that was refused.
    private struct Refusal: Encodable {
        let file: String
        let faults: [RevisionFileFault]
    }

    /// Prints a result as JSON.
    static func printJSON(_ value: some Encodable) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        print(String(decoding: try encoder.encode(value), as: UTF8.self))
    }

    /// Tells the faults of a file for which nothing was changed: as JSON on standard output, or a line for each on standard error.
    /// - Returns: the exit code.
    static func refusing(_ file: String, _ found: RevisionFileFaults, json: Bool) throws -> ExitCode {
        guard !json else {
            try printJSON(Refusal(file: file, faults: found.faults))
            return data
        }
        for fault in found.faults { say("subtrackd: \(fault)") }
        let count = found.faults.count
        say(
            "subtrackd: \(count) \(count == 1 ? "fault" : "faults")\(found.isCut ? ", and there may be more" : ""); "
                + "nothing was changed. Mend the file, and run this again")
        return data
    }

    /// Reads a file that is given to a command.
    /// - Throws: ``data`` after its fault was told.
    static func bytes(of path: String, json: Bool) throws -> Data {
        let url = URL(fileURLWithPath: path)
        do {
            return try Data(contentsOf: url, options: .mappedIfSafe)
        } catch {
            throw try refusing(url.lastPathComponent, RevisionFileFaults([unreadable(path, error)]), json: json)
        }
    }

    /// The fault of a file that cannot be read, with the reason in plain words.
    static func unreadable(_ path: String, _ error: any Error) -> RevisionFileFault {
        var isFolder: ObjCBool = false
        let isThere = FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
        let reason =
            if !isThere {
                "there is no such file"
            } else if isFolder.boolValue {
                "it is a folder"
            } else if FileManager.default.isReadableFile(atPath: path) {
                error.localizedDescription
            } else {
                "this user may not read it"
            }
        return RevisionFileFault(
            file: path, reason: "cannot be read: \(reason)", remedy: "give the path of a file that this user may read")
    }
}
