import Foundation

/// A statement that the service sent, for the floor to send again.
struct Statement {
    enum Way: String { case setup, prepared, plain }

    /// What stands for a `?`.
    enum Value: Equatable {
        case user, subscription, fresh, null
        case integer(String)
        case date(String)
        case text([UInt8])
    }

    let way: Way
    let text: [UInt8]
    let values: [Value]

    /// The lines that `floor` reads.
    var lines: [UInt8] {
        var lines = Array("\(way.rawValue) \(text.count)\n".utf8) + text + [0x0A]
        for value in values {
            switch value {
            case .user: lines += "user\n".utf8
            case .subscription: lines += "subscription\n".utf8
            case .fresh: lines += "fresh\n".utf8
            case .null: lines += "null\n".utf8
            case .integer(let digits): lines += "int \(digits)\n".utf8
            case .date(let day): lines += "date \(day)\n".utf8
            case .text(let bytes): lines += Array("text \(bytes.count)\n".utf8) + bytes + [0x0A]
            }
        }
        return lines
    }

    /// The values with which a prepared statement became the text that ran; nil when it is another statement.
    static func values(of prepared: [UInt8], in executed: [UInt8]) -> [Value]? {
        var values: [Value] = []
        var rest = executed[...]
        for byte in prepared {
            if byte == UInt8(ascii: "?") {
                guard let value = take(from: &rest) else { return nil }
                values.append(value)
            } else {
                guard rest.popFirst() == byte else { return nil }
            }
        }
        return rest.isEmpty ? values : nil
    }

    /// Takes a literal as MariaDB writes it into its log.
    private static func take(from rest: inout ArraySlice<UInt8>) -> Value? {
        if rest.starts(with: Array("NULL".utf8)) {
            rest.removeFirst(4)
            return .null
        }
        if rest.starts(with: Array("DATE'".utf8)) {
            rest.removeFirst(4)
            return quoted(&rest).map { .date(String(decoding: $0, as: UTF8.self)) }
        }
        if rest.first == UInt8(ascii: "'") {
            guard let bytes = quoted(&rest) else { return nil }
            switch String(decoding: bytes, as: UTF8.self) {
            case Probe.user: return .user
            case Probe.subscription: return .subscription
            case let text where Probe.fresh.contains(text): return .fresh
            default: return .text(bytes)
            }
        }
        let number = rest.prefix { $0 == UInt8(ascii: "-") || (0x30...0x39).contains($0) }
        guard !number.isEmpty else { return nil }
        rest.removeFirst(number.count)
        return .integer(String(decoding: number, as: UTF8.self))
    }

    private static func quoted(_ rest: inout ArraySlice<UInt8>) -> [UInt8]? {
        guard rest.popFirst() == UInt8(ascii: "'") else { return nil }
        var bytes: [UInt8] = []
        while let byte = rest.popFirst() {
            switch byte {
            case UInt8(ascii: "'"): return bytes
            case UInt8(ascii: "\\"):
                guard let escaped = rest.popFirst() else { return nil }
                let plain: [UInt8: UInt8] = [0x30: 0, 0x6E: 0x0A, 0x72: 0x0D, 0x74: 0x09, 0x5A: 0x1A]
                bytes.append(plain[escaped] ?? escaped)
            default: bytes.append(byte)
            }
        }
        return nil
    }
}
