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
    var every: TypedDuration?
    @Option(help: "The category of a plan of your own.") var category: String?
    @Option(help: "Which of the plans that subtrack plans shows for these letters: its number.") var number: Int?

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
        let reason = try await session.pullOnce()
        var new = CreateSubscription()
        if every != nil || currency != nil {
            new.plan = try ownPlan(try kit.presumedCurrency())
        } else {
            new.planId = try choose(kit, because: reason).id
            new.fee = terms.fee
        }
        let today = try kit.today()
        new.startDate = terms.start?.day(today)
        new.nextRenewal = terms.renews?.day(today)
        new.freeTrial = terms.trial
        new.autoRenew = terms.auto
        new.label = terms.label
        new.reminderDays = terms.remind
        new.note = terms.note
        let id = try kit.add(new)
        try await session.finish(id)
    }

    /// - Parameter usual: the currency of totals; nil: it is not known.
    private func ownPlan(_ usual: String?) throws -> PrivatePlan {
        guard let every, let fee = terms.fee, let currency = currency ?? usual else {
            let missing = missingOfOwn(usual)
            let options = missing.compactMap(\.first)
            throw Failure(
                "a plan of your own needs \(options.joined(separator: ", ")) too",
                hint: TypedCommand().line(adding: missing.flatMap { $0 }), code: Exit.usage)
        }
        let name = words.joined(separator: " ")
        return PrivatePlan(
            provider: name, name: "Standard", category: category, fee: fee, currency: currency.uppercased(),
            duration: every.duration)
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
        if let number {
            guard found.indices.contains(number - 1) else {
                throw Failure(
                    "there is no plan number \(number): \(list) shows \(found.count == 1 ? "1" : "1 to \(found.count)")",
                    hint: list)
            }
            return found[number - 1]
        }
        if found.count == 1 { return first }
        let shown = found.prefix(Self.asked)
        Output.say(PlanTableLines.lines(Array(shown), on: home.terminal).joined(separator: "\n"))
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
