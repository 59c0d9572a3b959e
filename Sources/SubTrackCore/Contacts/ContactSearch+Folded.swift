import SubTrackAPI

extension ContactSearch {
    /// The texts of a contact without case and accents, as UTF-8 in one piece. They are made once for many searches.
    public struct Folded: Sendable {
        /// Names, addresses of mail, other texts, and digits of numbers, in this order. A zero stands before each text.
        private var bytes: [UInt8] = []
        /// The ends of names, of addresses of mail and of other texts.
        private var (names, emails, others) = (0, 0, 0)

        /// The texts of a contact.
        public init(_ contact: StoredContact) { self.init(Texts(contact)) }

        /// Texts that are given.
        public init(_ texts: Texts) {
            bytes.reserveCapacity(256)
            names = add(texts.names)
            emails = add(texts.emails)
            others = add(texts.others)
            _ = add(texts.digits)
        }

        private mutating func add(_ texts: [String]) -> Int {
            for text in texts {
                bytes.append(0)
                ContactText.fold(text, into: &bytes)
            }
            return bytes.count
        }

        /// The rank of a term by its best place; nil: it is nowhere.
        /// - Parameter digits: its digits; none: it is no part of a number.
        func rank(of term: [UInt8], digits: [UInt8]) -> Int? {
            bytes.withUnsafeBufferPointer { bytes -> Int? in
                var best: Int?
                var place = Self.place(of: term, in: bytes, from: 0, to: others)
                while let found = place {
                    let before = bytes[found - 1]
                    let rank =
                        switch found {
                        case ..<names: before == 0 ? 0 : " -'.".utf8.contains(before) ? 1 : 3
                        case ..<emails: before == 0 ? 2 : 3
                        default: 3
                        }
                    best = min(best ?? rank, rank)
                    // Behind the names nothing is better than 2.
                    if rank == 0 || found >= names && best ?? 3 < 3 || found >= emails { break }
                    place = Self.place(of: term, in: bytes, from: found + 1, to: others)
                }
                guard best ?? 3 > 2, !digits.isEmpty else { return best }
                place = Self.place(of: digits, in: bytes, from: others, to: bytes.count)
                while let found = place {
                    if bytes[found - 1] == 0 { return 2 }
                    best = 3
                    place = Self.place(of: digits, in: bytes, from: found + 1, to: bytes.count)
                }
                return best
            }
        }

        /// Whether some bytes are in others.
        static func holds(_ bytes: [UInt8], _ needle: [UInt8]) -> Bool {
            bytes.withUnsafeBufferPointer { place(of: needle, in: $0, from: 0, to: $0.count) != nil }
        }

        /// Where some bytes are in others. A zero is in none, for it parts texts.
        private static func place(
            of needle: [UInt8], in bytes: UnsafeBufferPointer<UInt8>, from start: Int, to end: Int
        ) -> Int? {
            guard let first = needle.first, !needle.contains(0) else { return nil }
            var place = start
            while place + needle.count <= end {
                if bytes[place] == first {
                    var length = 1
                    while length < needle.count, bytes[place + length] == needle[length] { length += 1 }
                    if length == needle.count { return place }
                }
                place += 1
            }
            return nil
        }
    }
}
