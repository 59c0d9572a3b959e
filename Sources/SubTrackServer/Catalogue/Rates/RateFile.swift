import SubTrackAPI

/// Rates of the euro as the European Central Bank publishes them: `eurofxref-daily.xml`, or the CSV of the same name; files
/// of several days are read too.
public struct RateFile: Sendable, Equatable {
    /// A rate of a day.
    public struct Rate: Sendable, Equatable {
        /// ISO 4217.
        public let currency: String
        /// The day.
        public let on: CalendarDate
        /// Units of the currency for one euro.
        public let perEuro: Amount
    }

    /// The largest file that is read, in bytes: one of all days since 1999 has fewer.
    public static let maximumBytes = 16 << 20

    /// The file's name, for messages.
    public let name: String
    /// The rates, in the order of the file. No currency has two on one day.
    public let rates: [Rate]
    /// The faults. With any of them nothing of the file is taken.
    public let faults: [RevisionFileFault]
    /// The line of the first rate of each currency, a faulty one included.
    let lines: [String: Int]

    /// Reads a file, to its end also where it has faults.
    /// - Throws: ``RevisionFileFaults`` with all of them; nothing of the file is taken.
    public init(
        name: String, bytes: some Sequence<UInt8>, today: CalendarDate = WallClock.system.now().date(secondsFromUTC: 0)
    ) throws {
        self = try Self.withFaults(name: name, bytes: bytes, today: today)
        try RevisionFileFaults(faults).check()
    }

    /// Reads a file and keeps its faults, so that ``RateImport`` tells them together with unknown currencies.
    /// - Throws: ``RevisionFileFaults`` where no rates can be looked for, or where there are too many faults.
    public static func withFaults(
        name: String, bytes: some Sequence<UInt8>, today: CalendarDate = WallClock.system.now().date(secondsFromUTC: 0)
    ) throws -> RateFile {
        let bytes = Array(bytes)
        var reader = RateReader(file: name, today: today)
        if bytes.count > Self.maximumBytes {
            throw RevisionFileFaults([
                RevisionFileFault(
                    file: name, reason: "the file has more than \(Self.maximumBytes) bytes",
                    remedy: "split it into several")
            ])
        }
        if let fault = ForeignFile.fault(of: bytes, file: name) { throw RevisionFileFaults([fault]) }
        let first = bytes.first { $0 > UInt8(ascii: " ") && $0 < 0x80 }
        if first == UInt8(ascii: "<") { try reader.readXML(bytes) } else { try reader.readCSV(bytes) }
        // Without a currency there is nothing to add to the faults.
        if reader.lines.isEmpty { try reader.faults.check() }
        guard !reader.rates.isEmpty || !reader.faults.faults.isEmpty else {
            throw RevisionFileFaults([
                RevisionFileFault(
                    file: name, reason: "there is no rate in it", remedy: "download the file from the bank again")
            ])
        }
        return RateFile(name: name, reader)
    }

    private init(name: String, _ reader: RateReader) {
        self.name = name
        rates = reader.rates
        faults = reader.faults.faults
        lines = reader.lines
    }
}
