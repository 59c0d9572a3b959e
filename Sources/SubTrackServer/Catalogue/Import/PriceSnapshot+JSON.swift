import SubTrackAPI
import SubTrackCore

extension PriceSnapshot {
    /// Reads a snapshot and notes everything that is wrong with it.
    /// - Parameters:
    ///   - name: the file's name, for messages.
    ///   - effectiveOn: the day from which its prices hold.
    ///   - json: the file's bytes.
    public init(name: String, effectiveOn: CalendarDate, json: some Sequence<UInt8>) {
        var reader = SnapshotReader(file: name)
        var bytes = Array(json)
        // The byte order mark that some programs write (RFC 8259 §8.1 lets a reader pass over it).
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { bytes.removeFirst(3) }
        if bytes.count > Self.maximumBytes {
            reader.note("the file has \(bytes.count) bytes, more than \(Self.maximumBytes)")
        } else if let foreign = ForeignFile(bytes) {
            reader.note("\(foreign.reason); \(ForeignFile.remedy)")
        } else {
            do throws(JSONScanner.Failure) {
                reader.read(try JSONScanner.scan(bytes, within: .file))
            } catch {
                let line = bytes.prefix(error.offset).count { $0 == UInt8(ascii: "\n") } + 1
                reader.note("it is not JSON: line \(line), byte \(error.offset): \(error.reason)")
            }
        }
        self.init(name: name, effectiveOn: effectiveOn, countries: reader.countries, faults: reader.faults)
    }
}

/// Turns JSON into countries, offers and faults.
private struct SnapshotReader {
    let file: String
    var countries: [PriceSnapshot.Country] = []
    var faults: [SnapshotFault] = []

    init(file: String) { self.file = file }

    mutating func note(_ reason: String, country: String? = nil, plan: String? = nil) {
        faults.append(SnapshotFault(file: file, country: country, plan: plan, reason: reason))
    }

    mutating func read(_ value: JSONValue) {
        guard case .array(let entries) = value else {
            return note("it must be a list of countries, is \(value.kind)")
        }
        guard !entries.isEmpty else { return note("there is no country in it") }
        for (index, entry) in entries.enumerated() { readCountry(entry, number: index + 1) }
    }

    private mutating func readCountry(_ value: JSONValue, number: Int) {
        guard case .object(let members) = value else {
            return note("entry \(number) must be an object, is \(value.kind)")
        }
        guard case .string(let code)? = members["country_code"] else {
            return note("entry \(number): \(Self.missing("country_code", members["country_code"], "a text"))")
        }
        guard case .string(let currency)? = members["currency"] else {
            return note(Self.missing("currency", members["currency"], "a text"), country: code)
        }
        guard case .array(let plans)? = members["plans"] else {
            return note(Self.missing("plans", members["plans"], "a list"), country: code)
        }
        var country = PriceSnapshot.Country(code: code, currency: currency)
        for (index, plan) in plans.enumerated() { readPlan(plan, number: index + 1, into: &country) }
        countries.append(country)
    }

    private mutating func readPlan(_ value: JSONValue, number: Int, into country: inout PriceSnapshot.Country) {
        guard case .object(let members) = value else {
            return note("plan \(number) must be an object, is \(value.kind)", country: country.code)
        }
        guard case .string(let written)? = members["name"] else {
            let reason = Self.missing("name", members["name"], "a text")
            return note("plan \(number): \(reason)", country: country.code)
        }
        let name: String
        do {
            name = try InputText.required(written, field: "name", maximum: 100)
        } catch {
            let reason = (error as? Problem)?.errors?.first?.message ?? "cannot be used"
            return note("plan \(number): the name \(reason)", country: country.code, plan: written)
        }
        country.names.append(name)
        switch members["price"] {
        case .null?:
            country.notSold += 1
        case .integer(let units)?:
            add(Amount(units: units, digits: 0), name, to: &country)
        case .decimal(let text)?:
            switch Amount.exact(jsonNumber: text) {
            case .success(let fee): add(fee, name, to: &country)
            case .failure(let unfit): note("\(unfit.reason): \(text)", country: country.code, plan: name)
            }
        case let other:
            note(Self.missing("price", other, "a number or null"), country: country.code, plan: name)
        }
    }

    private mutating func add(_ fee: Amount, _ name: String, to country: inout PriceSnapshot.Country) {
        guard !fee.isNegative else {
            return note("the price is negative: \(fee)", country: country.code, plan: name)
        }
        guard fee <= PriceSnapshot.maximumFee else {
            return note(
                "the price is over \(PriceSnapshot.maximumFee): \(fee)", country: country.code, plan: name)
        }
        country.offers.append(PriceSnapshot.Offer(name: name, fee: fee))
    }

    private static func missing(_ name: String, _ value: JSONValue?, _ wanted: String) -> String {
        guard let value else { return "\(name) is missing" }
        return "\(name) must be \(wanted), is \(value.kind)"
    }
}

extension PriceSnapshot {
    /// The largest fee that the database takes.
    static let maximumFee = Amount(units: 99_999_999_999, digits: 0)
}

extension Amount {
    /// Why a number of JSON is not an amount.
    struct Unfit: Error, Equatable {
        let reason: String
    }

    /// The amount that a number of JSON with a point is, digit for digit: `6540.0` is 6540.
    static func exact(jsonNumber text: String) -> Result<Amount, Unfit> {
        guard !text.contains(where: { $0 == "e" || $0 == "E" }) else {
            return .failure(Unfit(reason: "the price must be written without an exponent"))
        }
        var digits = Substring(text)
        if digits.contains(".") {
            while digits.last == "0" { digits.removeLast() }
            if digits.last == "." { digits.removeLast() }
        }
        if let amount = Amount(String(digits)) { return .success(amount) }
        let fraction = digits.firstIndex(of: ".").map { digits.distance(from: $0, to: digits.endIndex) - 1 } ?? 0
        return .failure(
            Unfit(
                reason: fraction > maximumDigits
                    ? "the price has more digits after the point than any currency" : "the price is too large"))
    }
}

extension [JSONValue.Member] {
    fileprivate subscript(name: String) -> JSONValue? { first { $0.name == name }?.value }
}
