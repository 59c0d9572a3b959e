extension String {
    /// The longest beginning that takes at most so many bytes of UTF-8 and cuts no Unicode scalar in two.
    func utf8Prefix(_ limit: Int) -> Substring {
        guard utf8.count > limit else { return self[...] }
        // A string is sliced at scalars: an index within one is rounded down (SE-0180).
        return self[..<utf8.index(startIndex, offsetBy: max(limit, 0))]
    }
}
