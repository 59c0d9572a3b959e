import Foundation
import SubTrackWeb
import TestTraits
import Testing
import WebSource

/// Comments of scripts and style sheets are left out, and nothing else is.
@Suite("The web app's source", .ownTime)
struct WebSourceTests {
    @Test(
        "A script keeps everything but comments and indentation",
        arguments: [
            ("let a = 1; // one\nlet b = 2;", "let a = 1;\nlet b = 2;"),
            ("/** Doc. */\nfunction f() {\n    return 1;\n}\n", "function f() {\nreturn 1;\n}\n"),
            // A statement may end by the line break of a comment.
            ("return /* a\nb */ x", "return\nx"),
            ("a/**/b", "a b"),
            (
                "\"// no\" + '/* no */' + `// no ${1 /* yes */ + 1} /* no */`",
                "\"// no\" + '/* no */' + `// no ${1 + 1} /* no */`"
            ),
            ("`a ${`b ${{ c: 1 }} // d`} // e`", "`a ${`b ${{ c: 1 }} // d`} // e`"),
            ("const url = \"https://example.org\"; // x", "const url = \"https://example.org\";"),
            ("x = /\\/\\/[/*]+/g.test(y) // z", "x = /\\/\\/[/*]+/g.test(y)"),
            ("x = a / b / c // d", "x = a / b / c"),
            ("x = (a + b) / 2 /* half */ / c", "x = (a + b) / 2 / c"),
            ("if (a) /b\"/.test(c) // d", "if (a) /b\"/.test(c)"),
            ("x = a++ / 2 // \"", "x = a++ / 2"),
            ("x = a[0] / 2 // \"", "x = a[0] / 2"),
            ("return /'/.test(a) // '", "return /'/.test(a)"),
            ("x = a.return / 2 // '\"", "x = a.return / 2"),
            ("f(1./2) // '", "f(1./2)"),
            ("[/`/, /\"/] // `", "[/`/, /\"/]"),
            ("() => /'/ // '", "() => /'/"),
            ("'it\\'s // here' // gone", "'it\\'s // here'"),
            ("`a\n    b // c\n`", "`a\n    b // c\n`"),
            ("class A { #b = 1; // c\n}", "class A { #b = 1;\n}"),
            ("\"ä\" // ö\n", "\"ä\"\n"),
        ])
    func script(_ text: String, _ stripped: String) throws {
        let source = try ScriptSource(text)
        #expect(source.stripped == stripped)
        #expect(try ScriptSource(stripped).stripped == stripped)
    }

    @Test("A slash behind a closing brace is not guessed at")
    func ambiguity() {
        #expect(throws: ScriptSource.Ambiguity.self) { try ScriptSource("let a = {}\n/ 2 // b") }
        #expect(throws: ScriptSource.Ambiguity.self) { try ScriptSource("x = /a\n/") }
        var source = WebSource()
        source.add("js/a.js", Array("// stays\nlet a = {}\n/ 2".utf8))
        #expect(source.files["js/a.js"] == .text("// stays\nlet a = {}\n/ 2"))
        #expect(source.warnings.first?.hasPrefix("js/a.js, line 3:") == true)
    }

    @Test("Static imports are found, dynamic ones and words of the same letters are not")
    func imports() throws {
        let text = """
            import "./a.js"; // import "./no.js"
            import { b, c as d } from './b.js';
            import * as e from "../e.js";
            export { f } from "./f.js";
            const later = () => import("./later.js");
            const from = { import: "./no.js" }, x = `import "./no.js"`;
            console.log(import.meta.url, Array.from("./no.js"), y.from, "./no.js");
            """
        #expect(try ScriptSource(text).imports == ["./a.js", "./b.js", "../e.js", "./f.js"])
        var source = WebSource()
        source.add("js/pages/today.js", Array(text.utf8))
        #expect(source.imports["js/pages/today.js"] == ["js/pages/a.js", "js/pages/b.js", "js/e.js", "js/pages/f.js"])
    }

    @Test(
        "A style sheet keeps everything but comments",
        arguments: [
            ("/* a */\nb { c: d }", "b { c: d }"),
            ("a { b: \"/* c */\" } /* d */\n", "a { b: \"/* c */\" }\n"),
            ("a/* x */.b{c:d}", "a/**/.b{c:d}"),
            ("a /* x */ .b{c:d}", "a .b{c:d}"),
            ("a{b:c;/* x */d:e}", "a{b:c;d:e}"),
            ("a{b:1px/* x */2px}", "a{b:1px/**/2px}"),
            ("a { b: url(data:image/*;x) } /* y */", "a { b: url(data:image/*;x) }"),
            ("a { b: url( \"/* c */\" ) } /* y */", "a { b: url( \"/* c */\" ) }"),
            ("a::after { content: '\\'/*' } /* y */", "a::after { content: '\\'/*' }"),
            ("a {\n    b: c;\n\n    d: e;\n}\n", "a {\nb: c;\nd: e;\n}\n"),
        ])
    func style(_ text: String, _ stripped: String) {
        #expect(StyleSource.stripped(text) == stripped)
        #expect(StyleSource.stripped(stripped) == stripped)
    }

    @Test("What is for developers alone is not served")
    func served() {
        for path in ["index.html", "js/core/days.js", "icons/mark.svg", "icons/a.png", "routes.json", "sw.js"] {
            #expect(WebSource.isServed(path), "\(path)")
        }
        for path in [
            "types/api.d.ts", "types/a.js", ".git/a.js", "js/.a.js", "README.md", "js", "js/a.js.orig", "a.sh",
        ] {
            #expect(!WebSource.isServed(path), "\(path)")
        }
    }

    @Test("Each file of the binary is the folder's, and no script of it is left with its comments")
    func embedded() throws {
        let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appending(path: "../../../web").standardizedFileURL
        let paths = (FileManager.default.enumerator(atPath: folder.path)?.allObjects ?? []).compactMap { $0 as? String }
            .filter(WebSource.isServed)
        var source = WebSource()
        for path in paths { source.add(path, Array(try Data(contentsOf: folder.appending(path: path)))) }
        #expect(source.warnings == [])
        #expect(Set(paths) == Set(WebFolder.files.keys))
        #expect(WebFolder.imports == source.imports.filter { !$0.value.isEmpty })
        for (path, names) in source.imports {
            for name in names { #expect(source.files[name] != nil, "\(path) imports \(name), which is not there") }
        }
    }
}
