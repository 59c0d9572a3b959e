import TestTraits
import Testing

@testable import MariaDB

@Suite(.ownTime) struct SQLTests {
    @Test func valuesAreBoundAndNeverPartOfTheText() {
        let name = "x'; DROP TABLE Plan; --"
        let sql: SQL = "SELECT 1 FROM Plan WHERE Plan_name = \(name) AND Fee > \(3)"
        #expect(sql.text == "SELECT 1 FROM Plan WHERE Plan_name = ? AND Fee > ?")
        #expect(sql.bindCount == 2)
        #expect(!"\(sql)".contains("DROP"))
    }
}
