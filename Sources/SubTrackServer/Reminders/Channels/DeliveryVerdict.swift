import SubTrackAPI

/// The end of an attempt to deliver by a channel.
enum DeliveryVerdict: Sendable, Equatable {
    case arrived
    /// The other side says that it takes nothing any more.
    case gone(problem: String)
    /// It is tried again, not before the seconds that the other side asks for.
    case failed(problem: String, retryAfter: Int64?)

    /// The longest wait that the other side may ask for, in seconds.
    static let longestRetryAfter: Int64 = 86_400

    /// Judges an answer.
    static func judge(_ answer: OutboundAnswer, of kind: ChannelKind) -> DeliveryVerdict {
        let problem = "the server answered \(answer.status)"
        switch answer.status {
        case 200...299: return .arrived
        case 410: return .gone(problem: "the server answered 410: it takes no more messages here")
        case 404 where kind == .webpush: return .gone(problem: problem)
        case 300...399:
            return .failed(problem: problem + ": redirects are not followed", retryAfter: nil)
        default: return .failed(problem: problem, retryAfter: answer.retryAfter)
        }
    }

    /// The time of the next attempt of a failed delivery; nil: there was the last one.
    static func next(after attempts: Int, retryAfter: Int64?, now: Instant, spread: Double = .random(in: 0...1))
        -> Instant?
    {
        guard let next = DeliverySchedule.next(after: attempts, now: now, spread: spread) else { return nil }
        let asked = min(max(retryAfter ?? 0, 0), longestRetryAfter)
        return max(next, Instant(secondsSince1970: now.secondsSince1970 + asked))
    }
}
