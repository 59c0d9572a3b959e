import Foundation
import NIOCore
import NIOEmbedded
import NIOWebSocket
import SubTrackTestSupport
import TestTraits
import Testing

@testable import SubTrackServer

/// Bytes without any sense, and with some, in the parsers of what comes by a socket.
///
/// `SUBTRACKIT_FUZZ=10000000` tries that many inputs, `SUBTRACKIT_TEST_SEED` others than last time.
@Suite(.ownTime) struct SocketFuzzTests {
    private static let environment = ProcessInfo.processInfo.environment
    private static let count = environment["SUBTRACKIT_FUZZ"].flatMap { Int($0) } ?? (TestStage.full ? 20_000 : 5_000)
    private static let seed = TestSeed.first(of: "bytes of sockets", or: 6455)

    /// Lines come out as they went in, however they are cut, and nothing is kept beyond the limit.
    @Test func linesComeOutHoweverTheyAreCut() {
        var generator = SeededGenerator(seed: Self.seed)
        let alphabet: [UInt8] = [UInt8(ascii: "a"), UInt8(ascii: "\r"), 0, 0xFF]
        for round in 0..<Self.count {
            let limit = Int.random(in: 1...20, using: &generator)
            var bytes: [UInt8] = []
            var expected: [LineFramer.Event] = []
            for _ in 0..<Int.random(in: 0...6, using: &generator) {
                let length = Int.random(in: 0...limit + 6, using: &generator)
                let line: [UInt8] = (0..<length).map { _ in alphabet.randomElement(using: &generator) ?? 0 }
                bytes += line + [UInt8(ascii: "\n")]
                if line.count > limit {
                    expected.append(.tooLong)
                } else if !line.isEmpty, line != [UInt8(ascii: "\r")] {
                    expected.append(.line(ByteBuffer(bytes: line)))
                }
            }
            var framer = LineFramer(maximumLength: limit)
            var events: [LineFramer.Event] = []
            var rest = bytes[...]
            while !rest.isEmpty {
                let piece = rest.prefix(Int.random(in: 1...8, using: &generator))
                rest = rest.dropFirst(piece.count)
                framer.append(ByteBuffer(bytes: piece))
                while let event = framer.next() { events.append(event) }
            }
            guard events == expected, !framer.isInLine, framer.finish() == nil else {
                Issue.record("seed \(Self.seed), round \(round), limit \(limit): \(bytes) gave \(events)")
                return
            }
        }
    }

    /// Whatever comes, there is an answer or none, never a crash; and what is answered is JSON with the id that was sent.
    @Test func messagesAreReadOrRefused() throws {
        var generator = SeededGenerator(seed: Self.seed &+ 1)
        var kinds: [String: Int] = [:]
        for round in 0..<Self.count {
            let bytes = Self.mutated(Array(Self.message(&generator).utf8), &generator)
            switch RPCMessage(bytes) {
            case .batch(let elements):
                kinds["batch", default: 0] += 1
                guard (1...RPCMessage.maximumBatch).contains(elements.count) else {
                    Issue.record("seed \(Self.seed), round \(round): a batch of \(elements.count)")
                    return
                }
            case .single(.request): kinds["request", default: 0] += 1
            case .single(.ignored): kinds["ignored", default: 0] += 1
            case .single(.faulty(let id, let failure)):
                kinds["\(failure.code.rawValue)", default: 0] += 1
                var buffer = ByteBuffer()
                RPCAnswer.single(RPCReply(id: id, content: .failure(failure))).write(to: &buffer)
                guard
                    let object = try? JSONSerialization.jsonObject(with: Data(buffer.readableBytesView))
                        as? [String: Any],
                    (object["error"] as? [String: Any])?["code"] as? Int == failure.code.rawValue
                else {
                    Issue.record("seed \(Self.seed), round \(round): \(String(buffer: buffer))")
                    return
                }
            }
        }
        // All kinds were there.
        #expect(Set(kinds.keys).isSuperset(of: ["batch", "request", "-32700", "-32600", "-32602"]), "\(kinds)")
    }

