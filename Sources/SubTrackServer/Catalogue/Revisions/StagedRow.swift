import SubTrackAPI

/// A row of a file on its way into `Staged_plan`: what stands in each of its columns, as it was written.
struct StagedRow: Sendable, Equatable {
    /// The columns of a file, in the order of the table's: those of `Plan`, and the category of a provider that is new.
    static let columns = [
        "Country_ID", "Provider", "Plan_name", "Subscription_type", "Fee", "Currency_code", "Fee_since",
        "Duration_value", "Duration_unit", "Trial_days", "Notice_days", "Withdrawn_on", "Category",
    ]

    /// The columns that a file must have. `Fee` may be left out where `Withdrawn_on` is there.
    static let neededColumns = ["Country_ID", "Provider", "Plan_name", "Fee", "Duration_value", "Duration_unit"]

    /// The place of the column that withdraws a plan. An empty value says that the plan is sold, nil says nothing.
    static let endPlace = place(of: "Withdrawn_on")

    /// The fee of a plan that is not sold, and that need not be in the catalogue.
    static let notSold = Array("none".utf8)

    /// The line of the file on which it begins.
    var line: Int
    /// The number of the row below the line of names, or of the entry of a list, from 1.
    var row: Int
    /// A value for each of ``columns``; nil where the file has none.
    var values: [[UInt8]?]

    /// The place of a column by its name in a file, whatever its case.
    static func place(of name: String) -> Int? {
        columns.firstIndex { $0.lowercased() == name.lowercased() }
    }

    /// A row with some values, by the columns' names.
    init(line: Int, row: Int, _ values: KeyValuePairs<String, String>) {
        self.line = line
        self.row = row
        self.values = Array(repeating: nil, count: Self.columns.count)
        for (name, value) in values {
            if let place = Self.place(of: name) { self.values[place] = Array(value.utf8) }
        }
    }

    /// A row with its values.
    init(line: Int, row: Int, values: [[UInt8]?]) {
        self.line = line
        self.row = row
        self.values = values
    }
}
