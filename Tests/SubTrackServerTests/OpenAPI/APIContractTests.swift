import Foundation
import SubTrackServer
import SubTrackTestSupport
import TestTraits
import Testing

@Suite("Answers are held to the API description", .ownTime)
struct APIContractTests {
    private static let me = """
        {"id":"0191e4a0-0000-7000-8000-000000000001","userName":null,"country":"US","timeZone":"UTC","accounts":[],\
        "version":1}
        """

    @Test(
        "An answer that is not as described is found",
        arguments: [
            (200, me, "application/json", true), (201, me, "application/json", false),
            (200, me, "text/plain", false), (200, "{}", "application/json", false),
            (200, me.replacing("null", with: "3"), "application/json", false),
            (200, me.replacing(":1}", with: ":\"1\"}"), "application/json", false),
            (200, me.replacing("0191e4a0", with: "0191E4A0"), "application/json", false),
            // Clients ignore what they do not know.
            (200, me.replacing("{", with: "{\"more\":1,"), "application/json", true),
            (404, problem("not_found", 404), "application/problem+json", false),
            (404, problem("tenant_unknown", 404), "application/problem+json", true),
            (401, problem("token_invalid", 404), "application/problem+json", false),
            (418, problem("tenant_unknown", 418), "application/problem+json", false),
        ])
    func found(status: Int, body: String, type: String, isRight: Bool) throws {
        let response = APIResponse(
            status: status,
            headers: [
                ("content-type", type), ("x-request-id", "1"), ("etag", "\"1\""), ("www-authenticate", "Bearer"),
            ], body: Data(body.utf8))
        if isRight {
            try APIContract.shared.check("GET", "/v1/me", response)
            var bare = response
            bare.headers.removeAll { $0.name == "x-request-id" }
            #expect(throws: APIContract.Violation.self) { try APIContract.shared.check("GET", "/v1/me", bare) }
        } else {
            #expect(throws: APIContract.Violation.self) { try APIContract.shared.check("GET", "/v1/me", response) }
        }
    }

    private static func problem(_ code: String, _ status: Int) -> String {
        #"{"type":"/problems/\#(code)","title":"t","status":\#(status),"code":"\#(code)","detail":"d"}"#
    }

    @Test("A keyword of JSON Schema that the validator does not know is a fault, not a pass")
    func unknownKeyword() {
        let validator = JSONSchemaValidator(document: .object([:]))
        for schema in [["uniqueItems": JSON.bool(true)], ["format": .string("hostname")], ["type": .string("text")]] {
            #expect(throws: JSONSchemaValidator.Violation.self) {
                try validator.validate(.string("x"), .object(schema))
            }
        }
    }
}