    /// Frames without any sense: the decoder and the assembler end in a fault or go on, and a message is never larger
    /// than allowed and always UTF-8.
    @Test func framesAreReadOrRefused() throws {
        var generator = SeededGenerator(seed: Self.seed &+ 2)
        var kinds: [String: Int] = [:]
        for round in 0..<Self.count {
            let decoder = NIOSingleStepFrames(maximumSize: 64)
            var assembler = WebSocketAssembler(maximumSize: 64)
            for frame in try decoder.frames(of: Self.frames(&generator), &generator) {
                switch assembler.receive(frame) {
                case .message(let message):
                    kinds["message", default: 0] += 1
                    guard message.readableBytes <= 64,
                        String(validating: message.readableBytesView, as: UTF8.self) != nil
                    else {
                        Issue.record("seed \(Self.seed), round \(round): \(message)")
                        return
                    }
                case .fault(let code, _): kinds["\(code)", default: 0] += 1
                case .ping: kinds["ping", default: 0] += 1
                case .close: kinds["close", default: 0] += 1
                case .nothing, .pong: break
                }
            }
        }
        #expect(
            Set(kinds.keys).isSuperset(of: ["message", "ping", "close", "1002", "1003", "1007", "1009"]), "\(kinds)")
    }

    private static func message(_ generator: inout SeededGenerator) -> String {
        let id =
            ["1", "\"x\"", "null", "1.5", "true", "{}", "-9007199254740992"].randomElement(using: &generator) ?? ""
        let params =
            ["{}", "[]", "{\"id\":5}", "null", "\"x\"", "{\"a\":{\"b\":[1,2]}}"].randomElement(using: &generator) ?? ""
        let method = ["\"server.info\"", "\"\"", "1", "\"ü\\n\\ud83d\\ude00\""].randomElement(using: &generator) ?? ""
        var members = ["\"jsonrpc\":\"2.0\"", "\"id\":\(id)", "\"method\":\(method)", "\"params\":\(params)"]
        if Int.random(in: 0..<4, using: &generator) == 0 {
            members.remove(at: Int.random(in: 0..<4, using: &generator))
        }
        let object = "{" + members.shuffled(using: &generator).joined(separator: ",") + "}"
        switch Int.random(in: 0..<6, using: &generator) {
        case 0:
            return "["
                + Array(repeating: object, count: Int.random(in: 0...4, using: &generator)).joined(separator: ",") + "]"
        default: return object
        }
    }

    /// The same bytes, more often than not with something changed.
    private static func mutated(_ bytes: [UInt8], _ generator: inout SeededGenerator) -> [UInt8] {
        var bytes = bytes
        for _ in 0..<(Bool.random(using: &generator) ? 0 : Int.random(in: 1...3, using: &generator)) {
            guard !bytes.isEmpty else { break }
            let place = Int.random(in: 0..<bytes.count, using: &generator)
            switch Int.random(in: 0..<4, using: &generator) {
            case 0: bytes[place] = UInt8.random(in: 0...255, using: &generator)
            case 1: bytes.remove(at: place)
            case 2: bytes.insert(Array("{}[]\",:\\0e".utf8).randomElement(using: &generator) ?? 0, at: place)
            default: bytes.removeSubrange(place...)
            }
        }
        return bytes
    }

    /// Some frames, more or less as they should be.
    private static func frames(_ generator: inout SeededGenerator) -> [UInt8] {
        var bytes: [UInt8] = []
        for _ in 0..<Int.random(in: 1...5, using: &generator) {
            let odd = Int.random(in: 0..<8, using: &generator)
            let first =
                odd == 0
                ? UInt8.random(in: 0...255, using: &generator)
                : [0x81, 0x81, 0x01, 0x80, 0x00, 0x82, 0x89, 0x8A, 0x88].randomElement(using: &generator) ?? 0x81
            let size = Int.random(in: 0...(first & 8 == 0 ? 50 : 20), using: &generator)
            var payload = (0..<size).map { _ in UInt8.random(in: odd == 1 ? 0...255 : 32...126, using: &generator) }
            if first == 0x88, size >= 2 { payload.replaceSubrange(0..<2, with: [3, 0xE8]) }
            bytes += RawWebSocket.frame(first, payload, isMasked: odd != 2)
        }
        return Int.random(in: 0..<4, using: &generator) == 0 ? mutated(bytes, &generator) : bytes
    }
}

/// The frames that NIO's decoder makes of bytes in pieces, until it refuses.
private struct NIOSingleStepFrames {
    let maximumSize: Int

    func frames(of bytes: [UInt8], _ generator: inout SeededGenerator) throws -> [WebSocketFrame] {
        let channel = EmbeddedChannel()
        defer { _ = try? channel.finish(acceptAlreadyClosed: true) }
        try channel.pipeline.syncOperations.addHandler(
            ByteToMessageHandler(WebSocketFrameDecoder(maxFrameSize: maximumSize)))
        var frames: [WebSocketFrame] = []
        var rest = bytes[...]
        while !rest.isEmpty {
            let piece = rest.prefix(Int.random(in: 1...16, using: &generator))
            rest = rest.dropFirst(piece.count)
            do {
                try channel.writeInbound(ByteBuffer(bytes: piece))
            } catch is NIOWebSocketError {
                rest = []
            }
            while let frame = try channel.readInbound(as: WebSocketFrame.self) { frames.append(frame) }
        }
        return frames
    }
}
