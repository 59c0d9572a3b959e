import SubTrackCore

/// The tags of a file of XML that are open, by which a file that was cut off is told from a whole one.
struct OpenTags {
    /// A tag that is not closed yet.
    private struct Tag {
        let name: String
        let line: Int
    }

    /// A fault of the tags, where there is one; the first one alone, for the others follow from it.
    struct Fault {
        let line: Int
        let reason: String
    }

    private var open: [Tag] = []
    private var isComment = false
    private var hasRates = false
    private var fault: Fault?

    /// Looks at the bytes behind a `<`, up to the next one.
    /// - Returns: the text of a tag that opens something, without its brackets; nil for all else.
    mutating func read(_ part: some Collection<UInt8>, line: Int) -> String? {
        let text = String(decoding: part, as: UTF8.self)
        if isComment || text.hasPrefix("!--") {
            isComment = !text.contains("-->")
            return nil
        }
        if text.hasPrefix("Cube") { hasRates = true }
        guard let end = text.firstIndex(of: ">") else {
            note(line, "a tag is cut off")
            return nil
        }
        let tag = text[..<end]
        guard let first = tag.first, first != "?", first != "!" else { return nil }
        let name = String(tag.drop { $0 == "/" }.prefix { !$0.isWhitespace && $0 != "/" })
        if first == "/" {
            if open.last?.name == name {
                open.removeLast()
            } else {
                note(line, "</\(ShownText.of(name))> closes a tag that is not open")
            }
            return nil
        }
        if tag.last != "/" { open.append(Tag(name: name, line: line)) }
        return String(tag)
    }

    private mutating func note(_ line: Int, _ reason: String) {
        if fault == nil { fault = Fault(line: line, reason: reason) }
    }

    /// The fault of a file that ends here; nil where it is whole, and where it has no `Cube` at all.
    /// - Parameter line: the file's last line.
    func faultAtEnd(line: Int) -> Fault? {
        guard hasRates else { return nil }
        if let fault { return Fault(line: fault.line, reason: "it ends in the middle, or is damaged: \(fault.reason)") }
        if isComment { return Fault(line: line, reason: "it ends in the middle: a comment is never closed") }
        return open.last.map { tag in
            let name = ShownText.of(tag.name)
            return Fault(line: line, reason: "it ends in the middle: <\(name)> of line \(tag.line) is never closed")
        }
    }
}
