import Foundation
import SubTrackAPI

/// A set of rows that is synced together, as a user sees it.
enum SyncScope: Sendable, Hashable {
    /// The user's own rows, private plans too.
    case user(UserID)
    /// Countries, currencies and providers.
    case reference
    /// The plans of a country and their prices.
    case catalogue(country: String)

    /// The id of its counter.
    var id: ScopeID {
        switch self {
        case .user(let user): .user(user)
        case .reference: .reference
        case .catalogue(let country): .country(country)
        }
    }

    /// Its name for clients.
    var name: String {
        switch self {
        case .user: "user"
        case .reference: "reference"
        case .catalogue(let country): "catalogue/\(country)"
        }
    }

    /// The country of a catalogue.
    var country: String? {
        if case .catalogue(let country) = self { country } else { nil }
    }

    /// Whether it holds the user's own rows.
    var isUser: Bool {
        if case .user = self { true } else { false }
    }
}
