import Foundation
import SubTrackAPI
import SubTrackTestSupport

@testable import SubTrackKit

/// What a kit of its own takes from a file, on 10 February 2026.
func taken(
    _ text: String, currency: String? = nil, country: String? = nil
) throws -> (report: ImportReport, list: [Subscription]) {
    let folder = try PrivateServer.temporaryFolder()
    defer { try? FileManager.default.removeItem(at: folder) }
    let kit = try Kit(
        .init(
            server: "http://127.0.0.1:9", folder: folder, deviceName: "x", country: country, timeZone: "UTC",
            tokens: MemoryTokenStore(), clock: { Instant("2026-02-10T12:00:00Z") ?? Instant(secondsSince1970: 0) }))
    let report = try kit.importFile(Data(text.utf8), currency: currency)
    return (report, try kit.subscriptions().map(\.subscription))
}
