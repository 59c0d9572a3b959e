import Foundation
import SubTrackAPI
import Testing

@testable import SubTrackServer

/// Pages that lead to each other, an index of all of them, and tables that are complete.
@Suite("Documentation")
struct DocumentationTests {
    private static let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../..")
        .standardizedFileURL

    private static func page(_ path: String) throws -> MarkdownFile { try MarkdownFile(root.appending(path: path)) }

    /// The paths of all pages below a folder. Names that begin with a dot are left out: they hold builds and checkouts.
    private static func pages(in folder: String = "") throws -> [String] {
        let url = folder.isEmpty ? root : root.appending(path: folder)
        return try FileManager.default.contentsOfDirectory(at: url, includingPropertiesForKeys: [.isDirectoryKey])
            .filter { !$0.lastPathComponent.hasPrefix(".") }
            .sorted { $0.lastPathComponent < $1.lastPathComponent }
            .flatMap { entry in
                let path = folder.isEmpty ? entry.lastPathComponent : "\(folder)/\(entry.lastPathComponent)"
                if try entry.resourceValues(forKeys: [.isDirectoryKey]).isDirectory == true {
                    return try pages(in: path)
                }
                return path.hasSuffix(".md") ? [path] : []
            }
    }

    @Test("Every link leads to a file, and to a heading where it names one")
    func links() throws {
        let paths = try Self.pages()
        #expect(paths.contains("README.md") && paths.contains("docs/api/errors.md"), "\(paths)")
        var count = 0
        for path in paths {
            let page = try Self.page(path)
            for link in page.links {
                count += 1
                let target =
                    link.path.isEmpty
                    ? page.url
                    : page.url.deletingLastPathComponent().appending(path: link.path).standardizedFileURL
                guard FileManager.default.fileExists(atPath: target.path(percentEncoded: false)) else {
                    Issue.record("\(path): there is no file \(link.path)")
                    continue
                }
                guard let anchor = link.anchor else { continue }
                let anchors = try MarkdownFile(target).anchors
                #expect(anchors.contains(anchor), "\(path): \(link.path) has no heading #\(anchor)")
            }
        }
        #expect(count > 100, "the links were read")
    }

    @Test("Pages that programs, scripts and other pages name are there")
    func mentions() throws {
        var names: Set<String> = []
        for folder in ["Sources", "script", "deploy", "docs", "sql"] {
            let url = Self.root.appending(path: folder)
            let files = FileManager.default.enumerator(atPath: url.path(percentEncoded: false))
            while let path = files?.nextObject() as? String {
                // Files that are no text, and folders, have no mentions.
                guard let text = try? String(contentsOf: url.appending(path: path), encoding: .utf8) else { continue }
                guard text.contains("docs/") else { continue }
                for match in text.matches(of: #/\b(docs/[A-Za-z0-9_/-]+\.(?:md|1|8))\b/#) {
                    let name = String(match.output.1)
                    if names.insert(name).inserted {
                        let file = Self.root.appending(path: name).path(percentEncoded: false)
                        #expect(FileManager.default.fileExists(atPath: file), "\(folder)/\(path) names \(name)")
                    }
                }
            }
        }
        #expect(names.contains("docs/operate/settings.md"), "\(names)")
    }

    @Test("The README has at most 1,000 words")
    func length() throws {
        let count = try Self.page("README.md").wordCount
        #expect((300...1_000).contains(count), "\(count) words")
    }

    @Test("Every page stands in the index by a link, and begins with a question")
    func index() throws {
        let index = try Self.page("docs/README.md")
        let contributors = try Self.page("docs/contribute/README.md")
        let linked = Set(
            [index, contributors].flatMap { page in
                page.links.map {
                    page.url.deletingLastPathComponent().appending(path: $0.path).standardizedFileURL
                        .path(percentEncoded: false)
                }
            })
        for path in try Self.pages() where path.hasPrefix("docs/") && path != "docs/README.md" {
            let page = try Self.page(path)
            #expect(linked.contains(page.url.path(percentEncoded: false)), "\(path) is not in the index")
            if path.hasPrefix("docs/decisions/") { continue }
            #expect(page.opening.contains(#/^\*[^*]+\?\*/#), "\(path) begins with \(page.opening.prefix(60))")
        }
    }

    @Test("The changelog has a section with a date for the version of the program, and the upgrade has its notes")
    func changelog() throws {
        let text = try Self.page("CHANGELOG.md").text
        let versions = text.matches(of: #/\n## (.*)\n/#).map { String($0.output.1) }
        #expect(versions.first == "Unreleased", "\(versions)")
        let release = versions.first { $0.hasPrefix(SubTrackService.version + " - ") }
        #expect(release?.contains(#/ - \d{4}-\d{2}-\d{2}$/#) == true, "\(versions) has no \(SubTrackService.version)")
        #expect(versions.dropFirst().allSatisfy { $0.contains(#/^\d+\.\d+\.\d+ - /#) }, "\(versions)")
        #expect(try Self.page("docs/operate/upgrade.md").text.contains("\n### \(SubTrackService.version)\n"))
    }

    @Test("Each metric of the service stands on the page of monitoring")
    func metrics() throws {
        let text = try Self.page("docs/operate/monitoring.md").text
        for name in MetricHelp.texts.keys where name.hasPrefix("subtrackit_") {
            #expect(text.contains("| `\(name)"), "\(name)")
        }
    }

    @Test("The table of operations has each operation with its route")
    func operations() throws {
        let text = try Self.page("docs/api/README.md").text
        for operation in OperationTable.all {
            let row = "| `\(operation.name)` | `\(operation.endpoint.method.rawValue) \(operation.endpoint.path)` | "
            #expect(text.contains(row), "\(row)")
        }
        #expect(text.matches(of: #/\n\| `[a-z]+\.[a-zA-Z]+` \| `[A-Z]+ \//#).count == OperationTable.all.count)
    }

    @Test("The table of errors has each code with its status")
    func errors() throws {
        let text = try Self.page("docs/api/errors.md").text
        for code in ErrorCode.allCases {
            #expect(text.contains("| `\(code.rawValue)` | \(code.status) | "), "\(code.rawValue)")
        }
        #expect(text.matches(of: #/\n\| `[a-z_]+` \| \d{3} \| /#).count == ErrorCode.allCases.count)
    }

    @Test("Anchors are those of the code hosts, and links in code are none")
    func reading() throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "\(UUID()).md")
        defer { try? FileManager.default.removeItem(at: file) }
        try Data(
            """
            # A title, and `code`

            *Why?* See [one](a.md#b) and ![two](<c d.svg> "x"), not [three](https://example.org) or `[four](d.md)`.

            ```sh
            # [five](e.md)
            ```
            ## 410 `resync`
            ## 410 `resync`
            ## [Linked](f.md#g-h) 10.11
            """.utf8
        ).write(to: file)
        let page = try MarkdownFile(file)
        #expect(page.anchors == ["a-title-and-code", "410-resync", "410-resync-1", "linked-1011"], "\(page.anchors)")
        #expect(page.links.map(\.path) == ["a.md", "c d.svg", "f.md"], "\(page.links)")
        #expect(page.links.first?.anchor == "b" && page.opening.hasPrefix("*Why?*"))
    }
}
