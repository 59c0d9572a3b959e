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

extension Kit {
    /// Where the user is, for people.
    func placeInWords() throws -> PlaceInWords {
        let user = try user()
        let known = user.country.isEmpty ? nil : try country(user.country)
        let country = known.map { "\($0.name) (\($0.code))" } ?? (user.country.isEmpty ? "not known yet" : user.country)
        return PlaceInWords(
            country: Terminal.clean(country), timeZone: Terminal.clean(user.timeZone), currency: try currency())
    }

    /// Whether there are plans of the catalogue in the user's country.
    func hasCatalogue() throws -> Bool { try plans(matching: "", limit: .max).contains { !$0.private } }
}

extension Session {
    /// Says at the first command on new data where the user is taken to be, and where earlier data may be.
    func introduce() throws {
        guard isToIntroduce else { return }
        let place = try kit.placeInWords()
        let hasAccount = try !kit.user().accounts.isEmpty
        let source =
            hasAccount
            ? "your account" : wasPlacedByService ? "the service and this machine" : "this machine's settings"
        Output.say(
            """
            Country: \(place.country). Time zone: \(place.timeZone). Currency: \(place.currency ?? "not known yet").
            They come from \(source); subtrack me shows and changes them.
            """)
        if isFirst, let former = home.place.former {
            Output.say(
                """
                There are data of an earlier version in \(former.path), and HOME says another place.
                If they are yours, go on with them: export SUBTRACK_HOME='\(former.path)'
                """)
        }
    }
}
