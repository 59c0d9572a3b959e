import SubTrackAPI

// Elements of lists write their own JSON; the answers that have the lists are encoded by their types. A list of ten has
// several hundred members, and the containers of an encoder take ten times as long. A test compares each of these with
// its `Encodable` conformance.

extension Plan: JSONWritable {
    func write(to json: inout JSONWriter) {
        json.beginObject()
        json.key("id")
        json.write(id)
        json.key("provider")
        json.write(provider)
        json.key("name")
        json.write(name)
        json.key("type")
        json.write(type)
        json.key("category")
        json.write(category)
        json.key("country")
        json.write(country)
        json.key("fee")
        json.write(fee)
        json.key("currency")
        json.write(currency)
        json.key("duration")
        json.beginObject()
        json.key("value")
        json.write(duration.value)
        json.key("unit")
        json.write(duration.unit.rawValue)
        json.endObject()
        json.key("trialDays")
        json.write(optional: trialDays)
        json.key("noticeDays")
        json.write(noticeDays)
        json.key("withdrawn")
        json.write(withdrawn)
        json.key("private")
        json.write(self.private)
        json.endObject()
    }
}

extension Array: JSONWritable where Element: JSONWritable {
    func write(to json: inout JSONWriter) {
        json.beginArray()
        for value in self {
            json.element()
            value.write(to: &json)
        }
        json.endArray()
    }
}

extension JSONWriter {
    /// Writes a number, or `null`.
    mutating func write(optional value: Int?) {
        if let value { write(value) } else { writeNull() }
    }

    /// Writes a text, or `null`.
    mutating func write(optional value: String?) {
        if let value { write(value) } else { writeNull() }
    }
}
