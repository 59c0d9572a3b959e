import SubTrackAPI
import SubTrackKit

/// The names that people know the fields of the API's inputs by: options of the command that sends them, else words.
struct FieldNames: Sendable {
    /// A field's option, where there is one, and its name in a sentence.
    struct Name: Sendable, Hashable {
        let option: String?
        let words: String

        init(_ option: String?, _ words: String) {
            self.option = option
            self.words = words
        }
    }

    /// The names by the path of the field.
    let names: [String: Name]

    /// The name of a field; nil for one that is not known. Inside of a field that is known by itself it is that field's.
    func known(_ path: String) -> Name? {
        var parts = path.split(separator: ".")
        while !parts.isEmpty {
            if let name = names[parts.joined(separator: ".")] { return name }
            parts.removeLast()
        }
        return nil
    }

    /// The option of a field, else its name in words.
    func shown(_ path: String) -> String { known(path).map { $0.option ?? $0.words } ?? Self.words(path) }

    /// The name of a field in a sentence.
    func words(_ path: String) -> String { known(path)?.words ?? Self.words(path) }

    /// The last part of a path as words: `currentPassword` is `current password`.
    private static func words(_ path: String) -> String {
        (path.split(separator: ".").last ?? "").reduce(into: "") { text, letter in
            text += letter.isUppercase ? " \(letter.lowercased())" : String(letter)
        }
    }

    // MARK: Errors

    /// A problem of the service, for people.
    func text(_ problem: Problem) -> String {
        if problem.code == .keyInUse { return "the same change is still being made; try again in a moment" }
        guard let errors = problem.errors, !errors.isEmpty else { return translated(problem.detail) }
        return errors.map { text($0.field, $0.message) }.joined(separator: "; ")
    }

    /// An error of the kit, for people.
    func text(_ error: KitError) -> String {
        switch error {
        case .invalid(let field, let message): text(field, message)
        case .refused(let problem): text(problem)
        default: "\(error)"
        }
    }

    private func text(_ field: String, _ message: String) -> String {
        field.isEmpty ? translated(message) : "\(shown(field)): \(translated(message))"
    }

    /// A message with the names of fields and requests in it replaced: the service speaks to programs as well.
    private func translated(_ message: String) -> String {
        let message = message.replacing(#/ \(([A-Z]+ /v1/[^ )]*)\)/#) {
            (match: Regex<(Substring, Substring)>.Match) -> String in
            Self.commands[String(match.output.1)].map { " (\($0))" } ?? ""
        }
        return message.replacing(/[a-z]+(?:[A-Z][a-z]*)+/) { (match: Regex<Substring>.Match) -> String in
            let word = String(match.output)
            return Self.spoken.contains(word) ? shown(word) : word
        }
    }

    /// The commands that stand for requests.
    private static let commands = ["POST /v1/accounts": "subtrack register EMAIL"]

    /// The fields of several words, as a message may name them.
    private static let spoken: Set<String> = {
        var words: Set<String> = []
        for names in [add, edit, me, account, contact] {
            for path in names.names.keys {
                for part in path.split(separator: ".") where part.contains(where: \.isUppercase) {
                    words.insert(String(part))
                }
            }
        }
        return words
    }()
}

extension FieldNames {
    /// Those that a command sends.
    static func of(_ command: String?) -> FieldNames {
        switch command {
        case "add", "import": add
        case "me": me
        case "register", "password": account
        case "login": FieldNames(names: account.names.merging(["userName": Name(nil, "the name")]) { $1 })
        case "edit": edit
        default: FieldNames(names: service.names.merging(edit.names) { $1 })
        }
    }

    /// Those of a change that waited.
    static func of(_ mutation: PushChanges.Mutation) -> FieldNames {
        switch (mutation.entity, mutation.op) {
        case (SyncEntity.me.rawValue, _): me
        case (StoredContact.declaration.name.rawValue, _): contact
        case (_, PushChanges.Mutation.Op.create.rawValue): add
        default: edit
        }
    }

