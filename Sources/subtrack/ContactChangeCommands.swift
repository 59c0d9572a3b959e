import ArgumentParser
import Foundation
import SubTrackAPI
import SubTrackKit

struct ContactAdd: ContactCommand {
    static let configuration = CommandConfiguration(
        commandName: "add", abstract: "Adds a contact.",
        discussion: """
            subtrack contacts add "Ada Lovelace" --phone 788-6788768 --email ada@example.org --birthday 12-10

            The last word is the last name, and words between the first and the last are the middle name. --last "von Neumann" takes more than \
            one word. Names never change once they are saved.
            """)
    @OptionGroup var home: Home
    @Argument(help: "The name.") var name: [String] = []
    @Option(help: "The first name, where it is not the first word.") var first: String?
    @Option(help: "The middle name, where it is not the words between.") var middle: String?
    @Option(help: "The last name, where it is not the last word.") var last: String?
    @OptionGroup var terms: ContactTerms

    func work(_ session: Session) async throws {
        var faults = OptionFaults()
        let typed = TypedName(name, first: first, middle: middle, last: last)
        var parts = terms.parts(in: try session.kit.user().country, &faults)
        parts.remind(&faults)
        if let fault = typed.fault { faults.note(fault) }
        let contact = StoredContact(
            firstName: typed.first, middleName: typed.middle, lastName: typed.last, note: terms.note,
            phones: parts.phones,
            addresses: parts.addresses, emails: parts.emails, dates: parts.dates)
        let found = try session.kit.faults(of: contact)
        // A name that is missing is told once.
        for error in found where typed.fault == nil || !error.isOfName { faults.note(parts.text(error)) }
        try faults.throwAny()
        let same = try session.kit.contacts().first { $0.row.fullName.lowercased() == contact.fullName.lowercased() }
        let id = try session.kit.add(contact)
        try await session.finishContact(id)
        guard let same, let new = try session.kit.row(StoredContact.self, id) else { return }
        Output.say("Another contact has the same name. If both are one person, merge them.")
        Output.mutter("Try: \(TypedCommand.line(["contacts", "merge", same.shortID, new.shortID]))\n")
    }
}

extension KitError {
    /// Whether it is a fault of a contact's name.
    fileprivate var isOfName: Bool {
        if case .invalid(let field, _) = self { field.hasSuffix("Name") } else { false }
    }
}

struct ContactEdit: ContactCommand {
    static let configuration = CommandConfiguration(
        commandName: "edit", abstract: "Changes all of a contact but its names.",
        discussion: """
            subtrack contacts edit ada --phone work=788-6788768 --note "met in London"

            --phone, --email, --address, --date and --once add one, and --no-phone and the like take one away. A number that is added and one \
            that is taken away in one command are a change of that number. --birthday takes the place of the former one.

            --remind birthday=7 says how many days ahead you are reminded, and usual takes that back.

            Names never change. A person with a new name is a new contact: add it, and delete this one.
            """)
    @OptionGroup var chosen: ChosenContact
    @OptionGroup var terms: ContactTerms
    @OptionGroup var removals: ContactRemovals
    @Option(help: .hidden) var first: String?
    @Option(help: .hidden) var middle: String?
    @Option(help: .hidden) var last: String?
    var home: Home { chosen.home }

    func validate() throws {
        guard first == nil, middle == nil, last == nil else {
            throw ValidationError(
                "names never change: add a contact with the new name (subtrack contacts add), and delete this one (subtrack contacts "
                    + "delete)")
        }
        guard terms.areGiven || removals.areGiven else {
            throw ValidationError(
                "say what to change: --phone, --no-phone, --email, --no-email, --address, --no-address, --birthday, --date, --once, "
                    + "--no-date, --remind, --note")
        }
    }

    func work(_ session: Session) async throws {
        var faults = OptionFaults()
        let parts = terms.parts(in: try session.kit.user().country, &faults)
        let found: TrackedContact
        do {
            found = try session.findContact(
                chosen.words.joined(separator: " "), among: try session.kit.contacts())
        } catch let failure as Failure {
            throw failure.with(faults)
        }
        var change = ContactChange(of: found.row, adding: parts)
        change.remove(removals, &faults)
        change.add(birthday: terms.birthday)
        change.parts.remind(of: &change.contact.dates, &faults)
        if let note = terms.note { change.contact.note = note.isEmpty ? nil : note }
        for error in try session.kit.faults(of: change.contact, id: found.id) { faults.note(change.parts.text(error)) }
        try faults.throwAny()
        try session.kit.save(change.contact, id: found.id)
        try await session.finishContact(found.id)
    }
}

/// The parts of a contact that are to go.
struct ContactRemovals: ParsableArguments {
    @Option(help: ArgumentHelp("Takes a number away: its last digits, or the word for it.", valueName: "number"))
    var noPhone: [String] = []
    @Option(help: ArgumentHelp("Takes an e-mail address away: a part of it, or the word for it.", valueName: "address"))
    var noEmail: [String] = []
    @Option(help: ArgumentHelp("Takes a postal address away: a part of it, or the word for it.", valueName: "address"))
    var noAddress: [String] = []
    @Option(help: ArgumentHelp("Takes a day away: the word for it, or the day.", valueName: "word")) var noDate:
        [String] = []

    /// Whether anything was said.
    var areGiven: Bool { !(noPhone + noEmail + noAddress + noDate).isEmpty }
}
