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
        func hasNext(_ second: Unicode.Scalar) -> Bool {
            index + 1 < bytes.count && bytes[index + 1] == UInt8(ascii: second)
        }
        func skipLine() { while index < bytes.count, bytes[index] != UInt8(ascii: "\n") { index += 1 } }
        func addOnceInARow(_ byte: UInt8) { if result.last != byte { result.append(byte) } }
        while index < bytes.count {
            let byte = bytes[index]
            switch byte {
            case UInt8(ascii: "#"): skipLine()
            case UInt8(ascii: "-")
            where hasNext("-") && (index + 2 >= bytes.count || bytes[index + 2] <= 0x20):
                skipLine()
            case UInt8(ascii: "/")
            where hasNext("*") && !(index + 2 < bytes.count && bytes[index + 2] == UInt8(ascii: "!")):
                index += 2
                while index < bytes.count, !(bytes[index] == UInt8(ascii: "*") && hasNext("/")) { index += 1 }
                index += 2
                addOnceInARow(UInt8(ascii: " "))
            case ...0x20:
                addOnceInARow(UInt8(ascii: " "))
                index += 1
            case UInt8(ascii: "'"):
                addOnceInARow(byte)
                index += 1
            default:
                // Most bytes stand for themselves: those up to the next that may not are taken at once.
                let start = index
                repeat { index += 1 } while index < bytes.count && Self.isPlain[Int(bytes[index])]
                result.append(contentsOf: bytes[start..<index])
            }
        }
        let ends: Set<UInt8> = [UInt8(ascii: " "), UInt8(ascii: ";")]
        while let last = result.last, ends.contains(last) { result.removeLast() }
        return String(decoding: result.drop { $0 == UInt8(ascii: " ") }, as: UTF8.self)
    }

    /// Which bytes mean nothing of their own here.
    private static let isPlain = (0...255).map { $0 > 0x20 && !"#-/'".utf8.contains($0) }

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
