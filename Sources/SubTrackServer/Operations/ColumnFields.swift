/// The names of input fields for the columns that triggers check. Areas declare them by table and column.
struct ColumnFields: Sendable {
    private let names: [String: String]

    /// No column has a field.
    init() { names = [:] }

    /// Fields by table and column.
    init(_ tables: [String: [String: String]]) {
        var names: [String: String] = [:]
        for (table, columns) in tables {
            for (column, field) in columns { names["\(table).\(column)"] = field }
        }
        self.names = names
    }

    /// The field and the fault of a trigger's message, `Table.Column: fault`; nil for a column that no input gives.
    func fault(in message: String) -> (field: String, fault: String)? {
        guard let colon = message.firstRange(of: ": "), let field = names[String(message[..<colon.lowerBound])] else {
            return nil
        }
        return (field, String(message[colon.upperBound...]))
    }
}
