/// The text exposition format of Prometheus, version 0.0.4, as pure functions.
///
/// Rules: "Exposition formats" and "Metric and label naming" in the documentation of Prometheus.
enum PrometheusText {
    /// The type of a metric, as in its `# TYPE` line.
    enum Kind: String, Sendable {
        case counter, gauge, summary, histogram
    }

    /// The values of one series at the moment when it is read.
    enum Sample: Equatable, Sendable {
        case integer(UInt64)
        case value(Double)
        /// The number of values and their sum.
        case summary(count: UInt64, sum: Double)
        /// `buckets[i]` counts the values up to `bounds[i]` that are over the bound before it; the last of `buckets`
        /// counts those over all bounds.
        case histogram(bounds: [Double], buckets: [UInt64], sum: Double)
    }

    /// A metric with all its series.
    struct Family: Sendable {
        var name: String
        var kind: Kind
        var help: String
        /// `labels` as `labels(_:)` gives them.
        var series: [(labels: String, sample: Sample)]
    }

    /// The families as text, by name, the series of each by their labels: two scrapes differ only in their figures.
    static func render(_ families: [Family]) -> String {
        var text = ""
        for family in families.sorted(by: { $0.name < $1.name }) {
            text += "# HELP \(family.name) \(escapedHelp(family.help))\n"
            text += "# TYPE \(family.name) \(family.kind.rawValue)\n"
            for series in family.series.sorted(by: { $0.labels < $1.labels }) {
                append(series.sample, name: family.name, labels: series.labels, to: &text)
            }
        }
        return text
    }

    private static func append(_ sample: Sample, name: String, labels: String, to text: inout String) {
        func line(_ suffix: String, _ labels: String, _ value: String) {
            text += name
            text += suffix
            if !labels.isEmpty { text += "{\(labels)}" }
            text += " "
            text += value
            text += "\n"
        }
        switch sample {
        case .integer(let value): line("", labels, "\(value)")
        case .value(let value): line("", labels, number(value))
        case .summary(let count, let sum):
            line("_sum", labels, number(sum))
            line("_count", labels, "\(count)")
        case .histogram(let bounds, let buckets, let sum):
            let count = buckets.reduce(0, &+)
            let separator = labels.isEmpty ? "" : ","
            // A series without values shows no bucket but the one that must be there. Most pairs of operation and
            // status never occur, and would make nine tenths of the text.
            if count > 0 {
                var cumulative: UInt64 = 0
                for (bound, bucket) in zip(bounds, buckets) {
                    cumulative &+= bucket
                    line("_bucket", "\(labels)\(separator)le=\"\(number(bound))\"", "\(cumulative)")
                }
            }
            line("_bucket", "\(labels)\(separator)le=\"+Inf\"", "\(count)")
            line("_sum", labels, number(sum))
            line("_count", labels, "\(count)")
        }
    }

    /// The name under which a metric of that label is shown. Characters that a name may not hold become underscores. A
    /// counter ends in `_total`, a histogram of times in `_seconds`.
    static func name(_ label: String, kind: Kind) -> String {
        let name = identifier(label)
        switch kind {
        case .counter where !name.hasSuffix("_total"): return name + "_total"
        case .histogram where !name.hasSuffix("_seconds"): return name + "_seconds"
        default: return name
        }
    }

    /// All names that occur at the beginning of lines of such a metric.
    static func lineNames(_ name: String, kind: Kind) -> [String] {
        switch kind {
        case .counter, .gauge: [name]
        case .summary: [name, name + "_sum", name + "_count"]
        case .histogram: [name, name + "_bucket", name + "_sum", name + "_count"]
        }
    }

    /// Dimensions as they stand between the braces, by name, so that their order makes no difference.
    ///
    /// A value is cut at 256 bytes. A name that is taken, or reserved by the format (`le`, `quantile`), gets an
    /// underscore at its end.
    static func labels(_ dimensions: [(String, String)]) -> String {
        var taken: Set<String> = ["le", "quantile"]
        var labels: [(name: String, value: String)] = []
        for (name, value) in dimensions.sorted(by: { $0 < $1 }) {
            var unique = identifier(name)
            // Names that begin with two underscores belong to Prometheus itself.
            while unique.hasPrefix("__") { unique.removeFirst() }
            while !taken.insert(unique).inserted { unique += "_" }
            labels.append((unique, escapedValue(String(value.utf8Prefix(256)))))
        }
        return labels.map { "\($0.name)=\"\($0.value)\"" }.joined(separator: ",")
    }

    /// A number as the format wants it.
    static func number(_ value: Double) -> String {
        if value.isNaN { return "NaN" }
        if value.isInfinite { return value < 0 ? "-Inf" : "+Inf" }
        // Up to 2^53 a Double holds every integer, and `3` is shorter than `3.0`.
        if abs(value) <= 9_007_199_254_740_992, let whole = Int64(exactly: value) { return "\(whole)" }
        return "\(value)"
    }

    /// Letters, digits and underscores of ASCII, no digit first. A colon is left to recording rules.
    private static func identifier(_ label: String) -> String {
        var name = ""
        for scalar in label.unicodeScalars {
            switch scalar {
            case "a"..."z", "A"..."Z", "_": name.unicodeScalars.append(scalar)
            case "0"..."9":
                if name.isEmpty { name = "_" }
                name.unicodeScalars.append(scalar)
            default: name += "_"
            }
        }
        return name.isEmpty ? "_" : name
    }

    private static func escapedValue(_ value: String) -> String {
        escaped(value) { $0 == "\"" }
    }

    private static func escapedHelp(_ help: String) -> String {
        escaped(help) { _ in false }
    }

    /// Goes by Unicode scalars: by characters `\r\n` would be one, and its line feed would pass.
    private static func escaped(_ text: String, also: (Unicode.Scalar) -> Bool) -> String {
        var result = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\n": result.append(contentsOf: "\\n".unicodeScalars)
            case "\\": result.append(contentsOf: "\\\\".unicodeScalars)
            case let other where also(other):
                result.append("\\")
                result.append(other)
            default: result.append(scalar)
            }
        }
        return String(result)
    }
}
