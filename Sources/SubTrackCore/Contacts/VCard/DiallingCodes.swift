/// The dialling codes of countries (ITU-T E.164), and how numbers are dialled inside them.
public enum DiallingCodes {
    /// A country's numbers.
    public struct Plan: Sendable, Hashable {
        /// The dialling code without `+`: `49`.
        public var code: String
        /// The digits that are dialled before a national number: `0` in most countries, empty where there are none.
        public var trunk: String
        /// The digits of a number without code and trunk.
        public var lengths: ClosedRange<Int>
        /// Whether whole numbers are written without the trunk too.
        public var isTrunkOptional: Bool
        /// The digits that are dialled before a foreign number; nil where they depend on the telephone company.
        public var abroad: String?
    }

    /// The numbers of a country; nil where it is not known.
    /// - Parameter country: ISO 3166-1 alpha-2 in capitals.
    public static func plan(of country: String) -> Plan? { plans[country] }

    /// Whether a `0` in brackets behind a code is dialled inside the country alone: `+49 (0)30`. It is not so in Italy.
    static func dropsZero(behind code: some StringProtocol) -> Bool { codesWithZero.contains(String(code)) }

    private static let codesWithZero = Set(plans.values.filter { $0.trunk == "0" }.map(\.code))

    private static let plans: [String: Plan] = table.split(whereSeparator: \.isWhitespace).reduce(into: [:]) {
        plans, entry in
        let country = String(entry.prefix(2))
        let parts = entry.dropFirst(2).split(separator: ":", omittingEmptySubsequences: false)
        // North America and the Caribbean have one plan, and no entry of lengths.
        let bounds = parts.count == 3 ? parts[2].split(separator: "-").compactMap { Int($0) } : [10, 10]
        guard let code = parts.first, bounds.count == 2, bounds[0] <= bounds[1] else { return }
        let abroad: String? = code == "1" ? "011" : exceptions[country] ?? "00"
        plans[country] = Plan(
            code: String(code), trunk: parts.count == 3 ? String(parts[1]) : "1", lengths: bounds[0]...bounds[1],
            isTrunkOptional: withoutTrunk.contains(country), abroad: abroad == "" ? nil : abroad)
    }

    private static let withoutTrunk: Set<String> = ["BR", "KI", "LI", "MC", "MN", "SO"]

    /// Where a foreign number does not begin by `00`.
    private static let exceptions: [String: String] = [
        "AU": "0011", "BR": "", "BY": "810", "CC": "0011", "CO": "", "CU": "119", "CV": "", "CX": "0011", "GY": "001",
        "ID": "", "JP": "010", "KE": "000", "KH": "", "KR": "", "KZ": "810", "MH": "011", "MN": "001", "NG": "009",
        "PW": "", "RU": "810", "SG": "", "TH": "", "TJ": "810", "TM": "810", "TW": "", "TZ": "", "UG": "", "WS": "",
    ]

