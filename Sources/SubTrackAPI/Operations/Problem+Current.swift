extension Problem.Current: OneOfTypes {
    /// The answers of the operations that can be meant for one version of a row.
    public static var alternatives: [any Codable.Type] {
        func answer<Definition: Operation>(of type: Definition.Type) -> any Codable.Type { Definition.Output.self }
        let answers = OperationTable.all.filter { $0.conditions.contains(.ifMatch) }.map { answer(of: $0) }
            .filter { $0 is any Versioned.Type }
        return Dictionary(answers.map { (String(reflecting: $0), $0) }, uniquingKeysWith: { first, _ in first })
            .sorted { $0.key < $1.key }.map(\.value)
    }
}
