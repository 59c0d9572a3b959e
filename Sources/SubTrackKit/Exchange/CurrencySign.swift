/// What people write in place of a currency's code (ISO 4217).
enum CurrencySign {
    /// What a sign means.
    enum Meaning: Hashable, Sendable {
        /// One currency.
        case currency(String)
        /// One of several, and of which country each is (ISO 3166-1 alpha-2).
        case oneOf([String: String])
    }

    /// Signs in lower case, without points and spaces.
    private static let known: [String: Meaning] = [
        "€": .currency("EUR"), "£": .currency("GBP"), "₹": .currency("INR"), "₩": .currency("KRW"),
        "₽": .currency("RUB"), "₺": .currency("TRY"), "₴": .currency("UAH"), "₪": .currency("ILS"),
        "₫": .currency("VND"), "₱": .currency("PHP"), "₦": .currency("NGN"), "฿": .currency("THB"),
        "₡": .currency("CRC"), "₲": .currency("PYG"), "₸": .currency("KZT"), "₵": .currency("GHS"),
        "元": .currency("CNY"), "円": .currency("JPY"), "zł": .currency("PLN"), "kč": .currency("CZK"),
        "ft": .currency("HUF"), "lei": .currency("RON"), "sfr": .currency("CHF"), "fr": .currency("CHF"),
        "rp": .currency("IDR"), "rm": .currency("MYR"),
        "r$": .currency("BRL"), "us$": .currency("USD"), "u$s": .currency("USD"), "a$": .currency("AUD"),
        "au$": .currency("AUD"), "c$": .currency("CAD"), "ca$": .currency("CAD"), "nz$": .currency("NZD"),
        "s$": .currency("SGD"), "hk$": .currency("HKD"), "nt$": .currency("TWD"), "mx$": .currency("MXN"),
        "$": .oneOf([
            "US": "USD", "CA": "CAD", "AU": "AUD", "NZ": "NZD", "SG": "SGD", "HK": "HKD", "TW": "TWD", "MX": "MXN",
            "AR": "ARS", "CL": "CLP", "CO": "COP", "EC": "USD", "SV": "USD", "PR": "USD",
        ]),
        "¥": .oneOf(["JP": "JPY", "CN": "CNY"]),
        "￥": .oneOf(["JP": "JPY", "CN": "CNY"]),
        "kr": .oneOf(["SE": "SEK", "NO": "NOK", "DK": "DKK", "IS": "ISK", "GL": "DKK", "FO": "DKK"]),
        "r": .currency("ZAR"),
        "rs": .oneOf(["IN": "INR", "PK": "PKR", "LK": "LKR", "NP": "NPR", "MU": "MUR"]),
    ]

    /// What a text means: a code, a sign, or a sign with a code.
    /// - Returns: nil where it is none that is known.
    static func meaning(of text: String) -> Meaning? {
        let text = text.lowercased().filter { !$0.isWhitespace && $0 != "." }
        if let meaning = known[text] { return meaning }
        let letters = text.filter(\.isLetter)
        let rest = text.filter { !$0.isLetter }
        guard letters.utf8.count == 3, letters.allSatisfy(\.isASCII), rest.isEmpty || known[rest] != nil else {
            return nil
        }
        return .currency(letters.uppercased())
    }
}
