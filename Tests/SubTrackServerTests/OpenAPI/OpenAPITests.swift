import Foundation
import SubTrackAPI
import SubTrackTestSupport
import TestTraits
import Testing

@testable import SubTrackServer

@Suite("The API description", .ownTime)
struct OpenAPITests {
    @Test("It is served with a tag, to everybody")
    func served() async throws {
        try await TestService.runAlone { service in
            try await service.enableAll()
            let got = try await service.client.send("GET", "/openapi.json")
            #expect(got.status == 200)
            #expect(got.header("content-type") == "application/json")
            #expect(got.header("cache-control") == "public, max-age=60")
            #expect(got.body == Data(try SubTrackService.apiDescription()))
            let tag = try #require(got.header("etag"))
            let again = try await service.client.send("GET", "/openapi.json", headers: [("If-None-Match", tag)])
            #expect(again.status == 304 && again.body.isEmpty && again.header("etag") == tag)
            let head = try await service.client.send("HEAD", "/openapi.json")
            #expect(head.status == 200 && head.header("content-length") == String(got.body.count))
            for path in ["/openapi.json", "/healthz", "/readyz"] {
                let refused = try await service.client.send("POST", path, json: "{}")
                #expect(refused.status == 405 && refused.header("allow") == "GET, HEAD", "\(path)")
            }
            #expect(try await service.client.send("GET", "/metrics").status == 404)
            #expect(try await service.client.send("POST", "/metrics", json: "{}").status == 404)
        }
    }

    @Test("Changes of the contract show in review: the file in Golden/ is what is served")
    func golden() throws {
        let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appending(path: "../Golden/openapi.json").standardized
        let text = OpenAPIText.indented(try OpenAPIDocument(SubTrackService.registry()).json) + "\n"
        if ProcessInfo.processInfo.environment["SUBTRACKIT_WRITE_GOLDEN"] == "1" {
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data(text.utf8).write(to: file)
        }
        let kept = try String(contentsOf: file, encoding: .utf8).split(
            separator: "\n", omittingEmptySubsequences: false)
        let made = text.split(separator: "\n", omittingEmptySubsequences: false)
        let difference = made.difference(from: kept)
        #expect(
            difference.isEmpty,
            "\(difference.prefix(20)) — if it is meant: SUBTRACKIT_WRITE_GOLDEN=1 script/test --filter OpenAPI")
    }

    @Test("Every operation is described, with its parameters, its answers and who may call it")
    func complete() throws {
        let document = try JSON(Data(SubTrackService.apiDescription()))
        for operation in OperationTable.all {
            let endpoint = operation.endpoint
            let described = try #require(
                document["paths"]?[endpoint.path]?[endpoint.method.rawValue.lowercased()], "\(operation.name)")
            #expect(described["operationId"]?.text == operation.name)
            #expect(described["summary"]?.text == operation.summary)
            #expect(described["security"]?.elements.contains(.object([:])) == (operation.access == .public))
            let inPath = described["parameters"]?.elements.filter { $0["in"]?.text == "path" } ?? []
            #expect(inPath.compactMap { $0["name"]?.text } == endpoint.pathParameters)
            #expect(described["responses"]?[String(endpoint.status)] != nil)
            #expect(described["responses"]?["500"] != nil && described["responses"]?["503"] != nil)
            #expect((described["responses"]?["401"] != nil))
        }
        // Every field of every answer and input says what it is, by its doc comment.
        for (name, schema) in document["components"]?["schemas"]?.members ?? [:] {
            for (field, property) in schema["properties"]?.members ?? [:] {
                #expect(property["description"]?.text?.isEmpty == false, "\(name).\(field) has no doc comment")
            }
        }
    }

    @Test("What types look like is seen from their coding: optional, nullable, nested, patches, enumerations")
    func shapes() throws {
        struct Inner: Codable { var day: CalendarDate }
        enum Kind: String, Codable, CaseIterable { case one = "1", two }
        struct Sample: Codable, FieldRules {
            var text: String
            var count: Int?
            var kinds: [Kind]
            var inner: Inner?
            var patch: Patch<Amount>
            var fixed: Patch<Bool>
            static let fieldRules = ["count": FieldRule.number(1...5), "fixed": .notNull]
        }
        guard case .object(let object) = try SchemaRecorder.shape(of: Sample.self) else {
            Issue.record("no object")
            return
        }
        #expect(object.fields.map(\.name) == ["text", "count", "kinds", "inner", "patch", "fixed"])
        #expect(object.fields.map(\.isOptional) == [false, true, false, true, true, true])
        #expect(object.fields.map(\.isNullable) == [false, true, false, true, true, false])
        #expect(object.fields[0].shape == .string && object.fields[1].shape == .integer)
        #expect(object.fields[2].shape == .array(.cases(["1", "two"])))
        #expect(object.fields[4].shape == .amount && object.fields[5].shape == .bool)
        var components = SchemaComponents()
        let input = try asJSON(components.schema(of: object, .input))
        #expect(input["required"] == .array([.string("text"), .string("kinds")]))
        #expect(input["additionalProperties"] == .bool(false))
        #expect(input["properties"]?["count"]?["maximum"] == .integer(5))
        #expect(input["properties"]?["count"]?["type"] == .array([.string("integer"), .string("null")]))
        let output = try asJSON(components.schema(of: object, .output))
        #expect(output["required"]?.elements.count == 6 && output["additionalProperties"] == nil)
    }

    @Test("A type whose coding shows nothing, and a rule for a field that is not there, are refused with their name")
    func unreadable() {
        struct Fraction: Codable { var value: Double }
        struct Endless: Codable { var inner: [Endless] }
        struct Stray: Codable, FieldRules {
            var name: String
            static let fieldRules = ["nam": FieldRule.text(1...2)]
        }
        for (type, words) in [
            (Fraction.self as any Codable.Type, "value"), (Endless.self, "itself"), (Stray.self, "nam"),
        ] {
            func shape<Value: Codable>(_ type: Value.Type) throws -> SchemaShape { try SchemaRecorder.shape(of: type) }
            #expect(performing: { try shape(type) }, throws: { "\($0)".contains(words) })
        }
    }

    private func asJSON(_ value: JSONValue) throws -> JSON {
        var writer = JSONWriter()
        writer.write(value)
        return try JSON(Data(writer.bytes))
    }
}

