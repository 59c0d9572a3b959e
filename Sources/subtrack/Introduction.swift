import Foundation
import SubTrackAPI
import SubTrackKit

/// Where a user is, for people.
struct PlaceInWords {
    /// `Austria (AT)`, as far as it is known.
    var country: String
    /// `Europe/Vienna`.
    var timeZone: String
    /// `EUR`; nil: it is not known yet.
    var currency: String?
}

/// Where the user is, by codes.
struct PlaceInCodes: Equatable {
    var country: String
    var timeZone: String
    /// The currency of totals; nil: it is not known yet.
    var currency: String?
}

extension Kit {
    /// Where the user is, by codes.
    func place() throws -> PlaceInCodes {
        let user = try user()
        return PlaceInCodes(country: user.country, timeZone: user.timeZone, currency: try presumedCurrency())
    }

    /// Where the user is, for people.
    func placeInWords() throws -> PlaceInWords {
        let place = try place()
        let known = place.country.isEmpty ? nil : try country(place.country)
        let country =
            known.map { "\($0.name) (\($0.code))" } ?? (place.country.isEmpty ? "not known yet" : place.country)
        return PlaceInWords(
            country: Terminal.clean(country), timeZone: Terminal.clean(place.timeZone), currency: place.currency)
    }

    /// The currency of totals; before the catalogue is here the one that the system knows for the country.
    func presumedCurrency() throws -> String? {
        if let known = try currency() { return known }
        let country = try user().country
        return country.isEmpty ? nil : Locale(identifier: "und_\(country)").currency?.identifier
    }

    /// Whether there are plans of the catalogue in the user's country.
    func hasCatalogue() throws -> Bool { try plans(matching: "", limit: .max).contains { !$0.private } }
}

extension Session {
    /// Says at the first command on new data where the user is taken to be, and where earlier data may be. Later it says that
    /// the service has another place.
    func introduce() throws {
        guard isToIntroduce else { return }
        for line in try placeLines(isOfService: wasPlacedByService) { Output.say(line) }
        if isFirst, let former = home.place.former {
            Output.say(
                """
                There are data of an earlier version in \(former.path), and HOME says another place.
                If they are yours, go on with them: export SUBTRACK_HOME='\(former.path)'
                """)
        }
    }

    /// Where the user is, for people.
    /// - Parameter isOfService: whether the service has brought something of it.
    func placeLines(isOfService: Bool) throws -> [String] {
        let (place, codes) = (try kit.placeInWords(), try kit.place())
        let hasAccount = try !kit.user().accounts.isEmpty
        let isOpen = codes.country.isEmpty || codes.currency == nil
        let source =
            hasAccount
            ? "They come from your account"
            : isOfService
                ? "They come from the service and this machine" : "They are assumed from this machine's settings"
        return [
            "Country: \(place.country). Time zone: \(place.timeZone). Currency: \(place.currency ?? "not known yet").",
            isOpen ? "The service chooses the missing ones at the first sync." : nil,
            "\(source); subtrack me shows and changes them.",
        ].compactMap { $0 }
    }
}
