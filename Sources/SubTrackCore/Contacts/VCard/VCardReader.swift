import SubTrackAPI

/// The cards of a text, read as they are asked for: vCard 4.0 (RFC 6350), 3.0 (RFC 2426) and 2.1.
///
/// A card with a fault is refused by itself. The cards after it are read.
public struct VCardReader: Sequence, IteratorProtocol {
    /// The size of a text for ``read(_:country:fillNames:)``, in bytes.
    public static let maximumTextBytes = 1 << 20
    /// The size of a card, in bytes.
    public static let maximumCardBytes = 256 << 10

    private let bytes: [UInt8]
    private let country: String
    private let fillNames: Bool
    private var pieces: CardSplitter
    private var index = 0

    /// The cards in some bytes of UTF-8, of any number.
    /// - Parameters:
    ///   - country: ISO 3166-1 alpha-2, for numbers without dialling code. Empty: none is known.
    ///   - fillNames: whether `?` stands for a missing first or last name. Otherwise the card is refused.
    public init(_ bytes: [UInt8], country: String, fillNames: Bool = false) {
        self.bytes = bytes
        self.country = country.uppercased()
        self.fillNames = fillNames
        pieces = CardSplitter(bytes)
    }

    /// The next card; nil at the end.
    public mutating func next() -> ReadCard? {
        guard let piece = pieces.next() else { return nil }
        defer { index += 1 }
        do throws(CardRefusal) {
            let card = try read(piece)
            let names = CardBuilder.fullName(card.contact.firstName, card.contact.middleName, card.contact.lastName)
            return ReadCard(index: index, line: piece.line, name: Self.short(names), result: .success(card))
        } catch {
            return ReadCard(index: index, line: piece.line, name: glance(at: piece), result: .failure(error))
        }
    }

    private func read(_ piece: CardSplitter.Piece) throws(CardRefusal) -> CardContact {
        switch piece.kind {
        case .stray:
            throw CardRefusal("line \(piece.line) is outside of a card, which begins with BEGIN:VCARD")
        case .unfinished:
            throw CardRefusal("the card that begins on line \(piece.line) has no end: END:VCARD is missing")
        case .card: break
        }
        guard piece.range.count <= Self.maximumCardBytes else {
            throw CardRefusal("the card has \(piece.range.count) bytes; may have \(Self.maximumCardBytes)")
        }
        var lines = CardLines(bytes, piece)
        var builder = CardBuilder(country: country, fillNames: fillNames)
        while let line = try lines.next() { try builder.take(line) }
        return try builder.finish()
    }

    /// The name of a card that is refused, as it stands in its first lines.
    private func glance(at piece: CardSplitter.Piece) -> String {
        guard piece.kind != .stray else { return "" }
        var lines = PhysicalLines(
            start: piece.range.lowerBound, end: Swift.min(piece.range.upperBound, piece.range.lowerBound + 8192))
        var name = ""
        while let line = lines.next(bytes) {
            guard let property = try? ContentLine(Array(bytes[line.range]), number: 0) else { continue }
            let value = VCardText.unescaped(property.rawValue)
            if property.name == "FN" { return Self.short(value) }
            if property.name == "N" { name = Self.short(value.split(separator: ";").joined(separator: " ")) }
        }
        return name
    }

    private static func short(_ name: String) -> String {
        var scalars = String.UnicodeScalarView()
        for scalar in name.unicodeScalars.prefix(100) { scalars.append(scalar.value < 0x20 ? " " : scalar) }
        return String(scalars)
    }

    /// All cards of a text. A text of more than 1 MiB is one refusal.
    /// - Parameters:
    ///   - country: ISO 3166-1 alpha-2, for numbers without dialling code. Empty: none is known.
    ///   - fillNames: whether `?` stands for a missing first or last name. Otherwise the card is refused.
    public static func read(_ text: String, country: String, fillNames: Bool = false) -> [ReadCard] {
        guard text.utf8.count <= maximumTextBytes else {
            let reason = "the text has \(text.utf8.count) bytes; may have \(maximumTextBytes)"
            return [ReadCard(index: 0, line: 1, name: "", result: .failure(CardRefusal(reason)))]
        }
        return Array(VCardReader(Array(text.utf8), country: country, fillNames: fillNames))
    }

    /// Cuts a file of any size into texts of whole cards for several imports, each of at most 1 MiB.
    /// A larger card is a text of its own.
    public static func batches(_ bytes: [UInt8], maximumBytes: Int = maximumTextBytes) -> [ArraySlice<UInt8>] {
        var batches: [ArraySlice<UInt8>] = []
        var start = 0
        var end = 0
        for piece in CardSplitter(bytes) {
            if end > start, piece.range.upperBound - start > maximumBytes {
                batches.append(bytes[start..<end])
                start = piece.range.lowerBound
            }
            end = piece.range.upperBound
        }
        if end > start { batches.append(bytes[start..<end]) }
        return batches
    }
}
