extension Setting {
    /// The name that was probably meant: at most a third of its letters are wrong.
    /// - Parameters:
    ///   - text: a name that is none.
    ///   - names: those that there are.
    public static func nearest(to text: String, of names: [String]) -> String? {
        let nearest = names.map { ($0, distance($0.lowercased(), text.lowercased())) }.min { $0.1 < $1.1 }
        return nearest.flatMap { $0.1 * 3 <= $0.0.utf8.count ? $0.0 : nil }
    }

    /// How many letters have to be put in, taken out or replaced to make one text of another (Levenshtein's distance).
    private static func distance(_ first: String, _ second: String) -> Int {
        let second = Array(second.utf8.prefix(100))
        var row = Array(0...second.count)
        for (line, letter) in first.utf8.enumerated() {
            var diagonal = row[0]
            row[0] = line + 1
            for (column, other) in second.enumerated() {
                let replaced = diagonal + (letter == other ? 0 : 1)
                diagonal = row[column + 1]
                row[column + 1] = min(replaced, min(row[column], diagonal) + 1)
            }
        }
        return row[second.count]
    }
}
