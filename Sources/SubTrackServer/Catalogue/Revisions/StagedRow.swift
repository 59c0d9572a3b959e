import SubTrackAPI

/// A row of a file on its way into `Staged_plan`: what stands in each of its columns, as it was written.
struct StagedRow: Sendable, Equatable {
    /// The columns of a file, in the order of the table's: those of `Plan`, and the category of a provider that is new.
    static let columns = [
        "Country_ID", "Provider", "Plan_name", "Subscription_type", "Fee", "Currency_code", "Fee_since",
        "Duration_value", "Duration_unit", "Trial_days", "Notice_days", "Withdrawn_on", "Category",
    ]

    /// The line of the file, or the number of the entry in a list.
    var line: Int
    /// A value for each of ``columns``; nil where the file has none.
    var values: [[UInt8]?]

    /// The place of a column by its name in a file, whatever its case.
    static func place(of name: String) -> Int? {
        columns.firstIndex { $0.lowercased() == name.lowercased() }
    }

    /// A row with some values, by the columns' names.
    init(line: Int, _ values: KeyValuePairs<String, String>) {
        self.line = line
        self.values = Array(repeating: nil, count: Self.columns.count)
        for (name, value) in values {
            if let place = Self.place(of: name) { self.values[place] = Array(value.utf8) }
        }
    }

    /// A row with its values.
    init(line: Int, values: [[UInt8]?]) {
        self.line = line
        self.values = values
    }
}
