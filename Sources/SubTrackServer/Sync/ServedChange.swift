import SubTrackAPI

/// A row as it is now, or that it is gone: a ``SubTrackAPI/Change`` whose row is JSON already.
struct ServedChange: Sendable, JSONWritable {
    /// The scope's name on the wire.
    var scope: String
    /// The version of the change in its scope.
    var version: Int64
    /// The entity's name.
    var entity: String
    /// The row's id as clients have it.
    var id: String
    /// The row, a JSON object; nil: it is gone.
    var row: [UInt8]?

    /// How many bytes of JSON it becomes, at the most a few more.
    var weight: Int { 120 + scope.utf8.count + entity.utf8.count + 6 * id.utf8.count + (row?.count ?? 0) }

    func write(to json: inout JSONWriter) {
        json.beginObject()
        json.key("scope")
        json.write(scope)
        json.key("version")
        json.write(version)
        json.key("entity")
        json.write(entity)
        json.key("id")
        json.write(id)
        json.key("deleted")
        json.write(row == nil)
        if let row {
            json.key("data")
            json.write(json: row)
        }
        json.endObject()
    }
}
