import Foundation
import SubTrackAPI
import TestTraits
import Testing

@testable import SubTrackServer

/// Tables of pages that the program's definitions make. `script/prose` checks links and words.
@Suite("Documentation", .ownTime)
struct DocumentationTests {
    /// The tables that `script/generate-manual` writes.
    static let tables = [
        GeneratedTable(
            page: "docs/operate/settings.md", name: "settings",
            columns: ["flag", "environment", "default", "meaning"],
            rows: Setting.allCases.map { setting in
                [setting.flag.map { "`\($0)`" } ?? "–", "`\(setting.variable)`", setting.standard, setting.meaning]
            }),
        GeneratedTable(
            page: "docs/api/README.md", name: "operations",
            columns: ["operation", "route", "caller", "purpose", "input"],
            rows: OperationTable.all.map { operation in
                let route = "\(operation.endpoint.method.rawValue) \(operation.endpoint.path)"
                return [
                    "`\(operation.name)`", "`\(route)`", caller(operation.access), operation.summary,
                    input(of: operation),
                ]
            }),
    ]

    /// A file of the repository, by its path from the top folder.
    private static func page(_ path: String) throws -> (url: URL, text: String) {
        let url = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../../\(path)")
            .standardizedFileURL
        return (url, try String(contentsOf: url, encoding: .utf8))
    }

    private static func caller(_ access: Access) -> String {
        switch access {
        case .public: "anybody"
        case .device: "device"
        case .account: "account"
        }
    }

    /// The fields of an operation's input, in the order of its type. Those with a question mark may be left out.
    private static func input<Definition: SubTrackAPI.Operation>(of operation: Definition.Type) -> String {
        guard case .object(let object) = try? SchemaRecorder.shape(of: operation), !object.fields.isEmpty else {
            return "–"
        }
        return object.fields.map { "`\($0.name)\($0.isOptional ? "?" : "")`" }.joined(separator: ", ")
    }

    @Test("A table says what the definitions say", arguments: DocumentationTests.tables.map(\.name))
    func generated(_ name: String) throws {
        let table = try #require(Self.tables.first { $0.name == name })
        #expect(table.rows.count > 20)
        let differences = try table.differences()
        #expect(differences.isEmpty, "\(differences.prefix(6)) — if it is meant: script/generate-manual")
    }

    @Test("No cell breaks its table, and every setting and operation has a meaning")
    func cells() {
        for table in Self.tables {
            for row in table.rows {
                #expect(row.count == table.columns.count)
                for cell in row {
                    #expect(!cell.isEmpty && !cell.contains("|") && !cell.contains("\n"), "\(table.name): \(cell)")
                }
            }
        }
    }

    @Test("The changelog has a section with a date for the version of the program, and the upgrade has its notes")
    func changelog() throws {
        let text = try Self.page("CHANGELOG.md").text
        let versions = text.matches(of: #/\n## (.*)\n/#).map { String($0.output.1) }
        #expect(versions.first == "Unreleased", "\(versions)")
        let release = versions.first { $0.hasPrefix(ServiceVersion.text + " - ") }
        #expect(release?.contains(#/ - \d{4}-\d{2}-\d{2}$/#) == true, "\(versions) has no \(ServiceVersion.text)")
        #expect(versions.dropFirst().allSatisfy { $0.contains(#/^\d+\.\d+\.\d+ - /#) }, "\(versions)")
        #expect(try Self.page("docs/operate/upgrade.md").text.contains("\n### \(ServiceVersion.text)\n"))
    }

    @Test("Each metric of the service stands on the page of monitoring")
    func metrics() throws {
        let text = try Self.page("docs/operate/monitoring.md").text
        for name in MetricHelp.texts.keys where name.hasPrefix("subtrackit_") {
            #expect(text.contains("| `\(name)"), "\(name)")
        }
    }

    @Test("The table of errors has each code with its status")
    func errors() throws {
        let text = try Self.page("docs/api/errors.md").text
        for code in ErrorCode.allCases {
            #expect(text.contains("| `\(code.rawValue)` | \(code.status) | "), "\(code.rawValue)")
        }
        #expect(text.matches(of: #/\n\| `[a-z_]+` \| \d{3} \| /#).count == ErrorCode.allCases.count)
    }
}
