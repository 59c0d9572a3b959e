/// The doc comments of `SubTrackAPI`, for the API description.
enum FieldSummaries {
    /// The comment of a field.
    /// - Parameter type: its type's path in the module: `ListPlans.Output`.
    static func summary(of field: String, in type: String) -> String? { embeddedSummaries["\(type).\(field)"] }

    /// The comment of a type.
    static func summary(ofType type: String) -> String? { embeddedSummaries[type] }
}
