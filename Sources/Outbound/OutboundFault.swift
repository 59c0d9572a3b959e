import CCurl

/// The reason for which nothing, or no whole answer, came from a server elsewhere.
public enum OutboundFault: Error, Sendable, Hashable, CustomStringConvertible {
    /// The request cannot be sent as it is.
    case invalid(String)
    /// The guard refused the address.
    case refused(String)
    /// The name has no address.
    case unresolved
    /// No connection was made.
    case unreachable
    /// TLS failed, or the certificate is not valid for the host.
    case insecure(String)
    /// The server did not take the name and the password.
    case denied
    /// A limit of time was reached.
    case timedOut
    /// The connection broke off, or the server's words were not understood.
    case broken(String)

    public var description: String {
        switch self {
        case .invalid(let reason): reason
        case .refused(let reason): "the address is refused: \(reason)"
        case .unresolved: "the host's name has no address"
        case .unreachable: "the host refuses the connection, or cannot be reached"
        case .insecure(let reason): "no secure connection: \(reason)"
        case .denied: "the server does not take the user and the password"
        case .timedOut: "the server did not answer in time"
        case .broken(let reason): "the connection broke off: \(reason)"
        }
    }

    /// The fault of a transfer that libcurl gave up.
    init(_ code: CURLcode) {
        let words = String(cString: curl_easy_strerror(code))
        switch code {
        case CURLE_URL_MALFORMAT, CURLE_UNSUPPORTED_PROTOCOL: self = .invalid(words)
        case CURLE_COULDNT_RESOLVE_HOST: self = .unresolved
        case CURLE_COULDNT_CONNECT: self = .unreachable
        case CURLE_OPERATION_TIMEDOUT: self = .timedOut
        case CURLE_LOGIN_DENIED: self = .denied
        case CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CONNECT_ERROR, CURLE_SSL_CACERT_BADFILE, CURLE_SSL_CERTPROBLEM,
            CURLE_SSL_CIPHER, CURLE_SSL_ISSUER_ERROR, CURLE_USE_SSL_FAILED:
            self = .insecure(words)
        default: self = .broken(words)
        }
    }
}
