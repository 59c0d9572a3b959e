import AsyncHTTPClient
import Foundation
import NIOCore
import NIOFoundationCompat
import NIOHTTP1
import Synchronization

/// Carries requests by HTTP. Redirections are not followed: a token goes to no other server. Where no connection can be made,
/// all that wait for one to the same host fail at once.
public struct HTTPTransport: Transport {
    /// How long a request may take.
    public var timeout: Duration
    private let authorities: LoadedTrust
    /// How large an answer may be, in bytes: pages of changes end at one MiB.
    public static let maximumBody = 16 << 20

    /// One client for each set of authorities, for as long as the process runs.
    private static let clients = Mutex<[TLSTrust: HTTPClient]>([:])

    private static func http(_ trust: TLSTrust) -> HTTPClient {
        clients.withLock { clients in
            if let client = clients[trust] { return client }
            var configuration = HTTPClient.Configuration(redirectConfiguration: .disallow)
            configuration.timeout.connect = .seconds(10)
            // A refused connection is reported at once, not after ten seconds of trying: everything works offline, and live
            // connections try again by themselves.
            configuration.connectionPool.retryConnectionEstablishment = false
            // The request's own limit ends with the answer's head; a network that goes away in its body must not hold a sync.
            configuration.timeout.read = .seconds(30)
            if trust != .system { configuration.tlsConfiguration = trust.configuration }
            let client = HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
            clients[trust] = client
            return client
        }
    }

    /// Gives up on a request after a time.
    /// - Parameters:
    ///   - timeout: that time.
    ///   - authorities: the PEM file of the certificate authorities that alone are trusted, read with the first request; nil:
    ///     those of the system.
    public init(timeout: Duration = .seconds(30), authorities: String? = nil) {
        self.timeout = timeout
        self.authorities = LoadedTrust(file: authorities)
    }

    public var trust: TLSTrust { get throws { try authorities.trust } }

    /// The authorities of a file, read when they are needed: a command that sends nothing works without the file.
    private final class LoadedTrust: Sendable {
        private let file: String?
        private let loaded = Mutex<TLSTrust?>(nil)

        init(file: String?) { self.file = file }

        var trust: TLSTrust {
            get throws {
                guard let file else { return .system }
                return try loaded.withLock { loaded in
                    let trust = try loaded ?? TLSTrust(file: file)
                    loaded = trust
                    return trust
                }
            }
        }
    }

    public func send(_ request: TransportRequest) async throws -> TransportResponse {
        let trust = try trust
        var wire = HTTPClientRequest(url: request.url)
        wire.method = HTTPMethod(rawValue: request.method)
        for (name, value) in request.headers { wire.headers.add(name: name, value: value) }
        if let body = request.body { wire.body = .bytes(ByteBuffer(data: body)) }
        let seconds = timeout.components.seconds
        do {
            let response = try await Self.http(trust).execute(wire, timeout: .seconds(max(1, seconds)))
            let body = Data(buffer: try await response.body.collect(upTo: Self.maximumBody))
            let status = Int(response.status.code)
            if (300..<400).contains(status), let place = response.headers.first(name: "Location") {
                let service = Client.address(ofOperation: String(place.prefix(200)))
                throw KitError.nonsense("it sends callers on to \(service); give that service's address")
            }
            if let fault = await TLSDiagnosis(url: request.url, trust: trust).fault(ofAnswer: status, body: body) {
                throw fault
            }
            return TransportResponse(
                status: status, body: body, retryAfter: Self.retryAfter(response.headers.first(name: "Retry-After")))
        } catch let error as CancellationError {
            throw error
        } catch let error as KitError {
            throw error
        } catch is NIOTooManyBytesError {
            throw KitError.nonsense("more than \(Self.maximumBody >> 20) MiB")
        } catch {
            if let fault = await TLSDiagnosis(url: request.url, trust: trust).fault(error) { throw fault }
            throw KitError.offline(reason: Self.reason(error, url: request.url), retryAfter: nil)
        }
    }

    /// The seconds of `Retry-After` (RFC 9110 §10.2.3), a day at most; nil where it gives none.
    static func retryAfter(_ field: String?) -> Int? { field.flatMap { Int($0) }.map { min(max($0, 0), 86_400) } }

    /// What went wrong, in words.
    private static func reason(_ error: any Error, url: String) -> String {
        let host =
            URL(string: url).flatMap { url in url.host.map { $0 + (url.port.map { ":\($0)" } ?? "") } }
            ?? Client.address(ofOperation: url)
        switch error as? HTTPClientError {
        case .deadlineExceeded?, .connectTimeout?, .readTimeout?: return "\(host) does not answer in time"
        case .invalidURL?, .emptyHost?, .emptyScheme?:
            return "\"\(host)\" is no address of a service; give one such as https://subtrack.example.org"
        default: return "\(host) cannot be reached"
        }
    }
}
