import ArgumentParser
import Foundation
import SubTrackAPI
import SubTrackKit

struct Contacts: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "contacts",
        abstract: "Keeps people with numbers, addresses and days that matter, without network too.",
        discussion: """
            All of them, those with some letters or digits anywhere in them, and a new one:

            subtrack contacts
            subtrack contacts 8768
            subtrack contacts add "Ada Lovelace" --phone 788-6788768 --birthday 12-10
            """,
        subcommands: [
            ContactList.self, ContactShow.self, ContactAdd.self, ContactEdit.self, ContactDelete.self,
            ContactRestore.self, ContactDuplicateList.self, ContactMerge.self, ContactImport.self, ContactExport.self,
            ContactDateList.self, ContactBook.self,
        ],
        defaultSubcommand: ContactList.self)
}

/// A command about contacts. Where the service has none for this tenant, it says so and does nothing.
protocol ContactCommand: SessionCommand {
    /// Does the work.
    func work(_ session: Session) async throws
    /// Whether the service is asked for its areas where that is not known: the command goes on to change something.
    static var asksForArea: Bool { get }
}

extension ContactCommand {
    static var fieldNames: FieldNames { .contact }
    static var asksForArea: Bool { true }

    func run(_ session: Session) async throws {
        try await session.needArea("contacts", asking: Self.asksForArea)
        try await work(session)
    }
}

struct ContactList: ContactCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "Shows contacts, all or those with some words in them.",
        discussion: """
            Each word must be somewhere in a contact: in a name, a number, an address, an e-mail address, a day or the note. Capitals and \
            accents do not count. A contact whose name begins so comes first.
            """)
    @OptionGroup var home: Home
    @Argument(help: "Letters or digits, in any part of a word.") var words: [String] = []
    @Flag(help: "Sync first. Without it what is here is shown at once.") var sync = false
    static var asksForArea: Bool { false }

    func work(_ session: Session) async throws {
        if sync { _ = try await session.isRefused { _ in false } }
        let text = words.joined(separator: " ")
        let list = try session.kit.contacts(matching: text)
        guard !home.json else { return try Output.json(list.map(ShownContact.init)) }
        guard list.isEmpty else { return try Output.lines(ContactTable.lines(list, on: home.terminal)) }
        guard !text.isEmpty else {
            return try Output.lines(home.terminal.wrapped("No contacts yet. Try: subtrack contacts add --help"))
        }
        let near = CommandWords.near(words[0], among: Contacts.names).map { "'\($0)'" }
        let guess =
            words.count > 1 && !near.isEmpty ? " Did you mean the command \(near.joined(separator: " or "))?" : ""
        try Output.lines(home.terminal.wrapped("No contact has \"\(Terminal.clean(text))\" in it.\(guess)"))
    }
}

extension Contacts {
    /// The names of its commands.
    static var names: [String] { configuration.subcommands.compactMap { $0.configuration.commandName } }
}

/// The one contact that a command is about: options of every such command.
struct ChosenContact: ParsableArguments {
    @OptionGroup var home: Home
    @Argument(help: "Part of its name, of a number or of anything else in it, or the last digits of its id.")
    var words: [String]
}

struct ContactShow: ContactCommand {
    static let configuration = CommandConfiguration(commandName: "show", abstract: "Shows all of a contact.")
    @OptionGroup var chosen: ChosenContact
    var home: Home { chosen.home }
    static var asksForArea: Bool { false }

    func work(_ session: Session) async throws {
        let found = try session.findContact(chosen.words.joined(separator: " "), among: try session.kit.contacts())
        guard !home.json else { return try Output.json(ShownContact(found)) }
        try Output.lines(ContactLines.lines(found, today: try session.kit.today(), on: home.terminal))
    }
}

struct ContactDelete: ContactCommand {
    static let configuration = CommandConfiguration(
        commandName: "delete", abstract: "Deletes a contact; `contacts restore` brings it back for 30 days.")
    @OptionGroup var chosen: ChosenContact
    var home: Home { chosen.home }

    func work(_ session: Session) async throws {
        let found = try session.findContact(chosen.words.joined(separator: " "), among: try session.kit.contacts())
        try session.kit.delete(StoredContact.self, found.id)
        try await session.sendAndPull(found.id)
        guard !home.json else { return try Output.json(ShownContact(found)) }
        let name = Terminal.clean(found.row.fullName)
        try Output.line(
            home.terminal.fitted(
                "Deleted \(name). It can be restored for 30 days: subtrack contacts restore \(found.shortID)"))
    }
}

struct ContactRestore: ContactCommand {
    static let configuration = CommandConfiguration(
        commandName: "restore", abstract: "Brings a deleted contact back.")
    @OptionGroup var home: Home
    @Argument(help: "Part of its name, or of its id; nothing: shows those there are.") var words: [String] = []

    func work(_ session: Session) async throws {
        let deleted = try session.kit.deletedContacts()
        guard !words.isEmpty else {
            guard !home.json else { return try Output.json(deleted.map(ShownContact.init)) }
            guard !deleted.isEmpty else {
                return try Output.line(
                    home.terminal.fitted("No contact was deleted on this device in the last 30 days."))
            }
            return try Output.lines(ContactTable.lines(deleted, on: home.terminal))
        }
        let found = try session.findContact(
            words.joined(separator: " "), among: deleted, hint: "subtrack contacts restore")
        try session.kit.restore(StoredContact.self, found.id)
        try await session.finishContact(found.id)
    }
}

extension Session {
    /// Sends what was changed, and shows the contact.
    func finishContact(_ id: UUID) async throws {
        try await sendAndPull(id)
        guard let tracked = try kit.row(StoredContact.self, id) else { return }
        guard !home.json else { return try Output.json(ShownContact(tracked)) }
        try Output.lines(ContactLines.lines(tracked, today: try kit.today(), on: home.terminal))
    }
}
