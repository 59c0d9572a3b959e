import TestTraits
import Testing

@testable import SubTrackKit

/// The kit's requests by HTTP.
@Suite("Requests of kits", .ownTime)
struct HTTPTransportTests {
    @Test("A service that refuses connections is told to be away")
    func refused() async throws {
        let error = await #expect(throws: KitError.self) {
            _ = try await HTTPTransport().send(
                TransportRequest(method: "GET", url: "http://127.0.0.1:9/healthz"))
        }
        #expect(error?.isTransient == true && error.map { "\($0)" }?.contains("127.0.0.1:9 cannot be reached") == true)
    }

    @Test("A connection that ends while it is made is not made again and again")
    func endsAtOnce() async throws {
        try await Door.run(to: "http://127.0.0.1:9") { door in
            door.isClosed = true
            let url = door.url.replacing("http://", with: "https://") + "/healthz"
            await #expect(throws: KitError.self) {
                _ = try await HTTPTransport().send(TransportRequest(method: "GET", url: url))
            }
            // One is the request's, and two look for the reason. Trying for ten seconds makes a dozen.
            #expect(door.accepted <= 5)
        }
    }

    @Test(
        "Addresses of services are told from texts that cannot be one",
        arguments: [
            ("http://127.0.0.1:8080", true), ("https://subtrack.example.org/t/acme/", true), ("localhost:8080", true),
            (" subtrack.example.org ", true), ("HTTPS://Ex.org", true), ("http://[::1]:8080", true), ("[::1]", true),
            ("http://bücher.example", true), ("", false), ("http://", false), ("http:///t/acme", false),
            ("ftp://ex.org", false), ("http://exa mple", false), ("http://ex.org:", false), ("http://ex.org:x", false),
            ("http://ex.org:0", false), ("http://ex.org:65536", false), ("http://ex.org:+80", false),
            ("http://ada@ex.org", false), ("https://ex.org?x=1", false), ("https://ex.org/#x", false),
            ("http://[::1", false), ("http://[]", false), ("http://[::1]x", false), ("mailto:ada@ex.org", false),
        ])
    func addresses(_ text: String, _ isAddress: Bool) {
        #expect(Client.isAddress(text) == isAddress, "\(text)")
    }

    @Test(
        "An address in a message has no path of the API",
        arguments: [
            ("https://ex.org/v1/devices", "https://ex.org"), ("https://ex.org/t/acme/v1", "https://ex.org/t/acme"),
            ("http://v1/v1/sync?limit=3", "http://v1"), ("https://ex.org/v12", "https://ex.org/v12"),
            ("/sign-in", "/sign-in"),
        ])
    func withoutPaths(_ url: String, _ address: String) {
        #expect(Client.address(ofOperation: url) == address)
    }
}
