/// Names and places of made-up people and providers. Nobody and no company of these names is meant.
enum SeedNames {
    /// A country with the price of a plan of one dollar and the digits of its currency. It has time zones, and a share
    /// of a hundred people.
    struct Country: Sendable {
        let id: String
        let factor: Int
        let digits: Int
        let zones: [String]
        let share: Int
    }

    static let countries = [
        Country(
            id: "US", factor: 100, digits: 2, zones: ["America/New_York", "America/Chicago", "America/Los_Angeles"],
            share: 28),
        Country(id: "DE", factor: 95, digits: 2, zones: ["Europe/Berlin"], share: 14),
        Country(id: "GB", factor: 80, digits: 2, zones: ["Europe/London"], share: 11),
        Country(id: "IN", factor: 2500, digits: 2, zones: ["Asia/Kolkata"], share: 10),
        Country(id: "FR", factor: 95, digits: 2, zones: ["Europe/Paris"], share: 8),
        Country(id: "JP", factor: 140, digits: 0, zones: ["Asia/Tokyo"], share: 8),
        Country(id: "BR", factor: 350, digits: 2, zones: ["America/Sao_Paulo"], share: 7),
        Country(id: "ES", factor: 90, digits: 2, zones: ["Europe/Madrid"], share: 5),
        Country(id: "AU", factor: 150, digits: 2, zones: ["Australia/Sydney", "Australia/Perth"], share: 5),
        Country(id: "CH", factor: 110, digits: 2, zones: ["Europe/Zurich"], share: 2),
        Country(id: "KW", factor: 31, digits: 3, zones: ["Asia/Kuwait"], share: 2),
    ]

    static let categories: [(name: String, stems: [String], endings: [String])] = [
        ("Video", ["Lumo", "Reel", "Vista", "Kino", "Matinee"], ["flicker", "view", "box", "stage"]),
        ("Music", ["Tona", "Chord", "Sono", "Treble"], ["wave", "deck", "loom", "well"]),
        ("Games", ["Pixel", "Quest", "Joy", "Arc"], ["forge", "yard", "haven", "drome"]),
        ("News", ["Daily", "Morning", "Civic", "Harbor"], ["ledger", "lantern", "courant", "dispatch"]),
        ("Cloud", ["Nimbo", "Stow", "Vault", "Ferry"], ["store", "keep", "space", "drive"]),
        ("Fitness", ["Stride", "Pulse", "Lift", "Limber"], ["lab", "house", "club", "works"]),
        ("Telephone", ["Ring", "Tele", "Mobi", "Hallo"], ["line", "span", "reach", "cell"]),
        ("Insurance", ["Safe", "Umbra", "Sure", "Warden"], ["harbour", "guard", "mutual", "shield"]),
    ]

    static let tiers = ["Basic", "Standard", "Premium", "Plus", "Duo", "Ultimate"]
    static let types = ["Standard", "Standard", "Standard", "Family", "Student"]

    static let first = [
        "Ada", "Amara", "Anton", "Aylin", "Bela", "Carla", "Chidi", "Dario", "Edda", "Elif", "Emil", "Farid", "Greta",
        "Hana", "Ines", "Ivo", "Jonas", "Kaito", "Lena", "Levi", "Lina", "Mateo", "Mira", "Nadia", "Nils", "Noor",
        "Olga", "Pavel", "Priya", "Rana", "Ravi", "Rosa", "Sami", "Sora", "Tariq", "Thea", "Uma", "Vera", "Yuki", "Zoe",
    ]
    static let last = [
        "Abendrot", "Birkenhain", "Caskwright", "Dunmere", "Eskdale", "Fernlaw", "Gildenow", "Hollowell", "Ilvermoor",
        "Jasperhay", "Kestrelby", "Larkspire", "Mossgrove", "Northwick", "Oakenreed", "Pennywhistle", "Quillfeather",
        "Rookhaven", "Silverthorn", "Thistlewood", "Underhay", "Vellacote", "Wrenfield", "Yarrowby", "Zephyrine",
    ]

    static let labels = ["For the kids", "Work", "Shared with Mum", "Trial, cancel?", "Holiday flat", "Grandpa's"]
    static let notes = [
        "Shared with the family; ask before cancelling.", "Cheaper by the year.",
        "The login is in the password manager.",
    ]
    static let privateProviders = [
        "Gym on the corner", "Allotment society", "Choir", "Window cleaner", "Parking space", "Piano lessons",
    ]

    /// The name of a provider by its number, which no other has, nor any of another seed.
    static func provider(_ index: Int, seed: UInt32) -> (name: String, category: String) {
        let category = categories[index % categories.count]
        let round = index / categories.count
        let stem = category.stems[round % category.stems.count]
        let ending = category.endings[round / category.stems.count % category.endings.count]
        let turn = round / (category.stems.count * category.endings.count)
        return (
            "\(stem)\(ending)" + (turn == 0 ? "" : " \(turn + 1)") + (seed == 1 ? "" : " of \(seed)"), category.name
        )
    }
}
