import ArgumentParser
import Foundation
import SubTrackAPI

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// `write(2)`, by a name that ``Output`` does not have.
private func systemWrite(_ file: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int { write(file, bytes, count) }

/// Where results and remarks go.
enum Output {
    /// Writes a result to the standard output.
    /// - Throws: ``Failure`` when it cannot be written: who keeps an export must not take half of it for the whole. Where nobody
    ///   reads any more (`| head`), the command ends without a word.
    static func write(_ text: String) throws {
        guard let error = put(text, to: STDOUT_FILENO) else { return }
        if error == EPIPE { throw Exit.brokenPipe }
        throw Failure("the output cannot be written: \(String(cString: strerror(error)))", code: Exit.input)
    }

    /// Writes a line of the result.
    static func line(_ text: String) throws { try write(text + "\n") }

    /// Writes lines of the result.
    static func lines(_ lines: [String]) throws { try line(lines.joined(separator: "\n")) }

    /// Writes a value as JSON, for programs.
    static func json(_ value: some Encodable) throws { try line(text(value)) }

    /// Says something beside the result, on the standard error. Where nobody hears it the work goes on.
    static func say(_ text: String) { mutter(Terminal.ofRemarks.fitted(text) + "\n") }

    /// Says something without ending the line.
    static func mutter(_ text: String) { _ = put(text, to: STDERR_FILENO) }

    /// Writes all of a text.
    /// - Returns: the error (errno) for which the rest was not written; nil: none.
    private static func put(_ text: String, to file: Int32) -> Int32? {
        var bytes = Array(text.utf8)[...]
        while !bytes.isEmpty {
            let count = bytes.withUnsafeBytes { systemWrite(file, $0.baseAddress, $0.count) }
            if count >= 0 {
                bytes = bytes.dropFirst(count)
            } else if errno != EINTR {
                return errno
            }
        }
        return nil
    }

    /// A value as JSON, for programs.
    static func text(_ value: some Encodable, isPretty: Bool = true) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        let plain = try JSONDecoder().decode(AnyJSON.self, from: encoder.encode(value)).withLowerIDs
        if isPretty { encoder.outputFormatting.insert(.prettyPrinted) }
        return String(decoding: try encoder.encode(plain), as: UTF8.self)
    }
}

extension AnyJSON {
    /// The value with ids as the service writes them, in lower case.
    fileprivate var withLowerIDs: AnyJSON {
        switch self {
        case .string(let text) where UUID(uuidString: text) != nil: .string(text.lowercased())
        case .array(let elements): .array(elements.map(\.withLowerIDs))
        case .object(let members): .object(members.mapValues(\.withLowerIDs))
        default: self
        }
    }
}
