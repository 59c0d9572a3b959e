/// Text of unknown origin for a terminal or a log.
enum ShownText {
    /// The first characters of a text, without control characters.
    static func of(_ text: String, limit: Int = 60) -> String {
        var result = ""
        for scalar in text.unicodeScalars.prefix(limit) {
            let isControl = scalar.value < 0x20 || (0x7F..<0xA0).contains(scalar.value)
            result.unicodeScalars.append(isControl ? "\u{FFFD}" : scalar)
        }
        return text.unicodeScalars.count > limit ? result + "…" : result
    }
}
