import Foundation
import SubTrackAPI
import SubTrackCore
import SubTrackKit

/// A part of a contact as it is typed: its value, and a word for it before `=` where one is given (`work=788-6788768`).
struct TypedPart {
    /// All of it.
    let text: String
    /// The word for it.
    let type: String?
    let value: String

    /// - Parameter names: words that stand for something else before `=`.
    init(_ text: String, besides names: Set<String> = []) {
        self.text = text
        let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        let word = parts[0].trimmingCharacters(in: .whitespaces)
        let isWord =
            word.first?.isLetter == true && word.unicodeScalars.count <= 30
            && word.allSatisfy { $0.isLetter || $0.isNumber || $0 == " " || $0 == "-" }
        guard parts.count == 2, isWord, !names.contains(word.lowercased()) else {
            (type, value) = (nil, text)
            return
        }
        (type, value) = (word, String(parts[1]))
    }
}

/// Why a typed part cannot be read.
struct TypedPartFault: Error {
    let message: String
    init(_ message: String) { self.message = message }
}

extension StoredContact.Phone {
    /// What may stand between digits.
    private static let separators = CharacterSet(charactersIn: " ().-/\u{A0}\u{2010}\u{2011}")

    /// A number as it is typed: `788-6788768`, `(788) 678-8768`, `7886788768`, `+49 30 123456`. Its digits are not counted here
    /// but where it is stored.
    /// - Parameter country: ISO 3166-1, for a number as it is dialled there.
    init(_ typed: TypedPart, country: String) throws(TypedPartFault) {
        self.init(type: typed.type ?? "cell")
        let text = typed.value.trimmingCharacters(in: .whitespaces)
        let isPlain = text.wholeMatch(of: /[0-9]{3}-[0-9]{7}/) != nil
        switch isPlain ? nil : PhoneNumber(text, country: country) {
        case .local(let area, let number)?: (self.area, self.number) = (area, number)
        case .international(let whole)?: e164 = whole
        case nil: try take(text)
        }
    }

    /// Takes a number that is not known to be one, so that its faults are found where it is stored.
    private mutating func take(_ text: String) throws(TypedPartFault) {
        let groups = text.components(separatedBy: Self.separators).filter { !$0.isEmpty }
        var whole = groups.joined()
        if whole.hasPrefix("+") {
            e164 = whole
            return
        }
        guard groups.count == 1 else {
            guard var first = groups.first else { throw TypedPartFault("has no digits") }
            var rest = groups.dropFirst()
            // The 1 that is dialled before an area code is no part of it.
            if first == "1", whole.count == 11, let next = rest.popFirst() { first = next }
            (area, number) = (first, rest.joined())
            return
        }
        if whole.count == 11, whole.hasPrefix("1") { whole.removeFirst() }
        guard whole.count == 10 else {
            throw TypedPartFault(
                "has \(whole.count) \(whole.count == 1 ? "digit" : "digits") and needs 10, 3 of the area code before 7; a number with "
                    + "its country begins with +")
        }
        (area, number) = (String(whole.prefix(3)), String(whole.dropFirst(3)))
    }
}

extension StoredContact.Address {
    /// The names of its fields before `=`.
    static let names: Set<String> = ["street", "apt", "city", "state", "zip", "country"]

    /// An address as it is typed: street, city, state, zip and country in this order between commas, where one that is not there is left
    /// empty. A field may be named: `apt=4`. With a semicolon in it, semicolons part the fields.
    init(_ typed: TypedPart) throws(TypedPartFault) {
        self.init(type: typed.type ?? "home")
        var open: [WritableKeyPath<Self, String?>] = [\.street, \.city, \.state, \.zip, \.country]
        for text in typed.value.split(
            separator: typed.value.contains(";") ? ";" : ",", omittingEmptySubsequences: false)
        {
            let part = text.trimmingCharacters(in: .whitespaces)
            if let named = Self.field(part) {
                self[keyPath: named.field] = named.value
                open.removeAll { $0 == named.field }
            } else {
                guard !open.isEmpty else {
                    throw TypedPartFault(
                        "\"\(part.prefix(40))\" is one too many: street, city, state, zip and country stand between commas, and "
                            + "apt=4 names an apartment")
                }
                let field = open.removeFirst()
                if field == \Self.state, open.first == \Self.zip, let both = part.wholeMatch(of: /(\p{L}+) +(\d[\d-]*)/)
                {
                    // A state with its zip, as it is written in the United States.
                    (state, zip) = (String(both.output.1), String(both.output.2))
                    open.removeFirst()
                } else if !part.isEmpty {
                    self[keyPath: field] = part
                }
            }
        }
    }

