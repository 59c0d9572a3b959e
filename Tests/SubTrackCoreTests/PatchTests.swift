import Foundation
import SubTrackAPI
import TestTraits
import Testing

/// A merge patch tells a field that was left out from one that is null (RFC 7396).
@Suite(.ownTime) struct PatchTests {
    private let id = "6f1c1b5e-0000-7000-8000-000000000001"

    @Test func threeStates() throws {
        let json = """
            {"id": "\(id)", "fee": null, "label": "Family", "startDate": "2026-01-31", "plan": {"fee": "1.50"}}
            """
        let update = try JSONDecoder().decode(UpdateSubscription.self, from: Data(json.utf8))
        #expect(update.note == .keep)
        #expect(!update.note.isNamed)
        #expect(update.fee == .remove)
        #expect(update.fee.isNamed)
        #expect(update.label == .set("Family"))
        #expect(update.label.value == "Family")
        #expect(try update.startDate == .set(day("2026-01-31")))
        #expect(try update.plan == .set(PrivatePlanPatch(fee: .set(amount("1.50")))))
    }

    @Test func whatIsKeptIsNotWritten() throws {
        let id = try #require(UUID(uuidString: id))
        let update = UpdateSubscription(
            id: id, plan: .set(PrivatePlanPatch(trialDays: .remove)), fee: .remove, note: .set("§ 5"))
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        let json = String(decoding: try encoder.encode(update), as: UTF8.self)
        #expect(
            json.replacing(id.uuidString, with: "…")
                == #"{"fee":null,"id":"…","note":"§ 5","plan":{"trialDays":null}}"#)
        let back = try JSONDecoder().decode(UpdateSubscription.self, from: Data(json.utf8))
        #expect(back.fee == .remove)
        #expect(back.label == .keep)
        #expect(back.plan == update.plan)
    }

    @Test func aWrongValueIsAnErrorAtItsField() throws {
        let json = Data(#"{"id": "\#(id)", "plan": {"duration": {"value": "1", "unit": "month"}}}"#.utf8)
        let error = try #require(throws: DecodingError.self) {
            try JSONDecoder().decode(UpdateSubscription.self, from: json)
        }
        guard case .typeMismatch(_, let context) = error else {
            Issue.record("\(error)")
            return
        }
        #expect(context.codingPath.map(\.stringValue) == ["plan", "duration", "value"])
    }
}
