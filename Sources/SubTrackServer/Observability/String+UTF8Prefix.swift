extension String {
    /// The longest beginning that takes at most so many bytes of UTF-8 and cuts no Unicode scalar in two.
    func utf8Prefix(_ limit: Int) -> Substring {
        guard utf8.count > limit else { return self[...] }
        var end = utf8.index(startIndex, offsetBy: max(limit, 0))
        while end > startIndex, end.samePosition(in: unicodeScalars) == nil { end = utf8.index(before: end) }
        return self[..<end]
    }
}
