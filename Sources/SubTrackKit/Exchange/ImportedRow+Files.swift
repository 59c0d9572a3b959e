import Foundation

extension ImportedRow {
    /// A JSON value of any form, numbers as they are written.
    private enum Loose: Decodable {
        case text(String)
        case list([Loose])
        case object([String: Loose])
        case none

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            if container.decodeNil() {
                self = .none
            } else if let flag = try? container.decode(Bool.self) {
                self = .text(flag ? "yes" : "no")
            } else if let text = try? container.decode(String.self) {
                self = .text(text)
            } else if let number = try? container.decode(Decimal.self) {
                self = .text("\(number)")
            } else if let list = try? container.decode([Loose].self) {
                self = .list(list)
            } else {
                self = .object(try container.decode([String: Loose].self))
            }
        }
    }

    /// The rows of a file, whichever of the known forms it has.
    /// - Throws: ``KitError/invalid(field:message:)`` when it has none of them.
    static func rows(of data: Data) throws -> [ImportedRow] {
        let start = data.first { $0 != 0x20 && $0 != 0x0A && $0 != 0x0D && $0 != 0x09 }
        return start == UInt8(ascii: "{") || start == UInt8(ascii: "[") ? try json(data) : try table(data)
    }

    private static func table(_ data: Data) throws -> [ImportedRow] {
        let lines = CSVText.lines(String(decoding: data, as: UTF8.self))
        guard let names = lines.first?.fields, names.count > 1 else {
            throw KitError.invalid(
                field: "", message: "the file is neither JSON nor CSV with a line of names, such as name,price,currency"
            )
        }
        return lines.dropFirst().map { line in
            var fault: String?
            if line.isUnclosed {
                fault = "a quote is never closed; nothing from there on was read"
            } else if line.fields.count > names.count,
                line.fields.dropFirst(names.count).contains(where: { !$0.isEmpty })
            {
                fault = "it has \(line.fields.count) fields, and the first line \(names.count) names"
            }
            return ImportedRow(
                Dictionary(zip(names, line.fields), uniquingKeysWith: { first, _ in first }),
                place: "line \(line.number)", fault: fault)
        }
    }

    private static func json(_ data: Data) throws -> [ImportedRow] {
        guard let value = try? JSONDecoder().decode(Loose.self, from: data) else {
            throw KitError.invalid(field: "", message: "the file is no JSON")
        }
        let list: [Loose]? =
            switch value {
            case .list(let list): list
            case .object(let members):
                if case .list(let list)? = members["subscriptions"] ?? members["data"] { list } else { nil }
            default: nil
            }
        guard let list else {
            throw KitError.invalid(field: "", message: "the file has no list of subscriptions")
        }
        return list.enumerated().map { index, one in
            let place = "entry \(index + 1)"
            guard case .object(let members) = one else {
                return ImportedRow([:], place: place, fault: "it is no object")
            }
            var values: [String: String] = [:]
            for (name, value) in members {
                switch value {
                case .text(let text): values[name] = text
                // A category with its own fields.
                case .object(let inner): if case .text(let text)? = inner["name"] { values[name] = text }
                default: break
                }
            }
            return ImportedRow(values, place: place)
        }
    }
}
