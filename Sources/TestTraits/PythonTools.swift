import Foundation

/// Programs of `Tests/Python`, by which public packages judge the output of the project.
public enum PythonTools {
    private static let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../..").standardized

    /// A program that ended in another way than well.
    public struct Failure: Error {
        /// The program.
        public let program: String
        /// Its exit code.
        public let code: Int32
    }

    /// The Python that has some packages, in the environment that `script/lib/python.sh` makes; nil where there is none.
    public static func python(with packages: String...) -> String? {
        let environment = root.appending(path: ".build-python/env")
        let path = environment.appending(path: "bin/python").path
        let library = environment.appending(path: "lib").path
        let versions = (try? FileManager.default.contentsOfDirectory(atPath: library)) ?? []
        let hasAll = versions.contains { version in
            packages.allSatisfy {
                FileManager.default.fileExists(atPath: "\(library)/\(version)/site-packages/\($0)")
            }
        }
        return hasAll && FileManager.default.isExecutableFile(atPath: path) ? path : nil
    }

    /// The path of a program.
    public static func path(_ program: String) -> String { root.appending(path: "Tests/Python/\(program)").path }

    /// Runs a program, and reads its output: a value in JSON on each line.
    /// - Throws: ``Failure``, `DecodingError`.
    public static func values<Value: Decodable>(
        of program: String, _ arguments: String..., input: some Sequence<UInt8>, by python: String
    ) throws -> [Value] {
        let process = Process()
        process.executableURL = URL(filePath: python)
        process.arguments = [path(program)] + arguments
        // By a file: a pipe that nobody empties would stop the program.
        let file = FileManager.default.temporaryDirectory.appending(path: "input-\(UUID().uuidString)")
        try Data(input).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        process.standardInput = try FileHandle(forReadingFrom: file)
        let pipe = Pipe()
        process.standardOutput = pipe
        try process.run()
        let output = try pipe.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else {
            throw Failure(program: program, code: process.terminationStatus)
        }
        return try output.split(separator: 0x0A).map { try JSONDecoder().decode(Value.self, from: Data($0)) }
    }
}
