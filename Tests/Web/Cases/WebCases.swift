import Foundation
import SubTrackAPI
import SubTrackCore

/// Writes cases of the rules as SubTrackCore decides them, for the web app's JavaScript, which must decide alike: fixed ones, and as
/// many random ones as asked for. The same seed gives the same cases.
///
///     web-cases SEED COUNT > cases.json
@main
enum WebCases {
    static func main() throws {
        let arguments = CommandLine.arguments.dropFirst().map { UInt64($0) }
        guard arguments.count == 2, let seed = arguments[0], let count = arguments[1] else {
            FileHandle.standardError.write(Data("usage: web-cases SEED COUNT\n".utf8))
            exit(64)
        }
        var random = CaseRandom(seed: seed)
        var cases = FixedCases.all
        let kinds: [(inout CaseRandom) -> RuleCase] = [
            DayCases.day, DayCases.day, DayCases.localDay, BillingCases.calendar, BillingCases.nextRenewal,
            BillingCases.begin,
            BillingCases.change, BillingCases.change, BillingCases.change, BillingCases.caughtUp, MoneyCases.amount,
            MoneyCases.fee,
            MoneyCases.conversion, PlanCases.priceLine, PlanCases.standing, PlanCases.spending, PlanCases.savings,
            PlanCases.notices,
            PlanCases.notices, MergeCases.split, MoneyCases.written, ContactCases.edit, ContactCases.edit,
            ContactCases.search,
            ContactCases.search, ContactCases.nextOf, ContactCases.duplicates, ReminderCases.hour,
            ReminderCases.rules,
            ReminderCases.rules,
        ]
        for number in 0..<Int(count) { cases.append(kinds[number % kinds.count](&random)) }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.withoutEscapingSlashes]
        var text = Data("[\n".utf8)
        for (index, one) in cases.enumerated() {
            if index > 0 { text += Data(",\n".utf8) }
            text += try encoder.encode(one.json)
        }
        text += Data("\n]\n".utf8)
        FileHandle.standardOutput.write(text)
    }
}

/// A rule's input and what it decides.
struct RuleCase {
    /// Which rule: a name that the JavaScript knows.
    var kind: String
    /// What it is given.
    var input: [String: AnyJSON]
    /// What it decides; `{"error": code}` where it refuses.
    var expected: AnyJSON

    /// As it is written.
    var json: AnyJSON { .object(["kind": .string(kind), "input": .object(input), "expected": expected]) }
}

/// Numbers that look random and are the same in every run (SplitMix64).
struct CaseRandom: RandomNumberGenerator {
    private var seed: UInt64

    init(seed: UInt64) { self.seed = seed }

    mutating func next() -> UInt64 {
        seed &+= 0x9E37_79B9_7F4A_7C15
        var mixed = seed
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    mutating func int(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &self) }
    mutating func once(in times: Int) -> Bool { int(1...times) == 1 }

    mutating func pick<Element>(_ all: [Element]) -> Element { all[int(0...all.count - 1)] }
}

extension AnyJSON {
    /// Whole numbers, days, amounts and flags as they are in cases.
    static func int(_ value: Int) -> AnyJSON { .integer(Int64(value)) }
    static func day(_ day: CalendarDate) -> AnyJSON { .integer(Int64(day.daysSince1970)) }
    static func day(_ day: CalendarDate?) -> AnyJSON { day.map { .day($0) } ?? .null }
    static func amount(_ amount: Amount) -> AnyJSON { .string(amount.description) }
    static func amount(_ amount: Amount?) -> AnyJSON { amount.map { .amount($0) } ?? .null }
    static func price(_ price: Price) -> AnyJSON {
        .object(["fee": .amount(price.fee), "currency": .string(price.currency)])
    }
    static func duration(_ duration: PlanDuration) -> AnyJSON {
        .object(["value": .int(duration.value), "unit": .string(duration.unit.rawValue)])
    }
    static func terms(_ terms: BillingTerms) -> AnyJSON {
        .object(["duration": .duration(terms.duration), "trialDays": .int(terms.trialDays)])
    }
    static func state(_ state: BillingState) -> AnyJSON {
        .object([
            "start": .day(state.start), "end": .day(state.end), "anchor": .day(state.anchor),
            "anchorCount": .int(state.anchorCount), "number": .int(state.number), "freeTrial": .bool(state.freeTrial),
        ])
    }

    /// What a rule of the calendar gives, or the code with which it refuses.
    static func decided(_ rule: () throws(BillingError) -> AnyJSON) -> AnyJSON {
        do throws(BillingError) {
            return try rule()
        } catch {
            return .object(["error": .string(error.caseCode)])
        }
    }
}

extension BillingError {
    /// The name by which the JavaScript has it.
    var caseCode: String {
        switch self {
        case .durationOutOfRange: "durationOutOfRange"
        case .trialDaysOutOfRange: "trialDaysOutOfRange"
        case .startOutOfRange: "startOutOfRange"
        case .endTooFarAway: "endTooFarAway"
        case .startInEndedPeriod: "startInEndedPeriod"
        case .renewalImpossible: "renewalImpossible"
        }
    }
}

extension FeeError {
    /// The name by which the JavaScript has it.
    var caseCode: String {
        switch self {
        case .malformed: "malformed"
        case .negative: "negative"
        case .tooLarge: "tooLarge"
        case .tooManyDigits: "tooManyDigits"
        }
    }
}
