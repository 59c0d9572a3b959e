import Foundation
import SubTrackAPI
import SubTrackTestSupport
import TestTraits
import Testing

@Suite("The pages of problems", .ownTime)
struct ProblemPagesTests {
    @Test("The type of a problem leads to a page of its code")
    func typeIsAPage() async throws {
        try await TestService.run { service in
            let refused = try await service.client.send("GET", "/v1/plans")
            let problem = try refused.problem()
            let page = try await service.client.send("GET", problem.type)
            #expect(page.status == 200)
            #expect(page.header("content-type") == "text/html; charset=utf-8")
            #expect(page.text.contains("<code>\(problem.code.rawValue)</code>"))
            #expect(page.text.contains(problem.title))
        }
    }

    @Test("Each code has a page with advice, and the list links to all of them")
    func eachCodeHasAPage() async throws {
        try await TestService.run { service in
            let list = try await service.client.send("GET", "/problems").text
            for code in ErrorCode.allCases {
                #expect(list.contains("href=\"problems/\(code.rawValue)\""))
                let page = try await service.client.send("GET", "/problems/\(code.rawValue)")
                #expect(page.status == 200, "\(code)")
                // Backticks are marks in the source, and elements on the page.
                #expect(!page.text.contains("`"), "\(code)")
                #expect(code.advice.split(separator: " ").count > 5, "\(code)")
            }
        }
    }

    @Test(
        "An unknown code, another method and a longer path are no pages",
        arguments: [
            ("GET", "/problems/no_such_code", 404), ("GET", "/problems/stale/more", 404),
            ("GET", "/problems/%3Cscript%3E", 404),
            ("POST", "/problems/stale", 404),
        ])
    func othersAreNoPages(method: String, path: String, status: Int) async throws {
        try await TestService.run { service in
            let answer = try await service.client.send(method, path)
            #expect(answer.status == status)
            #expect(!answer.text.contains("<script"))
        }
    }
}
