import SubTrackAPI

/// Collects the faults of an input, so that its sender learns of all of them at once.
///
///     var faults = InputFaults()
///     let label = try faults.check(or: nil) { try SubscriptionInput.label(input.label) }
///     try faults.finish()
struct InputFaults {
    private var faults: [FieldProblem] = []

    /// How many there are.
    var count: Int { faults.count }

    /// Notes a fault.
    mutating func add(_ field: String, _ code: FieldProblem.Code, _ message: String) {
        faults.append(FieldProblem(field: field, code: code, message: message))
    }

    /// Runs a check and notes its faults of a field.
    /// - Parameter substitute: stands for the value where there is a fault; it is not used beyond ``finish()``.
    /// - Throws: errors of the check other than faults of fields.
    mutating func check<Value>(or substitute: @autoclosure () -> Value, _ check: () throws -> Value) throws -> Value {
        do {
            return try check()
        } catch let problem as Problem where problem.code == .inputInvalid {
            guard let errors = problem.errors else { throw problem }
            faults += errors
            return substitute()
        }
    }

    /// Ends the collection.
    /// - Throws: `input_invalid` with all faults, if there are any.
    func finish() throws {
        guard faults.isEmpty else { throw Problem.input(faults) }
    }
}
