import SubTrackSQL
import Synchronization

/// Values that follow from the texts of SQL files, one for each path. They are asked for again for each tenant, and made once.
final class FileMemory<Value: Sendable>: Sendable {
    private let make: @Sendable (SQLFiles.File) -> Value
    private let known = Mutex<[String: (text: String, value: Value)]>([:])

    /// A memory of values.
    /// - Parameter make: makes the value of a file. It is pure.
    init(_ make: @escaping @Sendable (SQLFiles.File) -> Value) { self.make = make }

    /// The value of a file.
    subscript(file: SQLFiles.File) -> Value {
        if let (text, value) = known.withLock({ $0[file.path] }), text == file.text { return value }
        let value = make(file)
        known.withLock { $0[file.path] = (file.text, value) }
        return value
    }
}
