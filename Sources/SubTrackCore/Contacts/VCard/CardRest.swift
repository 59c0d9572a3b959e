/// The properties of a card that a contact has no field for, one to a line.
public enum CardRest {
    /// All properties of one card, and those of another whose names the first lacks. For imports and merged contacts.
    /// Properties beyond 240 KiB in all are left out.
    public static func joined(_ first: String?, _ second: String?) -> String? { join(first, second).rest }

    /// As ``joined(_:_:)``, with the names of properties that found no room.
    static func join(_ first: String?, _ second: String?) -> (rest: String?, left: [String]) {
        guard let first, first != second else { return (first ?? second, []) }
        guard let second else { return (first, []) }
        let held = lines(first)
        let names = Set(held.map(\.name))
        let groups = Set(held.compactMap(\.group))
        let others = lines(second)
        var number = freeNumber(groups.union(others.compactMap(\.group)))
        var (rest, left): (String, [String]) = (first, [])
        for unit in units(others) where !unit.contains(where: { names.contains($0.name) && !isLabel($0, in: unit) }) {
            var text = ""
            let group = unit.first?.group
            var renamed = group
            if let group, groups.contains(group) {
                renamed = "item\(number)"
                number += 1
            }
            for line in unit {
                text += "\n"
                // The group stands before the first point of the line.
                if let group, let renamed, group != renamed {
                    text += renamed + String(decoding: line.bytes.drop { $0 != UInt8(ascii: ".") }, as: UTF8.self)
                } else {
                    text += String(decoding: line.bytes, as: UTF8.self)
                }
            }
            if rest.utf8.count + text.utf8.count <= CardBuilder.maximumRest {
                rest += text
            } else {
                left += unit.map(\.name)
            }
        }
        return (rest, left)
    }

    /// The properties. Lines that are none are left out, and lines that would end the card.
    static func lines(_ rest: String?) -> [ContentLine] {
        (rest ?? "").utf8.split(whereSeparator: { $0 == 0x0A || $0 == 0x0D }).compactMap {
            guard let line = try? ContentLine(Array($0), number: 0) else { return nil }
            return ["BEGIN", "END", "VERSION"].contains(line.name) ? nil : line
        }
    }

    /// The number of a group's name that no property has: `item3` is free where `item2` is the highest.
    static func freeNumber(_ groups: some Sequence<String>) -> Int {
        let numbers = groups.compactMap { $0.hasPrefix("item") && $0.utf8.count <= 12 ? Int($0.dropFirst(4)) : nil }
        return max(0, numbers.max() ?? 0) + 1
    }

    /// Properties with those of their group.
    private static func units(_ lines: [ContentLine]) -> [[ContentLine]] {
        var units: [[ContentLine]] = []
        var places: [String: Int] = [:]
        for line in lines {
            if let group = line.group, let place = places[group] {
                units[place].append(line)
            } else {
                if let group = line.group { places[group] = units.count }
                units.append([line])
            }
        }
        return units
    }

    /// Whether a line is the label of another one.
    private static func isLabel(_ line: ContentLine, in unit: [ContentLine]) -> Bool {
        line.name == "X-ABLABEL" && unit.count > 1
    }
}
