import SubTrackAPI

extension RevisionFile {
    /// Reads the rows of a list of plans, whose members are named as the columns, or of a list of countries with plans as
    /// price snapshots have it.
    /// - Parameter faults: gets the faults of entries.
    /// - Throws: ``RevisionFileFaults`` for a file that is no list, and at the limit of faults.
    func jsonRows(
        provider: String?, category: String, day: CalendarDate, _ faults: inout RevisionFileFaults
    ) throws -> [StagedRow] {
        var text = bytes[...]
        if text.starts(with: [0xEF, 0xBB, 0xBF]) { text = text.dropFirst(3) }
        let value: JSONValue
        do throws(JSONScanner.Failure) {
            value = try JSONScanner.scan(text, within: .file)
        } catch {
            let line = text.prefix(error.offset).count { $0 == UInt8(ascii: "\n") } + 1
            throw RevisionFileFaults([
                fault(line, "it is not JSON: \(error.reason)", remedy: "mend the file there")
            ])
        }
        guard case .array(let entries) = value, !entries.isEmpty else {
            let kind = value.kind == "a list" ? "an empty one" : value.kind
            throw RevisionFileFaults([
                fault(nil, "it must be a list of plans, is \(kind)", remedy: "write [{\"Country_ID\": \"US\", …}, …]")
            ])
        }
        let lines = Self.entryLines(text)
        var rows: [StagedRow] = []
        for (index, entry) in entries.enumerated() {
            let place = Place(number: index + 1, line: index < lines.count ? lines[index] : nil)
            guard case .object(let members) = entry else {
                try faults.add(
                    fault(place, "it must be an object, is \(entry.kind)", remedy: "write {\"Country_ID\": …}"))
                continue
            }
            if members.contains(where: { $0.name == "country_code" }) {
                rows += try offers(members, place, provider: provider, category: category, day: day, &faults)
            } else if let row = try plan(members, place, &faults) {
                rows.append(row)
            }
        }
        return rows
    }

    /// The place of an entry in a file.
    private struct Place {
        let number: Int
        let line: Int?
    }

    private func fault(
        _ place: Place, column: String? = nil, _ reason: String, remedy: String
    ) -> RevisionFileFault {
        RevisionFileFault(
            file: name, line: place.line, row: place.number, column: column, reason: reason, remedy: remedy)
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

    /// The row of a plan; nil where it has a fault.
    private func plan(
        _ members: [JSONValue.Member], _ place: Place, _ faults: inout RevisionFileFaults
    ) throws -> StagedRow? {
        var row = StagedRow(
            line: place.line ?? place.number, row: place.number,
            values: [[UInt8]?](repeating: nil, count: StagedRow.columns.count))
        var isWhole = true
        for member in members {
            let value = try faults.collect {
                guard let column = StagedRow.place(of: member.name) else {
                    let meant = Setting.nearest(to: member.name, of: StagedRow.columns)
                    throw fault(
                        place, "there is no column \(ShownText.of(member.name))",
                        remedy: meant.map { "did you mean \($0)?" }
                            ?? "there are \(StagedRow.columns.joined(separator: ", "))")
                }
                return (column: column, bytes: try bytes(of: member, place))
            }
            guard let value else {
                isWhole = false
                continue
            }
            // A member that is null says that the plan is sold. One that is left out says nothing.
            let isOpenEnd = value.bytes == nil && value.column == StagedRow.endPlace
            row.values[value.column] = isOpenEnd ? [] : value.bytes
        }
        return isWhole ? row : nil
    }

    /// The rows of a country of a snapshot:
    /// `{"country_code": "DE", "currency": "EUR", "plans": [{"name": "basic", "price": 7.99}]}`.
    private func offers(
        _ members: [JSONValue.Member], _ place: Place, provider: String?, category: String, day: CalendarDate,
        _ faults: inout RevisionFileFaults
    ) throws -> [StagedRow] {
        func member(_ name: String) -> JSONValue.Member? { members.first { $0.name == name } }
        let head = try faults.collect {
            guard let provider else {
                throw fault(place, column: "Provider", "it does not name the provider", remedy: "give --provider")
            }
            guard let country = try member("country_code").flatMap({ try bytes(of: $0, place) }),
                let currency = try member("currency").flatMap({ try bytes(of: $0, place) }),
                case .array(let plans)? = member("plans")?.value
            else {
                throw fault(
                    place, "a country must have country_code, currency and plans", remedy: "add the one that is missing"
                )
            }
            return (provider: provider, country: country, currency: currency, plans: plans)
        }
        guard let head else { return [] }
        var rows: [StagedRow] = []
        for plan in head.plans {
            let offer = try faults.collect {
                guard case .object(let members) = plan, let name = members.first(where: { $0.name == "name" }),
                    let price = members.first(where: { $0.name == "price" })
                else {
                    throw fault(
                        place, "a plan must have a name and a price",
                        remedy: "write {\"name\": …, \"price\": …}, with the price null where it is not sold")
                }
                return (name: try bytes(of: name, place), fee: try bytes(of: price, place))
            }
            guard let offer else { continue }
            var row = StagedRow(
                line: place.line ?? place.number, row: place.number,
                [
                    "Provider": head.provider, "Category": category, "Duration_value": "1", "Duration_unit": "month",
                    "Withdrawn_on": offer.fee == nil ? day.description : "",
                ])
            for (column, value) in [
                ("Country_ID", head.country), ("Currency_code", head.currency), ("Plan_name", offer.name ?? []),
                ("Fee", offer.fee ?? StagedRow.notSold),
            ] {
                if let index = StagedRow.place(of: column) { row.values[index] = value }
            }
            rows.append(row)
        }
        return rows
    }

    /// The text of a value; nil for null.
    private func bytes(of member: JSONValue.Member, _ place: Place) throws -> [UInt8]? {
        switch member.value {
        case .null: nil
        case .string(let text), .decimal(let text), .text(let text): Array(text.utf8)
        case .integer(let number): Array(String(number).utf8)
        case .bool, .array, .object, .unfit:
            throw fault(
                place, column: ShownText.of(member.name), "it is \(member.value.kind)",
                remedy: "write a text or a number")
        }
    }
}