/// A JSON document with one member a line, for people.
enum OpenAPIText {
    static func indented(_ value: JSONValue, by indent: String = "") -> String {
        let inner = indent + "  "
        switch value {
        case .object(let members) where !members.isEmpty:
            let lines = members.map { "\(inner)\"\($0.name)\": \(indented($0.value, by: inner))" }
            return "{\n\(lines.joined(separator: ",\n"))\n\(indent)}"
        case .array(let elements) where elements.contains(where: { if case .object = $0 { true } else { false } }):
            return "[\n\(elements.map { inner + indented($0, by: inner) }.joined(separator: ",\n"))\n\(indent)]"
        default:
            var writer = JSONWriter()
            writer.write(value)
            return String(decoding: writer.bytes, as: UTF8.self)
        }
    }
}

@Suite("The API's types for scripts", .ownTime)
struct OpenAPITypesTests {
    @Test("web/types/api.d.ts says the same as the API description")
    func types() throws {
        let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appending(path: "../../../web/types/api.d.ts").standardized
        let text = TypeScriptDescription(try JSON(Data(SubTrackService.apiDescription()))).text
        if ProcessInfo.processInfo.environment["SUBTRACKIT_WRITE_GOLDEN"] == "1" { try Data(text.utf8).write(to: file) }
        let kept = try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
        let difference = text.split(separator: "\n").difference(from: kept)
        #expect(
            difference.isEmpty,
            "\(difference.prefix(20)) — if it is meant: SUBTRACKIT_WRITE_GOLDEN=1 script/test --filter OpenAPI")
    }
}
