/// Bounds of texts that clients send, whichever way they come: in JSON, a path, a query or a header.
enum ClientText {
    /// How many combining marks may follow each other, as in the Stream-Safe Text Format of Unicode (UAX #15 §13).
    ///
    /// Comparing, hashing and normalizing a text sorts the marks of each run. The time grows with the square of the
    /// run's length: 300 KiB of marks in the wrong order take 8 s. No word of any language has more than a few.
    static let maximumMarks = 30

    /// The fault of a text with too many marks.
    static let tooManyMarks = "has more than \(maximumMarks) combining marks in a row"

    /// Whether a text has a longer run of marks than ``maximumMarks``.
    static func hasTooManyMarks(_ text: some StringProtocol) -> Bool {
        // A mark has two bytes at least, the first of which is 0xCC or more: most texts are decided by their bytes.
        guard text.utf8.count > 2 * maximumMarks else { return false }
        let mayHaveMarks =
            text.utf8.withContiguousStorageIfAvailable { bytes in bytes.contains { $0 >= 0xCC } }
            ?? text.utf8.contains { $0 >= 0xCC }
        guard mayHaveMarks else { return false }
        var marks = 0
        for scalar in text.unicodeScalars {
            guard scalar.value >= 0x300, isMark(scalar) else {
                marks = 0
                continue
            }
            marks += 1
            if marks > maximumMarks { return true }
        }
        return false
    }

    /// Whether a normal form sorts the character among marks: by its own class, or by those of the marks it decomposes to.
    private static func isMark(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0xF73, 0xF75, 0xF81, 0xFF9E, 0xFF9F: true
        default: scalar.properties.canonicalCombiningClass != .notReordered
        }
    }
}

extension StringProtocol {
    /// The first so many Unicode scalars, to be shown to a person. Characters are no bound: one may have any length.
    func excerpt(_ count: Int) -> String { String(String.UnicodeScalarView(unicodeScalars.prefix(count))) }

    /// Whether the text is an ASCII word in any case. No normal form is made of it.
    func isASCIIWord(_ word: StaticString) -> Bool {
        utf8.elementsEqual(UnsafeBufferPointer(start: word.utf8Start, count: word.utf8CodeUnitCount)) { left, right in
            ((0x41...0x5A).contains(left) ? left | 0x20 : left) == right
        }
    }
}
