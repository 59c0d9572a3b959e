import CCurl
import Foundation
import Synchronization

/// A request under way.
///
/// Unchecked: the thread that performs it alone has all but the flag.
final class HTTPTransfer: @unchecked Sendable {
    private let request: OutboundRequest
    private let addresses: AddressGuard
    private let isCancelled = Atomic(false)
    private var body: [UInt8] = []
    private var isTruncated = false
    private var retryAfter: Duration?
    /// The reason for which the guard refused an address.
    private var refusal: String?
    private var isAdmitted = false

    init(_ request: OutboundRequest, _ addresses: AddressGuard) {
        self.request = request
        self.addresses = addresses
    }

    /// Ends it soon, from any thread.
    func cancel() { isCancelled.store(true, ordering: .releasing) }

    /// Sends the request and reads the answer, on this thread.
    /// - Throws: ``OutboundFault``, `CancellationError`.
    func perform(
        _ limits: HTTPSender.Limits, _ agent: String, _ certificates: String?
    ) throws -> OutboundResponse {
        if isCancelled.load(ordering: .acquiring) { throw CancellationError() }
        let easy = try Easy()
        defer { easy.end() }
        // libcurl would say a type of forms, and ask before it sends a long body.
        var lines = ["Content-Type:", "Expect:"]
        if request.headers.contains(where: { $0.name.lowercased() == "content-type" }) { lines.removeFirst() }
        for header in request.headers { lines.append(try header.line()) }
        var list: UnsafeMutablePointer<curl_slist>?
        defer { curl_slist_free_all(list) }
        for line in lines { list = curl_slist_append(list, line) ?? list }
        if let list { try easy.set(CURLOPT_HTTPHEADER, list) }
        try easy.setUsual(certificates: certificates)
        try easy.set(CURLOPT_URL, request.url.text)
        try Easy.check(subtrackit_curl_set_web_protocols(easy.handle), CURLOPT_URL)
        try easy.set(CURLOPT_FOLLOWLOCATION, 0)
        try easy.set(CURLOPT_POST, 1)
        try easy.set(CURLOPT_CONNECTTIMEOUT_MS, Int(limits.connect / .milliseconds(1)))
        try easy.set(CURLOPT_TIMEOUT_MS, Int(limits.whole / .milliseconds(1)))
        try easy.set(CURLOPT_USERAGENT, agent)
        try listen(easy)
        let code = try request.body.withUnsafeBytes { bytes in
            // libcurl reads the bytes where they are.
            try Easy.check(
                subtrackit_curl_set_body(easy.handle, bytes.baseAddress, Int64(bytes.count)), CURLOPT_POSTFIELDS)
            return withExtendedLifetime(self) { curl_easy_perform(easy.handle) }
        }
        let status = easy.number(CURLINFO_RESPONSE_CODE)
        guard code == CURLE_OK || isTruncated, status >= 200 else {
            if code == CURLE_ABORTED_BY_CALLBACK { throw CancellationError() }
            if code == CURLE_OK { throw OutboundFault.broken("there is no answer") }
            // A refusal counts where no other address could be tried.
            if let refusal, !isAdmitted { throw OutboundFault.refused(refusal) }
            throw OutboundFault(code)
        }
        return OutboundResponse(status: status, body: body, isTruncated: isTruncated, retryAfter: retryAfter)
    }

    /// Has libcurl ask before it connects, pass on the answer, and ask whether to go on.
    private func listen(_ easy: Easy) throws(OutboundFault) {
        let context = Unmanaged.passUnretained(self).toOpaque()
        try easy.set(CURLOPT_OPENSOCKETDATA, context: context)
        let open: subtrackit_curl_open_function = { context, _, address in
            guard let context, let address else { return -1 }
            return Unmanaged<HTTPTransfer>.fromOpaque(context).takeUnretainedValue().open(address)
        }
        try Easy.check(subtrackit_curl_set_open_function(easy.handle, open), CURLOPT_OPENSOCKETFUNCTION)
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
                let line = UnsafeRawBufferPointer(start: bytes, count: size * count)
                transfer.note(String(decoding: line, as: UTF8.self))
                return size * count
            })
        try easy.set(CURLOPT_NOPROGRESS, 0)
        try easy.set(CURLOPT_XFERINFODATA, context: context)
        let ask: subtrackit_curl_progress_function = { context, _, _, _, _ in
            guard let context else { return 0 }
            let transfer = Unmanaged<HTTPTransfer>.fromOpaque(context).takeUnretainedValue()
            return transfer.isCancelled.load(ordering: .acquiring) ? 1 : 0
        }
        try Easy.check(subtrackit_curl_set_progress_function(easy.handle, ask), CURLOPT_XFERINFOFUNCTION)
    }

    /// Opens the socket of a connection if the guard admits the address; -1 if not.
    private func open(_ address: UnsafeMutablePointer<curl_sockaddr>) -> curl_socket_t {
        var bytes = [UInt8](repeating: 0, count: 16)
        var port: UInt16 = 0
        let count = Int(subtrackit_curl_address(address, &bytes, &port))
        guard let target = NetworkAddress(bytes: Array(bytes.prefix(count))) else { return -1 }
        if let reason = addresses.refusal(of: target, port: Int(port), isEncrypted: request.url.isEncrypted) {
            refusal = reason
            return -1
        }
        isAdmitted = true
        return subtrackit_curl_open_socket(address)
    }

    /// Keeps the beginning of the body.
    /// - Returns: the number of bytes that were taken. Fewer than there are end the transfer.
    private func take(_ bytes: UnsafeRawBufferPointer) -> Int {
        let room = OutboundResponse.bodyLimit - body.count
        body += bytes.prefix(room)
        isTruncated = bytes.count > room
        return isTruncated ? 0 : bytes.count
    }

    /// Notes the wait that a line of the answer's head asks for.
    private func note(_ line: String) {
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
}
