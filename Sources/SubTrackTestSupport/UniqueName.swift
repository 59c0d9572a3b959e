import Synchronization

/// Names that no other test of this process has, for catalogues that tests share.
public enum UniqueName {
    private static let counter = Atomic<Int>(0)

    /// A word with five consonants behind it. It has no digit and no further word, by which a search would find it too.
    public static func next(_ word: String) -> String {
        let letters = Array("bcdfghjklmnpqrstvwxz")
        var rest = counter.add(1, ordering: .relaxed).newValue
        var ending = ""
        for _ in 0..<5 {
            ending.append(letters[rest % letters.count])
            rest /= letters.count
        }
        return word + ending
    }
}
