import SubTrackAPI

/// A search among contacts: the service and every device find the same ones, in the same order.
///
/// Terms are parted by white space. Each has to be in the contact: in any field, in any part of a word. Case and accents do
/// not count. A term of digits is looked for among the digits of numbers, however both are typed.
public struct ContactSearch: Sendable, Hashable {
    /// How many terms a search may have.
    public static let maximumTerms = 8
    /// How many characters (Unicode scalars) a search may have.
    public static let maximumLength = 100

    /// Something that is looked for.
    public struct Term: Sendable, Hashable {
        /// The text without case and accents.
        public let text: String
        /// Its digits, where it can be a part of a number. Zeros at its beginning stand for no country: they are left out.
        public let digits: String?
        let bytes: [UInt8]
        let digitBytes: [UInt8]

        init(_ text: String) {
            self.text = ContactText.folded(text)
            let digits = text.filter { ("0"..."9").contains($0) }
            let isNumber = !digits.isEmpty && text.allSatisfy { ("0"..."9").contains($0) || "+-().".contains($0) }
            let significant = String(digits.drop { $0 == "0" })
            self.digits = isNumber ? (significant.isEmpty ? digits : significant) : nil
            bytes = Array(self.text.utf8)
            digitBytes = Array((self.digits ?? "").utf8)
        }
    }

    /// The terms, at least one.
    public let terms: [Term]

    /// A search for a text; nil: it has no term, or breaks a limit.
    public init?(_ text: String) {
        let terms = text.split(whereSeparator: \.isWhitespace)
        guard !terms.isEmpty, terms.count <= Self.maximumTerms, text.unicodeScalars.count <= Self.maximumLength else {
            return nil
        }
        self.terms = terms.map { Term(String($0)) }
    }

    /// The texts of a contact, by the place in which they count.
    public struct Texts: Sendable {
        /// The names.
        public var names: [String]
        /// The digits of numbers.
        public var digits: [String] = []
        /// The addresses of mail.
        public var emails: [String] = []
        /// All other texts.
        public var others: [String] = []

        /// A contact's names.
        public init(names: [String]) { self.names = names }

        /// All texts of a contact.
        public init(_ contact: StoredContact) {
            names = [contact.firstName, contact.middleName, contact.lastName].compactMap { $0 }
            digits = contact.phones.map(ContactText.digits)
            emails = contact.emails.map(\.email)
            others = [contact.note].compactMap { $0 } + contact.dates.map(\.date)
            others += contact.addresses.flatMap { address in
                [address.street, address.apt, address.city, address.state, address.zip, address.country].compactMap {
                    $0
                }
            }
        }
    }

    /// How well a contact matches, the best is 0; nil: it does not.
    public func rank(_ contact: StoredContact) -> Int? { rank(Folded(contact)) }

    /// How well texts match, the best is 0; nil: they do not.
    public func rank(_ texts: Texts) -> Int? { rank(Folded(texts)) }

    /// How well folded texts match, the best is 0; nil: they do not.
    ///
    /// A term adds 0 where a name begins with it, and 1 where a word in a name does. It adds 2 where a number or an address of
    /// mail begins with it, and 3 anywhere else.
    public func rank(_ folded: Folded) -> Int? {
        var sum = 0
        for term in terms {
            guard let rank = folded.rank(of: term.bytes, digits: term.digitBytes) else { return nil }
            sum += rank
        }
        return sum
    }

    /// The matching ones of some contacts, the best first, then by last and first name.
    public func found<ID: Sendable>(
        in contacts: [(id: ID, contact: StoredContact)]
    ) -> [(id: ID, contact: StoredContact)] {
        contacts.compactMap { entry -> (order: Order, entry: (id: ID, contact: StoredContact))? in
            guard let rank = rank(entry.contact) else { return nil }
            return (Order(rank: rank, last: entry.contact.lastName, first: entry.contact.firstName, id: ""), entry)
        }.sorted { $0.order < $1.order }.map(\.entry)
    }

    /// The place of a contact among those that a search finds.
    public struct Order: Sendable, Comparable {
        /// How well it matches.
        public let rank: Int
        private let names: [String]
        private let id: String

        /// A place by rank, by names and at last by id.
        public init(rank: Int, last: String, first: String, id: String) {
            self.rank = rank
            names = [ContactText.folded(last), ContactText.folded(first)]
            self.id = id
        }

        public static func < (left: Order, right: Order) -> Bool {
            if left.rank != right.rank { return left.rank < right.rank }
            for (one, other) in zip(left.names, right.names) where one != other { return one < other }
            return left.id < right.id
        }
    }
}
