/// A fault that lasts, as it is to be logged: at once, and then at growing intervals. Another fault meanwhile is logged as well.
package struct LastingFault: Sendable {
    /// The pause before a fault is logged again. It doubles each time, up to an hour.
    private static let (firstPause, longestPause) = (Duration.seconds(30), Duration.seconds(3600))
    /// The number of different faults that are logged without a pause. Texts may differ in a number each time.
    private static let differentFaults = 8

    private var said: Set<String> = []
    private var since: ContinuousClock.Instant?
    private var next: ContinuousClock.Instant?
    private var pause = LastingFault.firstPause

    /// Nothing is wrong.
    package init() {}

    /// Notes that a fault is there, or still there.
    /// - Returns: whether it is to be logged.
    package mutating func isToBeSaid(_ fault: String, at now: ContinuousClock.Instant) -> Bool {
        if since == nil { since = now }
        let isNew = said.count < Self.differentFaults && said.insert(fault).inserted
        if let next {
            guard isNew || now >= next else { return false }
            if now >= next {
                pause = min(pause * 2, Self.longestPause)
                self.next = now + pause
            }
        } else {
            next = now + pause
        }
        return true
    }

    /// Notes that nothing is wrong any more.
    /// - Returns: how long the faults lasted; nil where there was none.
    package mutating func end(at now: ContinuousClock.Instant) -> Duration? {
        let since = since
        self = LastingFault()
        return since.map { now - $0 }
    }
}
