import Foundation
import SubTrackAPI

/// A row of a kind that no area has. Tests of all declared kinds use it.
public struct Trinket: DeclaredRow {
    public static let declaration = EntityDeclaration(
        "trinket", number: 99, table: "Trinket", limit: 5, restorableDays: 30, title: ["code"],
        fields: [
            .text("code", 1...10).immutable, .text("note", 1...100).optional.multiline,
            .integer("shelf", 0...365).group("place"), .flag("starred").group("place"), .day("boughtOn").optional,
            .id("friendId").optional,
        ],
        parts: [
            EntityPart(
                "marks", table: "Trinket_mark", key: "Mark_ID", maximum: 4,
                fields: [.text("label", 1...20), .integer("weight", 1...9).optional])
        ])

    /// A part.
    public struct Mark: Codable, Sendable, Hashable {
        public var id: UUID
        public var label: String
        public var weight: Int?

        public init(id: UUID = UUID(), _ label: String, weight: Int? = nil) {
            self.id = id
            self.label = label
            self.weight = weight
        }
    }

    public var code: String
    public var note: String?
    public var shelf: Int
    public var starred: Bool
    public var boughtOn: CalendarDate?
    public var friendId: UUID?
    public var marks: [Mark]

    public init(
        _ code: String, note: String? = nil, shelf: Int = 1, starred: Bool = false, boughtOn: CalendarDate? = nil,
        friendId: UUID? = nil, marks: [Mark] = []
    ) {
        self.code = code
        self.note = note
        self.shelf = shelf
        self.starred = starred
        self.boughtOn = boughtOn
        self.friendId = friendId
        self.marks = marks.sorted { $0.id.uuidString < $1.id.uuidString }
    }
}
