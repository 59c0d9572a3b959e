import NIOCore

/// Cuts a stream of bytes into lines (newline-delimited JSON). A line that is too long is skipped to its end.
///
/// Lines that are empty, but for a carriage return, are none: whoever types presses the key twice.
struct LineFramer {
    /// What comes out.
    enum Event: Equatable {
        /// A line without its end.
        case line(ByteBuffer)
        /// A line is longer than allowed. It is told once, when that is seen.
        case tooLong
    }

    private let maximumLength: Int
    private var buffer = ByteBuffer()
    /// How many bytes of the buffer have no newline among them.
    private var searched = 0
    private var isSkipping = false

    /// A framer of lines of up to so many bytes, their ends not counted.
    init(maximumLength: Int) { self.maximumLength = maximumLength }

    /// Takes bytes as they come.
    mutating func append(_ bytes: ByteBuffer) {
        var bytes = bytes
        if buffer.readableBytes == 0 {
            buffer = bytes
            searched = 0
        } else {
            buffer.discardReadBytes()
            buffer.writeBuffer(&bytes)
        }
    }

    /// Whether a line was begun that has not ended.
    var isInLine: Bool { isSkipping || buffer.readableBytes > 0 }

    /// The next event; nil when there is none in the bytes so far.
    mutating func next() -> Event? {
        while true {
            if !isSkipping, searched == 0 { passOverBlankLines() }
            guard let end = buffer.readableBytesView.dropFirst(searched).firstIndex(of: UInt8(ascii: "\n")) else {
                break
            }
            let length = end - buffer.readerIndex
            searched = 0
            guard let line = buffer.readSlice(length: length) else { return nil }
            buffer.moveReaderIndex(forwardBy: 1)
            if isSkipping {
                isSkipping = false
                continue
            }
            if length > maximumLength { return .tooLong }
            if Self.isBlank(line) { continue }
            return .line(line)
        }
        searched = buffer.readableBytes
        if isSkipping {
            buffer.clear()
            searched = 0
        } else if searched > maximumLength {
            isSkipping = true
            buffer.clear()
            searched = 0
            return .tooLong
        }
        return nil
    }

    /// What is left when no more bytes will come: a last line without its end.
    mutating func finish() -> Event? {
        guard !isSkipping, buffer.readableBytes > 0 else { return nil }
        let rest = buffer
        buffer.clear()
        searched = 0
        return Self.isBlank(rest) ? nil : .line(rest)
    }

    /// Moves on to the first line that is none of the blank ones: a megabyte may consist of them.
    private mutating func passOverBlankLines() {
        let count = buffer.withUnsafeReadableBytes { bytes in
            var index = 0
            while index < bytes.count {
                if bytes[index] == UInt8(ascii: "\n") {
                    index += 1
                } else if bytes[index] == UInt8(ascii: "\r"), index + 1 < bytes.count,
                    bytes[index + 1] == UInt8(ascii: "\n")
                {
                    index += 2
                } else {
                    break
                }
            }
            return index
        }
        buffer.moveReaderIndex(forwardBy: count)
    }

    private static func isBlank(_ line: ByteBuffer) -> Bool {
        line.readableBytes == 0 || (line.readableBytes == 1 && line.readableBytesView.first == UInt8(ascii: "\r"))
    }
}
