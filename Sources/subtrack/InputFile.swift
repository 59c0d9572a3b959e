import Foundation

/// A file that a command reads, or the standard input.
struct InputFile {
    private let name: String
    private let maximum: Int

    /// - Parameters:
    ///   - name: its path; `-` is the standard input.
    ///   - maximum: its size in bytes. Of a larger one as much is read as shows that.
    init(_ name: String, maximum: Int) {
        self.name = name
        self.maximum = maximum
    }

    /// The content.
    /// - Throws: ``Failure``.
    func read() throws -> Data {
        guard let handle = name == "-" ? FileHandle.standardInput : FileHandle(forReadingAtPath: name) else {
            throw Failure(
                "\(Terminal.clean(name)) cannot be read", hint: "look whether it is there, and yours to read",
                code: Exit.nothingTaken)
        }
        var data = Data()
        do {
            while data.count <= maximum, let more = try handle.read(upToCount: 1 << 20), !more.isEmpty {
                data.append(more)
            }
        } catch {
            throw Failure(
                "\(Terminal.clean(name)) cannot be read", hint: "give a file, or - for the standard input",
                code: Exit.nothingTaken)
        }
        return data
    }
}
