extension Int {
    /// A number of things, in words for people: `1 country`, `3 countries`.
    func counted(_ one: String, _ many: String) -> String { "\(self) \(self == 1 ? one : many)" }
}
