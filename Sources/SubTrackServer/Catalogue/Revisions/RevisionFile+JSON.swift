import SubTrackAPI

extension RevisionFile {
    /// The rows of a list of plans, whose members are named as the columns, or of a list of countries with plans as price
    /// snapshots have it.
    func jsonRows(provider: String?, category: String, day: CalendarDate) throws -> [StagedRow] {
        var text = bytes[...]
        if text.starts(with: [0xEF, 0xBB, 0xBF]) { text = text.dropFirst(3) }
        let value: JSONValue
        do throws(JSONScanner.Failure) {
            value = try JSONScanner.scan(text, within: .file)
        } catch {
            let line = text.prefix(error.offset).count { $0 == UInt8(ascii: "\n") } + 1
            throw fault(line, "it is not JSON: \(error.reason)")
        }
        guard case .array(let entries) = value, !entries.isEmpty else {
            throw fault(nil, "it must be a list of plans")
        }
        var rows: [StagedRow] = []
        for (index, entry) in entries.enumerated() {
            guard case .object(let members) = entry else {
                throw fault(nil, "entry \(index + 1) must be an object, is \(entry.kind)")
            }
            if members.contains(where: { $0.name == "country_code" }) {
                rows += try offers(members, number: index + 1, provider: provider, category: category, day: day)
            } else {
                rows.append(try plan(members, number: index + 1))
            }
        }
        return rows
    }

    private func plan(_ members: [JSONValue.Member], number: Int) throws -> StagedRow {
        var values = [[UInt8]?](repeating: nil, count: StagedRow.columns.count)
        for member in members {
            guard let place = StagedRow.place(of: member.name) else {
                throw fault(nil, "entry \(number): there is no column \(SnapshotFault.shown(member.name))")
            }
            values[place] = try bytes(of: member, number: number)
        }
        return StagedRow(line: number, values: values)
    }

    /// A country of a snapshot: `{"country_code": "DE", "currency": "EUR", "plans": [{"name": "basic", "price": 7.99}]}`.
    private func offers(
        _ members: [JSONValue.Member], number: Int, provider: String?, category: String, day: CalendarDate
    ) throws -> [StagedRow] {
        guard let provider else { throw fault(nil, "it does not say whose plans they are; give --provider") }
        func member(_ name: String) -> JSONValue.Member? { members.first { $0.name == name } }
        guard let country = try member("country_code").flatMap({ try bytes(of: $0, number: number) }),
            let currency = try member("currency").flatMap({ try bytes(of: $0, number: number) }),
            case .array(let plans)? = member("plans")?.value
        else { throw fault(nil, "entry \(number) must have country_code, currency and plans") }
        return try plans.map { plan in
            guard case .object(let members) = plan, let name = members.first(where: { $0.name == "name" }),
                let price = members.first(where: { $0.name == "price" })
            else { throw fault(nil, "entry \(number): a plan must have a name and a price") }
            let fee = try bytes(of: price, number: number)
            var row = StagedRow(
                line: number,
                [
                    "Provider": provider, "Category": category, "Duration_value": "1", "Duration_unit": "month",
                    "Withdrawn_on": fee == nil ? day.description : "",
                ])
            for (column, value) in [
                ("Country_ID", country), ("Currency_code", currency),
                ("Plan_name", try bytes(of: name, number: number) ?? []), ("Fee", fee ?? []),
            ] {
                if let place = StagedRow.place(of: column) { row.values[place] = value }
            }
            return row
        }
    }

    /// The text of a value; nil for null.
    private func bytes(of member: JSONValue.Member, number: Int) throws -> [UInt8]? {
        switch member.value {
        case .null: nil
        case .string(let text), .decimal(let text), .text(let text): Array(text.utf8)
        case .integer(let number): Array(String(number).utf8)
        case .bool, .array, .object:
            throw fault(
                nil,
                "entry \(number): \(SnapshotFault.shown(member.name)) must be a text or a number, is \(member.value.kind)"
            )
        }
    }
}