    /// Country, code, trunk, and the lengths of numbers of houses and mobiles.
    private static let table = """
        AC247::5-5 AD376::6-9 AE971:0:8-9 AF93:0:9-9 AG1 AI1 AL355:0:8-9 AM374:0:8-8 AO244::9-9 AR54:0:10-11 AS1
        AT43:0:4-13 AU61:0:9-9 AW297::7-7 AX358:0:6-10 AZ994:0:9-9 BA387:0:8-9 BB1 BD880:0:6-10 BE32:0:8-9
        BF226::8-8 BG359:0:6-9 BH973::8-8 BI257::8-8 BJ229::10-10 BL590:0:9-9 BM1 BN673::7-7 BO591:0:8-8 BQ599::7-7
        BR55:0:10-11 BS1 BT975::7-8 BW267::7-8 BY375:8:9-9 BZ501::7-7 CA1 CC61:0:9-9 CD243:0:7-10 CF236::8-8
        CG242::9-9 CH41:0:9-9 CI225::10-10 CK682::5-5 CL56::9-9 CM237::9-9 CN86:0:7-11 CO57:0:8-10 CR506::8-8
        CU53:0:6-10 CV238::7-7 CW599::7-8 CX61:0:9-9 CY357::8-8 CZ420::9-9 DE49:0:5-15 DJ253::8-8 DK45::8-8 DM1 DO1
        DZ213:0:8-9 EC593:0:8-9 EE372::7-8 EG20:0:8-10 EH212:0:9-9 ER291:0:7-7 ES34::9-9 ET251:0:9-9 FI358:0:5-10
        FJ679::7-7 FK500::5-5 FM691::7-7 FO298::6-6 FR33:0:9-9 GA241::7-8 GB44:0:9-10 GD1 GE995:0:9-9 GF594:0:9-9
        GG44:0:10-10 GH233:0:9-9 GI350::8-8 GL299::6-6 GM220::7-9 GN224::8-9 GP590:0:9-9 GQ240::9-9 GR30::10-10
        GT502::8-8 GU1 GW245::9-9 GY592::7-7 HK852::8-8 HN504::8-8 HR385:0:8-9 HT509::8-8 HU36:06:8-9 ID62:0:7-12
        IE353:0:7-10 IL972:0:8-12 IM44:0:10-10 IN91:0:10-10 IO246::7-7 IQ964:0:8-10 IR98:0:6-10 IS354::7-9
        IT39::6-12 JE44:0:10-10 JM1 JO962:0:8-9 JP81:0:9-10 KE254:0:7-9 KG996:0:9-9 KH855:0:8-9 KI686:0:5-8
        KM269::7-7 KN1 KP850:0:8-10 KR82:0:5-10 KW965::8-8 KY1 KZ7:8:10-10 LA856:0:8-10 LB961:0:7-8 LC1 LI423:0:7-9
        LK94:0:9-9 LR231:0:7-9 LS266::8-8 LT370:0:8-8 LU352::4-11 LV371::8-8 LY218:0:9-9 MA212:0:9-9 MC377:0:8-9
        MD373:0:8-8 ME382:0:8-8 MF590:0:9-9 MG261:0:9-9 MH692:1:7-7 MK389:0:8-8 ML223::8-8 MM95:0:6-10 MN976:0:8-10
        MO853::8-8 MP1 MQ596:0:9-9 MR222::8-8 MS1 MT356::8-8 MU230::7-8 MV960::7-7 MW265:0:7-9 MX52::10-10
        MY60:0:8-10 MZ258::8-9 NA264:0:8-9 NC687::6-6 NE227::8-8 NF672::6-6 NG234:0:10-10 NI505::8-8 NL31:0:9-11
        NO47::8-8 NP977:0:8-10 NR674::7-7 NU683::4-7 NZ64:0:8-10 OM968::8-8 PA507::7-8 PE51:0:8-9 PF689::8-8
        PG675::7-8 PH63:0:6-10 PK92:0:9-10 PL48::7-9 PM508:0:6-9 PR1 PS970:0:8-9 PT351::9-9 PW680::7-7 PY595:0:7-9
        QA974::8-8 RE262:0:9-9 RO40:0:6-9 RS381:0:7-12 RU7:8:10-10 RW250:0:8-9 SA966:0:9-9 SB677::5-7 SC248::7-7
        SD249:0:9-9 SE46:0:7-9 SG65::8-8 SH290::4-5 SI386:0:8-8 SJ47::8-8 SK421:0:6-9 SL232:0:8-8 SM378::8-10
        SN221::9-9 SO252:0:6-9 SR597::6-7 SS211:0:9-9 ST239::7-7 SV503::8-8 SX1 SY963:0:8-9 SZ268::8-8 TA290::4-4
        TC1 TD235::8-8 TG228::8-8 TH66:0:8-9 TJ992::9-9 TK690::4-7 TL670::7-8 TM993:8:8-8 TN216::8-8 TO676::5-7
        TR90:0:10-10 TT1 TV688::5-7 TW886:0:8-9 TZ255:0:9-9 UA380:0:9-9 UG256:0:9-9 US1 UY598:0:8-8 UZ998::9-9
        VA39::6-11 VC1 VE58:0:10-10 VG1 VI1 VN84:0:9-10 VU678::5-7 WF681::6-6 WS685::5-10 XK383:0:8-12 YE967:0:7-9
        YT262:0:9-9 ZA27:0:5-9 ZM260:0:9-9 ZW263:0:7-9
        """
}
