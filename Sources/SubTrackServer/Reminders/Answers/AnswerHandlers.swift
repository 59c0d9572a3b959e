import Foundation
import MariaDB
import Passwords
import SubTrackAPI
import SubTrackCore

/// The operations for the holder of a mail's token, without a session.
struct AnswerHandlers: Sendable {
    private let limits = AnswerGuard()

    /// Registers the handlers.
    func register(in registry: inout OperationRegistry) {
        registry.register(PreviewAnswers.self, handler: preview)
        registry.register(GiveAnswer.self, handler: give)
    }

    @Sendable private func preview(
        _ input: PreviewAnswers, _ call: Call
    ) async throws -> Reply<PreviewAnswers.Output> {
        let (_, holder) = try await holder(of: input.token, call)
        return try await call.tenant.read { connection in
            let reader = try await ReminderReader.read(holder.user, on: connection)
            let shown = try await ShownReminders.read(of: holder, "TRUE", call, on: connection)
            return Reply(
                .init(
                    today: holder.today(at: call.now), language: (reader?.language ?? .english).rawValue,
                    reminders: shown))
        }
    }

    @Sendable private func give(_ input: GiveAnswer, _ call: Call) async throws -> Reply<GiveAnswer.Output> {
        let (token, holder) = try await holder(of: input.token, call)
        var call = call.forPart()
        call.session = try holder.session(token: input.token)
        return try await call.write(input) { connection in
            // Under the lock: the user may have gone, and the token with it.
            let now = try await token.holder(now: call.now, on: connection)
            try await ReminderAnswering.answer(input, of: now, call, on: connection)
            let shown = try await ShownReminders.read(
                of: now, "r.Reminder_ID = \(input.reminder)", call, on: connection)
            guard let reminder = shown.first else { throw ReminderAnswering.foreign }
            return Reply(.init(reminder: reminder))
        }
    }

    /// The holder of a token, as somebody sends it.
    /// - Throws: `input_invalid` for a token that is none, and `rate_limited` after many of them.
    private func holder(of text: String, _ call: Call) async throws -> (AnswerToken, AnswerToken.Holder) {
        do {
            let token = try AnswerToken(text, .answer)
            return (token, try await call.tenant.read { try await token.holder(now: call.now, on: $0) })
        } catch let problem as Problem where problem.code == .inputInvalid {
            try limits.count(call.origin, at: call.now)
            throw problem
        }
    }
}

extension AnswerToken.Holder {
    /// A session of the user for one call. No device has it.
    fileprivate func session(token text: String) throws -> Session {
        guard let token = Token(text) else { throw AnswerToken.bad }
        let nobody = UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))
        return Session(
            id: nobody, device: nobody, user: user, country: country, timeZone: timeZone, hasAccount: true,
            tokenHash: try token.hash)
    }
}
