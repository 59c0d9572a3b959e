import Foundation
import MariaDB
import SubTrackAPI
import SubTrackTestSupport
import TestTraits
import Testing

@testable import SubTrackServer

/// Every state of an address with every event. The rows stand in the documentation, where people read them; a cell that
/// is missing there, or that is none, fails.
@Suite("States of an address", .ownTime)
struct AddressStateTests {
    /// A row of the table: what is seen after an event.
    private struct Row: Sendable, Hashable {
        let state: AddressState
        let event: AddressEvent
        let cells: [String]

        var text: String { "| \(([event.rawValue] + cells).joined(separator: " | ")) |" }
    }

    private static let file = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../../docs/api/account-states.md").standardizedFileURL
    private static let head = "| event | answer | A | B | U's device | mails |\n|---|---|---|---|---|---|"

    @Test("Each event in each state does what the table in the documentation says")
    func table() async throws {
        let rows = try await TestService.run { service in
            try await service.database.withClient(configure: { $0.leaseTimeout = .seconds(60) }) { database in
                try await withThrowingTaskGroup(of: [Row].self) { group in
                    for state in AddressState.allCases {
                        group.addTask {
                            var rows: [Row] = []
                            for event in AddressEvent.allCases {
                                let scene = try await AddressScene(state, service, database)
                                rows.append(try await Self.play(event, state, scene))
                            }
                            return rows
                        }
                    }
                    return try await group.reduce(into: [Row]()) { $0 += $1 }
                }
            }
        }
        let text = try String(contentsOf: Self.file, encoding: .utf8)
        let introduction = text.prefix(upTo: text.firstRange(of: "\n## ")?.lowerBound ?? text.endIndex)
        let tables = AddressState.allCases.map { state in
            let lines = AddressEvent.allCases.compactMap { event in
                rows.first { $0.state == state && $0.event == event }?.text
            }
            return "\n## A: \(state.rawValue)\n\n\(Self.head)\n\(lines.joined(separator: "\n"))\n"
        }
        let whole = introduction + tables.joined()
        if ProcessInfo.processInfo.environment["SUBTRACKIT_WRITE_GOLDEN"] != nil {
            try Data(whole.utf8).write(to: Self.file)
        }
        let documented = try String(contentsOf: Self.file, encoding: .utf8).split(separator: "\n")
        let seen = whole.split(separator: "\n")
        for (line, other) in zip(seen, documented) where line != other {
            Issue.record("seen: \(line)\ndocumented: \(other)")
        }
        #expect(seen.count == documented.count, "a cell is missing or is none")
        #expect(rows.count == AddressState.allCases.count * AddressEvent.allCases.count)
    }

    // MARK: One cell

    private static func play(_ event: AddressEvent, _ state: AddressState, _ scene: AddressScene) async throws -> Row {
        let mails = try await scene.mails()
        let before = try await scene.accounts()
        let answer = try await answer(to: event, scene, before)
        let after = try await scene.accounts()
        let told = try await scene.mails().filter { mails[$0.key] == nil }.values.sorted()
        let device = try await scene.owner.client.response(to: GetMe())
        let isIn = device.status == 200 ? "in" : "out (`\(try device.problem().code.rawValue)`)"
        try await check(event, state, scene, before, after)
        let standing = [scene.standing(scene.a, after), scene.standing(scene.b, after), isIn]
        return Row(
            state: state, event: event,
            cells: event.isConcurrent
                ? [answer, "", "", "", ""] : [answer] + standing + [told.joined(separator: ", ")])
    }

    /// What holds in every cell, whatever the table says.
    private static func check(
        _ event: AddressEvent, _ state: AddressState, _ scene: AddressScene,
        _ before: [String: AddressScene.Account], _ after: [String: AddressScene.Account]
    ) async throws {
        let what = Comment(rawValue: "\(state.rawValue): \(event.rawValue)")
        // The reader of A's mail is in, and nobody else is: no other address, and no session of before.
        if event.isReset, !event.isConcurrent, let account = after[scene.a], before[scene.a] != nil {
            let answer = try await scene.service.client.response(
                to: CreateSession(email: scene.a, password: AddressScene.newPassword))
            if answer.status == 200 {
                let made = try answer.decode(CreateSession.Output.self)
                #expect(made.user.accounts.map(\.email) == [scene.a], what)
                #expect(try await scene.sessions(of: account.user) == 1, what)
                #expect(after.filter { $0.value.user == account.user }.count == 1, what)
            }
        }
        // A confirmed address loses U to nobody but an older confirmed one: B stays what it was unless A comes before it.
        if event.isReset, event != .resetBoth, let other = before[scene.b], other.isVerified, state != .firstOfTwo {
            #expect(after[scene.b]?.user == other.user && after[scene.b]?.isVerified == true, what)
        }
        // A link of before never works for what the address is now.
        if event == .confirmOld || event == .resetOld, state == .registeredAgain {
            #expect(after[scene.a]?.isVerified == false, what)
        }
    }

    // MARK: Events

    private static func code(_ response: APIResponse) throws -> String {
        guard response.status >= 400 else { return "\(response.status)" }
        return "\(response.status) `\(try response.problem().code.rawValue)`"
    }

