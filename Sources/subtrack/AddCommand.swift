import ArgumentParser
import SubTrackAPI
import SubTrackKit

struct Add: SessionCommand {
    static let configuration = CommandConfiguration(
        commandName: "add",
        abstract: "Adds a subscription: a plan is found by a few letters.",
        discussion: """
            A plan of the catalogue, from today or another day:

            subtrack add netflix premium
            subtrack add spotify fam --start -3 --auto --label Music

            One of your own:

            subtrack add Gym --fee 29.90 --currency EUR --every month
            """)
    @OptionGroup var home: Home
    @Argument(help: "Letters of provider and plan; of one of your own, its name.") var words: [String] = []
    @OptionGroup var terms: Terms
    @Option(
        help: "Makes it a plan of your own, with --every: the currency of its fee (default: that of subtrack me).")
    var currency: String?
    @Option(
        help: ArgumentHelp(
            "Makes it a plan of your own: how long a period lasts, such as month, 2weeks, 90d.", valueName: "duration"))
    var every: Typed<TypedDuration>?
    @Option(help: "The category of a plan of your own.") var category: String?
    @Option(help: "Which of the plans that subtrack plans shows for these letters: its number.") var number: Typed<Int>?

    func validate() throws {
        guard !words.isEmpty || number != nil else {
            throw ValidationError("name a plan by letters of provider and plan, such as subtrack add netflix premium")
        }
        guard number == nil || (every == nil && currency == nil) else {
            throw ValidationError("--number is of a plan of the catalogue, --every and --currency make one of your own")
        }
    }

    func run(_ session: Session) async throws {
        let kit = session.kit
        try check(kit)
        let reason = try await session.pullOnce()
        var new = try terms(kit)
        if isOwn {
            new.plan = try ownPlan(try kit.presumedCurrency(), kit)
        } else {
            let plan = try choose(kit, because: reason)
            new.planId = plan.id
            new.fee = terms.fee?.amount(digits: try kit.digits(of: plan.currency))
        }
        var faults = OptionFaults()
        faults.note(try kit.faults(of: new), .add)
        try faults.throwAny()
        let id = try kit.add(new)
        try await session.finish(id)
    }

    /// Whether it is a plan of the user's own.
    private var isOwn: Bool { every != nil || currency != nil }

    /// Finds the faults of all options before the service is asked for anything.
    private func check(_ kit: Kit) throws {
        let usual = try kit.presumedCurrency()
        let digits = try kit.digits(of: (currency ?? usual ?? "").uppercased())
        var faults = OptionFaults()
        terms.check(&faults, digits: digits)
        faults.check("--every", every)
        faults.check("--number", number)
        var draft = try terms(kit)
        if isOwn {
            // Stand-ins take the place of missing values, so that other faults are named beside them.
            draft.plan = plan(
                fee: terms.fee?.amount(digits: digits) ?? Amount(units: 0, digits: 0), currency ?? usual ?? "EUR",
                every?.value ?? .month)
        }
        let found = try kit.faults(of: draft).filter { error in
            if case .invalid("planId", _) = error { false } else { true }
        }
        faults.note(found, .add)
        if isOwn, !faults.all.isEmpty {
            let missing = missingOfOwn(usual).compactMap(\.first)
            if !missing.isEmpty { faults.note("a plan of your own needs \(missing.joined(separator: ", ")) too") }
        }
        try faults.throwAny()
    }

    /// What was said of the subscription beside its plan and its fee.
    private func terms(_ kit: Kit) throws -> CreateSubscription {
        let today = try kit.today()
        var new = CreateSubscription()
        new.startDate = terms.start?.value?.day(today)
        new.nextRenewal = terms.renews?.value?.day(today)
        new.freeTrial = terms.trial
        new.autoRenew = terms.auto
        new.label = terms.label
        new.reminderDays = terms.remind?.value
        new.muted = terms.mute ? true : nil
        new.note = terms.note
        return new
    }

    /// - Parameter usual: the currency of totals; nil: it is not known.
    private func ownPlan(_ usual: String?, _ kit: Kit) throws -> PrivatePlan {
        guard let every = every?.value, let currency = currency ?? usual,
            let fee = terms.fee?.amount(digits: try kit.digits(of: currency.uppercased()))
        else {
            let missing = missingOfOwn(usual)
            let options = missing.compactMap(\.first)
            throw Failure(
                "a plan of your own needs \(options.joined(separator: ", ")) too",
                hint: TypedCommand().line(adding: missing.flatMap { $0 }), code: Exit.usage)
        }
        return plan(fee: fee, currency, every)
    }

    private func plan(fee: Amount, _ currency: String, _ every: TypedDuration) -> PrivatePlan {
        PrivatePlan(
            provider: words.joined(separator: " "), name: "Standard", category: category, fee: fee,
            currency: currency.uppercased(), duration: every.duration)
    }

    /// The options that make it a plan of one's own and were not typed, each with an example.
    private func missingOfOwn(_ usual: String?) -> [[String]] {
        var missing: [[String]] = []
        if terms.fee == nil { missing.append(["--fee", "9.99"]) }
        if currency == nil, usual == nil { missing.append(["--currency", "EUR"]) }
        if every == nil { missing.append(["--every", "month"]) }
        return missing
    }

    /// The command that adds a plan of one's own with all that was typed.
    private func own(_ kit: Kit) throws -> String {
        let usual = try kit.presumedCurrency()
        var missing = missingOfOwn(nil)
        if let usual, let place = missing.firstIndex(where: { $0.first == "--currency" }) { missing[place][1] = usual }
        // A number is of a plan of the catalogue.
        guard number == nil, !words.isEmpty else {
            let name = words.isEmpty ? "NAME" : words.joined(separator: " ")
            return TypedCommand.line(["add", name] + missing.flatMap { $0 })
        }
        return TypedCommand().line(adding: missing.flatMap { $0 })
    }

    /// The plan that the words lead to. Where there are several, they are shown, and asked for at a terminal.
    /// - Parameter reason: why there is no catalogue yet.
    private func choose(_ kit: Kit, because reason: KitError?) throws -> Plan {
        let text = words.joined(separator: " ")
        let found = Array(try kit.plans(matching: text, limit: Plans.limit))
        guard let first = found.first else {
            throw try Failure.noPlan(text, in: kit, own: own(kit), because: reason)
        }
        let list = TypedCommand.line(["plans"] + words)
        if let number = number?.value {
            guard found.indices.contains(number - 1) else {
                throw Failure(
                    "there is no plan number \(number): \(list) shows \(found.count == 1 ? "1" : "1 to \(found.count)")",
                    hint: list)
            }
            return found[number - 1]
        }
        if found.count == 1 { return first }
        if let named = PlanChoice.exact(text, among: found) { return named }
        let shown = found.prefix(Self.asked)
        for line in PlanTableLines.lines(Array(shown), on: .ofRemarks) { Output.mutter(line + "\n") }
        if found.count > shown.count { Output.say("… and more: \(list)") }
        guard Prompt.isInteractive else {
            throw Failure(
                "\"\(Terminal.clean(text))\" could be any of these; add more letters, or the number of one",
                hint: TypedCommand().line(adding: ["--number", "1"]))
        }
        guard let answer = Prompt.line("Which? [1] "), let index = answer.isEmpty ? 1 : Int(answer),
            found.indices.contains(index - 1)
        else { throw Failure("nothing was added") }
        return found[index - 1]
    }

    /// How many plans are shown to choose from.
    private static let asked = 12
}
