import SubTrackAPI
import TestTraits
import Testing

@testable import SubTrackServer

@Suite("Line before an empty budget", .ownTime)
struct WaitingLineTests {
    private func at(_ seconds: Int64) -> Instant { Instant(secondsSince1970: 1_800_000_000 + seconds) }
    private let one = ClientNetworks(address: "2001:db8:1::1")

    /// A line whose bucket is empty: one token a second comes.
    private func emptied(_ bounds: WaitingLine.Bounds = .init()) -> WaitingLine {
        var line = WaitingLine(.init(burst: 1, perHour: 3600), bounds)
        #expect(line.enter(0, from: .local, at: at(0)).admission == .admitted)
        return line
    }

    @Test("A token is taken at once where there is one; else its turn comes, in order, and none is given twice")
    func turns() {
        var line = emptied()
        for id in 1...3 { #expect(line.enter(UInt64(id), from: one, at: at(0)).admission == .waits) }
        #expect(line.admit(at: at(0)).isEmpty)
        #expect(line.admit(at: at(1)) == [1])
        #expect(line.admit(at: at(1)).isEmpty)
        // A newcomer does not overtake those who wait.
        #expect(line.enter(4, from: .local, at: at(2)).admission == .waits)
        #expect(line.admit(at: at(2)) == [2])
        line.leave(3)
        #expect(line.admit(at: at(3)) == [4] && line.count == 0)
        #expect(line.enter(5, from: one, at: at(4)).admission == .admitted)
    }

    @Test("Regions take turns, however many addresses one of them has")
    func fair() {
        var line = emptied()
        for id in 1...16 {
            _ = line.enter(UInt64(id), from: ClientNetworks(address: "2001:db8:9:\(id)::1"), at: at(0))
        }
        #expect(line.enter(99, from: one, at: at(0)).admission == .waits)
        #expect(line.admit(at: at(1)) == [1])
        #expect(line.admit(at: at(2)) == [99])
    }

    @Test("A client has four places and a region sixteen; beyond, the answer names a time")
    func bounds() {
        var line = emptied()
        for id in 1...4 { #expect(line.enter(UInt64(id), from: one, at: at(0)).admission == .waits) }
        guard case .refused(let seconds) = line.enter(5, from: one, at: at(0)).admission else {
            Issue.record("a fifth place of one client")
            return
        }
        #expect(seconds >= 1)
        for id in 5...16 {
            let address = ClientNetworks(address: "2001:db8:1:\(id)::1")
            #expect(line.enter(UInt64(id), from: address, at: at(0)).admission == .waits)
        }
        guard case .refused = line.enter(17, from: ClientNetworks(address: "2001:db8:1:ffff::1"), at: at(0)).admission
        else {
            Issue.record("a seventeenth place of one region")
            return
        }
    }

    @Test(
        "A full line gives a newcomer the last place of the region that has most; the line never grows",
        arguments: 0..<20)
    func displaced(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var bounds = WaitingLine.Bounds()
        bounds.all = 12
        bounds.inRegion = 8
        var line = emptied(bounds)
        var waiting: [UInt64: ClientNetworks] = [:]
        for id in 1...400 as ClosedRange<UInt64> {
            let region = Int.random(in: 0..<5, using: &random)
            let networks = ClientNetworks(
                address: "2001:db8:\(region):\(Int.random(in: 0..<9, using: &random))::1")
            let own = waiting.count { $0.value.region == networks.region }
            let most = Dictionary(grouping: waiting.values, by: \.region).values.map(\.count).max() ?? 0
            let (admission, displaced) = line.enter(id, from: networks, at: at(0))
            if let displaced {
                let loser = waiting.removeValue(forKey: displaced)
                #expect(loser != nil && loser?.region != networks.region)
                #expect(most > own + 1)
            }
            if admission == .waits { waiting[id] = networks }
            #expect(line.count == waiting.count && waiting.count <= 12)
            if Int.random(in: 0..<6, using: &random) == 0, let gone = waiting.keys.min() {
                line.leave(gone)
                waiting[gone] = nil
            }
        }
        // Everybody who waits gets a turn, once.
        let served = line.admit(at: at(1)) + (2...40).flatMap { line.admit(at: at($0)) }
        #expect(Set(served) == Set(waiting.keys) && served.count == waiting.count)
    }
}
