extension RowStorage {
    /// Takes in row packets of the binary protocol (MariaDB manual, “Resultset Row”, binary): a zero byte, a bitmap of
    /// NULLs that begins with two unused bits, and the values that are not NULL.
    ///
    /// Not Sendable: it is filled by one session's actor.
    final class Builder {
        private let columns: ResultColumns
        private var bytes: UnsafeMutableRawPointer
        private var offsets: UnsafeMutablePointer<UInt32>
        /// Whether the memory is the storage's now.
        private var isFinished = false
        private var byteCapacity: Int
        private var rowCapacity: Int
        private(set) var byteCount = 0
        private(set) var rowCount = 0

        /// - Parameters:
        ///   - columns: of the rows that follow.
        ///   - rows: how many rows are expected; more may come.
        ///   - bytes: how many bytes they have together; more may come.
        init(columns: ResultColumns, rows: Int, bytes: Int) {
            self.columns = columns
            byteCapacity = max(1, bytes)
            rowCapacity = max(1, rows)
            self.bytes = .allocate(byteCount: byteCapacity, alignment: 8)
            offsets = .allocate(capacity: max(1, rowCapacity * columns.count))
        }

        deinit {
            guard !isFinished else { return }
            bytes.deallocate()
            offsets.deallocate()
        }

        /// Takes in one row.
        ///
        /// - Throws: ``MariaDBError`` when the packet's lengths do not add up or the result passes 4 GiB.
        func append(packet: UnsafeRawBufferPointer) throws(MariaDBError) {
            let base = byteCount
            let count = columns.count
            guard base + packet.count < UInt32.max else {
                throw MariaDBError.invalidStatement("a result of 4 GiB or more must be streamed")
            }
            reserve(packet.count)
            let bitmapEnd = 1 + (count + 9) / 8
            guard packet.count >= bitmapEnd, let start = packet.baseAddress else {
                throw MariaDBError.malformedPacket
            }
            (bytes + base).copyMemory(from: start, byteCount: packet.count)
            var position = bitmapEnd
            var slot = offsets + rowCount * count
            for column in 0..<count {
                defer { slot += 1 }
                let bit = column + 2
                if packet[1 + bit / 8] & (1 << UInt8(bit % 8)) != 0 {
                    slot.initialize(to: RowStorage.null)
                    continue
                }
                slot.initialize(to: UInt32(base + position))
                let width = columns.formats[column].width
                if width >= 0 {
                    position += width
                } else if position < packet.count, packet[position] < 0xFB {
                    position += 1 + Int(packet[position])
                } else if let length = RowStorage.lengthOfValue(packet, at: position) {
                    position += length
                } else {
                    throw MariaDBError.malformedPacket
                }
                guard position <= packet.count else { throw MariaDBError.malformedPacket }
            }
            byteCount += packet.count
            rowCount += 1
        }

        /// The rows; nothing may be appended afterwards.
        func finish() -> RowStorage {
            isFinished = true
            return RowStorage(
                columns: columns, bytes: UnsafeRawPointer(bytes), offsets: UnsafePointer(offsets), rowCount: rowCount)
        }

        /// Makes room for one more row with that many bytes.
        private func reserve(_ count: Int) {
            if byteCount + count > byteCapacity {
                byteCapacity = max(2 * byteCapacity, byteCount + count)
                let larger = UnsafeMutableRawPointer.allocate(byteCount: byteCapacity, alignment: 8)
                larger.copyMemory(from: bytes, byteCount: byteCount)
                bytes.deallocate()
                bytes = larger
            }
            if rowCount == rowCapacity {
                rowCapacity *= 2
                let larger = UnsafeMutablePointer<UInt32>.allocate(capacity: max(1, rowCapacity * columns.count))
                larger.initialize(from: offsets, count: rowCount * columns.count)
                offsets.deallocate()
                offsets = larger
            }
        }
    }
}

extension RowStorage {
    /// How many bytes a value that carries its own length takes with that length; nil when the length is no length or
    /// beyond anything that fits in memory.
    static func lengthOfValue(_ bytes: UnsafeRawBufferPointer, at position: Int = 0) -> Int? {
        guard position < bytes.count else { return nil }
        let width: Int
        switch bytes[position] {
        case 0..<0xFB: return 1 + Int(bytes[position])
        case 0xFC: width = 2
        case 0xFD: width = 3
        case 0xFE: width = 8
        default: return nil
        }
        guard position + 1 + width <= bytes.count else { return nil }
        var length = 0
        for byte in bytes[(position + 1)...(position + width)].reversed() {
            guard length < 1 << 40 else { return nil }
            length = length << 8 | Int(byte)
        }
        return 1 + width + length
    }
}
