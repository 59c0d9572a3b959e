/// A kind of file that programs for tables write and that is not read here, told by its first bytes.
enum ForeignFile {
    /// Text of two bytes for each character, as Excel's "Unicode Text" is.
    case utf16
    /// An archive, as `.xlsx` and `.ods` are.
    case archive
    /// A workbook of Excel 97.
    case workbook

    /// The kind of a file; nil for one that may be text in UTF-8.
    init?(_ bytes: [UInt8]) {
        let start = Array(bytes.prefix(4))
        switch start {
        case _ where start.starts(with: [0xFF, 0xFE]) || start.starts(with: [0xFE, 0xFF]): self = .utf16
        // Without a mark: the other half of a letter of ASCII.
        case _ where start.prefix(2).contains(0): self = .utf16
        case [0x50, 0x4B, 0x03, 0x04]: self = .archive
        case [0xD0, 0xCF, 0x11, 0xE0]: self = .workbook
        default: return nil
        }
    }

    /// What a file of this kind is.
    var reason: String {
        switch self {
        case .utf16: "the file is text in UTF-16"
        case .archive: "the file is an archive, as workbooks are"
        case .workbook: "the file is a workbook"
        }
    }

    /// The way to a file that is read.
    static let remedy = "save it as text in UTF-8; Excel's \"CSV UTF-8\" is such a file"

    /// The fault of a file, where it is none that is read.
    static func fault(of bytes: [UInt8], file: String) -> RevisionFileFault? {
        ForeignFile(bytes).map { RevisionFileFault(file: file, line: 1, reason: $0.reason, remedy: remedy) }
    }
}