    private static let subscription: [String: Name] = [
        "id": .init(nil, "the subscription"), "planId": .init(nil, "the plan"), "plan": .init(nil, "the plan"),
        "startDate": .init("--start", "the start"), "nextRenewal": .init("--renews", "the next renewal"),
        "freeTrial": .init("--trial", "the trial"), "autoRenew": .init("--auto", "the automatic renewal"),
        "fee": .init("--fee", "the fee"), "label": .init("--label", "the label"),
        "reminderDays": .init("--remind", "the reminder"), "muted": .init("--mute", "the muting"),
        "note": .init("--note", "the note"),
        "period": .init(nil, "the period"), "cancelledOn": .init(nil, "the cancellation"),
        "madeOn": .init(nil, "the day of the change"), "plan.type": .init(nil, "the plan's kind"),
        "plan.trialDays": .init(nil, "the days of the trial"),
        "plan.category": .init("--category", "the category"),
        "plan.currency": .init("--currency", "the currency"),
        "plan.duration": .init("--every", "the length of a period"),
    ]

    private static let newPlan: [String: Name] = [
        "plan.provider": .init(nil, "the name"), "plan.name": .init(nil, "the plan's name"),
        "plan.fee": .init("--fee", "the fee"), "plan.noticeDays": .init(nil, "the days of notice"),
    ]

    private static let changedPlan: [String: Name] = [
        "plan.provider": .init("--provider", "the provider"), "plan.name": .init("--plan", "the plan's name"),
        "plan.fee": .init("--price", "the price"), "plan.noticeDays": .init("--notice", "the days of notice"),
    ]

    /// Those of a new subscription.
    static let add = FieldNames(names: subscription.merging(newPlan) { $1 })

    /// Those of a subscription that is changed.
    static let edit = FieldNames(names: subscription.merging(changedPlan) { $1 })

    /// Those of the user.
    static let me = FieldNames(
        names: [
            "userName": .init("--name", "the name"), "country": .init("--country", "the country"),
            "timeZone": .init("--time-zone", "the time zone"), "currency": .init("--currency", "the currency"),
        ])

    /// Those of a contact.
    static let contact = FieldNames(
        names: [
            "id": .init(nil, "the contact"), "firstName": .init("--first", "the first name"),
            "middleName": .init("--middle", "the middle name"), "lastName": .init("--last", "the last name"),
            "phones": .init("--phone", "the number"), "emails": .init("--email", "the e-mail address"),
            "addresses": .init("--address", "the postal address"), "dates": .init("--date", "the day"),
            "note": .init("--note", "the note"), "version": .init(nil, "the version"), "from": .init(nil, "the others"),
            "cards": .init(nil, "the file"), "fillNames": .init("--fill-names", "the names"),
            "dryRun": .init("--dry-run", "the trial"),
        ])

    /// Those of an account, and of the device that signs in.
    static let account = FieldNames(
        names: [
            "email": .init(nil, "the e-mail address"), "password": .init(nil, "the password"),
            "userName": .init("--name", "the name"), "currentPassword": .init(nil, "the password so far"),
            "newPassword": .init(nil, "the new password"), "createIfMissing": .init("--create", "the new account"),
            "device": .init(nil, "this device"),
            "device.name": .init(nil, "the name of this device"),
            "device.country": .init(nil, "the country (subtrack me --country)"),
            "device.timeZone": .init(nil, "the time zone (subtrack me --time-zone)"),
        ])

    /// Those that any command may send with a sync.
    static let service = FieldNames(
        names: [
            "id": .init(nil, "this device"), "name": .init(nil, "the name of this device"),
            "country": .init(nil, "the country (subtrack me --country)"),
            "timeZone": .init(nil, "the time zone (subtrack me --time-zone)"),
            "currency": .init(nil, "the currency (subtrack me --currency)"),
            "currentPassword": .init(nil, "the password so far"), "within": .init(nil, "the days to look ahead"),
            "mutations": .init(nil, "the changes"), "cursor": .init(nil, "the place in the changes"),
            "limit": .init(nil, "the number of changes"), "scopes": .init(nil, "the kinds of rows"),
        ])
}
