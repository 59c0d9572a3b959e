import Logging

/// Writes each log event as one JSON object (RFC 8259) on one line:
///
///     {"time":"2026-01-31T09:30:00.125Z","level":"info","label":"subtrackd","message":"Serving.","source":"SubTrackServer","port":"8080"}
///
/// Metadata are flat members of the object, their values strings. One that has the name of another member is called
/// `metadata.…`. A value over 4 KiB is cut, with a mark. A line stays under 64 KiB (`fields_left_out` counts the fields
/// without room). A value named like a secret prints as `[redacted]`.
public struct JSONLogHandler: LogHandler {
    public var logLevel: Logger.Level
    public var metadata: Logger.Metadata = [:]
    public var metadataProvider: Logger.MetadataProvider?

    private let label: String
    private let now: @Sendable () -> Int64
    private let write: @Sendable ([UInt8]) -> Void

    private static let reserved: Set<String> = ["time", "level", "label", "message", "source", "fields_left_out"]
    /// No field begins behind it. The longest field is 4 KiB of characters that take six bytes each.
    private static let lastFieldBegins = 36 * 1_024

    /// A handler.
    ///
    /// - Parameters:
    ///   - label: the logger's.
    ///   - level: the least level that is written.
    ///   - metadataProvider: the logging system's.
    ///   - now: the time in milliseconds since 1970.
    ///   - write: takes each line, its line feed included, whole.
    public init(
        label: String, level: Logger.Level, metadataProvider: Logger.MetadataProvider? = nil,
        now: @escaping @Sendable () -> Int64 = LogTime.system, write: @escaping @Sendable ([UInt8]) -> Void
    ) {
        self.label = String(label.utf8Prefix(256))
        self.logLevel = level
        self.metadataProvider = metadataProvider
        self.now = now
        self.write = write
    }

    public subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    public func log(event: LogEvent) {
        let fields = LogFields(
            event: event, sources: [metadata, metadataProvider?.get(), event.metadata], reserved: Self.reserved)
        var line: [UInt8] = []
        line.reserveCapacity(512)
        func member(_ key: String, _ value: String) {
            line.append(UInt8(ascii: line.isEmpty ? "{" : ","))
            Self.append(key, to: &line)
            line.append(UInt8(ascii: ":"))
            Self.append(value, to: &line)
        }
        member("time", LogTime.text(now()))
        member("level", event.level.rawValue)
        member("label", label)
        member("message", LogFields.bounded(event.message.description))
        member("source", String(event.source.utf8Prefix(256)))
        var leftOut = fields.leftOut
        for field in fields.fields {
            if line.count < Self.lastFieldBegins { member(field.key, field.value) } else { leftOut += 1 }
        }
        if leftOut > 0 { line.append(contentsOf: ",\"fields_left_out\":\(leftOut)".utf8) }
        line.append(UInt8(ascii: "}"))
        line.append(UInt8(ascii: "\n"))
        write(line)
    }

    /// A string with its quotes. Characters outside of ASCII stay as they are, in UTF-8, but for those of
    /// `isEscapedInLogs`.
    private static func append(_ string: String, to line: inout [UInt8]) {
        line.append(UInt8(ascii: "\""))
        for scalar in string.unicodeScalars {
            switch scalar {
            case "\"", "\\":
                line.append(UInt8(ascii: "\\"))
                line.append(UInt8(ascii: scalar))
            case let control where isEscapedInLogs(control): appendLogEscape(control, to: &line)
            default: line.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
            }
        }
        line.append(UInt8(ascii: "\""))
    }
}
