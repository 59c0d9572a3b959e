import SubTrackKit

extension Session {
    /// Makes sure that the service has an area for this tenant, as far as that is known here.
    /// - Parameters:
    ///   - name: the area, a word for several things: `contacts`.
    ///   - isUnknownAsked: whether the service is asked where nothing is known yet.
    /// - Throws: ``Failure``.
    func needArea(_ name: String, asking isUnknownAsked: Bool) async throws {
        let known = try kit.areas()
        if known.map({ $0.contains(name) }) ?? !isUnknownAsked { return }
        var areas = known
        if !home.offline {
            // They may be on by now. Where nobody answers, what is known here holds.
            areas = (try? await kit.refreshAreas()) ?? known
        }
        guard areas.map({ $0.contains(name) }) ?? true else { throw Failure.noArea(name) }
    }

    /// Whether the service has an area for this tenant, where that is known here.
    func hasArea(_ name: String) throws -> Bool { try kit.areas()?.contains(name) ?? false }
}

extension Failure {
    /// The operator has the area off.
    static func noArea(_ name: String) -> Failure {
        Failure("the service at this address has \(name) turned off; its operator can turn them on")
    }
}
