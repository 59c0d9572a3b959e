import SubTrackTestSupport
import TestTraits
import Testing

/// The extent of random histories, which other tests play.
@Suite(.ownTime) struct HistoryExtentTests {
    @Test("A number is played to the last history, in any time")
    func number() {
        var extent = HistoryExtent(number: 45, seconds: 0, batch: 20, minimum: 0)
        #expect(extent.next() == 0..<20 && extent.next() == 20..<40 && extent.next() == 40..<45 && extent.next() == nil)
    }

    @Test("When the time is over, the minimum is played and no more")
    func minimum() {
        var extent = HistoryExtent(number: nil, seconds: 0, batch: 20, minimum: 30)
        #expect(extent.next() == 0..<20 && extent.next() == 20..<40 && extent.next() == nil)
    }

    @Test("Histories go on while there is time")
    func time() {
        var extent = HistoryExtent(number: nil, seconds: 3600, batch: 20, minimum: 20)
        for _ in 0..<100 { #expect(extent.next() != nil) }
    }
}
