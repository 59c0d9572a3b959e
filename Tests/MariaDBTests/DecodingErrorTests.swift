import Foundation
import TestTraits
import Testing

@testable import MariaDB

/// Errors say where and what was wanted, and keep the values to themselves.
@Suite(.ownTime) struct DecodingErrorTests {
    @Test func anErrorNamesColumnIndexAndWantedType() async throws {
        try await Server.withClient { client in
            try await client.withConnection { connection in
                let rows = try await connection.query("SELECT 1 AS one, 'secret words' AS name, NULL AS none")
                let failure = await mariaDBError { _ = try rows.decode((Int, Int, String?).self) }
                #expect(
                    failure?.decodingFailure
                        == DecodingFailure(column: "name", index: 1, wanted: "Int", reason: "is VARCHAR"))
                #expect(failure.map { "\($0)".contains("secret") } == false)
                let null = await mariaDBError { _ = try rows.first?["none"].decode(String.self) }
                #expect(null?.decodingFailure?.reason == "is NULL")
                let missing = await mariaDBError { _ = try rows.first?["nowhere"].decode(String.self) }
                #expect(missing?.decodingFailure?.column == "nowhere")
                let index = await mariaDBError { _ = try rows.first?[3].decode(String.self) }
                #expect(index?.decodingFailure?.reason == "there is no such column")
                let count = await mariaDBError { _ = try rows.decode((Int, String).self) }
                #expect(count?.decodingFailure?.wanted == "2 columns")
                let range = await mariaDBError {
                    _ = try await connection.query("SELECT 300").decode(UInt8.self)
                }
                #expect(range?.decodingFailure?.reason == "holds a number out of range")
            }
        }
    }

    @Test func serverErrorsKeepValuesOutOfTheirDescription() async throws {
        try await Server.withClient { client in
            try await client.withConnection { connection in
                try await connection.execute("CREATE TABLE t (s VARCHAR(40) UNIQUE)")
                try await connection.execute("INSERT INTO t VALUES (\("hunter2"))")
                let error = await mariaDBError { try await connection.execute("INSERT INTO t VALUES (\("hunter2"))") }
                #expect(error?.isDuplicate == true)
                #expect(error?.sqlState == "23000")
                let shown = error.map {
                    "\($0) \(String(reflecting: $0)) \(Mirror(reflecting: $0).children.map { "\($0)" })"
                }
                #expect(shown?.contains("hunter2") == false)
                #expect(shown?.contains("1062") == true)
                var dumped = ""
                dump(error, to: &dumped)
                #expect(!dumped.contains("hunter2"))
            }
        }
    }

    @Test func statementsAndPasswordsKeepTheirSecrets() {
        let sql: SQL = "SELECT \("hunter2")"
        var shown = "\(sql) \(String(reflecting: sql))"
        dump(sql, to: &shown)
        var configuration = MariaDBConfiguration(endpoint: .tcp(host: "h"), user: "u")
        configuration.password = MariaDBConfiguration.Password("hunter2")
        dump(configuration, to: &shown)
        shown += "\(configuration)"
        #expect(!shown.contains("hunter2"))
    }

    @Test func aRefusedSignInDoesNotShowThePassword() async throws {
        try await Server.withClient { client in
            var configuration = client.configuration
            configuration.user = "nobody"
            configuration.password = "hunter2"
            try await Server.withClient(of: configuration) { stranger in
                let error = await mariaDBError { try await stranger.withConnection { _ in } }
                #expect(error?.kind == .refused)
                #expect(error?.code == 1045 || error?.code == 1698)
                #expect(error.map { "\($0) \($0.message)".contains("hunter2") } == false)
            }
        }
    }
}
