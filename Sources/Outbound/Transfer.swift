import CCurl
import Foundation
import Synchronization

/// A transfer between its caller and the loop that runs it.
///
/// Unchecked: after its making only the loop's thread reads and writes its stored variables. The flag of its caller and the
/// continuation are behind locks.
class Transfer: @unchecked Sendable {
    /// The host, for the bound of transfers at once.
    let host: String
    /// Judges an address and a port before they are connected to; gives the reason of a refusal.
    private let judge: @Sendable (NetworkAddress, Int) -> String?
    private let isCancelledFlag = Atomic(false)
    private(set) var easy: Easy?
    private var sockets: SocketTable?
    /// The reason for which the guard refused an address of this transfer.
    private(set) var refusal: String?
    /// Whether the guard admitted an address.
    private(set) var isAdmitted = false
    /// The moment until which it may wait for a place; nil: as long as it takes.
    let deadline: ContinuousClock.Instant?
    /// The moment of the last bytes of an answer that has begun; nil before.
    var lastHeard: ContinuousClock.Instant?

    init(
        host: String, deadline: ContinuousClock.Instant? = nil,
        judge: @escaping @Sendable (NetworkAddress, Int) -> String?
    ) {
        self.host = host
        self.deadline = deadline
        self.judge = judge
    }

    deinit { release() }

    /// Sets the options of this kind of transfer.
    func configure(_ easy: Easy) throws(OutboundFault) {}

    /// Whether it failed in a way that is mended by another try at once. It is asked after ``finish(_:_:)``.
    var wantsAnotherTry: Bool { false }

    /// Tells the caller the end. Further ends are ignored.
    func finish(_ code: CURLcode, _ easy: Easy) {}

    /// Tells the caller that it failed, or was cancelled. Further ends are ignored.
    func fail(_ error: any Error) {}

    /// Whether the caller waits no longer.
    var isCancelled: Bool { isCancelledFlag.load(ordering: .acquiring) }

    /// Notes that the caller waits no longer.
    func cancel() { isCancelledFlag.store(true, ordering: .releasing) }

    /// Makes the handle, on the loop's thread.
    func prepare(sockets: SocketTable) throws(OutboundFault) -> Easy {
        guard let handle = curl_easy_init() else { throw .invalid("libcurl has no memory for a transfer") }
        let easy = Easy(handle: handle)
        self.easy = easy
        self.sockets = sockets
        // libcurl has these pointers until release(), and that of the table until the loop's end.
        let context = Unmanaged.passUnretained(self).toOpaque()
        try easy.set(CURLOPT_PRIVATE, context: context)
        try easy.set(CURLOPT_NOSIGNAL, 1)
        try easy.set(CURLOPT_PROXY, "")
        try easy.set(CURLOPT_NOPROXY, "*")
        try easy.set(CURLOPT_SSL_VERIFYPEER, 1)
        try easy.set(CURLOPT_SSL_VERIFYHOST, 2)
        try easy.set(CURLOPT_SSLVERSION, 6)  // CURL_SSLVERSION_TLSv1_2
        try Easy.check(subtrackit_curl_set_quick_exit(handle), CURLOPT_NOSIGNAL)
        try easy.set(CURLOPT_OPENSOCKETDATA, context: context)
        let open: subtrackit_curl_open_function = { context, _, address in
            guard let context, let address else { return curl_socket_t(-1) }
            return Unmanaged<Transfer>.fromOpaque(context).takeUnretainedValue().open(address)
        }
        try Easy.check(subtrackit_curl_set_open_function(handle, open), CURLOPT_OPENSOCKETFUNCTION)
        try easy.set(CURLOPT_CLOSESOCKETDATA, context: Unmanaged.passUnretained(sockets).toOpaque())
        let close: subtrackit_curl_close_function = { context, socket in
            guard let context else { return 1 }
            return Unmanaged<SocketTable>.fromOpaque(context).takeUnretainedValue().close(socket)
        }
        try Easy.check(subtrackit_curl_set_close_function(handle, close), CURLOPT_CLOSESOCKETFUNCTION)
        try configure(easy)
        return easy
    }

    /// Frees the handle. It is in no loop any more.
    func release() {
        if let easy { curl_easy_cleanup(easy.handle) }
        easy = nil
        sockets = nil
    }

    /// Opens the socket of a connection, if the guard admits the address.
    private func open(_ address: UnsafeMutablePointer<curl_sockaddr>) -> curl_socket_t {
        var bytes = [UInt8](repeating: 0, count: 16)
        var port: UInt16 = 0
        let count = Int(subtrackit_curl_address(address, &bytes, &port))
        guard let target = NetworkAddress(bytes: Array(bytes.prefix(count))) else { return -1 }
        if let reason = judge(target, Int(port)) {
            refusal = reason
            return -1
        }
        isAdmitted = true
        return sockets?.open(address) ?? -1
    }

    /// The fault of a transfer that libcurl gave up. A refusal counts where no other address could be tried.
    func fault(_ code: CURLcode) -> OutboundFault {
        if code == CURLE_COULDNT_CONNECT, !isAdmitted, let refusal { return .refused(refusal) }
        return OutboundFault(code)
    }
}
