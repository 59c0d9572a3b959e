import Foundation
import SubTrackAPI
import TestTraits
import Testing

@testable import SubTrackServer

@Suite("Routes and targets", .ownTime)
struct RoutingTests {
    @Test("Each operation's own path leads to it, with what stood in the place of its names")
    func ownPaths() throws {
        let table = RouteTable(SubTrackService.registry())
        for operation in OperationTable.all {
            let segments = operation.endpoint.path.split(separator: "/").map { part in
                part.hasPrefix("{") ? "value of \(part.dropFirst().dropLast())" : String(part)
            }
            guard case .operation(let entry, let parameters) = table.match(operation.endpoint.method, segments) else {
                Issue.record("\(operation.name) is not found")
                continue
            }
            #expect(entry.name == operation.name)
            #expect(parameters.map(\.name) == operation.endpoint.pathParameters)
            #expect(parameters.map(\.value) == operation.endpoint.pathParameters.map { .text("value of \($0)") })
            guard case .otherMethods(let methods) = table.match(nil, segments) else {
                Issue.record("\(operation.name) has no methods")
                continue
            }
            #expect(methods.contains(operation.endpoint.method))
        }
        for path in [[], [""], ["v1", ""], ["v1", "plans", "1", "2"], ["V1"], ["v1", "subscriptions", "x", "Renew"]] {
            guard case .nothing = table.match(.get, path) else {
                Issue.record("\(path) leads somewhere")
                continue
            }
        }
    }

    @Test("A path has the methods of the operations that are declared at it, also where a parameter stands beside it")
    func fixedPaths() throws {
        let table = RouteTable(SubTrackService.registry())
        for (path, operations) in Dictionary(grouping: OperationTable.all, by: { $0.endpoint.path }) {
            let declared = Set(operations.map { $0.endpoint.method })
            let segments = path.split(separator: "/").map { $0.hasPrefix("{") ? "value" : String($0) }
            for method in Endpoint.Method.allCases {
                switch table.match(method, segments) {
                case .operation(let entry, _):
                    #expect(declared.contains(method) && entry.endpoint.path == path, "\(method) \(path)")
                case .otherMethods(let methods):
                    #expect(!declared.contains(method), "\(method) \(path)")
                    #expect(methods.count == declared.count && Set(methods) == declared, "\(method) \(path)")
                case .nothing: Issue.record("\(path) is not found")
                }
            }
        }
    }

    @Test("A target is taken apart: tenant, segments, query")
    func target() throws {
        func read(_ text: String) throws(RequestTarget.Failure) -> (String?, [String], [String]) {
            let target = try RequestTarget(text)
            let query = target.query.map { member in
                if case .text(let value) = member.value { "\(member.name)=\(value)" } else { member.name }
            }
            return (target.slug, target.segments, query)
        }
        #expect(
            try read("/v1/plans?country=US&search=a+b%20c") == (nil, ["v1", "plans"], ["country=US", "search=a b c"]))
        #expect(try read("/t/acme/v1") == ("acme", ["v1"], []))
        #expect(try read("/t/acme") == (nil, ["t", "acme"], []))
        #expect(try read("/v1/pl%61ns/a+b%2Fc") == (nil, ["v1", "plans", "a+b/c"], []))
        #expect(try read("/?=&x&y=1=2") == (nil, [""], ["=", "x=", "y=1=2"]))
        #expect(try read("/%E2%82%AC?%E2%82%AC=%F0%9D%84%9E") == (nil, ["€"], ["€=𝄞"]))
        for bad in ["", "v1", "*", "/%", "/%4", "/%4g", "/%ff", "/%c3%28", "/%00", "/a\u{0}", "/%ed%a0%80"] {
            #expect(throws: RequestTarget.Failure.path, "\(bad)") { try RequestTarget(bad) }
        }
        for bad in ["/?a=1&a=2", "/?a=%", "/?%zz=1", "/?a=%ff", "/?a&%61"] {
            #expect(throws: RequestTarget.Failure.self, "\(bad)") { try RequestTarget(bad) }
        }
    }

    @Test("Bytes without sense never crash it, and what was encoded is decoded to what it was")
    func fuzz() throws {
        var generator = SeededGenerator(seed: 3986)
        let alphabet = Array("/?&=%+tTaAfF019.~€𝄞é \u{0}\u{7F}#;:@")
        for _ in 0..<50_000 {
            let text = String(
                (0..<Int.random(in: 0...30, using: &generator)).map { _ in
                    alphabet.randomElement(using: &generator) ?? "/"
                })
            _ = try? RequestTarget("/" + text)
            _ = try? RequestTarget(text)
        }
        func encode(_ text: String) -> String {
            text.utf8.map { byte in
                Bool.random(using: &generator) && byte < 0x80 && Character(Unicode.Scalar(byte)).isLetter
                    ? String(Character(Unicode.Scalar(byte))) : "%" + String(Int(byte) + 256, radix: 16).suffix(2)
            }.joined()
        }
        let texts = alphabet.map { String($0) }.filter { $0 != "\u{0}" }
        for _ in 0..<5_000 {
            func random() -> String {
                (0..<Int.random(in: 1...6, using: &generator)).map { _ in texts.randomElement(using: &generator) ?? "x"
                }.joined()
            }
            let (first, second, name, value) = ("v" + random(), random(), random(), random())
            let target = try RequestTarget("/\(encode(first))/\(encode(second))?\(encode(name))=\(encode(value))")
            #expect(target.segments == [first, second])
            #expect(target.query == [.init(name: name, value: .text(value))])
        }
    }
}
