import AsyncHTTPClient
import Foundation
import NIOCore
import NIOFoundationCompat
import NIOHTTP1

/// Carries requests by HTTP. Redirections are not followed: a token goes to no other server. Where no connection can be made,
/// all that wait for one to the same host fail at once.
public struct HTTPTransport: Transport {
    /// How long a request may take.
    public var timeout: Duration
    /// How large an answer may be, in bytes: pages of changes end at one MiB.
    public static let maximumBody = 16 << 20

    private static let http: HTTPClient = {
        var configuration = HTTPClient.Configuration(redirectConfiguration: .disallow)
        configuration.timeout.connect = .seconds(10)
        // Who is refused is told so at once, not after ten seconds of trying: everything works offline, and what is live tries
        // again by itself.
        configuration.connectionPool.retryConnectionEstablishment = false
        // The request's own limit ends with the answer's head; a network that goes away in its body must not hold a sync.
        configuration.timeout.read = .seconds(30)
        return HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
    }()

    /// Gives up on a request after a time.
    public init(timeout: Duration = .seconds(30)) { self.timeout = timeout }

    public func send(_ request: TransportRequest) async throws -> TransportResponse {
        var wire = HTTPClientRequest(url: request.url)
        wire.method = HTTPMethod(rawValue: request.method)
        for (name, value) in request.headers { wire.headers.add(name: name, value: value) }
        if let body = request.body { wire.body = .bytes(ByteBuffer(data: body)) }
        let seconds = timeout.components.seconds
        do {
            let response = try await Self.http.execute(wire, timeout: .seconds(max(1, seconds)))
            let body = try await response.body.collect(upTo: Self.maximumBody)
            return TransportResponse(
                status: Int(response.status.code), body: Data(buffer: body),
                retryAfter: Self.retryAfter(response.headers.first(name: "Retry-After")))
        } catch let error as CancellationError {
            throw error
        } catch is NIOTooManyBytesError {
            throw KitError.nonsense("more than \(Self.maximumBody >> 20) MiB")
        } catch {
            throw KitError.offline(reason: Self.reason(error, url: request.url), retryAfter: nil)
        }
    }

    /// The seconds of `Retry-After` (RFC 9110 §10.2.3), a day at most; nil where it gives none.
    static func retryAfter(_ field: String?) -> Int? { field.flatMap { Int($0) }.map { min(max($0, 0), 86_400) } }

    /// What went wrong, in words.
    private static func reason(_ error: any Error, url: String) -> String {
        let host = URL(string: url).flatMap { url in url.host.map { $0 + (url.port.map { ":\($0)" } ?? "") } } ?? url
        switch error as? HTTPClientError {
        case .deadlineExceeded?, .connectTimeout?, .readTimeout?: return "\(host) does not answer in time"
        case .invalidURL?, .emptyHost?, .emptyScheme?:
            return "\"\(host)\" is no address of a service; give one such as https://subtrack.example.org"
        default: return "\(host) cannot be reached"
        }
    }
}
