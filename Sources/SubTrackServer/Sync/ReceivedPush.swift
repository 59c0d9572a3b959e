import SubTrackAPI

/// The input of a push. Faults of the list refuse the request, faults of one change refuse that change.
struct ReceivedPush: Sendable {
    /// The changes in their order.
    let changes: [ReceivedChange]
    /// The client's cursor.
    let cursor: String?

    /// Reads the input.
    /// - Throws: `input_invalid` for an input other than a list of changes with keys; `too_many`.
    init(_ value: JSONValue) throws {
        var elements: [JSONValue] = []
        var shell = value
        if case .object(var members) = value, let index = members.firstIndex(where: { $0.name == "mutations" }),
            case .array(let list) = members[index].value
        {
            elements = list
            members[index].value = []
            shell = .object(members)
        }
        guard elements.count <= PushChanges.maximumCount else {
            throw Problem(
                .tooMany,
                "One request may carry \(PushChanges.maximumCount) mutations, this one has \(elements.count).")
        }
        var faults = InputFaults()
        let input = try faults.check(or: PushChanges(mutations: [])) {
            try InputDecoder.decode(PushChanges.self, from: shell)
        }
        var changes: [ReceivedChange] = []
        for (index, element) in elements.enumerated() where faults.count < InputDecoder.maximumFaults {
            let change: ReceivedChange? = try faults.check(or: nil) {
                try ReceivedChange(element, at: "mutations.\(index)")
            }
            if let change { changes.append(change) }
        }
        try faults.finish()
        self.changes = changes
        cursor = input.cursor
    }
}
