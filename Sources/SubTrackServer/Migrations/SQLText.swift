/// The text of a definition, compared without the changes of servers and clients on its way.
enum SQLText {
    /// A text without comments, with one space for each run of white space and one `'` for each run of them.
    ///
    /// The `mariadb` client drops comments of a dump that it loads. MySQL shows `''` in a literal of a trigger as `'`.
    /// Then nobody can tell where literals end: so quotes protect nothing here. Servers keep all else as it was sent.
    static func normalized(_ text: String) -> String {
        let bytes = Array(text.utf8)
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count)
        var index = 0
        func starts(_ word: StaticString) -> Bool {
            word.withUTF8Buffer { word in
                index + word.count <= bytes.count && zip(word, bytes[index...]).allSatisfy { $0 == $1 }
            }
        }
        func add(_ byte: UInt8, onceInARow: Bool) {
            if !onceInARow || result.last != byte { result.append(byte) }
        }
        while index < bytes.count {
            let byte = bytes[index]
            if byte == UInt8(ascii: "#")
                || (starts("--") && (index + 2 >= bytes.count || bytes[index + 2] <= 0x20))
            {
                while index < bytes.count, bytes[index] != UInt8(ascii: "\n") { index += 1 }
            } else if starts("/*"), !starts("/*!") {
                index += 2
                while index < bytes.count, !starts("*/") { index += 1 }
                index += 2
                add(UInt8(ascii: " "), onceInARow: true)
            } else {
                let isSpace = byte <= 0x20
                add(isSpace ? UInt8(ascii: " ") : byte, onceInARow: isSpace || byte == UInt8(ascii: "'"))
                index += 1
            }
        }
        let ends: Set<UInt8> = [UInt8(ascii: " "), UInt8(ascii: ";")]
        while let last = result.last, ends.contains(last) { result.removeLast() }
        return String(decoding: result.drop { $0 == UInt8(ascii: " ") }, as: UTF8.self)
    }

    /// The `sql_mode` that a file sets for its session.
    static func mode(of statements: [String]) -> Set<String> {
        let setting = "SET SESSION sql_mode = '"
        guard let text = statements.last(where: { $0.hasPrefix(setting) }) else { return [] }
        return modes(String(text.dropFirst(setting.count).prefix { $0 != "'" }))
    }

    /// The parts of a `sql_mode`.
    static func modes(_ text: String) -> Set<String> {
        Set(text.uppercased().split(separator: ",").map { String($0).trimmingSpaces() })
    }
}
