import SubTrackCore
import TestTraits
import Testing

@Suite("Numbers as people write them", .ownTime)
struct PhoneNumberTests {
    @Test(
        "Whole numbers are E.164",
        arguments: [
            ("+49 30 123456", "DE", "+4930123456"), ("+49 (0)30 / 123-456", "US", "+4930123456"),
            ("0049 30 123456", "DE", "+4930123456"), ("0049 (0)30 123456", "DE", "+4930123456"),
            ("+39 (0)6 698 12345", "US", "+390669812345"), ("011 49 30 123456", "US", "+4930123456"),
            ("0011 49 30 123456", "AU", "+4930123456"), ("010 49 30 123456", "JP", "+4930123456"),
            ("+1 788 678 8768", "US", "+17886788768"),
            ("\u{202A}+49\u{A0}30\u{2011}123456\u{202C}", "DE", "+4930123456"),
            ("+٤٩ ٣٠ ١٢٣٤٥٦", "DE", "+4930123456"), ("tel:+49-30-123456", "", "+4930123456"),
            ("0049 30 123456", "", "+4930123456"),
        ])
    func whole(text: String, country: String, expected: String) {
        #expect(PhoneNumber(text, country: country) == .international(expected))
    }

    @Test(
        "Numbers dialled at home get their country",
        arguments: [
            ("030 123456", "DE", "+4930123456"), ("020 7946 0958", "GB", "+442079460958"),
            ("8 (912) 345-67-89", "RU", "+79123456789"), ("912 345-67-89", "RU", "+79123456789"),
            ("06 1 234 5678", "HU", "+3612345678"), ("06 698 12345", "IT", "+390669812345"),
            ("22 12 34 56", "NO", "+4722123456"), ("138 1234 5678", "CN", "+8613812345678"),
        ])
    func home(text: String, country: String, expected: String) {
        #expect(PhoneNumber(text, country: country) == .international(expected))
    }

    @Test("Ten digits in a country of +1 are area and number, with and without a 1 before them")
    func local() {
        for text in ["(788) 678-8768", "788.678.8768", "1-788-678-8768", "7886788768"] {
            #expect(PhoneNumber(text, country: "US") == .local(area: "788", number: "6788768"))
            #expect(PhoneNumber(text, country: "JM") == .local(area: "788", number: "6788768"))
        }
        // As it is written here it is read in any country, or an export could not be imported there.
        #expect(PhoneNumber("(030) 123-4567", country: "DE") == .local(area: "030", number: "1234567"))
    }

    @Test(
        "Others are no numbers",
        arguments: [
            ("110", "DE"), ("123456", "DE"), ("678-8768", "US"), ("+0123456", "US"), ("+1", "US"),
            ("+1234567890123456", "US"),
            ("1-800-FLOWERS", "US"), ("+49 30 123456;ext=12", "DE"), ("*31#110", "DE"), ("+49 30 1+2", "DE"),
            ("", "US"),
            ("7886788768", ""), ("788 678 8768", "XX"), ("()", "US"), ("004930123456", "KR"), ("6 12 34 56", "FR"),
        ])
    func none(text: String, country: String) { #expect(PhoneNumber(text, country: country) == nil) }

    @Test("A number with its country is the same as one of 3 and 7 digits")
    func keys() {
        #expect(
            PhoneNumber("+1 788 678 8768", country: "")?.key == PhoneNumber("(788) 678-8768", country: "US")?.key)
        #expect(PhoneNumber("+49 30 123456", country: "")?.key != PhoneNumber("+49 30 123457", country: "")?.key)
    }
}
