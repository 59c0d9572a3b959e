import CCurl
import Foundation

/// A request by POST under way.
final class HTTPTransfer: Transfer, @unchecked Sendable {
    private let request: OutboundRequest
    private let certificates: String?
    private let agent: String
    private let limits: OutboundClient.Limits
    private let headers = StringList()
    private let answer = PendingAnswer<OutboundResponse>()
    private var body: [UInt8] = []
    private var isTruncated = false
    private var retryAfter: Duration?

    init(
        _ request: OutboundRequest, guard addressGuard: AddressGuard, certificates: String?, agent: String,
        limits: OutboundClient.Limits
    ) {
        self.request = request
        self.certificates = certificates
        self.agent = agent
        self.limits = limits
        let isEncrypted = request.url.isEncrypted
        super.init(host: request.url.host) { addressGuard.refusal(of: $0, port: $1, isEncrypted: isEncrypted) }
    }

    /// Takes the caller's continuation, before the transfer is submitted.
    func wait(_ continuation: CheckedContinuation<OutboundResponse, any Error>) { answer.wait(continuation) }

    override func fail(_ error: any Error) { answer.end(.failure(error)) }

    override func configure(_ easy: Easy) throws(OutboundFault) {
        try easy.set(CURLOPT_URL, request.url.text)
        try Easy.check(
            subtrackit_curl_set_protocols(easy.handle, "http,https", subtrackit_curl_http_protocols()), CURLOPT_URL)
        try easy.set(CURLOPT_FOLLOWLOCATION, 0)
        try easy.set(CURLOPT_POST, 1)
        try easy.setBody(request.body)
        try easy.set(CURLOPT_CONNECTTIMEOUT_MS, limits.connect.milliseconds)
        try easy.set(CURLOPT_TIMEOUT_MS, limits.whole.milliseconds)
        try easy.set(CURLOPT_USERAGENT, agent)
        if let certificates { try easy.set(CURLOPT_CAINFO, certificates) }
        // libcurl would say a type of forms, and ask before it sends a long body.
        if !request.headers.contains(where: { $0.name.lowercased() == "content-type" }) {
            try headers.append("Content-Type:")
        }
        try headers.append("Expect:")
        for header in request.headers { try headers.append(Self.line(header)) }
        try easy.set(CURLOPT_HTTPHEADER, headers)
        let context = Unmanaged.passUnretained(self).toOpaque()
        try easy.set(CURLOPT_WRITEDATA, context: context)
        try easy.set(
            CURLOPT_WRITEFUNCTION,
            function: { bytes, size, count, context in
                guard let bytes, let context else { return 0 }
                let transfer = Unmanaged<HTTPTransfer>.fromOpaque(context).takeUnretainedValue()
                return transfer.take(UnsafeRawBufferPointer(start: bytes, count: size * count))
            })
        try easy.set(CURLOPT_HEADERDATA, context: context)
        try easy.set(
            CURLOPT_HEADERFUNCTION,
            function: { bytes, size, count, context in
                guard let bytes, let context else { return 0 }
                let transfer = Unmanaged<HTTPTransfer>.fromOpaque(context).takeUnretainedValue()
                transfer.takeHeader(UnsafeRawBufferPointer(start: bytes, count: size * count))
                return size * count
            })
    }

    /// The line of a header. A line break in it would be a header of its own, or a body.
    private static func line(_ header: OutboundRequest.Header) throws(OutboundFault) -> String {
        let isName = { (byte: UInt8) in
            (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte) || byte == 0x2D
        }
        guard !header.name.isEmpty, header.name.utf8.allSatisfy(isName) else {
            throw .invalid("a header's name has a character that is no letter, digit or hyphen")
        }
        guard header.value.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }) else {
            throw .invalid("the header \(header.name) has a control character")
        }
        // libcurl takes a semicolon for a header without a value.
        return header.value.isEmpty ? "\(header.name);" : "\(header.name): \(header.value)"
    }

    /// Keeps the beginning of the body.
    /// - Returns: the number of bytes that were taken. Fewer than there are end the transfer.
    private func take(_ bytes: UnsafeRawBufferPointer) -> Int {
        lastHeard = .now
        let room = OutboundClient.bodyLimit - body.count
        body += bytes.prefix(room)
        guard bytes.count > room else { return bytes.count }
        isTruncated = true
        return 0
    }

    private func takeHeader(_ bytes: UnsafeRawBufferPointer) {
        lastHeard = .now
        let line = String(decoding: bytes, as: UTF8.self)
        // An interim answer has come before (RFC 9110 §15.2).
        if line.hasPrefix("HTTP/") { retryAfter = nil }
        guard let colon = line.firstIndex(of: ":"), line[..<colon].lowercased() == "retry-after" else { return }
        let value = line[line.index(after: colon)...].trimmingCharacters(in: .whitespacesAndNewlines)
        if let seconds = Int64(value) {
            retryAfter = .seconds(max(0, min(seconds, 1 << 31)))
        } else {
            let moment = curl_getdate(value, nil)
            if moment >= 0 { retryAfter = .seconds(max(0, Int64(moment) - Int64(time(nil)))) }
        }
    }

    override func finish(_ code: CURLcode, _ easy: Easy) {
        let status = subtrackit_curl_info_long(easy.handle, CURLINFO_RESPONSE_CODE)
        guard code == CURLE_OK || isTruncated, status >= 200 else {
            return fail(code == CURLE_OK ? OutboundFault.broken("there is no answer") : fault(code))
        }
        answer.end(
            .success(OutboundResponse(status: status, body: body, isTruncated: isTruncated, retryAfter: retryAfter)))
    }
}

extension Duration {
    /// Whole milliseconds.
    var milliseconds: Int { Int(components.seconds * 1000 + components.attoseconds / 1_000_000_000_000_000) }
}