    private static func answer(
        to event: AddressEvent, _ scene: AddressScene, _ before: [String: AddressScene.Account]
    ) async throws -> String {
        let (anybody, owner) = (scene.service.client, scene.owner.client)
        let (a, old) = (scene.a, AddressScene.passwordA)
        @Sendable func verify(_ token: String) async throws -> String {
            try code(try await anybody.response(to: VerifyEmail(token: token)))
        }
        @Sendable func reset(_ token: String) async throws -> String {
            let answer = try await anybody.response(
                to: ResetPassword(token: token, newPassword: AddressScene.newPassword))
            guard answer.status == 200 else { return try code(answer) }
            let output = try answer.decode(ResetPassword.Output.self)
            let removed = output.removedAccounts.map(scene.name).joined(separator: ", ")
            return output.keptUser ? "200 kept U\(removed.isEmpty ? "" : ", removed \(removed)")" : "200 left U"
        }
        switch event {
        case .register:
            return try code(
                try await scene.service.newUser().client.response(
                    to: RegisterAccount(email: a, password: "a stranger's password")))
        case .signIn: return try code(try await anybody.response(to: CreateSession(email: a, password: old)))
        case .add:
            return try code(
                try await owner.response(
                    to: RegisterAccount(email: scene.c, password: "the password of C", currentPassword: old)))
        case .change:
            return try code(
                try await owner.response(to: ChangeEmail(email: a, newEmail: scene.d, currentPassword: old)))
        case .remove: return try code(try await owner.response(to: DeleteAccount(email: a, currentPassword: old)))
        case .removeByOther:
            return try code(
                try await owner.response(to: DeleteAccount(email: a, currentPassword: AddressScene.passwordB)))
        case .removeOther:
            return try code(try await owner.response(to: DeleteAccount(email: scene.b, currentPassword: old)))
        case .deleteUser: return try code(try await owner.response(to: DeleteMe(currentPassword: old)))
        case .forgot: return try code(try await anybody.response(to: ForgotPassword(email: a)))
        case .confirm: return try await verify(scene.link(.verify, to: a))
        case .confirmTwice:
            let token = try await scene.link(.verify, to: a)
            _ = try await verify(token)
            return try await verify(token)
        case .confirmExpired: return try await verify(scene.link(.verify, to: a, expired: true))
        case .confirmOld: return try await verify(scene.oldVerify)
        case .reset: return try await reset(scene.link(.reset, to: a))
        case .resetTwice:
            let token = try await scene.link(.reset, to: a)
            _ = try await reset(token)
            return try await reset(token)
        case .resetExpired: return try await reset(scene.link(.reset, to: a, expired: true))
        case .resetOld: return try await reset(scene.oldReset)
        case .resetTwoAtOnce:
            let token = try await scene.link(.reset, to: a)
            async let first = reset(token)
            async let second = reset(token)
            let done = try await [first, second].filter { $0.hasPrefix("200") }
            return done.isEmpty ? "neither" : done.count == 1 ? "one of them" : "both"
        case .resetWhileSigningIn:
            let token = try await scene.link(.reset, to: a)
            async let signIn = anybody.response(to: CreateSession(email: a, password: old))
            async let answer = reset(token)
            let (made, done) = try await (signIn, answer)
            guard done.hasPrefix("200"), made.status == 200 else { return "no session of A's is left" }
            var session = anybody
            session.token = try made.decode(CreateSession.Output.self).token
            let me = try await session.response(to: GetMe())
            let isOut = try me.status == 401 || !me.decode(User.self).accounts.contains { $0.email == a }
            return isOut ? "no session of A's is left" : "a session of A's is left"
        case .resetWhileAdding:
            let token = try await scene.link(.reset, to: a)
            async let added = owner.response(
                to: RegisterAccount(email: scene.c, password: "the password of C", currentPassword: old))
            async let answer = reset(token)
            let done = try await (added, answer).1
            let after = try await scene.accounts()
            let isBeside = after[a] != nil && after[a]?.user == after[scene.c]?.user
            return done.hasPrefix("200") && isBeside ? "C leads to A's user" : "C does not lead to A's user"
        case .resetBoth:
            let (one, other) = (try await scene.link(.reset, to: a), try await scene.link(.reset, to: scene.b))
            async let first = reset(one)
            async let second = anybody.response(
                to: ResetPassword(token: other, newPassword: AddressScene.newPassword))
            _ = try await (first, second)
            let after = try await scene.accounts()
            let areApart = after[a] == nil || after[a]?.user != after[scene.b]?.user
            let hadConfirmed = before.contains { $0.value.isVerified && $0.value.user == scene.owner.user.id }
            let isReached = after.contains { $0.value.isVerified && $0.value.user == scene.owner.user.id }
            return (areApart ? "A and B are apart" : "A and B are together")
                + (hadConfirmed && !isReached ? ", and U is lost" : "")
        case .confirmWhileRemoving:
            let token = try await scene.link(.verify, to: a)
            async let confirmed = verify(token)
            async let removed = owner.response(
                to: DeleteAccount(email: a, currentPassword: AddressScene.passwordB))
            _ = try await confirmed
            let isRemoved = try await removed.status == 204
            let after = try await scene.accounts()
            return isRemoved == (before[a] != nil && after[a] == nil) ? "removed or not, wholly" : "removed in part"
        }
    }
}

extension AddressEvent {
    /// Whether it is two requests of which either may come first: what is seen is what holds both ways.
    var isConcurrent: Bool {
        switch self {
        case .resetTwoAtOnce, .resetWhileSigningIn, .resetWhileAdding, .resetBoth, .confirmWhileRemoving: true
        default: false
        }
    }

    /// Whether A's password is reset in it.
    var isReset: Bool {
        switch self {
        case .reset, .resetTwice, .resetOld, .resetTwoAtOnce, .resetWhileSigningIn, .resetWhileAdding, .resetBoth: true
        default: false
        }
    }
}
