import DequeModule
import SubTrackAPI

/// Line before an empty token bucket: waiting callers get its tokens as they come, networks in turn.
///
/// Pure: time is passed in. The line is bounded, in all and for each network. When it is full, a newcomer takes the last
/// place of the network that has the most, where that has more than the newcomer's own.
struct WaitingLine: Sendable {
    /// How many may wait.
    struct Bounds: Sendable, Hashable {
        /// Of all networks together.
        var all = 128
        /// Of one region.
        var inRegion = 16
        /// Of one client.
        var ofClient = 4
    }

    /// Answer to a newcomer.
    enum Admission: Equatable {
        case admitted
        case waits
        /// There is no place; a token is likely after so many seconds.
        case refused(Int)
    }

    private struct Place {
        let id: UInt64
        let client: ClientNetworks.Network
    }

    private static let key = "line"

    private let rate: RateLimiter.Rate
    private let bounds: Bounds
    private var bucket = RateLimiter(maximumKeys: 2)
    private var places: [ClientNetworks.Network: Deque<Place>] = [:]
    /// Regions that have places, the next one first.
    private var turns: Deque<ClientNetworks.Network> = []
    /// How many wait.
    private(set) var count = 0

    /// A line before a full bucket.
    init(_ rate: RateLimiter.Rate, _ bounds: Bounds) {
        self.rate = rate
        self.bounds = bounds
    }

    /// Takes a token, or else a place.
    /// - Returns: also the one who lost the place to the newcomer.
    mutating func enter(
        _ id: UInt64, from networks: ClientNetworks, at now: Instant
    ) -> (admission: Admission, displaced: UInt64?) {
        var wait = 1
        if count == 0 {
            guard let needed = bucket.take(Self.key, rate, at: now) else { return (.admitted, nil) }
            wait = needed
        }
        let seconds = max(wait, Int((Double(count + 1) * 3600 / rate.perHour).rounded(.up)))
        let own = places[networks.region] ?? []
        guard own.count < bounds.inRegion,
            own.count(where: { $0.client == networks.client }) < bounds.ofClient
        else { return (.refused(seconds), nil) }
        var displaced: UInt64?
        if count >= bounds.all {
            guard let longest = places.max(by: { $0.value.count < $1.value.count }),
                longest.value.count > own.count + 1, let last = longest.value.last
            else { return (.refused(seconds), nil) }
            leave(last.id)
            displaced = last.id
        }
        if own.isEmpty { turns.append(networks.region) }
        places[networks.region, default: []].append(Place(id: id, client: networks.client))
        count += 1
        return (.waits, displaced)
    }

    /// Gives the tokens that have come to those whose turn it is.
    /// - Returns: the callers that have one now.
    mutating func admit(at now: Instant) -> [UInt64] {
        var admitted: [UInt64] = []
        while let region = turns.first, bucket.take(Self.key, rate, at: now) == nil {
            turns.removeFirst()
            guard let place = places[region]?.popFirst() else { continue }
            count -= 1
            admitted.append(place.id)
            if places[region]?.isEmpty == true { places[region] = nil } else { turns.append(region) }
        }
        return admitted
    }

    /// Gives a place up.
    mutating func leave(_ id: UInt64) {
        for (region, line) in places {
            guard let index = line.firstIndex(where: { $0.id == id }) else { continue }
            places[region]?.remove(at: index)
            count -= 1
            if places[region]?.isEmpty == true {
                places[region] = nil
                turns.removeAll { $0 == region }
            }
            return
        }
    }
}
