extension String {
    /// The text as HTML shows it, in an element or in an attribute.
    ///
    /// It goes by scalars. Some scalars make one character with the sign after them (U+0600 does), and would hide it.
    var escapedForHTML: String {
        var escaped = ""
        for scalar in unicodeScalars {
            switch scalar {
            case "&": escaped += "&amp;"
            case "<": escaped += "&lt;"
            case ">": escaped += "&gt;"
            case "\"": escaped += "&quot;"
            case "'": escaped += "&#39;"
            default: escaped.unicodeScalars.append(scalar)
            }
        }
        return escaped
    }
}
