import SubTrackAPI
import SubTrackKit

/// The command that adds a subscription anew, as it stands.
struct TypedAnew {
    /// The command; nil: no command leads to its plan.
    let line: String?

    init(_ tracked: TrackedSubscription, on kit: Kit) throws {
        let one = tracked.subscription
        var words = ["add"]
        if one.plan.private {
            guard one.plan.nameBesideProvider == nil, one.plan.trialDays == nil, one.plan.noticeDays == 0 else {
                line = nil
                return
            }
            words += [one.plan.provider, "--fee", "\(tracked.ownFee ?? one.plan.fee)", "--currency", one.plan.currency]
            let length = one.plan.duration
            words += ["--every", length.value == 1 ? length.unit.rawValue : "\(length.value)\(length.unit.rawValue)s"]
            if one.plan.category != "Other" { words += ["--category", one.plan.category] }
        } else {
            let title = one.plan.title
            guard PlanChoice.exact(title, among: try kit.plans(matching: title, limit: Plans.limit))?.id == one.plan.id
            else {
                line = nil
                return
            }
            words.append(title)
            if let fee = tracked.ownFee { words += ["--fee", "\(fee)"] }
        }
        words += ["--start", one.startDate.description]
        if one.freeTrial { words.append("--trial") }
        if one.autoRenew { words.append("--auto") }
        if let label = one.label { words += ["--label", label] }
        if let days = one.reminderDays { words += ["--remind", String(days)] }
        if one.muted { words.append("--mute") }
        if let note = one.note { words += ["--note", note] }
        line = TypedCommand.line(words)
    }
}
