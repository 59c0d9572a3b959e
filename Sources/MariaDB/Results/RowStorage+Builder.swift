extension RowStorage {
    /// Takes in row packets of the binary protocol (MariaDB manual, “Resultset Row”, binary): a zero byte, a bitmap of
    /// NULLs that begins with two unused bits, and the values that are not NULL.
    struct Builder {
        private let columns: ResultColumns
        private let widths: [Int]
        private var bytes: [UInt8] = []
        private var offsets: [UInt32] = []
        private(set) var rowCount = 0

        /// - Parameter columns: of the rows that follow.
        init(columns: ResultColumns) {
            self.columns = columns
            widths = columns.formats.map(\.type.fixedWidth)
        }

        var byteCount: Int { bytes.count }

        mutating func reserve(rows: Int, bytes count: Int) {
            bytes.reserveCapacity(count)
            offsets.reserveCapacity(rows * columns.count)
        }

        /// - Throws: ``MariaDBError`` when the packet's lengths do not add up or the result passes 4 GiB.
        mutating func append(packet: UnsafeRawBufferPointer) throws(MariaDBError) {
            let base = bytes.count
            guard base + packet.count < UInt32.max else {
                throw MariaDBError.invalidStatement("a result of 4 GiB or more must be streamed")
            }
            bytes.append(contentsOf: packet)
            let bitmapEnd = 1 + (columns.count + 9) / 8
            guard packet.count >= bitmapEnd else { throw MariaDBError.malformedPacket }
            var position = bitmapEnd
            for column in 0..<columns.count {
                let bit = column + 2
                if packet[1 + bit / 8] & (1 << UInt8(bit % 8)) != 0 {
                    offsets.append(RowStorage.null)
                    continue
                }
                offsets.append(UInt32(base + position))
                let width = widths[column]
                if width >= 0 {
                    position += width
                } else {
                    guard let next = Builder.end(of: packet, at: position) else { throw MariaDBError.malformedPacket }
                    position = next
                }
                guard position <= packet.count else { throw MariaDBError.malformedPacket }
            }
            rowCount += 1
        }

        /// Where a value with its own length ends; nil when even the length does not fit.
        private static func end(of packet: UnsafeRawBufferPointer, at position: Int) -> Int? {
            guard position < packet.count else { return nil }
            let rest = UnsafeRawBufferPointer(rebasing: packet[position...])
            return RowStorage.lengthOfValue(rest).map { position + $0 }
        }

        consuming func finish() -> RowStorage {
            RowStorage(columns: columns, bytes: bytes, offsets: offsets, rowCount: rowCount)
        }
    }
}

extension RowStorage {
    /// How many bytes a value that carries its own length takes with that length; nil when the length is no length or
    /// reaches beyond 48 bits, which nothing does that fits in memory.
    static func lengthOfValue(_ bytes: UnsafeRawBufferPointer) -> Int? {
        guard let first = bytes.first else { return nil }
        let width: Int
        switch first {
        case 0..<0xFB: return 1 + Int(first)
        case 0xFC: width = 2
        case 0xFD: width = 3
        case 0xFE: width = 8
        default: return nil
        }
        guard 1 + width <= bytes.count else { return nil }
        var length = 0
        for byte in bytes[1...width].reversed() {
            guard length < 1 << 40 else { return nil }
            length = length << 8 | Int(byte)
        }
        return 1 + width + length
    }
}
