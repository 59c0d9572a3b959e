import SubTrackAPI
import SubTrackCore

/// A contact as it stands on this device.
public typealias TrackedContact = TrackedRow<StoredContact>

extension StoredContact {
    /// First, middle and last name.
    public var fullName: String { [firstName, middleName, lastName].compactMap { $0 }.joined(separator: " ") }

    /// First and last name.
    public var shortName: String { "\(firstName) \(lastName)" }
}

extension StoredContact.Phone {
    /// The number for people: `(788) 678-8768`, or with its country.
    public var shown: String {
        PhoneNumber((area, number, e164))?.written ?? [area, number].compactMap { $0 }.joined(separator: "-")
    }
}

extension StoredContact.Address {
    /// The address in one line: street, apartment, city, state with zip, country.
    public var shown: String {
        let region = [state, zip].compactMap { $0 }.joined(separator: " ")
        return [street, apt, city, region.isEmpty ? nil : region, country].compactMap { $0 }.joined(separator: ", ")
    }
}

extension StoredContact.Occasion {
    /// The day for people: `1995-06-25`, or `06-25` where the year is not known.
    public var shown: String { date.hasPrefix("--") ? String(date.dropFirst(2)) : date }
}
