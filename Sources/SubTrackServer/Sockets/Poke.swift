/// That something has changed in a scope: its client pulls.
struct Poke: Sendable, Equatable {
    /// The scope's name, as in a pull.
    let scope: String
    /// The scope's newest version.
    let version: Int64

    /// What a socket is sent.
    var notification: RPCNotification {
        var json = JSONWriter(capacity: 64)
        json.beginObject()
        json.key("scope")
        json.write(scope)
        json.key("version")
        json.write(version)
        json.endObject()
        return RPCNotification("changes", params: json.bytes)
    }
}
