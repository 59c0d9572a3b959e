/// The digits of currencies by ISO 4217, for a device that has not heard of the service's yet.
public enum ISO4217 {
    /// The codes by their digits after the point, as `sql/reference/currencies.sql` has them.
    private static let codes: [(digits: Int, codes: String)] = [
        (
            0,
            """
            BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF
            """
        ),
        (
            2,
            """
            AED AFN ALL AMD AOA ARS AUD AWG AZN BAM BBD BDT BMD BND BOB BOV BRL BSD BTN BWP BYN BZD CAD CDF CHE \
            CHF CHW CNY COP COU CRC CUP CVE CZK DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GTQ GYD \
            HKD HNL HTG HUF IDR ILS INR IRR JMD KES KGS KHR KPW KYD KZT LAK LBP LKR LRD LSL MAD MDL MGA MKD MMK \
            MNT MOP MRU MUR MVR MWK MXN MXV MYR MZN NAD NGN NIO NOK NPR NZD PAB PEN PGK PHP PKR PLN QAR RON RSD \
            RUB SAR SBD SCR SDG SEK SGD SHP SLE SOS SRD SSP STN SVC SYP SZL THB TJS TMT TOP TRY TTD TWD TZS UAH \
            USD USN UYU UZS VED VES WST XAD XCD XCG YER ZAR ZMW ZWG
            """
        ),
        (
            3,
            """
            BHD IQD JOD KWD LYD OMR TND
            """
        ),
        (
            4,
            """
            CLF UYW
            """
        ),
    ]

    /// The digits by the code.
    public static let digits: [String: Int] = Dictionary(
        codes.flatMap { entry in entry.codes.split(separator: " ").map { (String($0), entry.digits) } }
    ) { first, _ in first }
}
