extension Overlay {
    /// Subscriptions, each id once. Who only reads them all, as a list does, pays for no index.
    struct EntryList {
        /// All of them.
        private(set) var values: [Entry]
        private var places: [String: Int]?

        /// - Parameter values: no id twice.
        init(_ values: [Entry]) { self.values = values }

        /// Has single ones found at once from now on; until then they are looked for.
        mutating func index() {
            guard places == nil else { return }
            places = Dictionary(values.enumerated().map { ($1.id, $0) }, uniquingKeysWith: { $1 })
        }

        private func place(of id: String) -> Int? {
            if let places { return places[id] }
            return values.firstIndex { $0.id == id }
        }

        /// The subscription of an id. It may be added or changed, and is never taken away.
        subscript(id: String) -> Entry? {
            get { place(of: id).map { values[$0] } }
            set {
                guard let newValue else { return }
                if let place = place(of: id) {
                    values[place] = newValue
                } else {
                    places?[id] = values.count
                    values.append(newValue)
                }
            }
        }
    }
}