    /// A field that is named in an address.
    private static func field(_ text: String) -> (field: WritableKeyPath<Self, String?>, value: String)? {
        let parts = text.split(separator: "=", maxSplits: 1).map { $0.trimmingCharacters(in: .whitespaces) }
        guard parts.count == 2 else { return nil }
        let fields: [String: WritableKeyPath<Self, String?>] = [
            "street": \.street, "apt": \.apt, "city": \.city, "state": \.state, "zip": \.zip, "country": \.country,
        ]
        return fields[parts[0].lowercased()].map { ($0, parts[1]) }
    }
}

extension StoredContact.Email {
    /// An address of mail as it is typed.
    init(_ typed: TypedPart) {
        self.init(email: typed.value.trimmingCharacters(in: .whitespaces), type: typed.type ?? "home")
    }
}

extension StoredContact.Occasion {
    /// A day as it is typed: `1995-06-25`, or `06-25` where the year is not known.
    /// - Parameter usual: the word for it, where none is typed.
    init(_ typed: TypedPart, usual: String, yearly: Bool = true) throws(TypedPartFault) {
        let text = typed.value.trimmingCharacters(in: .whitespaces)
        guard let match = text.wholeMatch(of: /(?:(\d{4})-|--)?(\d{1,2})-(\d{1,2})/) else {
            throw TypedPartFault("\"\(text.prefix(40))\" is no day such as 12-10 or 1995-06-25")
        }
        func two(_ digits: Substring) -> String { (digits.count == 1 ? "0" : "") + digits }
        self.init(
            date: "\(match.output.1.map(String.init) ?? "-")-\(two(match.output.2))-\(two(match.output.3))",
            yearly: yearly, type: typed.type ?? usual)
    }
}

/// The names of a contact as they are typed: in one text, whose last word is the last name, and by options that say otherwise.
struct TypedName {
    var first = ""
    var middle: String?
    var last = ""
    /// nil: it has none.
    private(set) var fault: String?

    init(_ words: [String], first: String?, middle: String?, last: String?) {
        var rest = words.flatMap(Self.words)[...]
        if let last {
            self.last = last
            if rest.suffix(Self.words(last).count) == Self.words(last)[...] { rest.removeLast(Self.words(last).count) }
        } else {
            self.last = rest.popLast() ?? ""
        }
        if let first {
            self.first = first
            if rest.prefix(Self.words(first).count) == Self.words(first)[...] {
                rest.removeFirst(Self.words(first).count)
            }
        } else {
            self.first = rest.popFirst() ?? ""
        }
        if let middle {
            self.middle = middle.isEmpty ? nil : middle
            if rest == Self.words(middle)[...] { rest = [] }
            if !rest.isEmpty { fault = "\"\(rest.joined(separator: " "))\" is in none of --first, --middle and --last" }
        } else if !rest.isEmpty {
            self.middle = rest.joined(separator: " ")
        }
        guard self.first.isEmpty || self.last.isEmpty else { return }
        let typed = words.joined(separator: " ")
        fault =
            typed.isEmpty
            ? "a contact needs a first and a last name"
            : "\"\(typed)\" is one name, and a contact needs a first and a last one: give the other by --first or --last"
    }

    private static func words(_ text: String) -> [String] {
        text.split(whereSeparator: \.isWhitespace).map(String.init)
    }
}
