/// What the doc comments of `SubTrackAPI` say, for the API description.
enum FieldSummaries {
    /// What is said of a field.
    /// - Parameter type: its type's path in the module: `ListPlans.Output`.
    static func summary(of field: String, in type: String) -> String? { embeddedSummaries["\(type).\(field)"] }

    /// What is said of a type.
    static func summary(ofType type: String) -> String? { embeddedSummaries[type] }
}
