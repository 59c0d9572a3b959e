import ArgumentParser
import Foundation
import SubTrackAPI
import SubTrackKit

struct Me: SessionCommand {
    static let configuration = CommandConfiguration(
        commandName: "me",
        abstract: "Shows and changes your name, country, time zone and the currency of totals.",
        discussion: """
            Plans are those of your country, days those of your time zone. Your own values go in place of these examples:

            subtrack me --country AT --time-zone Europe/Vienna
            subtrack me --country Japan --currency EUR
            """)
    @OptionGroup var home: Home
    @Option(help: "Your name; an empty one takes it away.") var name: String?
    @Option(help: "Your country, any one: its code, such as AT or US, or its name in English.") var country: String?
    @Option(help: ArgumentHelp("Your time zone, such as Europe/Vienna.", valueName: "zone")) var timeZone: String?
    @Option(
        help: "The currency of totals on this device, such as EUR; an empty one goes back to that of your country.")
    var currency: String?

    /// The output for programs.
    struct Shown: Encodable {
        var userName: String?
        var accounts: [String]
        var country: String
        var timeZone: String
        var today: CalendarDate
        var currency: String?
        var server: String
        var folder: String
    }

    func run(_ session: Session) async throws {
        let kit = session.kit
        if country != nil || currency != nil || name != nil { _ = try await session.pullOnce() }
        var change = UpdateMe()
        if let name { change.userName = name.isEmpty ? .remove : .set(name) }
        if let country { change.country = .set(try kit.country(country)?.code ?? country.uppercased()) }
        if let timeZone { change.timeZone = .set(timeZone) }
        try check(change, kit)
        if let currency { try kit.choose(currency: currency.isEmpty ? nil : currency.uppercased()) }
        let isChange = name != nil || country != nil || timeZone != nil
        if isChange { try kit.change(change) }
        if isChange || currency != nil { try await send(session) }
        try show(kit)
    }

    /// Finds the faults of all options before any of them has an effect.
    private func check(_ change: UpdateMe, _ kit: Kit) throws {
        var faults = OptionFaults()
        faults.note(try kit.faults(of: change), .me)
        if let currency, !currency.isEmpty, let fault = try kit.fault(ofCurrency: currency.uppercased()) {
            faults.note([fault], .me)
        }
        try faults.throwAny()
    }

    /// Sends the change, of which the service makes the catalogue of another country, where the device is known to it.
    private func send(_ session: Session) async throws {
        guard try session.kit.isRegistered() else { return }
        if try await session.isRefused({ $0.entity == SyncEntity.me.rawValue }) { throw Failure.refused }
    }

    private func show(_ kit: Kit) throws {
        let (user, place) = (try kit.user(), try kit.placeInWords())
        let today = try kit.today()
        guard !home.json else {
            return try Output.json(
                Shown(
                    userName: user.userName, accounts: user.accounts.map(\.email), country: user.country,
                    timeZone: user.timeZone, today: today, currency: place.currency, server: kit.client.server,
                    folder: home.folder.path))
        }
        let source = try kit.hasChosenCurrency() ? "chosen on this device" : "your country's"
        let fields: [(String, String)] = [
            ("name", user.userName ?? "none; --name gives one"),
            (
                "account",
                user.accounts.isEmpty ? "none; subtrack register" : user.accounts.map(\.email).joined(separator: ", ")
            ),
            ("country", place.country), ("time zone", "\(place.timeZone), where today is \(today)"),
            ("currency", place.currency.map { "\($0), \(source)" } ?? "not known yet"),
            ("service", kit.client.server), ("data", home.folder.path),
        ]
        try Output.lines(
            fields.flatMap { name, value in
                home.terminal.wrapped(Terminal.clean(value), indent: 11).enumerated().map { index, line in
                    let head = (index == 0 ? name : "").padding(toLength: 11, withPad: " ", startingAt: 0)
                    return home.terminal.styled(head, .dim) + line
                }
            })
    }
}
