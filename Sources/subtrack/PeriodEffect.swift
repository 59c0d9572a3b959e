import SubTrackAPI
import SubTrackKit

/// The effect of a change on a subscription's periods. An ended period cannot come back, so that people are asked before.
struct PeriodEffect {
    /// The change.
    let change: SubscriptionChange
    /// The subscription before the change; nil: it was deleted.
    let before: Kit.Details?
    /// The subscription after it.
    let after: Kit.Details
    /// The arguments of the command that brings the former days back; nil: none does, or the days stay.
    let undo: [String]?

    /// Looks at a change, and makes nothing.
    /// - Returns: nil where the subscription is gone after it.
    init?(_ change: SubscriptionChange, of found: TrackedSubscription, on kit: Kit) throws {
        guard let after = try kit.preview([change]) else { return nil }
        self.change = change
        self.after = after
        before = try kit.details(of: change.id)
        let former = found.subscription
        let candidates: [(String, CalendarDate, UpdateSubscription)] = [
            ("--start", former.startDate, UpdateSubscription(id: found.id, startDate: .set(former.startDate))),
            ("--renews", former.endDate, UpdateSubscription(id: found.id, nextRenewal: .set(former.endDate))),
        ]
        var undo: [String]?
        for (option, day, var update) in candidates where undo == nil {
            var words = [option, day.description]
            if after.tracked.subscription.freeTrial != former.freeTrial {
                update.freeTrial = .set(former.freeTrial)
                words.append(former.freeTrial ? "--trial" : "--no-trial")
            }
            // Looked at once: on a disk that is almost full the same look may fail the next time.
            if try Self.after([change, .update(update)], on: kit)?.hasPeriod(of: former) == true { undo = words }
        }
        self.undo = undo
    }

    /// The subscription after some changes; nil: one of them cannot be made.
    private static func after(_ changes: [SubscriptionChange], on kit: Kit) throws -> Subscription? {
        do {
            return try kit.preview(changes)?.tracked.subscription
        } catch let error as KitError {
            if case .store = error { throw error }
            return nil
        }
    }

    /// The periods that the change ends.
    private var ended: [Period] {
        let first = before?.tracked.subscription.period ?? 0
        return after.periods.filter { (first..<after.tracked.subscription.period).contains($0.number) }
    }

    /// Whether it moves the days of the present period, or ends it.
    var movesDays: Bool {
        guard let before = before?.tracked.subscription else { return !ended.isEmpty }
        return !after.tracked.subscription.hasPeriod(of: before)
    }

    /// Whether no command brings the former days back.
    var isLasting: Bool { movesDays && (undo == nil || !ended.isEmpty) }

    /// The effect in words.
    var words: String {
        let (name, present) = (Terminal.clean(after.tracked.name), after.tracked.subscription)
        let days = "\(present.startDate) to \(present.endDate), \(present.fee) \(present.currency)"
        guard let first = ended.first, let last = ended.last else {
            let former = before.map { "\($0.tracked.subscription.startDate) to \($0.tracked.subscription.endDate)" }
            return "\(name): the period \(former ?? "so far") becomes \(days). No command brings its former days back"
        }
        let count =
            ended.count == 1
            ? "the period \(first.startDate) to \(first.endDate)"
            : "\(ended.count) periods, \(first.startDate) to \(last.endDate),"
        return
            "\(name): this ends \(count) and begins \(days). An ended period counts as paid, and cannot be taken back"
    }

    /// The commands that come nearest to the former state of a change that cannot be taken back.
    func anew(on kit: Kit) throws -> [String] {
        guard let before = before?.tracked, let add = try TypedAnew(before, on: kit).line else { return [] }
        return [TypedCommand.line(["delete", before.shortID]), add]
    }
}

extension Subscription {
    /// Whether the present period is that of another state, with its days and its number.
    fileprivate func hasPeriod(of other: Subscription) -> Bool {
        startDate == other.startDate && endDate == other.endDate && period == other.period
    }
}

extension Session {
    /// Asks before a change that cannot be taken back.
    /// - Parameter isSure: whether `--yes` was typed.
    /// - Throws: ``Failure`` unless it is wanted.
    func confirm(_ effect: PeriodEffect, isSure: Bool) throws {
        guard effect.isLasting, !isSure else { return }
        guard Prompt.isInteractive else {
            throw Failure(
                "\(effect.words); nothing was changed", hint: TypedCommand().line(adding: ["--yes"]), code: Exit.usage)
        }
        Output.say("\(effect.words).")
        guard let answer = Prompt.line("Go on? [y/N] "), ["y", "yes"].contains(answer.lowercased()) else {
            throw Failure("nothing was changed")
        }
    }

    /// Says how a change of days is taken back, after it was made.
    func tellUndo(_ effect: PeriodEffect) throws {
        guard effect.movesDays, let before = effect.before?.tracked else { return }
        if let undo = effect.undo, !effect.isLasting {
            let former = before.subscription
            Output.say("The period was \(former.startDate) to \(former.endDate) before. To go back to it:")
            return Output.mutter("  \(TypedCommand.line(["edit", before.shortID] + undo))\n")
        }
        let commands = try effect.anew(on: kit)
        guard !commands.isEmpty else { return }
        Output.say("If that was a mistake, add it anew. Its earlier periods are lost:")
        for command in commands { Output.mutter("  \(command)\n") }
    }
}
