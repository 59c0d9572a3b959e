import Logging

/// Writes each log event as one line for people:
///
///     09:30:00.125Z notice subtrackd: Serving. address=127.0.0.1:8080 name="two words"
///
/// Limits, escapes and hidden secrets are those of ``JSONLogHandler``.
public struct TextLogHandler: LogHandler {
    public var logLevel: Logger.Level
    public var metadata: Logger.Metadata = [:]
    public var metadataProvider: Logger.MetadataProvider?

    private let label: String
    private let now: @Sendable () -> Int64
    private let isShort: Bool
    private let isColoured: Bool
    private let write: @Sendable ([UInt8]) -> Void

    /// No field begins behind it, as in JSON.
    private static let lastFieldBegins = 36 * 1_024

    /// A handler.
    ///
    /// - Parameters:
    ///   - label: the logger's.
    ///   - level: the least level that is written.
    ///   - metadataProvider: the logging system's.
    ///   - now: the time in milliseconds since 1970.
    ///   - isShort: leaves out the date, which is known at a terminal.
    ///   - isColoured: colours the level.
    ///   - write: takes each line, its line feed included, whole.
    public init(
        label: String, level: Logger.Level, metadataProvider: Logger.MetadataProvider? = nil,
        now: @escaping @Sendable () -> Int64 = LogTime.system, isShort: Bool, isColoured: Bool,
        write: @escaping @Sendable ([UInt8]) -> Void
    ) {
        self.label = String(label.utf8Prefix(256))
        self.logLevel = level
        self.metadataProvider = metadataProvider
        self.now = now
        self.isShort = isShort
        self.isColoured = isColoured
        self.write = write
    }

    public subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    public func log(event: LogEvent) {
        let fields = LogFields(
            event: event, sources: [metadata, metadataProvider?.get(), event.metadata], reserved: [])
        let time = LogTime.text(now())
        var line = Array((isShort ? time.dropFirst("2026-01-31T".count) : time[...]).utf8)
        line.append(UInt8(ascii: " "))
        // Levels are of different lengths; the next text begins in the same column.
        let level = event.level.rawValue
        let padding = repeatElement(UInt8(ascii: " "), count: max("critical".utf8.count - level.utf8.count, 0))
        line.append(contentsOf: (isColoured ? "\u{1B}[\(Self.colour(event.level))m\(level)\u{1B}[0m" : level).utf8)
        line.append(contentsOf: padding)
        line.append(UInt8(ascii: " "))
        Self.append(label, to: &line)
        line.append(contentsOf: ": ".utf8)
        Self.append(LogFields.bounded(event.message.description), to: &line)
        var leftOut = fields.leftOut
        for field in fields.fields {
            guard line.count < Self.lastFieldBegins else {
                leftOut += 1
                continue
            }
            line.append(UInt8(ascii: " "))
            Self.appendWord(field.key, to: &line)
            line.append(UInt8(ascii: "="))
            Self.appendWord(field.value, to: &line)
        }
        if leftOut > 0 { line.append(contentsOf: " (\(leftOut) more)".utf8) }
        line.append(UInt8(ascii: "\n"))
        write(line)
    }

    /// The parameters of SGR (ECMA-48).
    private static func colour(_ level: Logger.Level) -> String {
        switch level {
        case .trace, .debug: "2"
        case .info: "32"
        case .notice: "36"
        case .warning: "33"
        case .error: "31"
        case .critical: "1;31"
        }
    }

    private static func append(_ text: String, escapesQuotes: Bool = false, to line: inout [UInt8]) {
        for scalar in text.unicodeScalars {
            if isEscapedInLogs(scalar) {
                appendLogEscape(scalar, to: &line)
            } else {
                if escapesQuotes, scalar == "\"" || scalar == "\\" { line.append(UInt8(ascii: "\\")) }
                line.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
            }
        }
    }

    /// A text that a reader can tell from its neighbours: in quotes if need be.
    private static func appendWord(_ text: String, to line: inout [UInt8]) {
        let isPlain = !text.isEmpty && !text.unicodeScalars.contains { " \"=\\".unicodeScalars.contains($0) }
        if isPlain { return append(text, to: &line) }
        line.append(UInt8(ascii: "\""))
        append(text, escapesQuotes: true, to: &line)
        line.append(UInt8(ascii: "\""))
    }
}
