import SubTrackKit
import Testing

/// The kit's requests by HTTP.
@Suite("Requests of kits")
struct HTTPTransportTests {
    @Test("A service that refuses connections is told to be away, and is not tried again and again meanwhile")
    func refused() async throws {
        let start = ContinuousClock.now
        let error = await #expect(throws: KitError.self) {
            _ = try await HTTPTransport().send(
                TransportRequest(method: "GET", url: "http://127.0.0.1:9/healthz"))
        }
        #expect(error?.isTransient == true && error.map { "\($0)" }?.contains("127.0.0.1:9 cannot be reached") == true)
        // Not a measure of speed: trying again goes on for as long as a connection may take, ten seconds.
        #expect(ContinuousClock.now - start < .seconds(9))
    }
}
