import SubTrackSQL
import TestTraits
import Testing

/// The collations that the files of `sql/` name.
///
/// The default collation of a character set is the server's and the session's business: MariaDB 11.5 has another one for
/// utf8mb4, and `character_set_collations` sets any. MariaDB 11.8 also ranks `CONVERT … USING` lower than MariaDB 10.11 when
/// it mixes collations.
@Suite("Collations in SQL files", .ownTime)
struct CollationTests {
    private static let folders = [
        "control", "tenant", "tenant/triggers", "tenant/views", "reference", "catalog", "admin",
    ]
    private static let files = folders.flatMap { SQLFiles.files(in: $0) } + Schema.areaFiles

    @Test("CONVERT … USING names its collation")
    func conversions() throws {
        #expect(Self.files.count > 40)
        for file in Self.files {
            for conversion in Self.conversions(in: file.text) where !conversion.namesCollation {
                Issue.record("sql/\(file.path): no COLLATE after \(conversion.text.prefix(80))")
            }
        }
    }

    @Test("text in a declaration or column names its collation")
    func declarations() {
        for file in Self.files {
            for line in file.text.split(separator: "\n") where !line.trimming(" ").hasPrefix("--") {
                let isText = line.contains("DECLARE ") && line.contains("CHAR(") && !line.contains("CURSOR FOR")
                if isText || line.contains("CHARACTER SET ") || line.contains("CHARSET ") {
                    #expect(line.contains("COLLATE"), "sql/\(file.path): \(line)")
                }
            }
        }
    }

    @Test("a table with text names its character set and collation")
    func tables() {
        for file in Self.files {
            // Comments have semicolons, too.
            let text = file.text.replacing(#/--[^\n]*/#, with: "")
            for statement in text.split(separator: ";") where statement.contains("CREATE TABLE") {
                guard ["CHAR(", "ENUM (", "TEXT"].contains(where: { statement.contains($0) }) else { continue }
                #expect(statement.contains("CHARSET = utf8mb4 COLLATE = utf8mb4_unicode_ci"), "sql/\(file.path)")
            }
        }
    }

    @Test("triggers and views set the collation of their literals")
    func literals() {
        for file in Self.files where file.path.contains("/triggers/") || file.path.contains("/views/") {
            #expect(file.text.contains("SET NAMES utf8mb4 COLLATE utf8mb4_unicode_ci;"), "sql/\(file.path)")
        }
    }

    @Test("the reader of CONVERT finds what it is for")
    func reader() {
        func named(_ text: String) -> [Bool] { Self.conversions(in: text).map(\.namesCollation) }
        #expect(named("CONVERT(x USING latin1) REGEXP 'a'") == [false])
        #expect(named("CONVERT(LOWER(CONCAT(a, ')')) USING ascii)\n  COLLATE ascii_bin") == [true])
        #expect(named("CONVERT(CONVERT(x USING latin1) USING utf8mb4) COLLATE utf8mb4_bin") == [true, true])
        #expect(named("CONVERT(x, DATE)") == [])
    }

    private struct Conversion {
        /// The expression, from `CONVERT(` to its parenthesis.
        let text: Substring
        /// Whether `COLLATE` follows, or another conversion that takes this one's result.
        let namesCollation: Bool
    }

    /// The expressions `CONVERT(… USING …)` of a text, the outer ones first.
    private static func conversions(in text: String) -> [Conversion] {
        text.ranges(of: "CONVERT(").compactMap { start in
            var depth = 1
            var isQuoted = false
            var end = start.upperBound
            while end < text.endIndex, depth > 0 {
                let character = text[end]
                if character == "'" { isQuoted.toggle() }
                if !isQuoted { depth += character == "(" ? 1 : character == ")" ? -1 : 0 }
                end = text.index(after: end)
            }
            let expression = text[start.lowerBound..<end]
            // That of this conversion, not of one in it.
            guard expression.dropLast().split(separator: " ").suffix(2).first == "USING" else { return nil }
            let rest = text[end...].drop(while: \.isWhitespace)
            return Conversion(text: expression, namesCollation: rest.hasPrefix("COLLATE ") || rest.hasPrefix("USING "))
        }
    }
}

extension Substring {
    fileprivate func trimming(_ character: Character) -> Substring { drop { $0 == character } }
}
