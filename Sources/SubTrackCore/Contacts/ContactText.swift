import Foundation
import SubTrackAPI

/// The forms of contacts' values in which they are compared.
public enum ContactText {
    /// A text without case and accents: `José` is `jose`. Each character stays one, as in the database's collation: `ß` is not
    /// `ss`.
    public static func folded(_ text: String) -> String {
        var bytes: [UInt8] = []
        fold(text, into: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Appends a folded text as UTF-8.
    static func fold(_ text: String, into bytes: inout [UInt8]) {
        let isPlain = text.utf8.withContiguousStorageIfAvailable { utf8 in
            guard utf8.allSatisfy({ $0 < 0x80 }) else { return false }
            for byte in utf8 { bytes.append((0x41...0x5A).contains(byte) ? byte | 0x20 : byte) }
            return true
        }
        guard isPlain != true else { return }
        let composed =
            text.unicodeScalars.allSatisfy(isComposed) ? text : text.precomposedStringWithCanonicalMapping
        for scalar in composed.unicodeScalars {
            if let encoded = UTF8.encode(folded(scalar)) { bytes.append(contentsOf: encoded) }
        }
    }

    /// Whether a text of such scalars alone is composed already: no mark combines with them, and none stands for another one.
    private static func isComposed(_ scalar: Unicode.Scalar) -> Bool {
        scalar.value < 0x300 || (0x400...0x482).contains(scalar.value) || isIdeograph(scalar)
    }

    private static func isIdeograph(_ scalar: Unicode.Scalar) -> Bool { (0x4E00...0x9FFF).contains(scalar.value) }

    /// The folded letters of European scripts, by their value.
    private static let european: [Unicode.Scalar] = (0..<UInt32(0x530)).map { value in
        Unicode.Scalar(value).map(sought) ?? " "
    }

    private static func folded(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
        if Int(scalar.value) < european.count { return european[Int(scalar.value)] }
        return isIdeograph(scalar) ? scalar : sought(scalar)
    }

    private static func sought(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
        // Beyond the basic plane the collation knows no cases.
        guard scalar.value < 0x1_0000 else { return scalar }
        let bare = String(scalar).decomposedStringWithCompatibilityMapping.unicodeScalars
            .filter { $0.properties.generalCategory != .nonspacingMark }
        let base = bare.count == 1 ? bare.first ?? scalar : scalar
        let lower = base.properties.lowercaseMapping.unicodeScalars
        return lower.count == 1 ? lower.first ?? base : base
    }

    /// The digits of a number, of the `Digits` that the database searches.
    public static func digits(_ phone: StoredContact.Phone) -> String {
        (phone.area ?? "") + (phone.number ?? "") + (phone.e164 ?? "").replacing("+", with: "")
    }

    /// The digits of a number by which two are the same: `+1 788 678 8768` and 788, 6788768.
    public static func key(_ phone: StoredContact.Phone) -> String {
        PhoneNumber((phone.area, phone.number, phone.e164))?.key ?? digits(phone)
    }

    /// The form of an address of mail by which two are the same.
    public static func key(_ email: StoredContact.Email) -> String { email.email.lowercased() }

    /// The form of a postal address by which two are the same.
    public static func key(_ address: StoredContact.Address) -> String {
        [address.street, address.apt, address.city, address.state, address.zip]
            .map { folded($0 ?? "").split(whereSeparator: \.isWhitespace).joined(separator: " ") }
            .joined(separator: "\u{1F}")
    }

    /// The form of a day by which two are the same.
    public static func key(_ date: StoredContact.Occasion) -> String { "\(folded(date.type))\u{1F}\(date.date)" }

    /// The form of a contact's names by which two are the same.
    public static func names(_ contact: StoredContact) -> String {
        [contact.firstName, contact.middleName ?? "", contact.lastName].map(folded).joined(separator: "\u{1F}")
    }
}
