import SubTrackAPI

extension RevisionFile {
    /// The rows of a list of plans, whose members are named as the columns, or of a list of countries with plans as price
    /// snapshots have it.
    func jsonRows(provider: String?, category: String, day: CalendarDate) throws -> [StagedRow] {
        var text = bytes[...]
        if text.starts(with: [0xEF, 0xBB, 0xBF]) { text = text.dropFirst(3) }
        var faults = RevisionFileFaults()
        let value: JSONValue
        do throws(JSONScanner.Failure) {
            value = try JSONScanner.scan(text, within: .file)
        } catch {
            let line = text.prefix(error.offset).count { $0 == UInt8(ascii: "\n") } + 1
            try faults.add(fault(line, "it is not JSON: \(error.reason)"))
            throw faults
        }
        guard case .array(let entries) = value, !entries.isEmpty else {
            try faults.add(
                fault(nil, "it must be a list of plans, is \(value.kind == "a list" ? "an empty one" : value.kind)"))
            throw faults
        }
        let lines = Self.entryLines(text)
        var rows: [StagedRow] = []
        for (index, entry) in entries.enumerated() {
            let place = Place(number: index + 1, line: index < lines.count ? lines[index] : nil)
            rows +=
                try faults.collect { () -> [StagedRow] in
                    guard case .object(let members) = entry else {
                        throw fault(place, "it must be an object, is \(entry.kind)")
                    }
                    return members.contains { $0.name == "country_code" }
                        ? try offers(members, place, provider: provider, category: category, day: day)
                        : [try plan(members, place)]
                } ?? []
        }
        try faults.check()
        return rows
    }

    /// The place of an entry in a file.
    private struct Place {
        let number: Int
        let line: Int?
    }

    private func fault(_ place: Place, _ reason: String) -> RevisionFileFault {
        fault(place.line, "entry \(place.number): \(reason)")
    }

    /// The line on which each entry of a list begins. The text is known to be JSON.
    private static func entryLines(_ text: ArraySlice<UInt8>) -> [Int] {
        var lines: [Int] = []
        var (line, depth) = (1, 0)
        var (isText, isEscaped, isExpected) = (false, false, false)
        for byte in text {
            if byte == UInt8(ascii: "\n") { line += 1 }
            if isText {
                if isEscaped {
                    isEscaped = false
                } else if byte == UInt8(ascii: "\\") {
                    isEscaped = true
                } else if byte == UInt8(ascii: "\"") {
                    isText = false
                }
                continue
            }
            let isBlank = byte <= 0x20
            if depth == 1, isExpected, !isBlank, byte != UInt8(ascii: "]") {
                lines.append(line)
                isExpected = false
            }
            switch byte {
            case UInt8(ascii: "\""): isText = true
            case UInt8(ascii: "["), UInt8(ascii: "{"):
                depth += 1
                if depth == 1 { isExpected = true }
            case UInt8(ascii: "]"), UInt8(ascii: "}"): depth -= 1
            case UInt8(ascii: ","): if depth == 1 { isExpected = true }
            default: break
            }
        }
        return lines
    }

    private func plan(_ members: [JSONValue.Member], _ place: Place) throws -> StagedRow {
        var values = [[UInt8]?](repeating: nil, count: StagedRow.columns.count)
        for member in members {
            guard let column = StagedRow.place(of: member.name) else {
                let meant =
                    Setting.nearest(to: member.name, of: StagedRow.columns).map { "; did you mean \($0)?" } ?? ""
                throw fault(place, "there is no column \(ShownText.of(member.name))\(meant)")
            }
            values[column] = try bytes(of: member, place)
        }
        return StagedRow(line: place.number, values: values)
    }

    /// A country of a snapshot: `{"country_code": "DE", "currency": "EUR", "plans": [{"name": "basic", "price": 7.99}]}`.
    private func offers(
        _ members: [JSONValue.Member], _ place: Place, provider: String?, category: String, day: CalendarDate
    ) throws -> [StagedRow] {
        guard let provider else { throw fault(place, "it does not say whose plans they are; give --provider") }
        func member(_ name: String) -> JSONValue.Member? { members.first { $0.name == name } }
        guard let country = try member("country_code").flatMap({ try bytes(of: $0, place) }),
            let currency = try member("currency").flatMap({ try bytes(of: $0, place) }),
            case .array(let plans)? = member("plans")?.value
        else { throw fault(place, "it must have country_code, currency and plans") }
        return try plans.map { plan in
            guard case .object(let members) = plan, let name = members.first(where: { $0.name == "name" }),
                let price = members.first(where: { $0.name == "price" })
            else { throw fault(place, "a plan must have a name and a price") }
            let fee = try bytes(of: price, place)
            var row = StagedRow(
                line: place.number,
                [
                    "Provider": provider, "Category": category, "Duration_value": "1", "Duration_unit": "month",
                    "Withdrawn_on": fee == nil ? day.description : "",
                ])
            for (column, value) in [
                ("Country_ID", country), ("Currency_code", currency),
                ("Plan_name", try bytes(of: name, place) ?? []), ("Fee", fee ?? []),
            ] {
                if let index = StagedRow.place(of: column) { row.values[index] = value }
            }
            return row
        }
    }

    /// The text of a value; nil for null.
    private func bytes(of member: JSONValue.Member, _ place: Place) throws -> [UInt8]? {
        switch member.value {
        case .null: nil
        case .string(let text), .decimal(let text), .text(let text): Array(text.utf8)
        case .integer(let number): Array(String(number).utf8)
        case .bool, .array, .object, .unfit:
            throw fault(
                place, "\(ShownText.of(member.name)) must be a text or a number, is \(member.value.kind)")
        }
    }
}
